// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of `ccc_table`. *a* of NSCC is the bandwidth-delay product in units of that of 100 Gb/s and 12 us (uet.md 2.2).

use super::traffic::Traffic;
use super::unit::Unit;
use super::{Round, Rule};

/// The bandwidth-delay product of the reference network in bytes, and its round trip in microseconds.
const REFERENCE_BYTES: f64 = 150_000.0;
const REFERENCE_US: f64 = 12.0;

fn scale(traffic: &Traffic) -> f64 {
    traffic.bytes(traffic.rtts(1.0)) / REFERENCE_BYTES
}

fn mtu(traffic: &Traffic) -> f64 {
    traffic.mtu as f64
}

/// The target delay in microseconds.
fn target(traffic: &Traffic) -> f64 {
    traffic.rtts(if traffic.settings.trim { 0.75 } else { 1.0 })
}

/// A register of this width.
macro_rules! rule {
    ($port:literal, $width:literal, $row:literal, $keys:expr, $unit:expr, $value:expr) => {
        Rule {
            port: $port,
            width: |_| $width,
            row: $row,
            keys: $keys,
            unit: $unit,
            value: $value,
            round: Round::Nearest,
        }
    };
}

pub(crate) const RULES: &[Rule] = &[
    rule!("tick", 16, "U33", &[], Unit::StampParts, |traffic| traffic.stamp_parts()),
    rule!("mtu", 14, "U21", &["mtu"], Unit::Bytes, mtu),
    rule!("config_base_rtt", 16, "U33", &["rtt_us"], Unit::Stamps, |traffic| traffic.stamps(traffic.rtts(1.0))),
    rule!("rtt_floor", 16, "U33", &[], Unit::Stamps, |_| 1.0),
    rule!("wnd_rate", 21, "U27", &[], Unit::Number, |traffic| 16.0 * 1.5 * traffic.bytes(0.128)),
    rule!("config_wnd", 28, "U27", &["rtt_us", "mtu"], Unit::Bytes, |traffic| {
        (1.5 * traffic.bytes(traffic.rtts(1.0))).max(mtu(traffic))
    }),
    rule!("target", 16, "U31", &["rtt_us", "trim"], Unit::Stamps, |traffic| traffic.stamps(target(traffic))),
    rule!("small_delay", 16, "U31", &[], Unit::Stamps, |traffic| traffic.stamps(1.0)),
    rule!("alpha", 26, "U31", &["rtt_us", "mtu"], Unit::Number, |traffic| {
        256.0 * 4.0 * scale(traffic) * mtu(traffic) / traffic.stamps(REFERENCE_US)
    }),
    rule!("fi", 24, "U31", &["mtu", "rtt_us"], Unit::Bytes, |traffic| 5.0 * mtu(traffic) * scale(traffic)),
    rule!("fi_scale", 16, "U31", &["rtt_us"], Unit::Parts, |traffic| 256.0 * 0.25 * scale(traffic)),
    rule!("eta", 20, "U31", &["mtu", "rtt_us"], Unit::Bytes, |traffic| 0.15 * mtu(traffic) * scale(traffic)),
    rule!("gamma", 8, "U31", &[], Unit::Parts, |_| 256.0 * 0.8),
    rule!("max_cut", 8, "U31", &[], Unit::Parts, |_| 256.0 * 0.5),
    rule!("qa_enable", 1, "U32", &[], Unit::Number, |_| 1.0),
    rule!("qa_gate", 4, "U32", &[], Unit::Number, |_| 3.0),
    rule!("qa_threshold", 16, "U32", &["rtt_us", "trim"], Unit::Stamps, |traffic| {
        if traffic.settings.trim { 65_535.0 } else { traffic.stamps(4.0 * target(traffic)) }
    }),
    rule!("adjust_bytes", 24, "U31", &["mtu"], Unit::Bytes, |traffic| 8.0 * mtu(traffic)),
    rule!("adjust_period", 16, "U31", &["rtt_us"], Unit::Stamps, |traffic| traffic.stamps(traffic.rtts(1.0))),
    rule!("ack_trigger", 24, "U29", &["ack_bytes"], Unit::Bytes, |traffic| traffic.ack_bytes as f64),
];
