// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T13 and T14: how feedback changes a weight, and when a sub-path fails.

use super::shapes::{FEW_SLOW, FIVE, SETTINGS};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Granularity, Kind, Op, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [FIVE, FEW_SLOW] {
        suite.group("weights", "feedback and what it does to a weight", shape, SETTINGS);
        single(suite, shape);
        raising(suite, shape);
        failing(suite, shape);
        saturated(suite, shape);
        away(suite, shape);
    }
}

/// Opens a QP with one sub-path of this weight and limit, and sends `count` packets. Also returns the first cycle in
/// which all of them are in flight.
fn loaded(shape: Shape, weight: u64, limit: u64, count: u64) -> (Script, u64) {
    let mut script = Script::new(shape);
    script.open(0, Granularity::Flow, &[]);
    script.operate(0, Command::new(Op::Add, 0, 1).weight(limit));
    script.operate(0, Command::new(Op::Start, 0, 1).weight(weight));
    let at = script.settled();
    let behind = script.stream(at, 0, count) + shape.counted();
    (script, behind)
}

/// Each kind of feedback at the weights where it is limited or rounds.
fn single(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Kind", "Boundary"], &["T12", "T13", "M19", "M63", "M64"]);
    for kind in Kind::STREAM {
        let most = shape.most();
        let edges =
            [(1, most), (1, 1), (2, 3), (15, most), (16, most), (14, 15), (most - 1, most), (most, most), (15, 9)];
        for (weight, limit) in edges {
            let (mut script, at) = loaded(shape, weight, limit, 4);
            script.set(0, Settings::new(0, 1, 0));
            script.kinds(at, (0, 1), [kind, kind]);
            script.data(at + 1 + shape.visibility_delay(), 0);
            script.command(at + 10, Op::Read, 0, 1);
            let id = format!("{}-{weight}-{limit}", kind.code());
            suite.add(id, format!("{kind:?} twice at weight {weight} with limit {limit}"), rows, script);
        }
        let (mut script, at) = loaded(shape, 9, 12, 6);
        script.set(0, Settings::new(0, 2, 3));
        script.kinds(at, (0, 1), [Kind::Good, kind, Kind::Good, Kind::Good, kind]);
        script.stream(at, 0, 12);
        script.command(at + 10, Op::Read, 0, 1);
        let comment = format!("{kind:?} among GOOD: the count begins anew, and congestion ends with a greater weight");
        suite.add(format!("{}-among-good", kind.code()), comment, rows, script);
    }
}

/// `settings_raise` at its limits: the weight rises with that feedback and with no other.
fn raising(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Settings", "Boundary"], &["T13", "M63", "M64"]);
    for (raise, count) in [(0, 20), (1, 8), (2, 9), (7, 22), (62, 66), (63, 66)] {
        let (mut script, at) = loaded(shape, 3, 9, count);
        script.set(0, Settings::new(0, raise, 0));
        let behind = script.kinds(at, (0, 1), (0..count).map(|_| Kind::Good));
        (at..behind + 8).step_by(count as usize / 6).for_each(|at| script.data(at, 0));
        script.command(behind, Op::Read, 0, 1);
        let comment = format!("{count} GOOD ones, of which {raise} raise the weight (0: never)");
        suite.add(format!("raise-{raise}"), comment, rows, script);
    }
    for (from, to) in [(0, 63), (63, 3), (9, 10), (0, 1)] {
        let (mut script, at) = loaded(shape, 3, 9, 70);
        script.set(0, Settings::new(0, from, 0));
        script.kinds(at, (0, 1), (0..66).map(|_| Kind::Good));
        script.set(at + 9 + shape.settings(), Settings::new(0, to, 0));
        script.command(at + 12, Op::Read, 0, 1);
        script.command(at + 70, Op::Read, 0, 1);
        let comment = format!("{from} becomes {to} behind 9 of 66 GOOD ones: at least as many is enough");
        suite.add(format!("raise-{from}-to-{to}"), comment, rows, script);
    }
    let (mut script, at) = loaded(shape, 3, 5, 20);
    script.set(0, Settings::new(0, 3, 0));
    script.kinds(at, (0, 1), [Kind::Good; 8]);
    script.operate(at + 4, Command::new(Op::Limit, 0, 1).weight(2));
    script.operate(0, Command::new(Op::Limit, 0, 1).weight(15));
    script.stream(at + 8, 0, 30);
    script.kinds(at + 30, (0, 1), [Kind::Good; 9]);
    script.command(at + 50, Op::Read, 0, 1);
    let rows = aim(&["Command"], &["T13", "T17", "M108"]);
    suite.add("limits", "the limit falls below the weight, then rises", rows, script);
}

