// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gaps below and above the tolerance, and how they are reported.

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::{Shape, op};
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

/// A time that stands for never.
const NEVER: u64 = (1 << 20) - 1;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("tolerance", "gaps below and above the tolerance, and how they are reported", shape, None);
        age(suite, shape);
        filled(suite, shape);
        stalled(suite, shape);
        commanded(suite, shape);
        changed(suite, shape);
        // Nothing in these depends on the latency.
        if shape == shapes::USUAL {
            span(suite, shape);
            restarted(suite, shape);
            own(suite, shape);
            inside(suite, shape);
            both(suite, shape);
            defaults(suite, shape);
        }
    }
    suite.group("tolerance", "gaps of many connections", shapes::MANY, None);
    several(suite, shapes::MANY);
    suite.group("tolerance", "gaps of a large window", shapes::LARGEST, None);
    span(suite, shapes::LARGEST);
    defaults(suite, shapes::LARGEST);
}

/// Long enough for a visit of every connection, a check and its event.
fn visited(script: &mut Script, shape: Shape) {
    script.calm();
    script.idle(shape.connections + 5 * shape.ram_latency + 60);
}

/// Spans at the limit and above it.
fn span(suite: &mut Suite, shape: Shape) {
    let most = shape.window - 2;
    for limit in [0, 1, 2, 31, 32, most, most + 1] {
        let start = shape.psns() - limit / 2 - 2;
        let mut script = Script::opened(shape, start);
        script.set(limit, NEVER);
        script.idle(3);
        // Span `limit`, then one more.
        if limit > 0 {
            script.send(0, start + limit);
            visited(&mut script, shape);
        }
        if limit + 1 < shape.window {
            script.send(0, start + limit + 1);
        } else {
            script.send_all(0, [start + 1, start + limit]);
        }
        visited(&mut script, shape);
        script.send_all(0, [start + limit, start, start + 1]);
        visited(&mut script, shape);
        script.read(0, 0);
        let rows = aim(&["Tolerance", "Span", "PsnWrap"], &["R13", "R14", "R15", "R16", "M57", "M83", "M100"]);
        suite.add(format!("span-{limit}"), format!("a span of {limit}, and one above it"), rows, script);
    }
}

/// Ages at the limit and above it, with the arrival at all places in the unit of time.
fn age(suite: &mut Suite, shape: Shape) {
    for (limit, phase) in [(0, 0), (0, 31), (0, 63), (1, 0), (1, 52), (1, 53), (2, 50), (2, 51), (3, 7)] {
        let mut script = Script::opened(shape, 9);
        script.set(shape.window - 1, limit);
        while script.cycle() % 64 != phase {
            script.idle(1);
        }
        script.send(0, 10);
        script.idle(64 * (limit + 1) + 64);
        visited(&mut script, shape);
        script.send(0, 12);
        script.send(0, 9);
        script.idle(64 * (limit + 1) + 64);
        visited(&mut script, shape);
        script.read(0, 0);
        let rows = aim(&["Tolerance", "Age"], &["R13", "R14", "R15", "R16", "R19", "M57", "M83", "M85"]);
        suite.add(format!("age-{limit}-{phase}"), format!("an age above {limit} units of time"), rows, script);
    }
}

/// The age begins again when the expected PSN moves, and only then.
fn restarted(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    script.set(shape.window - 1, 2);
    // Gaps at 0, 2, 4 and 6.
    script.send_all(0, [1, 3, 5, 7]);
    for psn in [0, 2, 4] {
        script.idle(110);
        // Neither of them moves it.
        script.send_all(0, [9, 7, 1, 200]);
        script.send(0, psn);
    }
    script.idle(300);
    script.send(0, 6);
    script.idle(40);
    script.read(0, 0);
    let rows = aim(&["Tolerance", "Age"], &["R13", "R14", "R15", "R19", "M57", "M85"]);
    suite.add("restarted", "the expected PSN moves before the gap is too old, and at last does not", rows, script);
}

