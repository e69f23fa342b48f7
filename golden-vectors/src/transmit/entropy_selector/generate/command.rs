// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows S10 and S11: commands, alone and while requests and feedback come in every cycle.

use super::shapes::{SHAPES, shape};
use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::entropy_selector::oracle::{Command, Mode, Op, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in SHAPES {
        operations(suite, shape, rng);
    }
    for shape in [shape(3, 16), shape(4, 256)] {
        edge(suite, shape);
    }
}

/// Adds the group `command` of one size.
pub fn operations(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    suite.group("command", "operations", shape, (1000, 128));
    states(suite, shape);
    reopened(suite, shape);
    hammered(suite, shape, rng);
    unbuilt(suite, shape);
}

/// Adds the group `command-edge` of one size: events in the cycles around the effect of a command.
pub fn edge(suite: &mut Suite, shape: Shape) {
    suite.group("command-edge", "events about the cycle in which an operation takes effect", shape, (1000, 128));
    effect(suite, shape);
    reads(suite, shape);
}

/// Every command on a CCC that was never opened, one that is open, and one that was closed again.
fn states(suite: &mut Suite, shape: Shape) {
    let ccc = shape.cccs - 1;
    for (name, op) in [("read", Op::Read), ("open", Op::Open), ("close", Op::Close), ("resize", Op::Resize)] {
        for before in [&[][..], &[Op::Open], &[Op::Open, Op::Close]] {
            let mut script = Script::new(shape);
            for &op in before {
                let at = script.command(0, op, ccc, 6) + shape.effect();
                script.marks(at, ccc, [6, 7]);
                script.requests(at + 1, ccc, 3);
            }
            let at = script.command(before.len() as u64 * 60, op, ccc, 3) + shape.effect();
            script.requests(at + 8, ccc, 2);
            script.command(at + 8, Op::Read, ccc, 0);
            let state = ["never-open", "open", "closed"][before.len()];
            suite.add(
                format!("{name}-{state}"),
                format!("{op:?}, {state}"),
                aim(&["Command"], &["S10", "S11"]),
                script,
            );
        }
    }
}

/// A CCC is closed and opened again, with a request and a feedback for it in every cycle.
fn reopened(suite: &mut Suite, shape: Shape) {
    let (mut script, at) = Script::opened(shape, 4);
    script.command(at + 20, Op::Close, 0, 0);
    script.command(0, Op::Open, 0, shape.evs - 5);
    script.command(0, Op::Read, 0, 0);
    for cycle in at - 4..at + 100 {
        script.request(cycle, 0);
        script.mark(cycle, 0, 3 * cycle);
    }
    suite.add("reopened", "with another start", aim(&["Command", "FullLoad"], &["S2", "S10", "S11"]), script);
    let (mut script, at) = Script::opened(shape, 4);
    let at = script.marks(at, 0, 0..12) + 8;
    script.command(at, Op::Close, 0, 0);
    let at = script.open(0, 2);
    script.requests(at, 0, 3);
    script.command(at, Op::Read, 0, 0);
    suite.add("forgotten", "the marks from before closing are gone", aim(&["Command"], &["S11"]), script);
}

/// Commands as often as one is accepted, and other commands driven in between. A command that is not accepted must
/// have no effect.
fn hammered(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    let mut script = Script::new(shape);
    let most = shape.cccs.next_power_of_two().max(2);
    let mut any = || Command::new(Op::of(rng.below(8)), rng.below(most), rng.below(shape.evs));
    script.unready = (0..7).map(|_| any()).collect();
    for _ in 0..24 {
        script.operate(0, any());
    }
    for cycle in (20..540).step_by(3) {
        script.request(cycle, cycle % shape.cccs);
        script.mark(cycle + cycle % 2, cycle / 7 % shape.cccs, cycle);
    }
    let flags = aim(&["Command", "HeldValid"], &["S10", "S11"]);
    suite.add("hammered", "operations without pause", flags, script);
}

/// Modes that the stage does not include, and codes that are no mode.
fn unbuilt(suite: &mut Suite, shape: Shape) {
    for (name, before) in [("closed", None), ("open", Some(Mode::Bitmap))] {
        let mut script = Script::new(shape);
        before.map(|mode| script.open_as(0, 4, mode));
        for mode in 1..8 {
            script.operate(0, Command::new(Op::Open, 0, 2).mode(mode));
        }
        let at = script.command(0, Op::Read, 0, 0);
        script.mark(at, 0, 4);
        script.requests(at + 10, 0, 3);
        let comment = format!("a CCC that is {name} is opened in every mode but bitmap");
        suite.add(format!("unbuilt-{name}"), comment, aim(&["Command", "Mode"], &["S14"]), script);
    }
}

/// A request or a feedback right before, in, and right after the cycle in which a command takes effect.
fn effect(suite: &mut Suite, shape: Shape) {
    for (name, op) in [("open", Op::Open), ("close", Op::Close)] {
        for distance in [-2, -1, 0, 1, 2] {
            let mut script = Script::new(shape);
            if op == Op::Close {
                script.open(1, 2);
            }
            let at = (script.command(80, op, 1, 5) + shape.effect()).saturating_add_signed(distance);
            script.request(at, 1);
            script.mark(at, 1, 5);
            script.feedback(at + 3, 1, shape.evs, crate::transmit::entropy_selector::oracle::Kind::Good);
            script.requests(at + 9, 1, 2);
            script.command(at, Op::Read, 1, 0);
            let comment = format!("{distance} cycles from the response");
            suite.add(format!("{name}{distance:+}"), comment, aim(&["Command", "Boundary"], &["S10"]), script);
        }
    }
}

/// Requests and feedback shortly after a *read*, to find the last ones that it sees.
fn reads(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Command", "Boundary"], &["S11"]);
    for distance in [-3, -2, -1, 0, 1, 2] {
        let (mut script, at) = Script::opened(shape, 0);
        script.requests(at, 0, 3);
        script.mark(at, 0, 9);
        let read = script.command(at + 30, Op::Read, 0, 0);
        script.request((read + shape.read_grants()).saturating_add_signed(distance), 0);
        script.mark((read + shape.read_feedback()).saturating_add_signed(distance), 0, 10);
        let comment = format!("a request and a feedback {distance} cycles from the last ones that it knows");
        suite.add(format!("read{distance:+}"), comment, edge, script);
    }
    let (mut script, at) = Script::all_opened(shape, 2, 3);
    script.command(at + 6, Op::Read, 0, 0);
    script.command(0, Op::Read, 1, 0);
    script.command(0, Op::Read, 0, 0);
    for cycle in at..at + 90 {
        script.request(cycle, cycle % 2);
        script.mark(cycle, cycle / 2 % 2, 7 * cycle);
    }
    suite.add("read-load", "reads under full load", aim(&["Command", "FullLoad"], &["S11"]), script);
}
