// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row T28: packets that were granted and not sent, or given up with their connection.

use super::shapes::{FEW_FAST, FEW_SLOW, TWO};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Feedback, Granularity, Kind, Op, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// The settings of the group.
const SETTINGS: Settings = Settings::new(0, 2, 2).migrate(2);

/// Adds the group `returns`.
pub fn add(suite: &mut Suite) {
    for shape in [TWO, FEW_FAST, FEW_SLOW] {
        suite.group("returns", "packets that say nothing of their path", shape, SETTINGS);
        weights(suite, shape);
        counts(suite, shape);
        holds(suite, shape);
        slow(suite, shape);
        in_flight(suite, shape);
        saturated(suite, shape);
        states(suite, shape);
    }
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

/// The weight and the congested flag stay, before and behind a mark.
fn weights(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Kind"], &["T12", "T13", "T28", "M62"]);
    for weight in [1, shape.most()] {
        let (mut script, at) = loaded(shape, weight, 8);
        let at = script.kinds(at, (0, 1), [Kind::Return; 3]);
        script.data(at + shape.visibility_delay(), 0);
        let at = script.command(at, Op::Read, 0, 1);
        let at = script.kinds(at + 4, (0, 1), [Kind::Ecn, Kind::Return, Kind::Return]);
        script.data(at + shape.visibility_delay(), 0);
        script.command(at, Op::Read, 0, 1);
        let comment = format!("three at weight {weight}, and two behind an ECN");
        suite.add(format!("T28-weight-{weight}"), comment, rows, script);
    }
}

/// The counts go on as if there were nothing in between, one event behind the other and apart.
fn counts(suite: &mut Suite, shape: Shape) {
    let (good, mark, lost, back) = (Kind::Good, Kind::Ecn, Kind::Timeout, Kind::Return);
    let cases: [(&str, usize, &[Kind]); 6] = [
        ("good", 1, &[good, back, good]),
        ("good-apart", 9, &[good, back, back, good]),
        ("lost", 1, &[lost, back, lost]),
        ("lost-apart", 9, &[lost, back, back, lost]),
        ("steps", 1, &[mark, back, mark, back, good, back, good]),
        ("not-lost", 1, &[lost, back, good, back, lost]),
    ];
    let rows = aim(&["Kind", "Failing", "Migration"], &["T13", "T14", "T28", "T25", "M62", "M72"]);
    for (name, apart, kinds) in cases {
        let (mut script, at) = loaded(shape, 4, 8);
        for (at, kind) in (at..).step_by(apart).zip(kinds) {
            script.feedback(at, 0, 1, *kind);
            script.data(at + 4, 0);
        }
        script.command(at + 50, Op::Read, 0, 1);
        let comment = format!("{kinds:?} in turn, where two GOOD raise, two TIMEOUT fail and two steps lead away");
        suite.add(format!("T28-counts-{name}"), comment, rows, script);
    }
}

/// A return is no step, and does not end the hold of one; behind the deadline the next mark is one.
fn holds(suite: &mut Suite, shape: Shape) {
    let (mark, back) = (Kind::Ecn, Kind::Return);
    let rows = aim(&["Kind", "Steps"], &["T13", "T23", "T28", "M69"]);
    for (name, first, second) in [("first", back, mark), ("within", mark, back)] {
        let (mut script, at) = loaded(shape, shape.most(), 9);
        script.set(at, SETTINGS.migrate(3).rtt(1));
        let behind = script.kinds(at + 1, (0, 1), [first, second, mark]);
        script.command(behind, Op::Read, 0, 1);
        let behind = script.kinds(at + 140, (0, 1), [back, mark, mark]);
        script.command(behind, Op::Read, 0, 1);
        let comment = format!("{first:?}, {second:?} and a mark within an RTT, and the same a while later");
        suite.add(format!("T28-hold-{name}"), comment, rows, script);
    }
}

/// The RTT and the bandwidth are not looked at.
fn slow(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Kind", "Delay"], &["T12", "T14", "T28", "M64"]);
    let (mut script, at) = loaded(shape, 4, 8);
    script.set(at, SETTINGS.delay(9));
    for (at, rtt) in (at + 1..).zip([10, 0xFFFF]) {
        script.hear(at, Feedback { bandwidth: 9, ..Feedback::new(0, 1, Kind::Return).rtt(rtt) });
    }
    let at = script.command(at + 3, Op::Read, 0, 1);
    script.feedback(at + 4, 0, 1, Kind::Timeout);
    script.hear(at + 5, Feedback { bandwidth: 9, ..Feedback::new(0, 1, Kind::Return).rtt(10) });
    script.feedback(at + 6, 0, 1, Kind::Timeout);
    script.command(at + 7, Op::Read, 0, 1);
    suite.add("T28-slow", "with an RTT above the limit, also between two TIMEOUT that fail", rows, script);
}

/// Each takes a packet from those in flight, until there is none, and ends that the sub-path is full.
fn in_flight(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["InFlight", "Window"], &["T11", "T15", "T20", "T25", "T28", "M62", "M67"]);
    for (window, packets) in [(4, 2), (2, 2), (3, 6)] {
        let (mut script, at) = loaded(shape, 3, 0);
        script.set(at, SETTINGS.window(window));
        let at = script.stream(at + shape.counted(), 0, packets) + shape.counted();
        script.data(at, 0);
        let at = at + 1 + shape.counted();
        for at in (at..).step_by(2).take(packets as usize + 2) {
            script.feedback(at, 0, 1, Kind::Return);
            script.data(at + shape.visibility_delay(), 0);
        }
        script.command(at + 2, Op::Read, 0, 1);
        script.command(at + 60, Op::Read, 0, 1);
        let comment = format!("{packets} packets in flight and a window of {window}, then all of them and more");
        suite.add(format!("T28-flight-{window}-{packets}"), comment, rows, script);
    }
}