/// The missing packet comes in each cycle around the visit and the check: there is a report or none, and what it says is
/// what has been received.
fn filled(suite: &mut Suite, shape: Shape) {
    let last = 3 * shape.ram_latency + 30 + shape.connections;
    for (name, filling) in [("first", [0, 1]), ("behind", [3, 2]), ("inside", [2, 1])] {
        let mut script = Script::opened(shape, 0);
        script.set(4, NEVER);
        let mut first = 0;
        for late in (0..last).step_by(if name == "first" { 1 } else { 3 }) {
            // The same phase of the visits each time.
            while script.cycle() % 64 != 5 {
                script.idle(1);
            }
            script.send(0, first + 5);
            script.idle(late);
            script.send_all(0, filling.map(|ahead| first + ahead));
            visited(&mut script, shape);
            while script.expected(0) != first + 6 {
                script.send(0, script.expected(0));
            }
            script.drain();
            first += 6;
        }
        let rows = aim(&["Tolerance", "Visible"], &["R4", "R13", "R14", "R15", "R16", "M28", "M57", "M59"]);
        let comment = "packets for the gap in every cycle around its visit and its check";
        suite.add(format!("filled-{name}"), comment, rows, script);
    }
}

/// What comes inside a gap that has been reported; and the next gap behind it.
fn inside(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 100);
    script.set(5, NEVER);
    // 100 to 105 are missing, 110 to 119 too.
    script.send_all(0, 106..110);
    visited(&mut script, shape);
    script.send_all(0, [120, 101, 103]);
    visited(&mut script, shape);
    script.send_all(0, [100, 102]);
    visited(&mut script, shape);
    // 104 and 105 are still suspected; with 104 and 105 the next gap is another one.
    script.send_all(0, [105, 104]);
    script.probe(0, 0);
    visited(&mut script, shape);
    script.send_all(0, [115, 110]);
    visited(&mut script, shape);
    script.send_all(0, 111..120);
    visited(&mut script, shape);
    script.send(0, 122);
    script.read(0, 0);
    let rows = aim(&["Tolerance", "Reported"], &["R4", "R14", "R15", "R16", "M28", "M57", "M82"]);
    suite.add("inside", "packets inside a gap that has been reported, and the gap behind it", rows, script);
}

/// Nobody takes the event; gaps of others wait, and so do visits.
fn stalled(suite: &mut Suite, shape: Shape) {
    for wait in [0, 1, 40] {
        let mut script = Script::new(shape);
        (0..4).for_each(|connection| script.open(connection, 0));
        script.set(0, NEVER);
        script.stall_events(true);
        for connection in [2, 3, 1, 0] {
            script.send(connection, 2);
        }
        visited(&mut script, shape);
        script.send(3, 0);
        script.send(3, 1);
        for _ in 0..5 {
            script.idle(wait);
            script.stall_events(false);
            script.idle(1);
            script.stall_events(true);
            script.idle(2 * shape.ram_latency + 30);
        }
        script.stall_events(false);
        visited(&mut script, shape);
        let rows = aim(&["Tolerance", "Stall", "Connections"], &["R1", "R14", "R16", "M57", "M59"]);
        suite.add(format!("stalled-{wait}"), "events of four connections that wait to be taken", rows, script);
    }
}

/// A command in each cycle around the check: it keeps the check waiting, closes the connection before it, or reads it.
fn commanded(suite: &mut Suite, shape: Shape) {
    for (name, code, connection) in [("read", op::READ, 0), ("close", op::CLOSE, 0), ("other", op::OPEN, 1)] {
        let mut script = Script::new(shape);
        script.set(2, NEVER);
        for late in 0..2 * shape.ram_latency + 22 {
            script.close(1);
            script.open(0, 40);
            while script.cycle() % 64 != 11 {
                script.idle(1);
            }
            script.send_all(0, [44, 45]);
            script.idle(late);
            script.issue(code, connection, 0, 7);
            script.answered();
            script.send_all(0, [47, 41]);
            script.close(0);
        }
        let rows = aim(&["Tolerance", "Command"], &["R1", "R14", "R16", "R17", "R18", "R19"]);
        suite.add(format!("command-{name}"), "a command in each cycle around a check", rows, script);
    }
}

/// Settings in each cycle around the visit.
fn changed(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    let mut first = 0;
    for late in 0..shape.ram_latency + 22 {
        script.set(6, NEVER);
        while script.cycle() % 64 != 3 {
            script.idle(1);
        }
        script.send(0, first + 6);
        script.idle(late);
        // For a single cycle the gap is above tolerance.
        script.set(5, NEVER);
        script.set(6, NEVER);
        script.idle(40);
        script.send_all(0, (0..6).map(|ahead| first + ahead));
        script.drain();
        first += 7;
    }
    let rows = aim(&["Tolerance", "Settings"], &["R13", "R14", "R15", "R16", "M46"]);
    suite.add("changed", "a smaller tolerance in one cycle", rows, script);
}

