// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row W5: the order in which the VPs of a pair are reported.

use super::shapes::{LATENCIES, MANY, SMALL, TEN};
use crate::collect::aim;
use crate::elab::feedback::oracle::Shape;
use crate::elab::feedback::script::Script;
use crate::elab::feedback::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES.into_iter().chain([SMALL]) {
        suite.group("turns", "VPs in turns", shape, TEN);
        lists(suite, shape);
        joining(suite, shape);
        pairs(suite, shape);
    }
    suite.group("turns", "VPs all over a great number of them", MANY, TEN);
    wide(suite, MANY);
}

/// Sets of VPs that are all known before the first query.
fn lists(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Turns"], &["W4", "W5", "E11"]);
    // Before the first report VP 0 counts as the one reported last, so VP 1 comes before VP 0.
    let lists: [&[u64]; 9] =
        [&[0], &[1], &[0, 1], &[1, 0], &[7], &[0, 7], &[3, 5, 2], &[0, 1, 2, 3, 4, 5, 6, 7], &[6, 4, 2, 0]];
    for vps in lists.into_iter().filter(|vps| vps.iter().all(|&vp| vp < shape.vps)) {
        for apart in [1, 7] {
            let (mut script, at) = Script::known(shape, vps.iter().copied());
            (0..2 * vps.len() as u64 + 1).for_each(|n| script.query(at + n * apart, 0));
            let name: Vec<_> = vps.iter().map(u64::to_string).collect();
            let comment = format!("VPs {vps:?}, queries {apart} cycles apart");
            suite.add(format!("{}-by-{apart}", name.join("-")), comment, rows, script);
        }
    }
}

/// A VP becomes known between two reports. Its number is below, equal to or above that of the VP reported last.
fn joining(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Turns", "Boundary"], &["W5", "E11"]);
    for vp in 0..shape.vps.min(4) {
        for distance in 0..=shape.visibility_delay() + 2 {
            let (mut script, at) = Script::known(shape, [1]);
            script.arrive(at + 2, 0, vp);
            script.query(at + 2 + distance, 0);
            script.queries(at + 20 + distance, 0, 3);
            let comment = format!("VP {vp} becomes known {distance} cycles ahead of a query");
            suite.add(format!("joins-{vp}-{distance}"), comment, rows, script);
        }
    }
    let (mut script, at) = Script::new(shape);
    for n in 0..8 * shape.vps {
        script.arrive(at + n, 0, n * 5 / 8 % shape.vps);
    }
    script.queries(at, 0, 8 * shape.vps + 9);
    suite.add("joins-row", "one after the other, a query in every cycle", rows, script);
}

/// Each pair has its own turn. Queries for one pair must not advance that of another.
fn pairs(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Turns", "Interleaved"], &["W1", "W4", "W5", "E02", "E11"]);
    for apart in 1..=3 {
        let (mut script, at) = Script::new(shape);
        (0..6 * shape.pairs).for_each(|n| script.arrive(at + n, n % shape.pairs, n * 3 / 4 % shape.vps));
        (0..9 * shape.pairs).for_each(|n| script.query(at + 4 + n * apart, n * 5 / 3 % shape.pairs));
        suite.add(format!("pairs-{apart}"), "all pairs in turns", rows, script);
    }
}

/// Few VPs with numbers far apart, so that the search wraps and skips many.
fn wide(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Turns"], &["W4", "W5", "E11"]);
    for (name, step, add) in [("all", 1, 0), ("odd", 2, 1), ("fifths", 5, 3), ("ninths", 9, 0), ("ends", 63, 0)] {
        let vps: Vec<u64> = (add..shape.vps).step_by(step).collect();
        let (mut script, at) = Script::known(shape, vps.iter().rev().copied());
        script.queries(at, 0, 2 * vps.len() as u64 + 3);
        suite.add(name, "VPs all over", rows, script);
    }
    let (mut script, at) = Script::known(shape, (0..64).map(|n| n * 29 % 64));
    script.queries(at - 60, 0, 140);
    suite.add("joining", "queries in every cycle while VPs become known", rows, script);
}
