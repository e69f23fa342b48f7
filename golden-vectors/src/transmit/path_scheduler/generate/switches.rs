// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row T21: S says that the sender has switched.

use super::shapes::{FEW_SLOW, LATENCIES};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Granularity, Kind, Op, Packet, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// A mark makes a sub-path avoided, and a lost packet makes it fail.
const SETTINGS: Settings = Settings::new(2, 0, 1).migrate(1).window(40);

/// Adds the group `switches`, one per latency, and the group `sets`.
pub fn add(suite: &mut Suite) {
    for shape in LATENCIES {
        suite.group("switches", "when a packet carries S", shape, SETTINGS);
        spraying(suite, shape);
        edges(suite, shape);
    }
    suite.group("sets", "S after a change of the active sub-paths", FEW_SLOW, SETTINGS);
    sets(suite, FEW_SLOW);
}

/// A long stream: packet by packet without S, by flowlets with S in the first packet of each.
fn spraying(suite: &mut Suite, shape: Shape) {
    for granularity in Granularity::ALL {
        let (mut script, at) = Script::running(shape, granularity, &[2, 1, 1]);
        for n in 0..24 {
            script.request(at + n + n / 8 * 200, 0, if n % 5 == 2 { Packet::Retransmission } else { Packet::Data }, 0);
        }
        let rows = aim(&["Switch", "BackToBack"], &["T8", "T21", "M17", "M65"]);
        suite.add(format!("M17-spray-{}", granularity.code()), format!("{granularity:?}, no event"), rows, script);
    }
}

/// Each command and feedback that changes the set of active sub-paths, and some that do not.
fn sets(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Switch", "Command"], &["T8", "T21", "M17", "M65"]);
    for granularity in Granularity::ALL {
        for op in [Op::Start, Op::Drain, Op::Fail, Op::Limit, Op::Add, Op::Read, Op::Reflow] {
            let (mut script, at) = Script::running(shape, granularity, &[2, 1, 1]);
            let path = if matches!(op, Op::Start | Op::Add) { 3 } else { 1 };
            if op == Op::Start {
                script.operate(0, Command::new(Op::Add, 0, 3).weight(3));
            }
            script.operate(at + 24, Command::new(op, 0, path).weight(1));
            script.stream(at + 22, 0, 16);
            let comment = format!("{granularity:?}: {op:?} under load, S once if the active sub-paths change");
            suite.add(format!("M65-{op:?}-{}", granularity.code()).to_lowercase(), comment, rows, script);
        }
        // Failure by feedback, of the sub-path in use or of another one.
        for path in 0..2 {
            let (mut script, at) = Script::running(shape, granularity, &[1, 1, 2]);
            script.stream(at, 0, 4);
            script.feedback(at + 30, 0, path, Kind::Timeout);
            script.stream(at + 28, 0, 16);
            let comment = format!("{granularity:?}: sub-path {path} fails under load");
            let rows = aim(&["Switch", "Failing"], &["T14", "T21", "M17", "M65", "M72"]);
            suite.add(format!("M65-failed-{}-{path}", granularity.code()), comment, rows, script);
        }
        // Avoided or full: the active sub-paths stay the same.
        let (mut script, at) = Script::running(shape, granularity, &[4, 4]);
        script.stream(at, 0, 4);
        script.feedback(at + 30, 0, 0, Kind::Ecn);
        script.stream(at + 28, 0, 34);
        let rows = aim(&["Switch", "Migration", "Window"], &["T20", "T21", "T22", "M17", "M65"]);
        let comment = format!("{granularity:?}: avoided, then the other one is full");
        suite.add(format!("M17-avoided-{}", granularity.code()), comment, rows, script);
    }
}

/// The set is compared with the one that the previous packet saw; probes and refused requests do not count.
fn edges(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Switch", "Boundary"], &["T2", "T8", "T21", "M65"]);
    for distance in shape.response() - 1..=shape.response() + 1 {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[2, 1, 1]);
        script.data(at, 0);
        let drain = script.command(at + 20, Op::Drain, 0, 2);
        script.request(drain + distance, 0, Packet::Probe, 0);
        script.request(drain + distance + 1, 0, Packet::Data, 0);
        script.request(drain + distance + 2, 0, Packet::Data, 0);
        suite.add(format!("edge-{distance}"), "a drain, then a probe, then two packets", rows, script);
    }
    // The set changes twice between two packets, and is then the same as before.
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[2, 1]);
    script.stream(at, 0, 2);
    script.command(at + 20, Op::Drain, 0, 1);
    script.kinds(at + 24, (0, 1), [Kind::Good; 2]);
    script.command(at + 40, Op::Remove, 0, 1);
    let at = script.add(0, 1, 1);
    script.stream(at, 0, 4);
    suite.add("same-again", "a sub-path goes and comes between two packets", rows, script);
    // No sub-path is left; the first packet of the next one.
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[2]);
    script.stream(at, 0, 2);
    script.command(at + 20, Op::Fail, 0, 0);
    script.stream(at + 40, 0, 2);
    let at = script.add(0, 1, 1);
    script.stream(at, 0, 3);
    suite.add("none-left", "requests without a sub-path in between", rows, script);
    // A QP that is opened again: the first packet never has S.
    let (mut script, at) = Script::running(shape, Granularity::Flow, &[2]);
    script.data(at, 0);
    script.command(at + 20, Op::Drain, 0, 0);
    script.feedback(at + 24, 0, 0, Kind::Good);
    script.command(0, Op::Remove, 0, 0);
    script.command(0, Op::Close, 0, 0);
    let at = script.open(0, Granularity::Flow, &[0, 2]);
    script.stream(at, 0, 2);
    suite.add("first", "the first packet after the QP was opened again", rows, script);
}
