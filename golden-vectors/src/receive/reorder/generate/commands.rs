// SPDX-License-Identifier: MIT OR Apache-2.0
//! *Open*, *close* and *read*: when they take effect, what they need, and what they show.

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::{Arrival, Command, PROBE, Shape, op};
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("commands", "when commands take effect, what they need, and what they show", shape, None);
        effect(suite, shape);
        cannot(suite, shape);
        statistics(suite, shape);
        sub_paths(suite, shape);
        hammered(suite, shape);
        sweep(suite, shape);
        // Nothing in these depends on the latency.
        if shape == shapes::USUAL {
            closed(suite, shape);
            draining(suite, shape);
            reopened(suite, shape);
        }
    }
    suite.group("commands", "many sub-paths", shapes::WINDOWS[0], None);
    sub_paths(suite, shapes::WINDOWS[0]);
    reopened(suite, shapes::WINDOWS[0]);
}

/// Groups for a stage with frames.
pub fn with_frames(suite: &mut Suite, shape: Shape) {
    suite.group("commands", "when commands take effect, what they need, and what they show", shape, None);
    effect(suite, shape);
    cannot(suite, shape);
    statistics(suite, shape);
    hammered(suite, shape);
    sweep(suite, shape);
    closed(suite, shape);
    draining(suite, shape);
}

/// Arrivals in every cycle while a command is under way: those before its effect see nothing of it.
fn effect(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    script.hammered = vec![script.packet(0, 30)];
    for (code, psn) in [(op::OPEN, 20), (op::READ, 0), (op::CHANGE, 0), (op::CLOSE, 0), (op::OPEN, 30), (op::OPEN, 31)]
    {
        script.issue(code, 0, 1, psn);
        for n in 0..2 * shape.ram_latency + 26 {
            // Every second one of another connection; they find their connection only if it is open.
            let at = script.expected(0);
            script.send(n % 2, at + 1 + n % 3);
        }
        script.answered();
        script.send(0, script.expected(0));
        script.drain();
    }
    let rows = aim(&["Command", "Visible", "BackToBack"], &["R1", "R2", "R17", "R18", "R19"]);
    suite.add("effect", "arrivals in every cycle around the effect of commands", rows, script);
}

/// Commands that cannot be done change nothing.
fn cannot(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 20);
    script.send_all(0, [22, 20, 23]);
    script.settle();
    script.open(0, 77);
    script.issue(op::CHANGE, 0, 1, 78);
    script.answered();
    script.send_all(0, [21, 25]);
    script.drain();
    script.close(0);
    script.close(0);
    script.issue(op::CHANGE, 0, 2, 79);
    script.answered();
    script.read(0, 1);
    script.send(0, 24);
    script.open(0, 24);
    script.send_all(0, [25, 24]);
    script.drain();
    let rows = aim(&["Command", "Refused"], &["R17", "R18", "R19"]);
    suite.add("cannot", "open an open connection, close a closed one, no such code", rows, script);
}

/// Held packets are discarded, those before the expected one are delivered.
fn closed(suite: &mut Suite, shape: Shape) {
    for held in [0, 1, 5, shape.window - 2] {
        let first = shape.psns() - 4;
        let mut script = Script::opened(shape, first);
        script.send_all(0, (2..2 + held).map(|ahead| first + ahead));
        script.stall(true);
        script.send(0, first);
        script.settle();
        script.close(0);
        script.drain();
        script.read(0, 2);
        script.send(0, first + 1);
        script.open(0, first + 1);
        // Nothing is left of what was received.
        script.send_all(0, [first + 2, first + 2 + shape.window / 2, first + 1]);
        script.drain();
        script.read(0, 2);
        let rows = aim(&["Command", "Closed", "PsnWrap"], &["R12", "R17", "R18", "R19", "M62", "M82"]);
        suite.add(format!("close-{held}"), format!("closed with {held} packets held, and opened again"), rows, script);
    }
}

