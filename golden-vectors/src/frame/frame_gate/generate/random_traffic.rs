// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random frames and records, with consumers that are ready at random.

use super::frames::DROP;
use super::shapes::BOTH;
use crate::collect::aim;
use crate::frame::frame_gate::oracle::Shape;
use crate::frame::frame_gate::script::Script;
use crate::frame::frame_gate::suite::Suite;
use crate::rng::SplitMix64;

/// Adds the group `load` of one size. These cases find faults that no case for a single row provokes.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    suite.group("load", "random frames", shape, BOTH);
    let rows = ["F1", "F2", "F3", "F4", "F5", "F6", "F7"];
    for n in 0..6 {
        let (busy, ready) = [(100, 100), (100, 50), (70, 90), (95, 30), (50, 60), (100, 80)][n];
        let longest = [1, 3, 8, 2, 20, 5][n].min(shape.beats + 1);
        let script = script((busy, ready, longest), rng);
        let comment =
            format!("frames to {longest} beats, a beat in {busy} and a consumer ready in {ready} of 100 cycles");
        suite.add(format!("{n}"), comment, aim(&["FullLoad", "Stall"], &rows), script);
    }
}

fn script((busy, ready, longest): (u64, u64, u64), rng: &mut SplitMix64) -> Script {
    let mut script = Script::default();
    let (mut left, mut ended, mut records) = (0, 0, 0);
    for at in 0..160 {
        if rng.below(100) < busy {
            left = if left == 0 { 1 + rng.below(longest) } else { left };
            left -= 1;
            let user = if rng.below(3) == 0 { DROP } else { rng.below(16) * 2 };
            script.beat(at, left == 0, user);
            ended += u64::from(left == 0);
        }
        // Records are ahead of their frames, except for a few that are late.
        if records < ended + 6 && (records + 2 < ended || rng.below(3) != 0) {
            script.record(at);
            records += 1;
        }
        if rng.below(3) == 0 {
            script.ready(at, rng.below(100) < ready, rng.below(100) < ready);
        }
    }
    script.ready(160, true, true);
    script
}
