// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T25 and T26: what is reported of a QP, when, and that nothing is lost.

use super::shapes::{FEW_FAST, FEW_SLOW, LATENCIES, SIXTEEN, SMALL};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Granularity, Kind, Op, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// A sub-path fails with the second packet lost, is avoided with the second step, and is full with three packets.
const SETTINGS: Settings = Settings::new(0, 2, 2).migrate(2).window(3);

/// Adds the groups `events` and `queue`.
pub fn add(suite: &mut Suite) {
    for shape in [FEW_FAST, FEW_SLOW, SMALL] {
        suite.group("events", "what is reported of a QP", shape, SETTINGS);
        causes(suite, shape);
        once(suite, shape);
        held(suite, shape);
    }
    for shape in LATENCIES {
        suite.group("merged", "causes about the cycle in which an event leaves", shape, SETTINGS);
        merging(suite, shape);
    }
    suite.group("queue", "events of many QPs", SIXTEEN, SETTINGS);
    many(suite, SIXTEEN);
}

/// Each cause, alone and with others.
fn causes(suite: &mut Suite, shape: Shape) {
    use Kind::{Ecn, Good, Nack, Timeout};
    let rows = aim(&["Event", "Kind"], &["T13", "T14", "T20", "T25", "T26", "M75", "M116"]);
    let lists: [(&str, u64, &[Kind]); 8] = [
        ("failed", 2, &[Timeout, Timeout]),
        ("congested", 2, &[Ecn, Nack]),
        ("both", 2, &[Ecn, Timeout]),
        ("recovered", 2, &[Ecn, Good, Good, Ecn]),
        ("saturated", 3, &[Good]),
        ("saturated-congested", 3, &[Ecn, Ecn, Ecn]),
        ("saturated-failed", 3, &[Timeout, Timeout]),
        ("nothing", 2, &[Good, Ecn]),
    ];
    for (name, count, kinds) in lists {
        for paths in 1..=2 {
            let (mut script, at) = Script::running(shape, Granularity::Flow, &vec![9; paths]);
            script.stream(at, 0, count);
            script.kinds(at + 30, (0, 0), kinds.iter().copied());
            script.reads(at + 30, 0, 2);
            script.stream(at + 50, 0, 3);
            suite.add(format!("M116-{name}-of-{paths}"), format!("{kinds:?}, {paths} sub-paths"), rows, script);
        }
    }
    // All fail, one after the other: the last one tells that none is left. A drained one is not active either.
    for drained in [false, true] {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[5, 5]);
        script.stream(at, 0, 4);
        if drained {
            script.command(at + 16, Op::Drain, 0, 1);
        }
        script.kinds(at + 40, (0, 1), [Timeout; 2]);
        script.kinds(at + 80, (0, 0), [Timeout; 2]);
        script.stream(at + 90, 0, 2);
        let rows = aim(&["Event", "Failing"], &["T25", "M72", "M75", "M116"]);
        let comment = format!("both sub-paths lose their packets; one is drained before: {drained}");
        suite.add(format!("M75-all-failed-{}", u64::from(drained)), comment, rows, script);
    }
    // A command that fails the last one is no event.
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[5]);
    script.stream(at, 0, 2);
    script.command(at + 20, Op::Fail, 0, 0);
    script.kinds(at + 30, (0, 0), [Timeout; 2]);
    suite.add("M116-commanded", "failed by command", aim(&["Event", "Command"], &["T25", "M116"]), script);
}

/// *saturated* comes once, and again after a command on the sub-path.
fn once(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Event", "Window", "Command"], &["T20", "T25", "M116"]);
    for (name, op, path) in [
        ("read", Op::Read, 0),
        ("limit", Op::Limit, 0),
        ("other", Op::Read, 1),
        ("granularity", Op::Regrain, 0),
        ("flowlet", Op::Reflow, 0),
        ("refused", Op::Remove, 0),
        ("entropy", Op::Reroute, 0),
    ] {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[5]);
        script.stream(at, 0, 12);
        (0..4).for_each(|n| script.feedback(at + 40 + 2 * n, 0, 0, Kind::Good));
        let at = script.command(at + 50, op, 0, path);
        // Full again, and feedback finds that.
        script.stream(at + 4, 0, 12);
        (0..3).for_each(|n| script.feedback(at + 40 + 2 * n, 0, 0, Kind::Good));
        script.reads(at + 60, 0, 1);
        suite.add(format!("once-{name}"), format!("{op:?} of sub-path {path} in between"), rows, script);
    }
    // Draining it is full, but not active.
    let (mut script, at) = Script::running(shape, Granularity::Flow, &[5]);
    script.stream(at, 0, 12);
    script.command(at + 30, Op::Drain, 0, 0);
    (0..4).for_each(|n| script.feedback(at + 40 + 2 * n, 0, 0, Kind::Good));
    suite.add("once-draining", "a full sub-path that is draining", rows, script);
}

