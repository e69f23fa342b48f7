// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of both ELAB stages.

use super::traffic::Traffic;
use super::unit::Unit;
use super::{Round, Rule};

/// C_burst: at least half of what is under way is advised, and 10 packets are the least (E16).
fn burst(traffic: &Traffic) -> f64 {
    traffic.bdps(traffic.settings.burst_bdps).max(10.0)
}

const BURST: Rule = Rule {
    port: "burst",
    width: |_| 16,
    row: "E16",
    keys: &["burst_bdps", "rtt_us", "packet_bytes"],
    unit: Unit::Packets,
    value: burst,
    round: Round::Up,
};

pub(crate) const SCHEDULER: &[Rule] = &[
    Rule {
        port: "alpha",
        width: |_| 8,
        row: "E12, E16",
        keys: &["alpha"],
        unit: Unit::Parts,
        value: |traffic| traffic.settings.alpha * 256.0,
        round: Round::Nearest,
    },
    Rule {
        port: "window",
        width: |_| 24,
        row: "E12",
        keys: &["update_rtts", "rtt_us"],
        unit: Unit::ElabUnits,
        value: |traffic| traffic.elab_units(traffic.rtts(traffic.settings.update_rtts)),
        round: Round::Up,
    },
    Rule {
        port: "explore",
        width: |_| 24,
        row: "E15, E16",
        keys: &["explore_rtts", "rtt_us"],
        unit: Unit::ElabUnits,
        value: |traffic| traffic.elab_units(traffic.rtts(traffic.settings.explore_rtts)),
        round: Round::Up,
    },
    BURST,
    Rule {
        port: "silence",
        width: |_| 16,
        row: "V21, V22",
        keys: &["silence_rtts", "rtt_us"],
        unit: Unit::ElabUnits,
        value: |traffic| traffic.elab_units(traffic.rtts(traffic.settings.silence_rtts)),
        round: Round::Up,
    },
];

pub(crate) const FEEDBACK: &[Rule] = &[
    BURST,
    Rule {
        port: "report_time",
        width: |_| 24,
        row: "E11",
        keys: &["report_rtts", "rtt_us"],
        unit: Unit::Clocks,
        value: |traffic| traffic.clocks(traffic.rtts(traffic.settings.report_rtts)),
        round: Round::Up,
    },
];