/// `settings_fail` at its limits: the sub-path fails with that TIMEOUT and with no other.
fn failing(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Failing", "Settings", "Boundary"], &["T14", "M72"]);
    for (fail, count) in [(0, 9), (1, 1), (2, 2), (2, 1), (6, 7), (7, 6), (7, 7), (7, 8)] {
        let (mut script, at) = loaded(shape, 8, 9, 12);
        script.set(0, Settings::new(0, 0, fail));
        let behind = script.kinds(at, (0, 1), (0..count).map(|_| Kind::Timeout));
        script.stream(behind, 0, 10);
        script.command(behind + 12, Op::Read, 0, 1);
        let comment = format!("{count} packets lost in a row, of which {fail} are too many (0: never)");
        suite.add(format!("fail-{fail}-{count}"), comment, rows, script);
    }
    for kind in [Kind::Good, Kind::Ecn, Kind::Nack] {
        let (mut script, at) = loaded(shape, 8, 9, 12);
        script.set(0, Settings::new(0, 0, 2));
        let lost = Kind::Timeout;
        script.kinds(at, (0, 1), [lost, kind, lost, kind, kind, lost, lost]);
        script.stream(at + 6, 0, 10);
        script.command(at + 22, Op::Read, 0, 1);
        let comment = format!("{kind:?} in between: they are not in a row");
        suite.add(format!("fail-between-{}", kind.code()), comment, rows, script);
    }
    for (from, to, kind) in [(0, 7, Kind::Timeout), (7, 2, Kind::Timeout), (7, 1, Kind::Good)] {
        let (mut script, at) = loaded(shape, 8, 9, 14);
        script.set(0, Settings::new(0, 0, from));
        script.kinds(at, (0, 1), [Kind::Timeout; 5]);
        script.set(at + 5 + shape.settings(), Settings::new(0, 0, to));
        script.kinds(at + 5, (0, 1), [kind; 4]);
        script.command(at + 12, Op::Read, 0, 1);
        let comment = format!("{from} becomes {to} behind 5 lost ones, then {kind:?}");
        suite.add(format!("fail-{from}-to-{to}"), comment, rows, script);
    }
}

/// The counts go on while their settings are 0, up to where a counter of few bits would wrap.
fn saturated(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Settings", "Boundary"], &["T13", "T14"]);
    let settings = Settings::new(0, 63, 7).window(200);
    for (kind, counts) in [(Kind::Good, [62, 64, 70, 130]), (Kind::Timeout, [7, 8, 9, 16])] {
        for count in counts {
            let (mut script, at) = loaded(shape, 8, 9, count + 1);
            script.set(0, Settings::new(0, 0, 0).window(200));
            script.kinds(at, (0, 1), (0..count).map(|_| kind));
            script.set(at + count + shape.settings(), settings);
            script.feedback(at + count, 0, 1, kind);
            script.command(at + count + 4, Op::Read, 0, 1);
            let comment = format!("{count} times {kind:?} that mean nothing, then one that does");
            suite.add(format!("saturated-{}-{count}", kind.code()), comment, rows, script);
        }
    }
}

/// Feedback for sub-paths that are not active, and for one of several.
fn away(suite: &mut Suite, shape: Shape) {
    for (name, op) in [("draining", Op::Drain), ("failed", Op::Fail)] {
        for kind in Kind::STREAM {
            let (mut script, at) = loaded(shape, 8, 9, 3);
            script.set(0, Settings::new(0, 1, 1));
            script.command(at, op, 0, 1);
            script.kinds(at + 9, (0, 1), [kind; 4]);
            script.command(at + 12, Op::Read, 0, 1);
            script.command(0, Op::Remove, 0, 1);
            let rows = aim(&["Kind", "InFlight"], &["T12", "T13", "T15", "M62", "M74"]);
            let comment = format!("{kind:?} for a sub-path that is {name}, one more than packets are in flight");
            suite.add(format!("{name}-{}", kind.code()), comment, rows, script);
        }
    }
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[3, 3, 3]);
    script.set(0, Settings::new(0, 1, 2));
    let at = script.stream(at, 0, 18) + shape.counted();
    for (path, kind) in [(0, Kind::Good), (1, Kind::Nack), (2, Kind::Timeout), (0, Kind::Good), (2, Kind::Timeout)] {
        script.kinds(at + 3 * path, (0, path), [kind; 3]);
    }
    script.stream(at + 6, 0, 20);
    script.reads(at + 30, 0, 3);
    let rows = aim(&["Kind"], &["T12", "T13", "T14", "M66", "M67", "M68", "M70"]);
    suite.add("each-its-own", "three sub-paths that are told different things", rows, script);
}
