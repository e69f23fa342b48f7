// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row S6 over many epochs without events. An epoch number of few bits wraps: old marks must not come back, and fresh
//! ones must not vanish.

use super::shapes::shape;
use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Op, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

const RTT: u64 = 64;

pub fn add(suite: &mut Suite) {
    let few = shape(2, 64);
    suite.group("idle", "a CCC with old marks behind some epochs without events", few, (RTT, 256));
    for epochs in (2..=18).chain(30..=34).chain(62..=66) {
        one(suite, few, epochs);
    }
    let large = shape(2, 1024);
    suite.group("idle", "a CCC with old marks behind some epochs without events", large, (RTT, 256));
    for epochs in [3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64] {
        one(suite, large, epochs);
    }
    let many = shape(5, 128);
    suite.group("idle", "CCCs with old marks, each without events for a different time", many, (RTT, 256));
    several(suite, many, [126, 127, 128, 129, 130]);
    several(suite, many, [254, 255, 256, 257, 258]);
    several(suite, many, [509, 510, 511, 512, 513]);
}

fn one(suite: &mut Suite, shape: Shape, epochs: u64) {
    let (mut script, at) = Script::opened(shape, 8);
    script.marks(at, 0, [8, 9, 11, 40]);
    awake(&mut script, 0, at + epochs * RTT);
    let comment = format!("{epochs} epochs without events");
    suite.add(format!("{epochs}"), comment, aim(&["Idle", "Epoch"], &["S6", "U11"]), script);
}

fn several(suite: &mut Suite, shape: Shape, epochs: [u64; 5]) {
    let (mut script, at) = Script::all_opened(shape, 5, 8);
    for (ccc, epochs) in (0..).zip(epochs) {
        let at = script.marks(at + 4 * ccc, ccc, [8, 9, 11, 40]);
        awake(&mut script, ccc, at + epochs * RTT);
    }
    let id = epochs.map(|epochs| epochs.to_string()).join("-");
    suite.add(id, "CCC after CCC is used again", aim(&["Idle", "Epoch"], &["S6", "U11"]), script);
}

/// No EV is marked any more. Then a fresh mark is set, and is valid.
fn awake(script: &mut Script, ccc: u64, at: u64) {
    script.command(at - 16, Op::Read, ccc, 0);
    script.mark(at, ccc, 9);
    script.request(at + 2, ccc);
    script.requests(at + 8, ccc, 2);
    script.command(at + 12, Op::Read, ccc, 0);
}
