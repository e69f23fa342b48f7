// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T15, T17 and T24: probes are answered, the answer sets the first weight, and *start* needs one.

use super::shapes::{FEW_FAST, FEW_SLOW, TWO};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Feedback, Granularity, Kind, Op, Packet, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

const SETTINGS: Settings = Settings::new(0, 2, 3).delay(20).migrate(2);

/// Adds the groups `probing`, `answers` and `probe-psn`.
pub fn add(suite: &mut Suite) {
    for shape in [TWO, FEW_FAST, FEW_SLOW] {
        suite.group("probing", "probes, their answers, and the start", shape, SETTINGS);
        needed(suite, shape);
        apart(suite, shape);
        seen(suite, shape);
    }
    for shape in [TWO, FEW_SLOW] {
        suite.group("answers", "what the answer to a probe does", shape, SETTINGS);
        weights(suite, shape);
        bounded(suite, shape);
        states(suite, shape);
    }
    suite.group("probe-psn", "the numbers of probes, which no receiver takes for data", FEW_SLOW, SETTINGS);
    numbers(suite, FEW_SLOW);
}

/// Opens a QP whose sub-path 1 is probing, with this limit.
fn probing(shape: Shape, limit: u64) -> (Script, u64) {
    let (mut script, _) = Script::running(shape, Granularity::Packet, &[2]);
    script.operate(0, Command::new(Op::Add, 0, 1).weight(limit).entropy(0x1_2345));
    let at = script.settled();
    (script, at)
}

/// *start* without an answer, with one, and forced.
fn needed(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Probe", "Command"], &["T2", "T17", "T24", "M43", "M61"]);
    for (name, answered, force, weight) in [
        ("asked", false, false, 9),
        ("asked-0", false, false, 0),
        ("forced", false, true, 9),
        ("forced-0", false, true, 0),
        ("answered", true, false, 9),
        ("answered-0", true, false, 0),
        ("answered-forced", true, true, 9),
        ("answered-forced-0", true, true, 0),
    ] {
        let (mut script, at) = probing(shape, 12);
        script.request(at, 0, Packet::Probe, 1);
        if answered {
            script.hear(at + 30, Feedback::answer(0, 1, 5).rtt(11));
        }
        script.command(at + 34, Op::Read, 0, 1);
        script.request(at + 40, 0, Packet::Probe, 1);
        script.data(at + 41, 0);
        let start = Command { force, ..Command::new(Op::Start, 0, 1).weight(weight) };
        let at = script.operate(at + 50, start);
        script.command(0, Op::Read, 0, 1);
        script.stream(at + shape.response(), 0, 9);
        let comment = format!("*start* with weight {weight}, forced: {force}, with an answer: {answered}");
        suite.add(format!("M61-{name}"), comment, rows, script);
    }
}

/// The weight that an answer gives: at least 1, at most the limit, and half of it if it is slow.
fn weights(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Probe", "Boundary"], &["T17", "T24", "M43"]);
    let most = shape.most();
    for (bandwidth, limit) in [(0, 9), (1, 9), (9, 9), (10, 9), (most, 9), (most, most), (most - 1, most)] {
        for rtt in [0, 20, 21] {
            let (mut script, at) = probing(shape, limit);
            script.hear(at, Feedback::answer(0, 1, bandwidth).rtt(rtt));
            script.command(at + 1, Op::Read, 0, 1);
            let start = script.operate(0, Command::new(Op::Start, 0, 1).unforced());
            script.command(0, Op::Read, 0, 1);
            script.stream(start + shape.response(), 0, 6);
            let comment = format!("a bandwidth of {bandwidth}, limit {limit}, RTT {rtt} where more than 20 is slow");
            suite.add(format!("M43-{bandwidth}-{limit}-{rtt}"), comment, rows, script);
        }
    }
    // The last answer counts; a limit cuts the weight of a probed sub-path; without an answer it has none.
    let (mut script, at) = probing(shape, 14);
    script.operate(at, Command::new(Op::Limit, 0, 1).weight(12));
    script.hear(at + 20, Feedback::answer(0, 1, 3).rtt(30));
    script.hear(at + 21, Feedback::answer(0, 1, 13));
    let at = script.command(at + 22, Op::Read, 0, 1);
    script.operate(0, Command::new(Op::Limit, 0, 1).weight(8));
    script.operate(0, Command::new(Op::Limit, 0, 1).weight(14));
    script.operate(0, Command::new(Op::Start, 0, 1).unforced());
    script.stream(at + 70, 0, 12);
    suite.add("M43-limits", "several answers, then limits", rows, script);
}

/// Answers above a limit that is lowered or raised in a clock cycle near them: each is cut by the limit that it finds.
fn bounded(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Probe", "Boundary", "Command"], &["T12", "T16", "T17", "T24", "M43"]);
    for (name, before, after) in [("lowered", 11, 5), ("raised", 5, 11)] {
        // In cycle 1 the command takes effect, and no feedback is taken.
        for distance in [0, 2, 3, 4] {
            let (mut script, at) = probing(shape, before);
            let at = script.operate(at + 20, Command::new(Op::Limit, 0, 1).weight(after));
            script.hear(at + distance, Feedback::answer(0, 1, 9));
            script.command(0, Op::Read, 0, 1);
            script.operate(0, Command::new(Op::Limit, 0, 1).weight(13));
            script.operate(0, Command::new(Op::Start, 0, 1).unforced());
            let started = script.settled();
            script.command(0, Op::Read, 0, 1);
            script.stream(started, 0, 12);
            let comment =
                format!("the limit is {name} from {before} to {after}, a bandwidth of 9 {distance} cycles later");
            suite.add(format!("M43-{name}-{distance}"), comment, rows, script);
        }
    }
}