/// A connection that is closed while its packets are to be delivered cannot be opened before they have been read.
fn draining(suite: &mut Suite, shape: Shape) {
    for count in [1, 16, 17, 40] {
        let mut script = Script::opened(shape, 60);
        script.stall(true);
        script.send_all(0, (60..60 + count).chain([62 + count]));
        script.settle();
        script.read(0, 1);
        script.close(0);
        script.open(0, 300);
        script.send_all(0, [300, 60 + count]);
        script.stall(false);
        script.drain();
        script.open(0, 301);
        script.send_all(0, [302, 301]);
        script.drain();
        let rows = aim(&["Command", "Closed", "Stall"], &["R9", "R12", "R18", "R19", "M82"]);
        suite.add(format!("draining-{count}"), format!("closed with {count} packets to be delivered"), rows, script);
    }
}

/// Opened again and again with PSNs whose slots and laps are the same, neighbours, or far away.
fn reopened(suite: &mut Suite, shape: Shape) {
    let window = shape.window;
    let mut script = Script::new(shape);
    for first in [0, 0, window, 2 * window, 1, window - 1, shape.psns() - 1, shape.psns() - window, 7, shape.psns() / 2]
    {
        for connection in [1, 0] {
            script.open(connection, first);
            script.send_all(connection, [3, 1, window - 1, 5].map(|ahead| first + ahead));
            script.send(connection, first + window);
        }
        script.send(0, first);
        script.drain();
        script.send_all(0, [first + 2, first + 5]);
        script.drain();
        script.close(0);
        script.send(1, first);
        script.drain();
        script.close(1);
    }
    let rows = aim(&["Command", "Reopened", "PsnWrap"], &["R2", "R4", "R5", "R18", "M62", "M82"]);
    suite.add("reopened", "opened again with PSNs of the same and of other slots and laps", rows, script);
}

/// How often, how deep and how long packets were out of order.
fn statistics(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    script.read(0, 0);
    for (first, depth, wait) in [(0, 1, 10), (10, 5, 64), (20, 3, 200), (30, 5, 130), (40, 0, 0), (50, 6, 1)] {
        script.send_all(0, (1..=depth).rev().map(|ahead| first + ahead));
        script.idle(wait);
        script.send(0, first);
        script.send_all(0, first + depth + 1..first + 10);
        script.drain();
        script.read(0, 1);
    }
    // Neither a duplicate nor a refused packet counts as overtaken.
    script.send_all(0, [62, 62, 59, 300, 61, 61, 60]);
    script.drain();
    script.read(0, 3);
    script.close(0);
    script.read(0, 3);
    script.open(0, 100);
    script.read(0, 3);
    let rows = aim(&["Statistics"], &["R4", "R13", "R18", "R19", "M85"]);
    suite.add("statistics", "how often, how deep and how long packets were out of order", rows, script);
    let mut script = Script::opened(shape, 0);
    for phase in [49, 50, 51, 52, 53, 54, 55, 63, 0, 1] {
        let first = script.expected(0);
        for at in [phase, phase + 60] {
            while script.cycle() % 64 != at % 64 {
                script.idle(1);
            }
            script.send(0, first + u64::from(at == phase));
        }
        script.drain();
        script.read(0, 0);
        script.close(0);
        script.open(0, 5);
    }
    let rows = aim(&["Statistics", "Age"], &["R13", "R19", "M85"]);
    suite.add("duration", "gaps that begin and end at all places in the unit of time", rows, script);
}

