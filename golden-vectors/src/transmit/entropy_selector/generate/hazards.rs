// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events on the same and on different CCCs, at every distance at which two of them can be in the pipeline. A missing
//! bypass between two steps is seen.

use super::shapes::shape;
use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Op, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

/// Adds the groups `requests` and `marking`.
pub fn add(suite: &mut Suite) {
    for shape in [shape(3, 16), shape(5, 128)] {
        requests(suite, shape);
    }
    for shape in [shape(3, 16), shape(2, 64), shape(4, 256)] {
        marking(suite, shape);
    }
}

/// Adds the group `requests` of one size: requests at every distance.
pub fn requests(suite: &mut Suite, shape: Shape) {
    suite.group("requests", "requests at every distance", shape, (1000, 128));
    let apart = aim(&["BackToBack"], &["S1", "S2"]);
    let turns = aim(&["Interleaved"], &["S1", "S2"]);
    for distance in 1..=10 {
        for cccs in 1..=3 {
            let (mut script, at) = Script::all_opened(shape, cccs, 0);
            // The CCCs are at different places of their order.
            (0..cccs).for_each(|ccc| {
                script.requests(at + 5 * ccc, ccc, 2 * ccc);
            });
            let at = script.marks(at, cccs - 1, [2, 5, 6, 9]) + 16;
            (0..12).for_each(|n| script.request(at + n * distance, n % cccs));
            let aim = if cccs == 1 { apart } else { turns };
            suite.add(format!("{cccs}-cccs-{distance}"), format!("{distance} cycles apart"), aim, script);
        }
        let (mut script, at) = Script::all_opened(shape, 2, 3);
        (0..6).for_each(|n| {
            script.requests(at + n * (distance + 2), 0, 2);
            (1..=distance).for_each(|gap| script.request(at + n * (distance + 2) + 1 + gap, 1));
        });
        suite.add(format!("pairs-{distance}"), "two on one CCC, some on the other", turns, script);
    }
}

/// Adds the group `marking` of one size: feedback and requests at every distance.
pub fn marking(suite: &mut Suite, shape: Shape) {
    suite.group("marking", "feedback at every distance", shape, (2000, 256));
    let same = aim(&["BackToBack"], &["S4", "S5", "S11"]);
    let turns = aim(&["Interleaved"], &["S4", "S5", "S11"]);
    let start = shape.evs - 3;
    for distance in 1..=10 {
        let tell = |mut script: Script, at: u64, cccs: u64| {
            (0..cccs).for_each(|ccc| {
                script.command(at, Op::Read, ccc, 0);
                script.requests(at + 10 + 4 * ccc, ccc, 4);
            });
            script
        };
        for (name, step) in [("same", 0), ("neighbours", 1), ("words", shape.evs / 4 + 1)] {
            let (mut script, at) = Script::opened(shape, start);
            (0..5).for_each(|n| script.mark(at + n * distance, 0, start + n * step));
            let script = tell(script, at + 5 * distance, 1);
            suite.add(format!("{name}-{distance}"), format!("{distance} cycles apart"), same, script);
        }
        let (mut script, at) = Script::all_opened(shape, 2, start);
        (0..6).for_each(|n| script.mark(at + n * distance, n % 2, start + n / 2 + n % 2));
        let script = tell(script, at + 6 * distance, 2);
        suite.add(format!("turns-{distance}"), "two CCCs in turns", turns, script);
        let (mut script, at) = Script::all_opened(shape, 2, start);
        script.mark(at, 0, start);
        script.mark(at + distance, 1, start + 1);
        script.mark(at + 2 * distance, 0, start + 1);
        script.requests(at + 8, 0, 2 * distance);
        let script = tell(script, at + 2 * distance + 9, 2);
        suite.add(format!("under-way-{distance}"), "requests while feedback comes into sight", turns, script);
    }
}
