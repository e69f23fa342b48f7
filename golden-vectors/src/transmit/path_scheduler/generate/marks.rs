// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row T27: marks on a sub-path that come without a packet.

use super::shapes::{FEW_FAST, FEW_SLOW, TWO};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Feedback, Granularity, Kind, Op, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// Adds the group `marks`.
pub fn add(suite: &mut Suite) {
    for shape in [TWO, FEW_FAST, FEW_SLOW] {
        suite.group("marks", "marks without a packet", shape, Settings::new(0, 2, 2).migrate(2));
        weights(suite, shape);
        in_flight(suite, shape);
        states(suite, shape);
        counts(suite, shape);
    }
    for shape in [TWO, FEW_FAST, FEW_SLOW] {
        suite.group("notifications", "marks that halve", shape, Settings::new(0, 2, 2).migrate(2));
        notified(suite, shape);
        windows(suite, shape);
        of_all(suite, shape);
    }
}

/// A notification of congestion on sub-path 1.
fn notification(path: u64, bandwidth: u64) -> Feedback {
    Feedback { bandwidth, ..Feedback::new(0, path, Kind::Mark) }
}

/// The weight is halved, once in the time of a step; with a mark in front of it, or behind it.
fn notified(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Kind", "Steps", "Boundary"], &["T13", "T23", "T32", "M64", "M69"]);
    for weight in [1, 2, 3, shape.most()] {
        for rtt in [0, 1] {
            let (mut script, at) = loaded(shape, weight, 2);
            script.set(at, Settings::new(0, 2, 2).rtt(rtt));
            for (at, bandwidth) in (at + 1..).zip([1, shape.most(), 0, 1]) {
                script.hear(at, notification(1, bandwidth));
            }
            let at = script.command(at + 6, Op::Read, 0, 1);
            script.hear(at + 140, notification(1, 2));
            script.command(at + 142, Op::Read, 0, 1);
            script.data(at + 143, 0);
            let comment = format!("at weight {weight}, with {rtt} for the time between steps");
            suite.add(format!("T32-weight-{weight}-{rtt}"), comment, rows, script);
        }
    }
}

/// A window that follows marks is halved, and lowered by a quarter of a packet if that is no step.
fn windows(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Following", "Kind"], &["T23", "T31", "T32", "M67", "M69"]);
    for (initial, rtt) in [(1, 0), (2, 0), (3, 1), (9, 0), (9, 2)] {
        let (mut script, _) = loaded(shape, 3, 0);
        let of_case = Settings::new(0, 2, 2).window(12).initial(initial).rtt(rtt);
        script.set(0, of_case);
        script.operate(0, Command::new(Op::Drain, 0, 1));
        script.operate(0, Command::new(Op::Remove, 0, 1));
        script.add(0, 1, 3);
        let at = script.settled();
        let at = script.stream(at, 0, 6) + shape.counted();
        for n in 0..3 {
            script.hear(at + 70 * n, notification(1, 1));
            script.feedback(at + 70 * n + 1, 0, 1, Kind::Good);
            script.command(at + 70 * n + 2, Op::Read, 0, 1);
        }
        let behind = script.settled();
        script.stream(behind, 0, 6);
        let comment = format!("a window of {initial} packets, {rtt} for the time between steps");
        suite.add(format!("T32-window-{initial}-{rtt}"), comment, rows, script);
    }
}

/// One for each sub-path of a QP, of which most are absent: nothing counts those.
fn of_all(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Kind", "OutOfRange"], &["T15", "T32"]);
    let (mut script, at) = loaded(shape, 9, 2);
    (0..=shape.paths).for_each(|path| script.hear(at + path, notification(path, 1)));
    script.kinds(at + shape.paths + 2, (0, 0), [Kind::Mark]);
    script.reads(at + shape.paths + 3, 0, 2);
    script.stream(at + shape.paths + 40, 0, 2);
    suite.add("T32-all", "one for each sub-path, and for one that cannot exist", rows, script);
}

/// A QP whose sub-path 1 has this weight, and as many packets in flight.
fn loaded(shape: Shape, weight: u64, packets: u64) -> (Script, u64) {
    let mut script = Script::new(shape);
    script.open(0, Granularity::Flow, &[]);
    script.operate(0, Command::new(Op::Add, 0, 1).weight(shape.most()));
    script.operate(0, Command::new(Op::Start, 0, 1).weight(weight));
    let at = script.settled();
    let behind = script.stream(at, 0, packets) + shape.counted();
    (script, behind)
}