/// Both limits are exceeded, or one of them, and later the other.
fn both(suite: &mut Suite, shape: Shape) {
    for (span, time) in [(2, 1), (3, 1), (2, 4), (3, 4), (0, 0)] {
        let mut script = Script::opened(shape, 0);
        script.set(shape.window - 1, NEVER);
        script.send(0, 3);
        script.idle(150);
        script.set(span, time);
        visited(&mut script, shape);
        script.set(0, 0);
        visited(&mut script, shape);
        script.send_all(0, [0, 6]);
        script.send_all(0, [1, 2]);
        visited(&mut script, shape);
        let rows = aim(&["Tolerance", "Settings"], &["R13", "R15", "R16", "M46", "M57"]);
        suite.add(format!("both-{span}-{time}"), "which of the limits is exceeded", rows, script);
    }
}

/// Connections with a tolerance of their own beside one with that of the settings: *open* or *change* gives it, and takes it.
fn own(suite: &mut Suite, shape: Shape) {
    for (code, late) in [(op::OPEN, false), (op::CHANGE, false), (op::CHANGE, true)] {
        let mut script = Script::new(shape);
        script.set(4, NEVER);
        for (connection, tolerance) in [(0, [2, NEVER]), (2, [shape.window - 1, 1]), (3, [shape.window - 1, NEVER])] {
            if code == op::CHANGE {
                script.open(connection, 0);
                if late {
                    script.send_all(connection, [4, 6]);
                }
            }
            script.issue_own(code, connection, tolerance);
            script.answered();
        }
        script.open(1, 0);
        for connection in 0..4 {
            script.send_all(connection, [3, 5]);
        }
        visited(&mut script, shape);
        script.idle(200);
        script.set(0, NEVER);
        visited(&mut script, shape);
        // Back to that of the settings.
        script.issue(op::CHANGE, 3, 0, 0);
        script.close(0);
        // Not open.
        script.issue_own(op::CHANGE, 0, [0, 0]);
        script.answered();
        script.open(0, 0);
        script.send(0, 2);
        visited(&mut script, shape);
        let rows = aim(
            &["Tolerance", "Settings", "Connections", "Command"],
            &["R13", "R14", "R16", "R18", "M45", "M46", "M83"],
        );
        suite.add(format!("own-{code}-{late}"), "connections with a tolerance of their own", rows, script);
    }
}

/// The settings after reset.
fn defaults(suite: &mut Suite, shape: Shape) {
    for above in [0, 1] {
        let mut script = Script::from_reset(shape);
        script.until(shape.sweep());
        script.open(0, 0);
        script.send(0, (shape.reset.span + above).min(shape.window - 1));
        visited(&mut script, shape);
        let rows = aim(&["Tolerance", "Settings"], &["R13", "R14", "R20", "M100"]);
        suite.add(format!("default-span-{above}"), "the span that is tolerated after reset", rows, script);
    }
    // Longer ages would take too many cycles.
    if shape.reset.time < 200 {
        let mut script = Script::from_reset(shape);
        script.until(shape.sweep());
        script.open(0, 0);
        script.send(0, 1);
        script.idle(64 * shape.reset.time + 200);
        let rows = aim(&["Tolerance", "Settings", "Age"], &["R13", "R14", "M57", "M102"]);
        suite.add("default-time", "the age that is tolerated after reset, and one above it", rows, script);
    }
}

/// Gaps of many connections, above tolerance at the same time: reported in the order of the visits.
fn several(suite: &mut Suite, shape: Shape) {
    for wait in [0, 5, 13, 22] {
        let mut script = Script::new(shape);
        (0..shape.connections).for_each(|connection| script.open(connection, connection));
        script.set(3, 3);
        script.idle(wait);
        for n in 0..shape.connections {
            let connection = n * 7 % shape.connections;
            script.send(connection, connection + 1 + n % 5);
        }
        script.idle(30 * shape.connections);
        let rows = aim(&["Tolerance", "Connections"], &["R14", "R15", "R16", "M57", "M83"]);
        suite.add(format!("several-{wait}"), "gaps of all connections", rows, script);
    }
}

/// The settings after reset of a stage of any size.
pub fn of_shape(suite: &mut Suite, shape: Shape) {
    suite.group("reset", "the settings after reset", shape, None);
    defaults(suite, shape);
}
