// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of `entropy_selector`.

use super::unit::Unit;
use super::{Round, Rule};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        port: "rtt",
        width: |_| 24,
        row: "U10, U11",
        keys: &["rtt_us"],
        unit: Unit::Clocks,
        value: |traffic| traffic.clocks(traffic.rtts(1.0)),
        round: Round::Up,
    },
    Rule {
        port: "saturation",
        width: |_| 9,
        row: "U12",
        keys: &["saturation_percent"],
        unit: Unit::Parts,
        value: |traffic| traffic.settings.saturation_percent / 100.0 * 256.0,
        round: Round::Nearest,
    },
    Rule {
        port: "seed",
        width: |_| 32,
        row: "U08",
        keys: &["seed"],
        unit: Unit::Number,
        value: |traffic| traffic.settings.seed as f64,
        round: Round::Nearest,
    },
    Rule {
        port: "explore",
        width: |_| 16,
        row: "U13",
        keys: &["reps_explore_bdps", "rtt_us", "packet_bytes"],
        unit: Unit::Packets,
        value: |traffic| traffic.bdps(traffic.settings.reps_explore_bdps),
        round: Round::Up,
    },
    Rule {
        port: "freeze",
        width: |_| 20,
        row: "U13",
        keys: &["reps_freeze_us"],
        unit: Unit::Ticks,
        value: |traffic| traffic.ticks(traffic.settings.reps_freeze_us),
        round: Round::Nearest,
    },
    Rule {
        port: "idle",
        width: |_| 8,
        row: "U06",
        keys: &["idle_rtts"],
        unit: Unit::Rtts,
        value: |traffic| traffic.settings.idle_rtts as f64,
        round: Round::Nearest,
    },
    Rule {
        port: "reroute",
        width: |_| 8,
        row: "U06",
        keys: &["reroute_rtts"],
        unit: Unit::Rtts,
        value: |traffic| traffic.settings.reroute_rtts as f64,
        round: Round::Nearest,
    },
];
