// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row S7: the number of marks at which a CCC is saturated, which is a fraction of its own space.

use super::shapes::{SHAPES, shape};
use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Kind, Mode, Op, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in SHAPES {
        suite.group("saturation", "marks about the fraction of `saturation`", shape, (8 * shape.evs + 400, 128));
        for code in 1..=u64::from(shape.evs.ilog2()) {
            spaces(suite, shape, code);
        }
        let fractions: &[u64] = if shape.evs <= 128 { &[0, 1, 17, 64, 127, 255, 256, 257, 511] } else { &[1, 9] };
        for &fraction in fractions {
            fraction_of(suite, shape, fraction, Mode::Bitmap);
        }
    }
    let shape = shape(4, 32);
    suite.group("saturation-changes", "marks that come and go", shape, (100, 32));
    changes(suite, shape);
}

/// Adds the groups of a size with all modes: the fraction in the modes `mixed` and `penalty`.
pub fn modes(suite: &mut Suite, shape: Shape) {
    suite.group("saturation-modes", "marks about the fraction of `saturation`", shape, (1000, 128));
    for fraction in [0, 64, 128, 255, 256] {
        for mode in [Mode::Mixed, Mode::Penalty] {
            fraction_of(suite, shape, fraction, mode);
        }
    }
}

/// Half of each space is marked, and one EV more: at 128 the one is skipped, the other is not.
fn spaces(suite: &mut Suite, shape: Shape, code: u64) {
    let size = 1 << code;
    for more in [0, 1] {
        let marks = size / 2 + more;
        let mut script = Script::new(shape);
        let at = script.open_sized(0, size - 1, Mode::Bitmap, code % u64::from(shape.evs.ilog2()));
        marked(&mut script, at, size, marks, Mode::Bitmap);
        script.command(at + marks + 2, Op::Read, 0, 0);
        let rows = aim(&["Saturated", "Space", "Boundary"], &["S7", "S17", "U12", "U36"]);
        suite.add(format!("half-{size}+{more}"), format!("{marks} of {size} marked, at 50 %"), rows, script);
    }
}

/// As many marks as the fraction allows in the whole space, one fewer and one more, and all.
fn fraction_of(suite: &mut Suite, shape: Shape, fraction: u64, mode: Mode) {
    let most = fraction * shape.evs / 256;
    let mut counts = vec![most.saturating_sub(1), most, most + 1, shape.evs];
    counts.retain(|&count| count <= shape.evs);
    counts.sort_unstable();
    counts.dedup();
    for marks in counts {
        let (mut script, at) = Script::opened_as(shape, shape.evs - 2, mode);
        script.settings(0, 8 * shape.evs + 400, fraction);
        marked(&mut script, at, shape.evs, marks, mode);
        let id = format!("{}-{fraction}-marks-{marks}", mode.name());
        let rows = aim(&["Saturated", "Boundary"], &["S7", "U12"]);
        suite.add(id, "marks from the next EV on", rows, script);
    }
}

/// Marks from the EV that would be granted next. Then one of them is marked again, which must not count twice.
fn marked(script: &mut Script, at: u64, size: u64, marks: u64, mode: Mode) {
    let evs = |n: u64| (size - 2 + n) % size;
    (0..marks).for_each(|n| script.feedback(at + n, 0, evs(n), Kind::ALL[1 + n as usize % 3]));
    let at = at + marks;
    if marks > 0 && mode != Mode::Penalty {
        script.marks(at, 0, [evs(0), evs(0)]);
    }
    script.requests(at + 9, 0, 3);
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
        script.command(200, Op::Read, 0, 0);
        suite.add(format!("falls-{part}"), "marks run out in two steps", falls, script);
    }
    let rises = aim(&["Saturated", "BackToBack"], &["S5", "S7"]);
    let (mut script, at) = Script::opened(shape, 0);
    script.marks(at, 0, 0..10);
    script.requests(at, 0, 24);
    suite.add("rises", "marks come into sight one by one while requests go on", rises, script);
    let (mut script, at) = Script::opened(shape, 0);
    script.settings(0, 1000, 255);
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