/// The consumer is not ready: the event stands, and what comes merges into the next one of the QP.
fn held(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Event", "HeldValid"], &["T26", "M75", "M116"]);
    for wait in [1, 2, 5, 40] {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[9, 9]);
        script.ready(at, false);
        script.stream(at, 0, 5);
        script.kinds(at + 30, (0, 0), [Kind::Ecn; 2]);
        script.kinds(at + 50, (0, 1), [Kind::Timeout; 2]);
        script.stream(at + 52, 0, 8);
        script.feedback(at + 80, 0, 0, Kind::Timeout);
        script.feedback(at + 81, 0, 0, Kind::Timeout);
        script.ready(at + 90 + wait, true);
        script.ready(at + 91 + wait, wait % 2 == 0);
        script.ready(at + 100 + wait, true);
        script.reads(at + 90, 0, 2);
        suite.add(format!("M116-held-{wait}"), "taken late, then once more", rows, script);
    }
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[9, 9]);
    script.ready(at, false);
    script.stream(at, 0, 5);
    script.kinds(at + 30, (0, 0), [Kind::Ecn; 2]);
    script.reads(at + 40, 0, 2);
    suite.add("M116-never", "never taken", rows, script);
    // Closed before the event is taken: it is reported all the same.
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[9]);
    script.ready(at, false);
    script.stream(at, 0, 2);
    script.kinds(at + 30, (0, 0), [Kind::Timeout; 2]);
    script.command(at + 32, Op::Read, 0, 0);
    script.command(0, Op::Remove, 0, 0);
    let at = script.command(0, Op::Close, 0, 0);
    script.ready(at + 20, true);
    script.command(0, Op::Read, 0, 0);
    suite.add("M116-closed", "the QP is closed before the event is taken", rows, script);
}

/// A second cause of the QP at each distance from the first, of the same and of another sub-path: it merges into the
/// event, or makes another one. A cause of another QP keeps the first from leaving.
fn merging(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Event", "Boundary"], &["T26", "M116"]);
    let settings = SETTINGS.migrate(1);
    let span = shape.queued() + 2 * shape.fetch();
    for distance in (1..=span + 2).filter(|distance| *distance < 3 || *distance + 6 > shape.queued()) {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[9, 9]);
        script.set(0, settings);
        script.stream(at, 0, 4);
        script.feedback(at + 30, 0, 0, Kind::Ecn);
        script.feedback(at + 30 + distance, 0, 1, Kind::Ecn);
        let comment = format!("another sub-path {distance} cycles behind the first");
        suite.add(format!("M116-{distance}"), comment, rows, script);
    }
    for count in [1, 2, 6] {
        let (mut script, at) = Script::all_running(shape, 2, 2, &[9, 9, 9, 9]);
        script.set(0, settings.window(40));
        (0..16).for_each(|n| script.data(at + n, n % 2));
        let from = at + 40;
        script.feedback(from, 0, 0, Kind::Ecn);
        // Causes of the other QP in the cycles in which the first could leave.
        for n in 0..count {
            let kind = if n < 4 { Kind::Ecn } else { Kind::Timeout };
            script.feedback(from + shape.queued() + n, 1, n % 4, kind);
        }
        let comment = format!("{count} causes of another QP in the cycles in which it could leave");
        suite.add(format!("M116-delayed-{count}"), comment, rows, script);
    }
}

/// All QPs at once, in another order than their numbers, with a consumer that is slow now and then.
fn many(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Event", "Interleaved", "FullLoad"], &["T26", "M75", "M116"]);
    for (name, busy) in [("ready", 0), ("slow", 9)] {
        let (mut script, at) = Script::all_running(shape, shape.qps, 0, &[9]);
        script.set(0, SETTINGS.migrate(1));
        for n in 0..2 * shape.qps {
            script.data(at + n, n % shape.qps);
        }
        let from = at + 60;
        for n in 0..2 * shape.qps {
            script.feedback(from + n + n / 7 * 3, n * 5 % shape.qps, 0, Kind::Timeout);
        }
        (1..12).filter(|_| busy > 0).for_each(|n| script.ready(from + busy * n, n % 2 == 0));
        script.ready(from + 120, true);
        (0..4).for_each(|n| {
            script.command(from + 60 + 40 * n, Op::Read, n, 0);
        });
        suite.add(format!("M116-many-{name}"), "all QPs fail at once", rows, script);
    }
}
