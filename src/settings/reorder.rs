// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of `reorder`.

use super::unit::Unit;
use super::{Round, Rule};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        port: "span",
        width: |config| config.reorder.window.ilog2(),
        row: "M57, M100",
        keys: &["tolerance_percent"],
        unit: Unit::Packets,
        value: |traffic| traffic.span(traffic.window),
        round: Round::Nearest,
    },
    Rule {
        port: "time",
        width: |_| 20,
        row: "M57, M83",
        keys: &["tolerance_rtts", "rtt_us"],
        unit: Unit::Ticks,
        value: |traffic| traffic.ticks(traffic.rtts(traffic.settings.tolerance_rtts)),
        round: Round::Up,
    },
];
