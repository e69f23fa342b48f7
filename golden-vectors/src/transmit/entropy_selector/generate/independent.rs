// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows S21 to S23 and O1: where a CCC begins, and what makes it independent of all others.

use super::shapes::shape;
use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Mode, Op, Settings, Shape, mix};
use crate::transmit::entropy_selector::script::{Script, built};
use crate::transmit::entropy_selector::suite::Suite;

/// Any seed.
const SEED: u64 = 0xC0FF_EE47;

/// Adds the groups `independent` and `wire` for some sizes and ranges of numbers.
pub fn add(suite: &mut Suite) {
    let all = shape(3, 16).modes(Mode::MASK);
    for shape in [all, shape(2, 256).modes(Mode::MASK), shape(4, 1024).modes(3), shape(4096, 16)] {
        begins(suite, shape);
    }
    for (base, range) in [(16, 16), (0x8000, 0x8000), (4096, 64)] {
        begins(suite, all.wire(base, range));
        wire(suite, all.wire(base, range));
    }
    wire(suite, all);
    wire(suite, shape(2, 1024).wire(1024, 1024));
}

/// The group `independent`: starts and orders.
fn begins(suite: &mut Suite, shape: Shape) {
    suite.group("independent", "random starts and orders", shape, Settings::new(1000, 128).seed(SEED).reps(2, 2));
    let rows = aim(&["RandomStart"], &["S2", "S21", "S22", "S23", "O1", "N1", "U08"]);
    for n in 0..u64::from(shape.modes.count_ones()) {
        let mode = built(shape, n);
        for code in [0, 3, 1] {
            let mut script = Script::new(shape);
            let cccs = [0, shape.cccs / 2, shape.cccs - 1];
            let open = |ccc| Command::open(ccc, 5, mode).random().space(code);
            let at = cccs.map(|ccc| script.operate(0, open(ccc)) + shape.effect())[2];
            script.command(0, Op::Read, shape.cccs - 1, 0);
            (0..24).for_each(|n| script.request(at + n, cccs[n as usize % 3]));
            suite.add(format!("{}-{code}", mode.name()), "three CCCs with random starts", rows, script);
        }
    }
    seeds(suite, shape);
    openings(suite, shape);
}

/// Seeds, pipelines, and a seed that changes before and behind an *open*.
fn seeds(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["RandomStart"], &["S21", "S23", "O1", "U08"]);
    let mode = built(shape, 1);
    let last = shape.cccs - 1;
    for seed in [0, 1, 1 << 15, 1 << 16, 1 << 31, 0xFFFF_FFFF, 0x9E37_79B9] {
        for pipeline in [seed % 3, 15] {
            let mut script = Script::new(shape);
            script.set(0, Settings::new(1000, 128).seed(seed).pipeline(pipeline));
            let at = script.operate(0, Command::open(last, 3, mode).random()) + shape.effect();
            script.requests(at, last, 6);
            suite.add(format!("seed-{seed}-{pipeline}"), format!("in pipeline {pipeline}"), rows, script);
        }
    }
    let edge = aim(&["RandomStart", "Settings", "Boundary"], &["S23", "S24", "U08"]);
    let other = Settings::new(1000, 128).seed(!SEED & 0xFFFF_FFFF);
    for distance in [-3, -2, -1, 17, 18, 30] {
        let mut script = Script::new(shape);
        let accepted = script.operate(shape.cccs + 20, Command::open(0, 3, mode).random());
        script.set(accepted.saturating_add_signed(distance), other);
        script.requests(accepted + shape.effect(), 0, 20);
        let id = format!("seed-change{distance:+}");
        suite.add(id, format!("another seed {distance} cycles from when a CCC is opened"), edge, script);
    }
}

/// Each opening of a CCC has numbers of its own; those that fail do not count.
fn openings(suite: &mut Suite, shape: Shape) {
    if shape.cccs > 16 {
        return;
    }
    let rows = aim(&["RandomStart", "Reopened"], &["S21", "S22", "S23", "U08"]);
    for mode in [built(shape, 1), Mode::Bitmap] {
        let mut script = Script::new(shape);
        let open = |ccc| Command::open(ccc, 6, mode).random();
        for opening in 0..18 {
            let at = script.operate(0, open(0)) + shape.effect();
            script.requests(at, 0, 2);
            script.good(at + 2, 0, [1]);
            if opening % 5 == 2 {
                // None of these opens anything.
                script.operate(0, open(0));
                script.operate(0, Command { mode: 7, ..open(shape.cccs - 1) });
                script.operate(0, open(shape.cccs - 1).space(15));
                script.operate(0, open(shape.cccs - 1).space(1).stride(2));
            }
            script.command(at + 4, Op::Close, 0, 0);
        }
        let last = shape.cccs - 1;
        let at = script.operate(0, open(last)) + shape.effect();
        script.requests(at, last, 2);
        suite.add(format!("openings-{}", mode.name()), "one CCC opened many times", rows, script);
    }
}

