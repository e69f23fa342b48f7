// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of `lia_router`: loads in flits per interval. Each of the *a* switches of a group sends its part to a link, so
//! limits of a group and of a link are in parts of 1 / *a*.

use super::traffic::Traffic;
use super::unit::Unit;
use super::{Round, Rule};
use crate::config::{Config, LiaRouter};
use pipeline::routing::lia_router::{Hop, LiaRouterConfig};
use rtl_model::clog2;

/// Clock cycles of a sweep.
pub(super) fn sweep_cycles(config: &Config) -> u64 {
    let LiaRouter { global_ports, switches, trunks, .. } = config.lia_router;
    let ram_latency = config.ram_latency();
    LiaRouterConfig { ram_latency, ..LiaRouterConfig::new(global_ports, switches, trunks) }.sweep_cycles()
}

/// A load whose half is rounded up, also where a number such as 0.7 is stored as a little less.
fn upwards(load: f64) -> f64 {
    if load > 0.0 { load + 1e-6 } else { 0.0 }
}

/// What loads are measured by.
pub(crate) struct Loads {
    switches: f64,
    global_ports: f64,
    /// Clock cycles of a sweep, and of an interval: as many sweeps as it needs.
    sweep: f64,
    interval: f64,
}

impl Loads {
    pub fn of(config: &Config) -> Self {
        let sweep = sweep_cycles(config) as f64;
        let LiaRouter { global_ports, switches, .. } = config.lia_router;
        let interval = (config.settings.lia_interval as f64 / sweep).ceil() * sweep;
        Loads { switches: switches as f64, global_ports: global_ports as f64, sweep, interval }
    }

    /// Flits per interval of a switch, of which all together have so many times what a link carries.
    fn of_switch(&self, links: f64) -> f64 {
        upwards(links * self.interval / self.switches)
    }
}

/// Width of a load.
fn load_width(config: &Config) -> u32 {
    config.lia_router.counter_bits as u32
}

/// Width of *h* times a load of a remote link.
fn remote_width(config: &Config) -> u32 {
    let h = config.lia_router.global_ports;
    load_width(config) + clog2(h * h)
}

/// A number in two's complement of 16 bits.
fn signed(value: f64) -> f64 {
    let rounded = value.round();
    if rounded < 0.0 { rounded + 65_536.0 } else { rounded }
}

/// The code of a choice.
fn code(hop: Hop) -> f64 {
    hop.code() as f64
}

/// A rule for a number that needs no conversion but this one.
const fn rule(
    port: &'static str,
    width: fn(&Config) -> u32,
    row: &'static str,
    keys: &'static [&'static str],
    unit: Unit,
    value: fn(&Traffic) -> f64,
) -> Rule {
    Rule { port, width, row, keys, unit, value, round: Round::Nearest }
}

pub(crate) const RULES: &[Rule] = &[
    rule("weight", |_| 8, "L13", &["lia_weight"], Unit::Sixteenths, |t| 16.0 * t.settings.lia_weight),
    rule("limit_1", load_width, "L19", &["lia_mixed", "lia_interval"], Unit::Flits, |t| {
        t.lia.of_switch(t.settings.lia_mixed)
    }),
    rule("limit_2", load_width, "L19", &["lia_adversarial", "lia_interval"], Unit::Flits, |t| {
        t.lia.of_switch(t.settings.lia_adversarial)
    }),
    rule("bias_0", |_| 16, "L11", &["lia_bias_benign"], Unit::Signed, |t| signed(t.settings.lia_bias_benign)),
    rule("bias_1", |_| 16, "L11", &["lia_bias_mixed"], Unit::Signed, |t| signed(t.settings.lia_bias_mixed)),
    rule("bias_2", |_| 16, "L11", &["lia_bias_adversarial"], Unit::Signed, |t| signed(t.settings.lia_bias_adversarial)),
    rule("link_threshold", load_width, "L17", &["lia_link_load", "lia_interval"], Unit::Flits, |t| {
        t.lia.of_switch(t.settings.lia_link_load)
    }),
    Rule {
        port: "saturated_links",
        width: |_| 5,
        row: "L17",
        keys: &["lia_saturated_links"],
        unit: Unit::Number,
        value: |t| (t.settings.lia_saturated_links * t.lia.global_ports).floor(),
        round: Round::Nearest,
    },
    rule("remote_threshold", remote_width, "L18", &["lia_remote_load", "lia_interval"], Unit::Flits, |t| {
        upwards(t.lia.global_ports * t.settings.lia_remote_load * t.lia.interval)
    }),
    Rule {
        port: "interval",
        width: |_| 16,
        row: "L21",
        keys: &["lia_interval"],
        unit: Unit::Sweeps,
        value: |t| t.lia.interval / t.lia.sweep,
        round: Round::Nearest,
    },
    rule("first_hop", |_| 2, "L17", &["lia_first_hop"], Unit::Number, |t| code(t.settings.lia_first_hop)),
    rule("second_hop", |_| 2, "L18", &["lia_second_hop"], Unit::Number, |t| code(t.settings.lia_second_hop)),
    rule("corrected", |_| 1, "L11", &["lia_corrected"], Unit::Number, |t| f64::from(t.settings.lia_corrected)),
];
