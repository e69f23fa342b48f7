// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows V7, V14 and V15: the first request or command that sees a report or a command. One cycle too early or too
//! late is seen.

use super::shapes::{LATENCIES, NEVER};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Command, Op, Report, Settings, Shape};
use crate::elab::scheduler::script::{MOST, Script, other_port, port};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES {
        suite.group("seen", "reports and operations about the cycles in which they are seen", shape, WITH);
        reports(suite, shape);
        calls(suite, shape);
        operations(suite, shape);
        reads(suite, shape);
        ready(suite, shape);
    }
}

/// A VP requests a probe 2 units after a mark, and a burst has 3 packets.
const WITH: Settings = Settings { explore: 2, burst: 3, ..NEVER };

/// The distance from a report to the first request that sees the new bandwidth.
fn reports(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "Indication"], &["V1", "V6", "V7", "E18"]);
    for distance in [
        1,
        shape.visibility_delay() - 2,
        shape.visibility_delay() - 1,
        shape.visibility_delay(),
        shape.visibility_delay() + 1,
    ] {
        // Before the report only VP 1 has a weight, after it only VP 0.
        let (mut script, at) = Script::running(shape, &[1, MOST]);
        script.probed(at, 0, 0, MOST);
        script.probed(at + 1, 0, 1, 1);
        script.request(at + 1 + distance, 0);
        let comment = format!("one request, {distance} cycles behind a report");
        suite.add(format!("report-{distance}"), comment, rows, script);
    }
    for count in 1..=3 {
        let (mut script, at) = Script::running(shape, &[1, MOST]);
        for n in 0..count {
            script.probed(at + n, 0, n % 2, if n % 2 == 0 { MOST } else { 1 });
        }
        script.stream(at + shape.visibility_delay() - 4, 0, 12);
        suite.add(format!("report-stream-{count}"), format!("a request in every cycle about {count}"), rows, script);
    }
}

/// The distance from a report to the first request that sees its probe request.
fn calls(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "Explore", "Burst"], &["V3", "V7", "V13"]);
    for distance in [
        shape.visibility_delay() - 2,
        shape.visibility_delay() - 1,
        shape.visibility_delay(),
        shape.visibility_delay() + 1,
    ] {
        let (mut script, at) = Script::running(shape, &[MOST, MOST]);
        let next = script.call(at, 0, 0, 2);
        script.request(next + distance, 0);
        let comment = format!("one request, {distance} cycles behind a call");
        suite.add(format!("call-{distance}"), comment, rows, script);
    }
    let (mut script, at) = Script::running(shape, &[MOST, MOST]);
    let next = script.call(at, 0, 0, 2);
    script.stream(next, 0, shape.visibility_delay() + 6);
    suite.add("call-stream", "a request in every cycle about a call", rows, script);
}

/// The distance from the effect of a command to the first request that sees it.
fn operations(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "Command"], &["V2", "V14", "V16"]);
    for distance in [
        0,
        1,
        shape.visibility_delay() - 1,
        shape.visibility_delay(),
        shape.visibility_delay() + 1,
        shape.visibility_delay() + 2,
    ] {
        let mut script = Script::new(shape);
        let at = script.operate(0, Command::add(0, port(shape, 0, 1), 50));
        script.request(at + distance, 0);
        let comment = format!("one request, {distance} cycles behind an operation");
        suite.add(format!("add-{distance}"), comment.clone(), rows, script);
        let (mut script, at) = Script::running(shape, &[0, 50]);
        let at = script.command(at, Op::Remove, 0, 1);
        script.request(at + distance, 0);
        suite.add(format!("remove-{distance}"), comment, rows, script);
    }
    let (mut script, at) = Script::running(shape, &[0, 50]);
    script.command(at, Op::Remove, 0, 1);
    script.operate(at, Command::add(0, other_port(shape, 0, 1), 50));
    script.command(at, Op::Remove, 0, 1);
    script.operate(at, Command::new(Op::Remove, 0, other_port(shape, 0, 1)));
    script.stream(at, 0, 90);
    suite.add("stream", "a request in every cycle about operations", rows, script);
    // Reports and commands take effect in order: a report finds the VP from the cycle after the effect of *add* on.
    for distance in 0..=3 {
        for (name, op) in [("added", Op::Add), ("removed", Op::Remove)] {
            let (mut script, at) = Script::running(shape, &[9, 9]);
            let (vp, report) = match op {
                Op::Add => (3, script.add(0, 3, MOST) - shape.visibility_delay() - 1),
                _ => (1, script.command(at, op, 0, 1)),
            };
            script.ecn(report + distance, 0, vp, 20);
            script.ecn(report + 40, 0, vp, 20);
            script.reads(report + 20, 0, [vp]);
            script.reads(report + 60, 0, [vp]);
            let comment = format!("a report {distance} cycles behind the acceptance");
            suite.add(format!("{name}-{distance}"), comment, aim(&["Boundary", "Command"], &["V8", "V14"]), script);
        }
    }
}

/// The distance from a report to the first response that shows it.
fn reads(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "Command"], &["V15", "V17"]);
    let ways = [("ecn", true, false), ("probed", true, true), ("plain", false, false)];
    for distance in [0, 1, 2, 6] {
        for (name, ecn, probed) in ways {
            let (mut script, at) = Script::running(shape, &[MOST, MOST]);
            script.set(0, Settings { alpha: 77, ..WITH });
            script.ecn(at, 0, 0, 300);
            let next = at + 4 * shape.unit;
            script.report(next, Report { vp: port(shape, 0, 0), count: 900, ecn, probed, rate: 0x98_7654, pair: 0 });
            // Counted from the effect, which is one cycle after the acceptance.
            script.reads(next + distance - 1, 0, [0]);
            let id = format!("read-{name}-{distance}");
            suite.add(id, format!("a read {distance} cycles behind a report"), rows, script);
        }
        // Commands that cannot be done show the state in the same way.
        for (name, op) in [("add", 1), ("remove", 2), ("none", 3)] {
            let (mut script, at) = Script::running(shape, &[MOST, MOST]);
            script.ecn(at, 0, 0, 300);
            let sport = if op == 2 { other_port(shape, 0, 0) } else { port(shape, 0, 0) };
            script.operate(at + distance - 1, Command { op, pair: 0, sport, bandwidth: 77 });
            let id = format!("read-by-{name}-{distance}");
            suite.add(id, format!("{name} {distance} cycles behind a report"), rows, script);
        }
    }
    let (mut script, at) = Script::running(shape, &[MOST, MOST]);
    script.set(0, Settings { alpha: 77, ..WITH });
    for n in 0..8 {
        script.count(at + n * 2 * shape.unit, 0, 0, 900 + n);
    }
    script.reads(at, 0, [0, 1, 0, 0, 1, 0, 0, 0]);
    suite.add("read-stream", "reads as fast as they are accepted, and updates", rows, script);
}

/// Reports in the cycles around a command, where `report_ready` is 0 in one of them.
fn ready(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "Command", "HeldValid"], &["V7", "V14"]);
    for distance in [-1_i64, 0, 1, 2] {
        let (mut script, at) = Script::running(shape, &[MOST, MOST]);
        script.reads(at, 0, [1]);
        let held = Report { vp: port(shape, 0, 1), count: 4000, ecn: true, ..Report::default() };
        script.held = vec![held];
        script.ecn(at.saturating_add_signed(distance), 0, 1, 30);
        script.reads(at + 25, 0, [1]);
        script.stream(at + 10, 0, 20);
        let id = format!("ready-{distance:+}");
        suite.add(id, format!("a report {distance} cycles from an operation"), rows, script);
    }
}
