// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T2, T11 and T20: windows. Packets in flight take a sub-path out of the choice, and never wrap.

use super::shapes::{FEW, FIVE, LATENCIES, SMALL};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Granularity, Kind, Op, Packet, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// Adds the groups `window`, `widest` and `thousands`.
pub fn add(suite: &mut Suite) {
    for shape in LATENCIES {
        suite.group("window", "sub-paths that are full", shape, Settings::new(0, 0, 0).window(3));
        reached(suite, shape);
        passed_over(suite, shape);
        edges(suite, shape);
        changed(suite, shape);
        removed(suite, shape);
    }
    for (shape, settings) in [(SMALL, 127), (SMALL, 95), (FIVE, 2047)] {
        let name = format!("widest{settings}");
        suite.group(&name, "the widest windows", shape, Settings::new(0, 0, 0).window(settings));
        widest(suite, shape, settings);
    }
    suite.group("thousands", "thousands of packets in flight", FEW, Settings::new(0, 1, 0).window(5000));
    thousands(suite);
}

/// One sub-path: a request in every cycle until it is full and beyond, then feedback, then requests again.
fn reached(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Window", "BackToBack"], &["T2", "T11", "T20", "M47", "M62", "M67"]);
    for window in [1, 2, 5] {
        for granularity in Granularity::ALL {
            let (mut script, at) = Script::running(shape, granularity, &[4]);
            script.set(0, Settings::new(0, 0, 0).window(window));
            let behind = script.stream(at, 0, shape.counted() + window + 4);
            script.reads(behind + 4, 0, 1);
            script.kinds(behind + 24, (0, 0), [Kind::Good; 9]);
            script.stream(behind + 26, 0, 24);
            script.reads(behind + 40, 0, 1);
            let id = format!("M62-reached-{window}-{}", granularity.code());
            suite.add(id, format!("{granularity:?}, a window of {window}: the sender must wait"), rows, script);
        }
    }
    let (mut script, at) = Script::running(shape, Granularity::Flow, &[4]);
    script.stream(at, 0, 3);
    for (n, kind) in (0..).zip([Packet::Data, Packet::Retransmission, Packet::Probe, Packet::Nothing, Packet::Data]) {
        script.request(at + 30 + n, 0, kind, 0);
    }
    let rows = aim(&["Window", "Probe"], &["T2", "T20", "M47", "M18"]);
    suite.add("M47-kinds", "full for data and retransmissions, not for probes", rows, script);
}

/// Several sub-paths, one with feedback and one without.
fn passed_over(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Window", "Draw"], &["T3", "T5", "T20", "T22", "M47", "M67", "M68"]);
    for granularity in Granularity::ALL {
        let (mut script, at) = Script::running(shape, granularity, &[5, 4, 1]);
        for n in 0..30 {
            script.data(at + 3 * n, 0);
            if n > 6 {
                script.feedback(at + 3 * n + 1, 0, n % 3 / 2, Kind::Good);
            }
        }
        script.reads(at + 30, 0, 3);
        let id = format!("M47-passed-over-{}", granularity.code());
        let comment = format!("{granularity:?}: a sub-path without feedback is passed over");
        suite.add(id, comment, rows, script);
    }
}

/// The cycles around which requests see that a sub-path is full, and that it no longer is.
fn edges(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Window", "Boundary"], &["T2", "T20", "M47", "M67"]);
    for distance in shape.counted() - 1..=shape.counted() + 1 {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[4]);
        script.data(at, 0);
        script.data(at + 1, 0);
        script.data(at + 2, 0);
        script.data(at + 2 + distance, 0);
        let comment = format!("a request {distance} cycles behind the packet that makes it full");
        suite.add(format!("full-{distance}"), comment, rows, script);
    }
    for distance in shape.visibility_delay() - 1..=shape.visibility_delay() {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[4]);
        script.stream(at, 0, 3);
        script.feedback(at + 40, 0, 0, Kind::Ecn);
        script.data(at + 40 + distance, 0);
        script.reads(at + 60, 0, 1);
        let comment = format!("a request {distance} cycles behind the feedback that makes room");
        suite.add(format!("room-{distance}"), comment, rows, script);
    }
    // A packet that makes it full sees feedback of 3 cycles after its request, and no later one.
    for late in 2..=5 {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[4]);
        script.stream(at, 0, 2);
        script.data(at + 40, 0);
        script.feedback(at + 40 + late, 0, 0, Kind::Good);
        script.data(at + 70, 0);
        script.reads(at + 80, 0, 1);
        let comment = format!("feedback {late} cycles after the request of the packet that may make it full");
        suite.add(format!("crossing-{late}"), comment, rows, script);
    }
    // Feedback that does not yet see that its sub-path is full makes no room.
    for early in 0..3 {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[4]);
        script.stream(at, 0, 3);
        script.feedback(at + 2 + shape.counted() - early, 0, 0, Kind::Good);
        script.data(at + 40, 0);
        script.feedback(at + 60, 0, 0, Kind::Good);
        script.stream(at + 80, 0, 2);
        let comment = format!("feedback {early} cycles too early to see that it is full");
        suite.add(format!("unseen-{early}"), comment, rows, script);
    }
}

