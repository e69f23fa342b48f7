// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row S7: the number of marks at which a CCC is saturated.

use super::shapes::{SHAPES, shape};
use crate::collect::aim;
use crate::entropy_selector::oracle::Shape;
use crate::entropy_selector::script::Script;
use crate::entropy_selector::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in SHAPES {
        let evs = shape.evs;
        suite.group("saturation", "marks about `limit`", shape, (8 * evs + 400, evs / 2));
        let limits: &[u64] = match evs {
            16 | 32 => &[0, 1, 2, evs / 2, evs - 2, evs - 1, evs, evs + 1, 2 * evs - 1],
            64 | 128 => &[0, 1, evs / 2, evs - 1, evs, 2 * evs - 1],
            _ => &[0, 1, 9],
        };
        for &limit in limits {
            for marks in limit.saturating_sub(1)..=(limit + 1).min(evs) {
                marked(suite, shape, limit, marks);
            }
        }
        if evs > 128 {
            marked(suite, shape, evs / 2, evs / 2 + 1);
        }
        marked(suite, shape, 2 * evs - 1, evs);
    }
    let shape = shape(4, 32);
    suite.group("saturation-changes", "marks that come and go about `limit`", shape, (100, 4));
    changes(suite, shape);
}

/// Marks from the EV that would be granted next. Then one of them is marked again, which must not count twice.
fn marked(suite: &mut Suite, shape: Shape, limit: u64, marks: u64) {
    let evs = shape.evs;
    let (mut script, at) = Script::opened(shape, evs - 2);
    script.settings(0, 8 * evs + 400, limit);
    let at = script.marks(at, 0, (0..marks).map(|n| evs - 2 + n));
    let at = if marks > 0 { script.marks(at, 0, [evs - 2, evs - 2]) } else { at };
    script.requests(at + 7, 0, 3);
    suite.add(
        format!("limit-{limit}-marks-{marks}"),
        "marks from the next EV on",
        aim(&["Saturated", "Boundary"], &["S7", "U12"]),
        script,
    );
}

fn changes(suite: &mut Suite, shape: Shape) {
    let falls = aim(&["Saturated", "Epoch"], &["S6", "S7"]);
    for part in 1..=6 {
        // Some EVs are marked in epoch 0, the others in epoch 1. Requests come on both sides of the changes to epochs
        // 2 and 3.
        let (mut script, at) = Script::opened(shape, 0);
        script.marks(at, 0, 0..part);
        script.marks(120, 0, part..6);
        script.request(190, 0);
        script.requests(198, 0, 4);
        script.requests(298, 0, 4);
        suite.add(format!("falls-{part}"), "marks run out in two steps", falls, script);
    }
    let rises = aim(&["Saturated", "BackToBack"], &["S5", "S7"]);
    let (mut script, at) = Script::opened(shape, 0);
    script.marks(at, 0, 0..10);
    script.requests(at, 0, 24);
    suite.add("rises", "marks come into sight one by one while requests go on", rises, script);
    let (mut script, at) = Script::opened(shape, 0);
    script.settings(0, 1000, 31);
    script.marks(at, 0, (0..32).chain([3]));
    script.requests(at, 0, 60);
    suite.add("all", "until all are marked", rises, script);
    let apart = aim(&["Saturated", "Interleaved"], &["S7"]);
    let (mut script, at) = Script::all_opened(shape, 4, 0);
    let at = script.marks(at, 1, 0..5);
    let at = script.marks(at, 2, 0..4) + 8;
    (0..16).for_each(|n| script.request(at + n, n % 4));
    suite.add("one-of-four", "only one CCC is saturated", apart, script);
}
