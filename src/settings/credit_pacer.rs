// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of `credit_pacer`, in units of credit.

use super::traffic::Traffic;
use super::unit::Unit;
use super::{Round, Rule};

/// The part of the line rate that is granted: a receiver that is sent more has a queue before it.
const SHARE: f64 = 0.99;
/// Packets of the largest size in a quota.
const PACKETS: f64 = 4.0;

/// Credit of a quota: as much as its packets need.
fn quota(traffic: &Traffic) -> f64 {
    PACKETS * traffic.mtu as f64 / traffic.credit_unit
}

/// Credit for what the link carries in a time in microseconds.
fn credit(traffic: &Traffic, us: f64) -> f64 {
    traffic.bytes(us) / traffic.credit_unit
}

pub(crate) const RULES: &[Rule] = &[
    Rule {
        port: "rate",
        width: |_| 24,
        row: "U29",
        keys: &[],
        unit: Unit::CreditParts,
        value: |traffic| 65_536.0 * SHARE * credit(traffic, 1.0) / traffic.clocks(1.0),
        round: Round::Nearest,
    },
    Rule {
        port: "quota",
        width: |_| 12,
        row: "U29",
        keys: &["mtu"],
        unit: Unit::Credit,
        value: quota,
        round: Round::Up,
    },
    Rule {
        port: "burst",
        width: |_| 12,
        row: "U29",
        keys: &["mtu"],
        unit: Unit::Credit,
        value: quota,
        round: Round::Up,
    },
    Rule {
        port: "advance",
        width: |_| 24,
        row: "U29",
        keys: &["rtt_us"],
        unit: Unit::Credit,
        value: |traffic| credit(traffic, traffic.rtts(1.5)),
        round: Round::Nearest,
    },
];
