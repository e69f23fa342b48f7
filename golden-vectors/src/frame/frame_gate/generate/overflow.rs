// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows F2 and F3: frames for which the memory has no room.

use super::frames::DROP;
use super::shapes::BOTH;
use crate::collect::aim;
use crate::frame::frame_gate::oracle::Shape;
use crate::frame::frame_gate::script::Script;
use crate::frame::frame_gate::suite::Suite;

/// Adds the group `overflow` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("overflow", "frames for which there is no room", shape, BOTH);
    if shape.beats > 16 {
        return;
    }
    full(suite, shape);
    long(suite, shape);
    freed(suite, shape);
}

/// The memory is exactly full, or one beat too small, while the consumer of frames is not ready. Beats that were
/// already read do not occupy it.
fn full(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "Overflow", "Stall"], &["F2", "F3", "F7"]);
    let ahead = shape.ram_latency + 1;
    for last in 1..=shape.beats.min(4) {
        for over in [0, 1] {
            for user in [0, DROP] {
                let mut script = Script::default();
                script.ready(0, false, true);
                // First the beats that are read ahead, then the memory up to the last frame.
                let mut at = 1;
                for _ in 0..ahead + shape.beats + over - last {
                    at = script.whole(at, 1, 0) + 1;
                }
                at = script.whole(at + 8, last, user);
                // After it there is no room, or only what the last frame gave back.
                at = script.whole(at, 1, 0);
                script.ready(at + 10, true, true);
                script.whole(at + 30, 2.min(shape.beats), 0);
                let what = if over == 1 { "one too many" } else { "as many as fit" };
                let verdict = if user == 0 { "passes" } else { "is dropped" };
                let id =
                    format!("{}-of-{last}-{}", ["full", "over"][over as usize], if user == 0 { "ok" } else { "drop" });
                let comment = format!("{what}, the last frame has {last} beats and {verdict}");
                suite.add(id, comment, rows, script);
            }
        }
    }
}

/// Frames that are longer than the memory, between shorter ones.
fn long(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Long", "Overflow"], &["F2", "F3"]);
    for beats in [shape.beats + 1, shape.beats + 3, 2 * shape.beats, 3 * shape.beats + 1] {
        for user in [0, DROP] {
            let mut script = Script::default();
            let mut at = script.whole(1, 1, 0);
            at = script.whole(at, beats, user);
            at = script.whole(at, 2, 0);
            script.whole(at, beats, user);
            let verdict = if user == 0 { "ok" } else { "drop" };
            suite.add(format!("long-{beats}-{verdict}"), format!("frames of {beats} beats"), rows, script);
        }
    }
}

/// The consumer takes a beat: the cycle in which the next beat finds room.
fn freed(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "Overflow"], &["F2", "F4"]);
    for distance in 0..6 {
        let mut script = Script::default();
        script.ready(0, false, true);
        let mut at = 1;
        for _ in 0..shape.ram_latency + 1 + shape.beats {
            at = script.whole(at, 1, 0) + 1;
        }
        at += 10;
        script.ready(at, true, true);
        script.ready(at + 1, false, true);
        script.whole(at + distance, 1, 0);
        script.ready(at + 12, true, true);
        suite.add(
            format!("freed-{distance}"),
            format!("a frame {distance} cycles behind the one that is taken"),
            rows,
            script,
        );
    }
}
