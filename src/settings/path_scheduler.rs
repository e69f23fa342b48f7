// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of `path_scheduler`.

use super::unit::Unit;
use super::{Round, Rule};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        port: "flowlet",
        width: |_| 16,
        row: "M03, M45",
        keys: &["flowlet_rtts", "rtt_us"],
        unit: Unit::Ticks,
        value: |traffic| traffic.ticks(traffic.rtts(traffic.settings.flowlet_rtts)),
        round: Round::Up,
    },
    Rule {
        port: "raise",
        width: |_| 6,
        row: "M64",
        keys: &["raise_rtts", "rtt_us", "packet_bytes"],
        unit: Unit::Feedbacks,
        value: |traffic| traffic.raise(),
        round: Round::Up,
    },
    Rule {
        port: "fail",
        width: |_| 3,
        row: "M72",
        keys: &["fail_losses"],
        unit: Unit::Feedbacks,
        value: |traffic| traffic.settings.fail_losses as f64,
        round: Round::Nearest,
    },
    Rule {
        port: "fail_time",
        width: |_| 15,
        row: "M72, M104",
        keys: &["fail_rtts", "rtt_us"],
        unit: Unit::Ticks,
        value: |traffic| traffic.ticks(traffic.rtts(traffic.settings.fail_rtts)),
        round: Round::Up,
    },
    Rule {
        port: "wait",
        width: |_| 1,
        row: "M75",
        keys: &["wait_for_path"],
        unit: Unit::Number,
        value: |traffic| f64::from(u8::from(traffic.settings.wait_for_path)),
        round: Round::Nearest,
    },
    Rule {
        port: "migrate",
        width: |_| 3,
        row: "M62, M70",
        keys: &["migrate_rtts"],
        unit: Unit::Rtts,
        value: |traffic| traffic.settings.migrate_rtts as f64,
        round: Round::Nearest,
    },
    Rule {
        port: "window",
        width: |config| config.path_scheduler.in_flight_bits as u32 - 1,
        row: "M47, M67",
        keys: &["window_bdps", "rtt_us", "packet_bytes"],
        unit: Unit::Packets,
        value: |traffic| traffic.bdps(traffic.settings.window_bdps),
        round: Round::Up,
    },
    Rule {
        port: "rtt",
        width: |_| 15,
        row: "M69",
        keys: &["rtt_us"],
        unit: Unit::Ticks,
        value: |traffic| traffic.ticks(traffic.rtts(1.0)),
        round: Round::Up,
    },
    Rule {
        port: "delay",
        width: |_| 16,
        row: "M47, M64",
        keys: &["delay_percent", "rtt_us"],
        unit: Unit::Stamps,
        value: |traffic| traffic.stamps(traffic.rtts(traffic.settings.delay_percent / 100.0)),
        round: Round::Up,
    },
];
