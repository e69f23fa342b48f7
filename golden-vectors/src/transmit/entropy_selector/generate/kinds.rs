// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row S4: each kind of feedback in each mode. A packet trimmed at the last hop changes nothing.

use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Kind, Mode, Op, Settings, Shape};
use crate::transmit::entropy_selector::script::{Script, built};
use crate::transmit::entropy_selector::suite::Suite;

/// Adds the group `kinds` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("kinds", "each kind of feedback in each mode", shape, Settings::new(64, 128));
    let rows = aim(&["Kind", "Mode"], &["S4", "K1", "N2", "P2", "X1", "U05", "U22", "U23", "U24"]);
    for n in 0..u64::from(shape.modes.count_ones()) {
        let mode = built(shape, n);
        for kind in (0..8).map(Kind::of) {
            let (mut script, at) = Script::opened_as(shape, 5, mode);
            script.requests(at, 0, 2);
            (5..9).for_each(|ev| script.feedback(at + ev, 0, ev, kind));
            script.requests(at + 20, 0, 2);
            script.command(at + 8, Op::Read, 0, 0);
            // A single path may move by now.
            script.requests(at + 200, 0, 3);
            suite.add(format!("{}-{}", mode.name(), kind.code()), format!("{kind:?} on four EVs"), rows, script);
        }
    }
    if let Some(mode) = shape.mode(Mode::Reps.code()) {
        frozen(suite, shape, mode);
    }
}

/// No feedback without a meaning ends a freeze.
fn frozen(suite: &mut Suite, shape: Shape, mode: Mode) {
    let rows = aim(&["Kind", "Frozen"], &["S4", "P2", "P3", "U05", "U13", "U23"]);
    for kind in (0..8).map(Kind::of) {
        let (mut script, at) = Script::opened_as(shape, 5, mode);
        script.good(at, 0, [1, 2, 3]);
        script.feedback(at + 3, 0, 9, Kind::Timeout);
        script.requests(at + 12, 0, 1);
        script.feedback(at + 130, 0, 9, kind);
        script.requests(at + 132, 0, 9);
        script.good(at + 142, 0, [8]);
        script.requests(at + 152, 0, 4);
        suite.add(format!("frozen-{}", kind.code()), format!("{kind:?} behind the time of a freeze"), rows, script);
    }
}