/// The group `wire`: numbers on the wire that are the CCC's own, and others.
fn wire(suite: &mut Suite, shape: Shape) {
    suite.group("wire", "EVs as numbers on the wire", shape, Settings::new(1000, 0).seed(SEED).reps(0, 2));
    let rows = aim(&["Wire", "OutOfRange"], &["S4", "S8", "S22", "U08", "U22"]);
    let (base, range, evs) = (shape.wire_base, shape.wire_range, shape.evs);
    // One CCC has these upper bits, the others have not.
    for n in 0..(range / evs).min(8) {
        let mut script = Script::new(shape);
        let at = (0..shape.cccs).map(|ccc| script.open_as(ccc, 3, Mode::Bitmap)).last().unwrap_or(0);
        let block = base + n * (range / evs).div_ceil(8) * evs;
        for (step, ccc) in (0..3 * shape.cccs).zip((0..shape.cccs).cycle()) {
            script.feedback_wire(at + step, ccc, block + [3, 4, evs - 1][step as usize % 3], Kind::Ecn);
        }
        let at = at + 3 * shape.cccs;
        (0..4 * shape.cccs).for_each(|n| script.request(at + 10 + n, n % shape.cccs));
        suite.add(format!("block-{n}"), format!("marks on numbers from {block} on"), rows, script);
    }
    let edge = aim(&["Wire", "OutOfRange", "Boundary"], &["S8", "S22", "U08"]);
    let mut numbers = vec![0, 3, evs, base - 1, base, base + range - 1, (base + range) % 0x10000, 0xFFFF];
    numbers.extend([base ^ 0x8000, base / 2]);
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        let (mut script, at) = Script::opened(shape, number % evs);
        (0..5).for_each(|kind| script.feedback_wire(at + kind, 0, number, Kind::of(kind)));
        script.requests(at + 14, 0, 3);
        suite.add(format!("number-{number}"), format!("feedback on {number}"), edge, script);
    }
    for step in 0..16 {
        let (mut script, at) = Script::opened(shape, 0);
        // An own EV with another upper bit.
        script.feedback(at, 0, 1 << step, Kind::Nack);
        script.feedback(at + 1, 0, 0x10000 - (1 << step), Kind::Ecn);
        script.requests(at + 10, 0, 3);
        suite.add(format!("beside-{step}"), format!("feedback {} beside the first EV", 1 << step), edge, script);
    }
    late(suite, shape);
}

/// Feedback of the life before comes late, and numbers of the next life come early.
fn late(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Wire", "Reopened", "OutOfRange"], &["S8", "S22", "S23", "U08"]);
    let settings = Settings::new(1000, 0).seed(SEED).reps(0, 2);
    let number = |life, ev| shape.wire_base + mix(shape, settings, (0, 0), life).upper * shape.evs + ev;
    let modes = if shape.modes == 1 { vec![Mode::Bitmap] } else { vec![Mode::Bitmap, Mode::Reps] };
    for mode in modes {
        for distance in [-2, -1, 0, 1, 8] {
            let mut script = Script::new(shape);
            let at = script.operate(0, Command::open(0, 3, mode)) + shape.effect();
            script.feedback_wire(at, 0, number(1, 3), Kind::Ecn);
            script.feedback_wire(at + 1, 0, number(0, 4), Kind::Good);
            script.requests(at + 10, 0, 3);
            let again = script.reopen(at + 2, 0, 3, mode);
            for n in 0..8 {
                let cycle = (again + 3 * n).saturating_add_signed(distance);
                script.feedback_wire(cycle, 0, number(n % 3, 3 + n), Kind::of(n % 2));
            }
            script.requests(again + 44, 0, 4);
            let id = format!("late-{}{distance:+}", mode.name());
            suite.add(id, "feedback of three lives when it is opened again", rows, script);
        }
    }
}
