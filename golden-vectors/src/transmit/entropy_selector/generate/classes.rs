// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows S6, S9, S14 and S18: RTT classes. A mark lives one to two RTT of its own CCC.

use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Mode, Op, Settings, Shape};
use crate::transmit::entropy_selector::script::{Script, built};
use crate::transmit::entropy_selector::suite::Suite;

/// Cycles of an RTT of class 0.
const RTT: u64 = 64;

/// Adds the groups `class` and `class-load` of one size.
pub fn add(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    suite.group("class", "CCCs of different RTT classes", shape, (RTT, 256));
    expiry(suite, shape);
    together(suite, shape);
    resized(suite, shape);
    if shape.ram_latency == 2 {
        idle(suite, shape);
    }
    suite.group("class-load", "CCCs of different RTT classes", shape, Settings::new(RTT, 200).reps(1, 3).path(1, 1));
    random(suite, shape, rng);
}

fn opened(shape: Shape, class: u64, mode: Mode) -> (Script, u64) {
    let mut script = Script::new(shape);
    let at = script.operate(0, Command::open(0, 5, mode).class(class)) + shape.effect();
    (script, at)
}

/// A mark in the first or last cycle of an epoch, and requests around the ends of the next ones.
fn expiry(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["RttClass", "Epoch", "Boundary"], &["S6", "S9", "S14", "U10", "U11"]);
    for class in 0..8 {
        let rtt = RTT << class;
        for (name, marked) in [("first", rtt), ("last", 2 * rtt - 1)] {
            let (mut script, _) = opened(shape, class, Mode::Bitmap);
            script.mark(marked.max(shape.effect() + shape.cccs), 0, 5);
            let marked = marked.max(shape.effect() + shape.cccs);
            for epoch in [marked / rtt + 1, marked / rtt + 2] {
                (0..3).for_each(|n| script.request(epoch * rtt - 1 + n, 0));
            }
            let (before, behind) = ((marked / rtt + 2) * rtt - shape.read_epoch() - 1, shape.operations());
            script.command(before, Op::Read, 0, 0);
            script.command(before + behind, Op::Read, 0, 0);
            let comment = format!("marked in the {name} cycle of an epoch of {rtt} cycles");
            suite.add(format!("{class}-{name}"), comment, rows, script);
        }
    }
    let (mut script, at) = opened(shape, 3, Mode::Bitmap);
    script.mark(at, 0, 5);
    script.mark(7 * RTT, 0, 6);
    script.mark(9 * RTT, 0, 6);
    (8..27).for_each(|n| script.request(n * RTT + 9, 0));
    suite.add("renewed", "marked again in the next epoch", rows, script);
}

/// CCCs of two classes with marks of the same cycle.
fn together(suite: &mut Suite, shape: Shape) {
    if shape.cccs < 2 {
        return;
    }
    let rows = aim(&["RttClass", "Interleaved"], &["S6", "S9", "U10", "U11"]);
    for classes in [[0, 1], [0, 2], [2, 1]] {
        let mut script = Script::new(shape);
        let mut at = 0;
        for (ccc, class) in (0..).zip(classes) {
            at = script.operate(0, Command::open(ccc, 5, Mode::Bitmap).class(class)) + shape.effect();
        }
        for n in 0..6 {
            (0..2).for_each(|ccc| script.mark(at + 20 * n + ccc, ccc, 5 + n));
        }
        (0..72).for_each(|n| script.request(at + 9 * n, n % 2));
        let comment = format!("classes {classes:?}, marks and requests in turns");
        suite.add(format!("together-{}-{}", classes[0], classes[1]), comment, rows, script);
    }
}

/// *resize* to another class discards marks, and to the same one does not.
fn resized(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["RttClass", "Space", "Boundary"], &["S14", "S18", "U10"]);
    for (from, to, space) in [(0, 0, 0), (0, 1, 0), (2, 1, 0), (1, 1, 2), (0, 7, 3), (7, 0, 0)] {
        for distance in [-20, -2, -1, 0, 1] {
            let (mut script, at) = opened(shape, from, Mode::Bitmap);
            let resize = Command::resize(0, space).class(to);
            let change = script.operate(at + 30, resize) + shape.effect();
            script.mark(at + 25, 0, 1);
            script.mark(change.saturating_add_signed(distance), 0, 6);
            script.requests(change - 2, 0, 4);
            script.requests(change + 12, 0, 4);
            script.command(0, Op::Read, 0, 0);
            script.requests(change + 3 * RTT, 0, 2);
            let id = format!("resize-{from}-{to}-{space}{distance:+}");
            suite.add(id, format!("a mark {distance} cycles from when class {from} becomes {to}"), rows, script);
        }
    }
    // As often as it is accepted, back and forth: no mark of a class may count in another one.
    let (mut script, at) = opened(shape, 0, Mode::Bitmap);
    let classes = [1, 0, 0, 3, 2, 7, 6, 0, 1];
    let end =
        classes.into_iter().fold(at, |_, class| script.operate(0, Command::resize(0, 0).class(class)) + shape.effect());
    for cycle in at..end + 40 {
        script.request(cycle, 0);
        if cycle % 3 == 0 {
            script.mark(cycle, 0, cycle / 3 * 5);
        }
    }
    script.command(0, Op::Read, 0, 0);
    suite.add("resize-often", "another class as often as a command is accepted", rows, script);
}

/// Old marks do not come back, however many epochs pass without events.
fn idle(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["RttClass", "Idle", "Epoch"], &["S6", "S9", "U11"]);
    for class in [1, 2, 3] {
        for epochs in [2, 3, 4, 7, 8, 9, 16] {
            let (mut script, at) = opened(shape, class, Mode::Bitmap);
            script.marks(at, 0, [5, 6, 8]);
            let at = at + epochs * (RTT << class);
            script.command(at - 16, Op::Read, 0, 0);
            script.mark(at, 0, 9);
            script.requests(at + 9, 0, 5);
            suite.add(format!("idle-{class}-{epochs}"), format!("{epochs} epochs without events"), rows, script);
        }
    }
}

/// Random events on CCCs of all classes and modes.
fn random(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    for case in 0..2 {
        let mut script = Script::new(shape);
        let mut open = |ccc| {
            let open = Command::open(ccc, rng.below(shape.evs), built(shape, ccc + 3 * case)).class(rng.below(3));
            script.operate(0, open) + shape.effect()
        };
        let at = (0..shape.cccs.min(3)).map(&mut open).last().unwrap_or(0);
        for cycle in at..at + 800 {
            script.request(cycle, rng.below(shape.cccs.min(3)));
            if rng.below(3) == 0 {
                script.feedback(cycle, rng.below(shape.cccs.min(3)), rng.below(shape.evs), Kind::of(rng.below(5)));
            }
        }
        for _ in 0..14 {
            let resize = Command::resize(rng.below(shape.cccs.min(3)), 0).class(rng.below(4));
            script.operate(at + rng.below(40), resize);
        }
        let rows = aim(&["RttClass", "FullLoad"], &["S6", "S7", "S9", "S18", "U10", "U11"]);
        suite.add(format!("load-{case}"), "the class changes now and then", rows, script);
    }
}
