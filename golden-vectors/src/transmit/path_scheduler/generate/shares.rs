// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T4, T5 and T24: shares that follow bandwidths 1:40, with weights of 8 bits.

use super::shapes::FIVE;
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Feedback, Granularity, Op, Packet, Settings, Shape};
use crate::transmit::path_scheduler::script::{Script, entropy};
use crate::transmit::path_scheduler::suite::Suite;

/// Eight sub-paths with weights of 8 bits.
const EIGHT: Shape = FIVE.weight_bits(8);

/// Adds the group `shares`.
pub fn add(suite: &mut Suite) {
    suite.group("shares", "shares follow bandwidths", EIGHT, Settings::new(0, 0, 0).window(500));
    for (name, bandwidths) in [
        ("1-to-40", [1, 2, 3, 5, 9, 16, 25, 40]),
        ("1-to-40-each", [1, 40, 1, 40, 1, 40, 1, 40]),
        ("1-to-4", [1, 1, 2, 2, 3, 3, 4, 4]),
    ] {
        probed(suite, name, bandwidths);
    }
}

/// The bandwidths come with the answers to probes.
fn probed(suite: &mut Suite, name: &str, bandwidths: [u64; 8]) {
    let most = bandwidths.into_iter().max().unwrap_or(1);
    let mut script = Script::new(EIGHT);
    script.open(0, Granularity::Packet, &[]);
    for (path, bandwidth) in (0..).zip(bandwidths) {
        script.operate(0, Command::new(Op::Add, 0, path).weight(EIGHT.most()).entropy(entropy(0, path)));
        let at = script.settled();
        script.request(at, 0, Packet::Probe, path);
        script.hear(at + 4, Feedback::answer(0, path, bandwidth * EIGHT.most() / most));
        script.operate(at + 5, Command::new(Op::Start, 0, path).unforced());
    }
    let at = script.settled();
    script.stream(at, 0, 240);
    let rows = aim(&["Draw", "Probe"], &["T4", "T5", "T24", "M43", "M47", "M63"]);
    suite.add(format!("M63-{name}"), format!("bandwidths {bandwidths:?}, from probes"), rows, script);
}
