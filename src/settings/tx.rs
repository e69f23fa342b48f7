// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of `tx` itself: those of probes, with RoCEv2.

use super::unit::Unit;
use super::{Round, Rule};
use crate::config::Config;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::transmit::tx::PAYLOAD_WIDTH;

pub(crate) const VISITS: &str = "probe_settings_visits";
pub(crate) const PACKETS: &str = "probe_settings_packets";
pub(crate) const LENGTH: &str = "probe_settings_length";
pub(crate) const TIMEOUT: &str = "probe_settings_timeout";

/// The width of a register that is there with RoCEv2.
fn rocev2(config: &Config, width: u32) -> u32 {
    if config.tx_protocol() == AckProtocol::Roce { width } else { 0 }
}

pub(crate) const RULES: &[Rule] = &[
    Rule {
        port: VISITS,
        width: |config| rocev2(config, 1),
        row: "M43, M61, M72",
        keys: &["probe_paths"],
        unit: Unit::Number,
        value: |traffic| f64::from(u8::from(traffic.settings.probe_paths)),
        round: Round::Nearest,
    },
    Rule {
        port: PACKETS,
        width: |config| rocev2(config, 4),
        row: "M43",
        keys: &["probe_packets"],
        unit: Unit::Packets,
        value: |traffic| traffic.settings.probe_packets as f64 - 1.0,
        round: Round::Nearest,
    },
    Rule {
        port: LENGTH,
        width: |config| rocev2(config, PAYLOAD_WIDTH),
        row: "M43",
        keys: &["probe_bytes"],
        unit: Unit::Bytes,
        value: |traffic| traffic.settings.probe_bytes as f64,
        round: Round::Nearest,
    },
    Rule {
        port: TIMEOUT,
        width: |config| rocev2(config, 16),
        row: "M61",
        keys: &["probe_timeout_rtts", "rtt_us"],
        unit: Unit::Stamps,
        value: |traffic| traffic.stamps(traffic.rtts(traffic.settings.probe_timeout_rtts)),
        round: Round::Up,
    },
];
