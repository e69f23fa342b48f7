// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows F1 to F4: frames one after the other that are released, dropped or marked.

use super::shapes::BOTH;
use crate::collect::aim;
use crate::frame::frame_gate::oracle::Shape;
use crate::frame::frame_gate::script::Script;
use crate::frame::frame_gate::suite::Suite;

/// The value of `tuser` for a frame to be dropped, with reason 5.
pub const DROP: u64 = 0b01011;

/// Adds the group `frames` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("frames", "frames for which there is room", shape, BOTH);
    lengths(suite, shape);
    rows(suite, shape);
    verdicts(suite, shape);
    stalls(suite, shape);
}

/// Frames of each length, single and back to back.
fn lengths(suite: &mut Suite, shape: Shape) {
    for beats in [1, 2, 3, 7, 8] {
        if beats > shape.beats {
            continue;
        }
        for (what, user) in [("passed", 0), ("dropped", DROP)] {
            let mut script = Script::default();
            let next = script.whole(2, beats, user);
            script.whole(next + 20, beats, 0);
            let comment = format!("a frame of {beats} beats, and another one");
            suite.add(format!("{beats}-{what}"), comment, aim(&["Alone"], &["F1", "F2", "F3", "F4"]), script);
        }
    }
}

/// Frames of one beat, one in every cycle.
fn rows(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["BackToBack", "FullLoad"], &["F1", "F3", "F4", "F6"]);
    // Each bit of a pattern is one frame. Frames whose bit is 1 are dropped.
    for (name, pattern) in [("all", 0), ("one-of-two", 0x5555_5555), ("two-of-three", 0xB6DB_6DB6), ("none", u32::MAX)]
    {
        let mut script = Script::default();
        let mut at = 1;
        for n in 0..40 {
            at = script.whole(at, 1, if pattern >> (n % 32) & 1 == 1 { DROP } else { 0 });
        }
        suite.add(format!("row-{name}"), "forty frames of one beat in a row", rows, script);
    }
    let mut script = Script::default();
    let mut at = 1;
    for n in 0..20 {
        at = script.whole(at, 1 + n % 3 % shape.beats, if n % 5 == 2 { DROP } else { 0 });
    }
    suite.add("row-mixed", "frames of one to three beats in a row", rows, script);
}

/// Every value of `tuser`: only bit 0 of the last beat decides on dropping. `tuser` of other beats means nothing.
fn verdicts(suite: &mut Suite, _: Shape) {
    let rows = aim(&["Verdict"], &["F3"]);
    let mut all = Script::default();
    let mut at = 1;
    for user in 0..32 {
        at = all.whole(at, 1, user) + 2;
    }
    suite.add("verdicts", "every value of tuser", rows, all);
}

/// Consumers that are not ready for some time, while there is room for what comes.
fn stalls(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Stall"], &["F4", "F6"]);
    for length in 1..=shape.ram_latency + 3 {
        for (name, frames, records) in [("frames", false, true), ("records", true, false), ("both", false, false)] {
            let mut script = Script::default();
            let mut at = 1;
            for n in 0..shape.beats.min(8) {
                at = script.whole(at, 1, if n == 3 { DROP } else { 0 });
            }
            // The consumer is ready for single cycles.
            for n in 0..6 {
                script.ready(4 + n * (length + 1), frames, records);
                script.ready(4 + n * (length + 1) + length, true, true);
            }
            let id = format!("stall-{name}-{length}");
            suite.add(id, format!("{name} stall for {length} of {} cycles", length + 1), rows, script);
        }
    }
}