/// The weight falls as with ECN, once in the time of a step.
fn weights(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Kind", "Steps", "Boundary"], &["T13", "T23", "T27", "M19", "M64", "M69"]);
    for weight in [1, 2, shape.most() - 1, shape.most()] {
        for rtt in [0, 1] {
            let (mut script, at) = loaded(shape, weight, 2);
            script.set(at, Settings::new(0, 2, 2).rtt(rtt));
            script.kinds(at + 1, (0, 1), [Kind::Mark, Kind::Mark]);
            let at = script.command(at + 4, Op::Read, 0, 1);
            script.data(at + 4, 0);
            script.feedback(at + 140, 0, 1, Kind::Mark);
            script.command(at + 142, Op::Read, 0, 1);
            let comment = format!("twice at weight {weight} and once more, with {rtt} for the time between steps");
            suite.add(format!("T27-weight-{weight}-{rtt}"), comment, rows, script);
        }
    }
}

/// As many packets are in flight as before: also none, and a full sub-path stays full.
fn in_flight(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["InFlight", "Window"], &["T11", "T20", "T27", "T25", "M67"]);
    for (window, packets) in [(4, 0), (4, 2), (2, 2)] {
        let (mut script, at) = loaded(shape, 3, 0);
        script.set(at, Settings::new(0, 2, 2).window(window));
        let at = script.stream(at + shape.counted(), 0, packets) + shape.counted();
        script.kinds(at, (0, 1), [Kind::Mark; 3]);
        script.data(at + 3 + shape.counted(), 0);
        script.command(at + 3, Op::Read, 0, 1);
        let behind = script.kinds(at + 40, (0, 1), (0..packets).map(|_| Kind::Good));
        script.data(behind + shape.counted(), 0);
        script.command(behind, Op::Read, 0, 1);
        let comment = format!("{packets} packets in flight and a window of {window}, then three marks");
        suite.add(format!("T27-flight-{window}-{packets}"), comment, rows, script);
    }
}

/// A sub-path in each state, and one that cannot exist.
fn states(suite: &mut Suite, shape: Shape) {
    let states: [(&str, &[Op]); 7] = [
        ("closed", &[Op::Drain, Op::Remove, Op::Close]),
        ("absent", &[Op::Drain, Op::Remove]),
        ("probing", &[Op::Drain, Op::Remove, Op::Add]),
        ("probed", &[Op::Drain, Op::Remove, Op::Add]),
        ("active", &[]),
        ("draining", &[Op::Drain]),
        ("failed", &[Op::Fail]),
    ];
    let rows = aim(&["Kind", "OutOfRange"], &["T15", "T27", "M74"]);
    for (name, ops) in states {
        let (mut script, _) = loaded(shape, 3, 0);
        for &op in ops {
            script.operate(0, Command::new(op, 0, 1).weight(9));
        }
        let mut at = script.settled();
        if name == "probed" {
            script.hear(at, Feedback::answer(0, 1, 5));
            at += 1;
        }
        script.kinds(at, (0, 1), [Kind::Mark, Kind::Mark]);
        script.feedback(at + 2, 0, shape.paths, Kind::Mark);
        script.reads(at + 3, 0, 2);
        script.stream(at + 40, 0, 2);
        suite.add(format!("T27-{name}"), format!("marks for a sub-path that is {name}"), rows, script);
    }
}

/// What marks do to the counts: GOOD begin anew, time-outs are no longer in a row, steps lead away.
fn counts(suite: &mut Suite, shape: Shape) {
    let (good, mark, lost) = (Kind::Good, Kind::Mark, Kind::Timeout);
    let cases: [(&str, &[Kind]); 4] = [
        ("good", &[good, mark, good, good]),
        ("lost", &[lost, mark, lost]),
        ("lost-twice", &[lost, mark, lost, lost]),
        ("steps", &[mark, mark, good, good]),
    ];
    let rows = aim(&["Kind", "Failing", "Migration"], &["T13", "T14", "T27", "T25", "M62", "M72"]);
    for (name, kinds) in cases {
        let (mut script, at) = loaded(shape, 4, 4);
        script.set(at, Settings::new(0, 2, 2).migrate(2).rtt(0));
        for (at, kind) in (at + 1..).step_by(9).zip(kinds) {
            script.feedback(at, 0, 1, *kind);
            script.data(at + 4, 0);
        }
        script.command(at + 50, Op::Read, 0, 1);
        let comment = format!("{kinds:?} in turn, where two GOOD raise, two TIMEOUT fail and two steps lead away");
        suite.add(format!("T27-counts-{name}"), comment, rows, script);
    }
}
