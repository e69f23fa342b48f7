// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of `packet_tracker`.

use super::unit::Unit;
use super::{Round, Rule};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        port: "tick",
        width: |_| 16,
        row: "U33",
        keys: &[],
        unit: Unit::StampParts,
        value: |traffic| traffic.stamp_parts(),
        round: Round::Nearest,
    },
    Rule {
        port: "rto",
        width: |_| 26,
        row: "U24, M73",
        keys: &["rto_us"],
        unit: Unit::Stamps,
        value: |traffic| traffic.stamps(traffic.settings.rto_us),
        round: Round::Up,
    },
    Rule {
        port: "retries",
        width: |_| 5,
        row: "U24",
        keys: &["rto_retries"],
        unit: Unit::Number,
        value: |traffic| traffic.settings.rto_retries as f64,
        round: Round::Nearest,
    },
    Rule {
        port: "span",
        width: |config| config.packet_tracker.window.ilog2(),
        row: "U24",
        keys: &["tolerance_percent"],
        unit: Unit::Packets,
        value: |traffic| traffic.span(traffic.tracker_window),
        round: Round::Nearest,
    },
    Rule {
        port: "backoff",
        width: |_| 26,
        row: "M12",
        keys: &["backoff_rtts", "rtt_us"],
        unit: Unit::Stamps,
        value: |traffic| traffic.stamps(traffic.rtts(traffic.settings.backoff_rtts)),
        round: Round::Up,
    },
    Rule {
        port: "backoff_limit",
        width: |_| 5,
        row: "M12",
        keys: &["backoff_limit"],
        unit: Unit::Number,
        value: |traffic| traffic.settings.backoff_limit as f64,
        round: Round::Nearest,
    },
    Rule {
        port: "tail_probe",
        width: |_| 16,
        row: "U24, M73",
        keys: &["tail_probe_rtts", "rtt_us", "packet_bytes"],
        unit: Unit::Stamps,
        value: |traffic| traffic.stamps(traffic.tail_probe()).min(65_535.0),
        round: Round::Up,
    },
];
