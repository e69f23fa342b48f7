// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of `rx` itself.

use super::unit::Unit;
use super::{Round, Rule};
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::receive::rx::INTERVAL_WIDTH;

/// The port of the time between two answers: to packets of no connection, or CNPs of one connection.
pub(crate) const INTERVAL: &str = "answer_settings_interval";

pub(crate) const RULES: &[Rule] = &[
    Rule {
        port: INTERVAL,
        width: |config| if config.ack_protocol() == AckProtocol::Uet { INTERVAL_WIDTH } else { 0 },
        row: "U29",
        keys: &["stranger_answers"],
        unit: Unit::Clocks,
        value: |traffic| traffic.clocks(1e6 / traffic.settings.stranger_answers as f64),
        round: Round::Nearest,
    },
    Rule {
        port: INTERVAL,
        width: |config| if config.ack_protocol() == AckProtocol::Roce { INTERVAL_WIDTH } else { 0 },
        row: "M07",
        keys: &["cnp_us"],
        unit: Unit::Clocks,
        value: |traffic| traffic.clocks(traffic.settings.cnp_us),
        round: Round::Nearest,
    },
];