/// The first that finds an active sub-path full says so, once between two commands.
fn saturated(suite: &mut Suite, shape: Shape) {
    let (good, back) = (Kind::Good, Kind::Return);
    let rows = aim(&["Event", "Window"], &["T20", "T25", "T26", "T28", "M116"]);
    for (name, op) in [("active", Op::Read), ("draining", Op::Drain)] {
        let (mut script, at) = loaded(shape, 3, 0);
        script.set(at, SETTINGS.window(2));
        let at = script.stream(at + shape.counted(), 0, 7) + shape.counted();
        let at = script.kinds(at, (0, 1), [back, good, back]);
        let at = script.command(at + 20, op, 0, 1);
        script.kinds(at + 4, (0, 1), [back, good, back, back]);
        script.command(at + 30, Op::Read, 0, 1);
        let comment = format!("more in flight than the window, three answers, {op:?}, and the others");
        suite.add(format!("T28-saturated-{name}"), comment, rows, script);
    }
}

/// A sub-path in each state, and one that cannot exist; one more than packets are in flight.
fn states(suite: &mut Suite, shape: Shape) {
    let states: [(&str, u64, &[Op]); 8] = [
        ("closed", 0, &[Op::Drain, Op::Remove, Op::Close]),
        ("absent", 0, &[Op::Drain, Op::Remove]),
        ("probing", 0, &[Op::Drain, Op::Remove, Op::Add]),
        ("probed", 0, &[Op::Drain, Op::Remove, Op::Add]),
        ("active", 2, &[]),
        ("draining", 2, &[Op::Drain]),
        ("failed", 2, &[Op::Fail]),
        ("failed-itself", 4, &[]),
    ];
    let rows = aim(&["Kind", "InFlight", "OutOfRange"], &["T12", "T15", "T17", "T28", "M62", "M74"]);
    for (name, packets, ops) in states {
        let (mut script, behind) = loaded(shape, 3, packets);
        for &op in ops {
            script.operate(behind, Command::new(op, 0, 1).weight(9));
        }
        let mut at = script.settled().max(behind);
        if name == "probed" {
            script.hear(at, Feedback::answer(0, 1, 5));
            at += 1;
        }
        if name == "failed-itself" {
            at = script.kinds(at, (0, 1), [Kind::Timeout; 2]);
        }
        script.kinds(at, (0, 1), [Kind::Return; 3]);
        script.feedback(at + 3, 0, shape.paths, Kind::Return);
        script.reads(at + 4, 0, 2);
        script.command(0, Op::Remove, 0, 1);
        script.stream(at + 60, 0, 2);
        suite.add(format!("T28-{name}"), format!("returns for a sub-path that is {name}"), rows, script);
    }
}