/// Packets and times of every sub-path, and of none.
fn sub_paths(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    for connection in [0, 1] {
        script.open(connection, 0);
    }
    let mut psn = 0;
    for n in 0..6 * shape.paths {
        let path = [n % shape.paths, 0, shape.paths - 1, shape.past_paths(), 255, 1][(n % 6) as usize];
        // In order, again, behind the window, before it, and a probe.
        let (ahead, flags) = [(0, 0), (0, 0), (500, 0), (3, 0), (0, 4), (3, 0)][(n / 2 % 6) as usize];
        let packet = script.packet(n % 2, psn + ahead);
        script.arrive(Arrival { path, flags, ..packet });
        script.idle([0, 0, 0, 17][(n % 4) as usize]);
        psn += n % 3 / 2;
    }
    let paths: Vec<u64> = (0..shape.paths.min(6)).chain([shape.paths - 1, shape.past_paths(), 255]).collect();
    for &path in &paths {
        script.read(0, path);
        script.read(1, path);
    }
    script.close(0);
    paths.iter().for_each(|&path| script.read(0, path));
    script.drain();
    script.issue(op::OPEN, 0, 0, 9);
    script.answered();
    paths.iter().for_each(|&path| script.read(0, path));
    let rows = aim(&["SubPaths"], &["R6", "R18", "R19", "R21", "M44", "M54", "M55", "M81", "M84"]);
    suite.add("sub-paths", "packets and times of sub-paths, whatever became of the packets", rows, script);
    // In consecutive cycles on one sub-path, and on two in turns, around a time.
    let mut script = Script::opened(shape, 0);
    for wait in 50..62 {
        while script.cycle() % 64 != wait {
            script.idle(1);
        }
        for n in 0..5 {
            let packet = script.packet(0, script.expected(0));
            script.arrive(Arrival { path: n * wait % 2, ..packet });
        }
        script.drain();
        script.read(0, 0);
        script.read(0, 1);
    }
    let rows = aim(&["SubPaths", "BackToBack"], &["R6", "R19", "M44", "M55", "M81"]);
    suite.add(
        "sub-path-times",
        "packets of one sub-path in consecutive cycles, around the end of a unit of time",
        rows,
        script,
    );
    // A read in each cycle around arrivals.
    let mut script = Script::opened(shape, 0);
    for late in 0..2 * shape.ram_latency + 20 {
        script.issue(op::READ, 0, 0, 0);
        script.idle(late);
        // One that is held, one that comes again, one behind the window, and a probe.
        let now = script.expected(0);
        for (ahead, flags) in [(1, 0), (1, 0), (shape.window, 0), (0, PROBE)] {
            let packet = script.packet(0, now + ahead);
            script.arrive(Arrival { path: 0, flags, ..packet });
        }
        script.answered();
        script.send(0, now);
        script.drain();
    }
    let rows = aim(&["SubPaths", "Visible"], &["R6", "R17", "R19", "M55"]);
    suite.add("read-beside", "a read in each cycle around an arrival", rows, script);
}

/// Arrivals and commands on the ports while they are not accepted: nothing comes of them.
fn hammered(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    script.hammered = [1, 0, 2].map(|psn| script.packet(0, psn)).into();
    script.hammered_commands = [(op::CLOSE, 0), (op::OPEN, 1), (op::CHANGE, 0)]
        .map(|(op, connection)| Command { op, connection, psn: 3, ..Command::default() })
        .into();
    script.set(0, (1 << 20) - 1);
    script.send_all(0, [3, 3]);
    script.idle(90);
    script.read(0, 0);
    script.read(1, 0);
    script.send_all(0, [0, 1, 2]);
    script.drain();
    script.open(1, 4);
    script.send(1, 4);
    script.drain();
    let rows = aim(&["Unready", "Command"], &["R1", "R14", "R17"]);
    suite.add("unready", "arrivals and commands in every cycle in which they are not accepted", rows, script);
}

/// From the first cycle after reset on.
fn sweep(suite: &mut Suite, shape: Shape) {
    let mut script = Script::from_reset(shape);
    script.hammered = vec![script.packet(0, 0), script.packet(1, 0)];
    script.hammered_commands = vec![Command { op: op::OPEN, ..Command::default() }];
    script.until(shape.sweep());
    for connection in 0..shape.connections {
        script.send(connection, 0);
    }
    script.open(0, 0);
    script.send(0, 0);
    script.drain();
    let rows = aim(&["Sweep", "Unready"], &["R1", "R17", "R20"]);
    suite.add("sweep", "arrivals and commands from the first cycle after reset on", rows, script);
    for late in 0..3 {
        let mut script = Script::from_reset(shape);
        script.set(0, 0);
        script.until(shape.sweep() + late);
        script.open(shape.connections - 1, 0);
        script.send(shape.connections - 1, 2);
        script.idle(120);
        let rows = aim(&["Sweep", "Tolerance"], &["R14", "R17", "R20"]);
        suite.add(format!("first-{late}"), "a command in the first cycles after the sweep", rows, script);
    }
}