/// The window changes while packets are in flight, around the cycles in which it is applied.
fn changed(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Window", "Settings", "Boundary"], &["T20", "M67"]);
    let settings = Settings::new(0, 0, 0);
    for distance in shape.filling() - 2..=shape.filling() {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[4]);
        script.set(0, settings.window(2));
        script.stream(at, 0, 2);
        script.set(at + 1 + distance, settings.window(9));
        script.data(at + 40, 0);
        suite.add(format!("wider-{distance}"), "the window becomes wider about a packet", rows, script);
    }
    for distance in shape.ram_latency - 1..=shape.ram_latency + 1 {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[4]);
        script.stream(at, 0, 5);
        script.feedback(at + 40, 0, 0, Kind::Good);
        script.set((at + 40 + distance).saturating_sub(1), settings.window(7));
        script.data(at + 60, 0);
        suite.add(format!("room-{distance}-wider"), "the window becomes wider about a feedback", rows, script);
    }
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[3, 3]);
    for (n, window) in (0..).zip([9, 0, 1, 4, 40, 2]) {
        script.set(at + 20 * n, settings.window(window));
        script.stream(at + 20 * n, 0, 15);
        (0..14).for_each(|m| script.feedback(at + 20 * n + m + 3, 0, m % 2, Kind::Good));
    }
    script.reads(at + 60, 0, 2);
    suite.add("M67-changing", "windows that change under load; 0 counts as 1", rows, script);
}

/// A full sub-path is drained, removed and added again. Nothing of before makes the new one full.
fn removed(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Window", "Reopened", "Command"], &["T17", "T20", "M62", "M74"]);
    for op in [Op::Drain, Op::Fail] {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[4]);
        script.stream(at, 0, 5);
        let at = script.command(at + 30, op, 0, 0);
        script.command(0, Op::Remove, 0, 0);
        script.kinds(at + 40, (0, 0), [Kind::Good; 4]);
        script.command(at + 50, Op::Remove, 0, 0);
        script.feedback(at + 80, 0, 0, Kind::Timeout);
        script.command(at + 81, Op::Remove, 0, 0);
        let at = script.add(0, 0, 3);
        script.stream(at, 0, 3);
        script.reads(at + 20, 0, 1);
        suite.add(format!("M74-{op:?}").to_lowercase(), "not removed before the last feedback", rows, script);
    }
}

/// As many requests as can be, without any feedback: the number in flight stays below half of its range.
fn widest(suite: &mut Suite, shape: Shape, window: u64) {
    if window > 255 {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[4, 4]);
        script.stream(at, 0, 30);
        script.kinds(at + 20, (0, 0), [Kind::Good; 12]);
        script.reads(at + 50, 0, 2);
        suite.add("M67-wide", "a window that is far away", aim(&["Window"], &["T20", "M67"]), script);
        return;
    }
    let (mut script, at) = Script::running(shape, Granularity::Flow, &[4]);
    let behind = script.stream(at, 0, shape.window(window) + 30);
    script.reads(behind, 0, 1);
    script.kinds(behind + 20, (0, 0), [Kind::Good; 30]);
    script.stream(behind + 22, 0, 40);
    script.reads(behind + 60, 0, 1);
    let rows = aim(&["Window", "InFlight"], &["T11", "T20", "M62", "M67"]);
    let comment = format!("a window of {window} without feedback, then a feedback and a request in every cycle");
    suite.add("M62-widest", comment, rows, script);
}

/// 4,096 packets in flight, as 100 Gb/s and 1.4 ms make them (M05): each of them counts, no feedback is ignored, and the
/// sub-path is not removed.
fn thousands(suite: &mut Suite) {
    let (mut script, at) = Script::running(FEW, Granularity::Flow, &[3]);
    let at = script.stream(at, 0, 4096) + FEW.counted();
    script.kinds(at, (0, 0), [Kind::Ecn; 3]);
    script.command(at + 1, Op::Read, 0, 0);
    script.command(at + 20, Op::Drain, 0, 0);
    script.command(0, Op::Remove, 0, 0);
    script.command(0, Op::Close, 0, 0);
    script.feedback(at + 70, 0, 0, Kind::Good);
    script.reads(at + 80, 0, 1);
    let rows = aim(&["InFlight", "Boundary"], &["T11", "T15", "T17", "M05", "M62", "M74"]);
    suite.add("M62-4096", "4096 packets are in flight, and count", rows, script);
}
