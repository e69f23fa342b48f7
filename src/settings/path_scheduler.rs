// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of `path_scheduler`.

use super::unit::Unit;
use super::{Round, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule {
        port: "raise",
        width: 6,
        row: "M64",
        keys: &["raise_packets"],
        unit: Unit::Feedbacks,
        value: |traffic| traffic.settings.raise_packets as f64,
        round: Round::Nearest,
    },
    Rule {
        port: "fail",
        width: 3,
        row: "M72",
        keys: &["fail_timeouts"],
        unit: Unit::Feedbacks,
        value: |traffic| traffic.settings.fail_timeouts as f64,
        round: Round::Nearest,
    },
];
