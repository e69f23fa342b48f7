// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of `ack_generator`. Those of the other protocol have no register: a width of 0.

use super::unit::Unit;
use super::{Round, Rule};
use crate::config::Config;
use pipeline::receive::ack_generator::AckProtocol;

const fn roce(config: &Config, width: u32) -> u32 {
    if matches!(config.ack_protocol(), AckProtocol::Roce) { width } else { 0 }
}

const fn uet(config: &Config, width: u32) -> u32 {
    if matches!(config.ack_protocol(), AckProtocol::Uet) { width } else { 0 }
}

/// A register whose value no key decides.
macro_rules! fixed {
    ($port:literal, $width:expr, $row:literal, $unit:expr, $value:expr) => {
        Rule { port: $port, width: $width, row: $row, keys: &[], unit: $unit, value: |_| $value, round: Round::Nearest }
    };
}

pub(crate) const RULES: &[Rule] = &[
    Rule {
        port: "tick",
        width: |_| 16,
        row: "M32, U29",
        keys: &[],
        unit: Unit::StampParts,
        value: |traffic| traffic.stamp_parts(),
        round: Round::Nearest,
    },
    Rule {
        port: "count",
        width: |config| roce(config, 8),
        row: "M25",
        keys: &["ack_packets"],
        unit: Unit::Packets,
        value: |traffic| traffic.settings.ack_packets as f64,
        round: Round::Nearest,
    },
    Rule {
        port: "count_multipath",
        width: |config| roce(config, 8),
        row: "M26, M84",
        keys: &["ack_packets_multipath"],
        unit: Unit::Packets,
        value: |traffic| traffic.settings.ack_packets_multipath as f64,
        round: Round::Nearest,
    },
    Rule {
        port: "trigger",
        width: |config| uet(config, 16),
        row: "U29",
        keys: &["ack_bytes"],
        unit: Unit::Bytes,
        value: |traffic| traffic.ack_bytes as f64,
        round: Round::Nearest,
    },
    fixed!("min", |config| uet(config, 12), "U29", Unit::Bytes, 1024.0),
    Rule {
        port: "time",
        width: |_| 20,
        row: "M59, M103",
        keys: &["ack_rtts", "rtt_us"],
        unit: Unit::Stamps,
        value: |traffic| if traffic.uet { 0.0 } else { traffic.stamps(traffic.rtts(traffic.settings.ack_rtts)) },
        round: Round::Nearest,
    },
    fixed!("per_packet", |config| uet(config, 1), "U29", Unit::Number, 0.0),
    fixed!("on_ecn", |_| 1, "M103, U29", Unit::Number, 1.0),
    fixed!("on_retx", |config| uet(config, 1), "U29", Unit::Number, 1.0),
    fixed!("rnr", |config| roce(config, 5), "M12, M25", Unit::Number, 12.0),
    Rule {
        port: "no_buffer_time",
        width: |config| uet(config, 20),
        row: "U24",
        keys: &["rtt_us"],
        unit: Unit::Stamps,
        value: |traffic| traffic.stamps(traffic.rtts(1.0)),
        round: Round::Nearest,
    },
    fixed!("credits", |config| roce(config, 5), "M25", Unit::Number, 31.0),
    fixed!("offset", |config| roce(config, 16), "M32", Unit::Stamps, 0.0),
    fixed!("cc", |config| uet(config, 1), "U29", Unit::Number, 1.0),
    Rule {
        port: "mpr",
        width: |config| uet(config, 8),
        row: "U29",
        keys: &[],
        unit: Unit::Number,
        value: |traffic| (traffic.ack_window / 128.0).floor().max(1.0),
        round: Round::Nearest,
    },
    fixed!("added", |config| uet(config, 8), "U29", Unit::Stamps, 1.0),
    fixed!("restore", |config| uet(config, 1), "U29", Unit::Number, 1.0),
];