/// Answers, of all codes, to a sub-path in each state.
fn states(suite: &mut Suite, shape: Shape) {
    let states: [(&str, &[Op]); 7] = [
        ("closed", &[Op::Remove, Op::Close]),
        ("absent", &[Op::Remove]),
        ("probing", &[]),
        ("active", &[Op::Start]),
        ("draining", &[Op::Drain]),
        ("failed", &[Op::Fail]),
        ("started-failed", &[Op::Start, Op::Fail]),
    ];
    for (name, ops) in states {
        let (mut script, at) = probing(shape, 12);
        if name == "closed" {
            script.command(0, Op::Drain, 0, 0);
            script.command(0, Op::Remove, 0, 0);
        }
        for &op in ops {
            script.operate(0, Command::new(op, 0, 1).weight(8));
        }
        let at = script.settled().max(at);
        for (n, code) in (0..).zip([4, 7, 4, 7]) {
            script.hear(at + n, Feedback { kind: code, ..Feedback::answer(0, 1, 3 + n).rtt(7 * n) });
        }
        script.hear(at + 4, Feedback::answer(0, shape.paths, 3));
        script.reads(at + 4, 0, 2);
        script.stream(at + 20, 0, 6);
        let rows = aim(&["Probe", "Kind"], &["T13", "T15", "T24", "M18", "M43"]);
        suite.add(format!("answer-{name}"), format!("answers to a sub-path that is {name}"), rows, script);
    }
}

/// A probe is no packet in flight, and its answer takes none from those.
fn apart(suite: &mut Suite, shape: Shape) {
    let (mut script, at) = Script::running(shape, Granularity::Flow, &[2]);
    script.set(0, SETTINGS.window(4));
    (0..6).for_each(|n| script.request(at + n, 0, Packet::Probe, 0));
    script.command(at + 10, Op::Read, 0, 0);
    script.stream(at + 20, 0, 5);
    script.kinds(at + 44, (0, 0), [Kind::Answer; 6]);
    script.command(at + 44, Op::Read, 0, 0);
    script.data(at + 60, 0);
    script.kinds(at + 62, (0, 0), [Kind::Good; 6]);
    script.command(at + 62, Op::Read, 0, 0);
    let rows = aim(&["Probe", "InFlight", "Window"], &["T11", "T20", "T24", "M43", "M62"]);
    suite.add("M43-apart", "probes and their answers are no packets in flight", rows, script);
    // An answer without delay ends congestion and a row of lost packets; a slow one is a mark.
    for rtt in [3, 21] {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[9, 3]);
        script.stream(at, 0, 14);
        script.kinds(at + 30, (0, 0), [Kind::Ecn, Kind::Timeout, Kind::Timeout, Kind::Good]);
        script.hear(at + 34, Feedback::answer(0, 0, 1).rtt(rtt));
        script.kinds(at + 35, (0, 0), [Kind::Good, Kind::Timeout]);
        script.hear(at + 37, Feedback::answer(0, 0, 15).rtt(rtt));
        script.reads(at + 38, 0, 2);
        script.stream(at + 44, 0, 8);
        let rows = aim(&["Probe", "Kind"], &["T13", "T14", "T24", "M19", "M64"]);
        suite.add(format!("active-{rtt}"), format!("an answer with RTT {rtt} for an active sub-path"), rows, script);
    }
}

/// The first command, and the first packet, that see an answer.
fn seen(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Probe", "Boundary"], &["T16", "T24", "M61"]);
    for distance in 0..=2 {
        let (mut script, at) = probing(shape, 12);
        let at = script.operate(at + 20, Command::new(Op::Start, 0, 1).unforced());
        script.hear(at + distance - 1, Feedback::answer(0, 1, 6));
        script.command(0, Op::Read, 0, 1);
        script.stream(at + shape.response() - 1, 0, 4);
        let comment = format!("an answer {distance} cycles after the one before *start* is accepted");
        suite.add(format!("M61-seen-{distance}"), comment, rows, script);
    }
}

/// Probes before, among and after data, from several first PSNs, so that the PSN wraps and so that the number of a probe
/// does. These cases are for a receiver too: the probes of each, with P ignored, must be duplicates for any expected
/// PSN from that of the first data packet on, and none may be accepted in place of data.
fn numbers(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Probe", "Psn", "Boundary"], &["T6", "T8", "M18", "M48"]);
    for psn in [0, 5, 0x7F_FFFC, 0x7F_FFFF, 0x80_0000, 0xFF_FFFC, 0xFF_FFFF] {
        let mut script = Script::new(shape);
        script.operate(0, Command::open(0, psn, 0x300, Granularity::Packet));
        script.add(0, 0, 1);
        let at = script.add(0, 1, 1);
        let (data, again, probe) = (Packet::Data, Packet::Retransmission, Packet::Probe);
        let kinds = [probe, data, probe, data, data, again, probe, probe, data, data, data, probe, data, probe];
        for (n, kind) in (0..).zip(kinds) {
            script.request(at + n + n / 7 * 5, 0, kind, n % 2);
        }
        let comment = format!(
            "for receivers too: probes among data from PSN {psn:#08x} on are 2^23 away from the next data packet"
        );
        suite.add(format!("M48-{psn:06x}"), comment, rows, script);
    }
}
