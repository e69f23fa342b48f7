// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T11, T12, T14 and T16: the first cycle in which a packet is in flight, and the first request that sees a
//! feedback or a command. One cycle too early or too late is seen.

use super::shapes::{LATENCIES, SETTINGS};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Feedback, Granularity, Kind, Op, Packet, Settings, Shape};
use crate::transmit::path_scheduler::script::{MOST, Script};
use crate::transmit::path_scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES {
        suite.group(
            "seen",
            "requests, feedback and operations about the cycles in which they are seen",
            shape,
            SETTINGS,
        );
        feedback(suite, shape);
        counted(suite, shape);
        settings(suite, shape);
        operations(suite, shape);
        held(suite, shape);
    }
}

/// The distance from a feedback to the first request that sees it.
fn feedback(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "Kind"], &["T12", "T13", "T10", "M66", "M69"]);
    for kind in [Kind::Good, Kind::Nack, Kind::Timeout] {
        for distance in shape.visibility_delay() - 2..=shape.visibility_delay() + 1 {
            let (mut script, at) = Script::running(shape, Granularity::Flow, &[6, 1]);
            script.set(0, Settings::new(1, 1, 1));
            script.data(at, 0);
            script.feedback(at + 20, 0, 0, kind);
            script.data(at + 20 + distance, 0);
            let id = format!("feedback-{}-{distance}", kind.code());
            suite.add(id, format!("one request, {distance} cycles behind {kind:?}"), rows, script);
        }
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[6, 3]);
        script.set(0, Settings::new(1, 1, 1));
        script.stream(at, 0, 4);
        script.feedback(at + 20, 0, 1, kind);
        script.stream(at + 18, 0, 14);
        let id = format!("feedback-{}-stream", kind.code());
        suite.add(id, format!("a request in every cycle about {kind:?}"), rows, script);
    }
}

/// The distance from a request to the first feedback, *read* and *remove* that count its packet.
fn counted(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "InFlight"], &["T11", "T15", "M62"]);
    for distance in [0, 1, shape.counted() - 2, shape.counted() - 1, shape.counted(), shape.counted() + 1] {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[6]);
        script.data(at, 0);
        script.feedback(at + distance, 0, 0, Kind::Ecn);
        script.data(at + 30, 0);
        let id = format!("counted-{distance}");
        suite.add(id, format!("feedback {distance} cycles behind its packet"), rows, script);
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[6]);
        script.data(at + 12, 0);
        script.data(at + 13, 0);
        script.command(at + 12 + distance - 1, Op::Read, 0, 0);
        script.reads(0, 0, 1);
        let id = format!("read-{distance}");
        suite.add(id, "a read that takes effect about the cycle in which a packet counts", rows, script);
    }
    // A row of packets, each with its feedback as early as possible. The last packets may not be counted yet.
    for early in 0..3 {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[2, 1]);
        script.stream(at, 0, 9);
        (0..9).for_each(|n| script.feedback(at + n + shape.counted() - early, 0, n % 3 % 2, Kind::Good));
        script.reads(at + 24, 0, 2);
        let rows = aim(&["BackToBack", "InFlight"], &["T11", "T15", "M62"]);
        suite.add(format!("row-{early}"), "a row of packets, a row of feedback", rows, script);
    }
    // Packets granted right before the *drain* are counted.
    for late in 0..3 {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[6, 1]);
        let drain = script.command(at + 5, Op::Drain, 0, 0);
        script.data(drain + shape.response() + 1 - late, 0);
        script.command(0, Op::Remove, 0, 0);
        script.feedback(drain + 60, 0, 0, Kind::Good);
        script.command(drain + 60, Op::Remove, 0, 0);
        let rows = aim(&["Boundary", "Command", "InFlight"], &["T11", "T16", "T17", "M62"]);
        suite.add(format!("drained-{late}"), "the last packet on a sub-path that is to be removed", rows, script);
    }
}

/// `settings_raise` and `settings_fail` change around the cycle in which a feedback reads them.
fn settings(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "Settings"], &["T13", "T14", "M72"]);
    let (never, at_once) = (Settings::new(0xFFFF, 0, 0), Settings::new(0xFFFF, 1, 1));
    for (name, from, to) in [("on", never, at_once), ("off", at_once, never)] {
        for kind in [Kind::Good, Kind::Timeout] {
            for distance in shape.settings() - 1..=shape.settings() + 1 {
                let (mut script, at) = Script::running(shape, Granularity::Flow, &[6, 1]);
                script.set(0, from);
                script.data(at, 0);
                script.feedback(at + 20, 0, 0, kind);
                script.set(at + 20 + distance, to);
                script.reads(at + 30, 0, 1);
                script.data(at + 40, 0);
                let id = format!("settings-{name}-{}-{distance}", kind.code());
                suite.add(id, format!("they change {distance} cycles behind {kind:?}"), rows, script);
            }
        }
    }
}

/// The distance from a command to the first request and the first feedback that see it.
fn operations(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "Command"], &["T16", "T17", "T2"]);
    let operations = [
        ("open", Command::open(1, 7, 0x300, Granularity::Flow)),
        ("set_granularity", Command::new(Op::Regrain, 0, 0).mode(2)),
        ("start", Command::new(Op::Start, 0, 1).weight(3)),
        ("limit", Command::new(Op::Limit, 0, 0).weight(2)),
        ("drain", Command::new(Op::Drain, 0, 0)),
        ("fail", Command::new(Op::Fail, 0, 0)),
    ];
    for (name, command) in operations {
        for distance in shape.response() - 1..=shape.response() {
            let mut script = Script::new(shape);
            script.open(0, Granularity::Flow, &[6]);
            script.operate(0, Command::new(Op::Add, 0, 1).weight(MOST));
            let at = script.operate(script.settled() + 9, command);
            script.data(at - 2, 0);
            script.request(at + distance, command.qp, Packet::Data, 0);
            script.stream(at + 20, command.qp, 2);
            let comment = format!("a request {distance} cycles behind the operation");
            suite.add(format!("{name}-{distance}"), comment, rows, script);
        }
        let mut script = Script::new(shape);
        script.open(0, Granularity::Packet, &[6]);
        script.operate(0, Command::new(Op::Add, 0, 1).weight(MOST));
        let at = script.operate(script.settled() + 9, command);
        script.stream(at - 4, command.qp, 14);
        (at - 2..at + 6).for_each(|at| script.feedback(at, command.qp, 0, Kind::Ecn));
        suite.add(format!("{name}-stream"), "a request and a feedback in every cycle", rows, script);
    }
}

/// Feedback that must wait in the cycle in which a command takes effect.
fn held(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["HeldValid", "Command", "Boundary"], &["T12", "T16"]);
    for (name, op) in [("read", Op::Read), ("drain", Op::Drain), ("limit", Op::Limit), ("fail", Op::Fail)] {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[9, 1]);
        script.stream(at, 0, 4);
        let at = script.operate(at + 20, Command::new(op, 0, 0).weight(7));
        script.feedback(at, 0, 0, Kind::Ecn);
        script.held = vec![Feedback::new(0, 0, Kind::Nack)];
        script.feedback(at + 2, 0, 0, Kind::Nack);
        script.stream(at + 2, 0, 12);
        script.reads(0, 0, 1);
        suite.add(format!("held-{name}"), "feedback stands while the operation takes effect", rows, script);
    }
}
