// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T3, T13 and T22: sub-paths that stay congested are avoided, and flows leave them.

use super::shapes::LATENCIES;
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Feedback, Granularity, Kind, Op, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// A step at every mark; two of them are enough.
const SETTINGS: Settings = Settings::new(0, 2, 3).migrate(2);

/// Adds the group `migration`, one per latency.
pub fn add(suite: &mut Suite) {
    for shape in LATENCIES {
        suite.group("migration", "sub-paths that stay congested", shape, SETTINGS);
        leaves(suite, shape);
        counted(suite, shape);
        recovers(suite, shape);
        all(suite, shape);
        tried(suite, shape);
    }
}

/// The sub-path in use, which is the better one at first, is marked until it is avoided; each granularity.
fn leaves(suite: &mut Suite, shape: Shape) {
    for granularity in Granularity::ALL {
        for kind in [Kind::Ecn, Kind::Nack] {
            let (mut script, at) = Script::running(shape, granularity, &[8, 1, 6]);
            for n in 0..10 {
                script.data(at + 4 * n, 0);
            }
            script.kinds(at + 24, (0, 0), [kind; 2]);
            script.reads(at + 30, 0, 3);
            let behind = at + 44;
            script.stream(behind, 0, 8);
            let rows = aim(&["Migration", "Kind"], &["T3", "T13", "T21", "T22", "M05", "M62", "M65", "M70"]);
            let comment = format!("{granularity:?}: two steps with {kind:?}, and packets go to others with S");
            suite.add(format!("M70-leaves-{}-{}", granularity.code(), kind.code()), comment, rows, script);
        }
    }
    // A flow that leaves again and again takes the best of the others each time, also one that it has left before.
    let (mut script, at) = Script::running(shape, Granularity::Flow, &[9, 1, 8, 12]);
    script.set(0, SETTINGS.migrate(1));
    let mut at = at;
    for (path, recovered) in [(0, None), (2, Some(0)), (0, None), (3, Some(2)), (2, None)] {
        script.stream(at, 0, 4);
        script.feedback(at + 20, 0, path, Kind::Ecn);
        if let Some(other) = recovered {
            script.hear(at + 18, Feedback::answer(0, other, 1));
        }
        at += 40;
    }
    script.stream(at, 0, 4);
    let rows = aim(&["Migration"], &["T3", "T5", "T22", "M62", "M70"]);
    suite.add("M70-again", "left, recovered, and taken again", rows, script);
    // By failure the flow moves at once.
    let (mut script, at) = Script::running(shape, Granularity::Flow, &[8, 1, 6]);
    script.stream(at, 0, 6);
    script.kinds(at + 24, (0, 0), [Kind::Timeout; 3]);
    script.stream(at + 22, 0, 12);
    let rows = aim(&["Migration", "Failing"], &["T3", "T14", "T21", "M62", "M72"]);
    suite.add("M72-fails", "three packets are lost: the flow goes to another one", rows, script);
    for distance in shape.visibility_delay() - 1..=shape.visibility_delay() {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[8, 6]);
        script.stream(at, 0, 3);
        script.kinds(at + 24, (0, 0), [Kind::Ecn; 2]);
        script.data(at + 25 + distance, 0);
        script.data(at + 50, 0);
        let rows = aim(&["Migration", "Boundary"], &["T12", "T22", "M62", "M70"]);
        suite.add(format!("seen-{distance}"), format!("a request {distance} cycles behind the step"), rows, script);
    }
}

/// `settings_migrate` at its limits: the sub-path is avoided with that step and with no other.
fn counted(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Migration", "Settings", "Boundary"], &["T13", "T22", "M62", "M70"]);
    for (migrate, count) in [(0, 9), (1, 1), (3, 2), (3, 3), (7, 6), (7, 7), (7, 9)] {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[8, 6]);
        script.set(0, SETTINGS.migrate(migrate));
        script.stream(at, 0, count + 1);
        script.kinds(at + 30, (0, 0), (0..count).map(|_| Kind::Ecn));
        script.data(at + 50, 0);
        script.reads(at + 51, 0, 1);
        let comment = format!("{count} steps, of which {migrate} are too many (0: never)");
        suite.add(format!("steps-{migrate}-{count}"), comment, rows, script);
    }
    // The count goes on while the setting is 0, and is compared at the next step only.
    let (mut script, at) = Script::running(shape, Granularity::Flow, &[8, 6]);
    script.set(0, SETTINGS.migrate(0));
    script.stream(at, 0, 12);
    script.kinds(at + 30, (0, 0), [Kind::Ecn; 8]);
    script.set(at + 50, SETTINGS.migrate(7));
    script.feedback(at + 60, 0, 0, Kind::Good);
    script.command(at + 62, Op::Read, 0, 0);
    script.feedback(at + 80, 0, 0, Kind::Ecn);
    script.data(at + 100, 0);
    script.reads(at + 101, 0, 1);
    suite.add("steps-later", "the setting comes after 8 steps, and acts with the next", rows, script);
    for distance in shape.settings() - 1..=shape.settings() {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[8, 6]);
        script.stream(at, 0, 4);
        script.kinds(at + 30, (0, 0), [Kind::Ecn; 2]);
        script.set(at + 31 + distance, SETTINGS.migrate(0));
        script.data(at + 60, 0);
        suite.add(format!("setting-{distance}"), "it becomes 0 about the step", rows, script);
    }
}

/// What ends avoidance: as many GOOD as raise the weight, an answer to a probe, *start*; and what does not.
fn recovers(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Migration", "Probe"], &["T13", "T17", "T22", "M19", "M62", "M64"]);
    for (name, good, answer) in
        [("one-good", 1, None), ("two-good", 2, None), ("answer", 0, Some(0)), ("slow", 0, Some(9))]
    {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[8, 6]);
        script.set(0, SETTINGS.delay(5));
        script.stream(at, 0, 12);
        script.kinds(at + 30, (0, 0), [Kind::Ecn; 2]);
        let at = script.kinds(at + 40, (0, 0), (0..good).map(|_| Kind::Good));
        if let Some(rtt) = answer {
            script.hear(at, Feedback::answer(0, 0, 3).rtt(rtt));
        }
        script.reads(at + 2, 0, 2);
        script.stream(at + 12, 0, 12);
        suite.add(format!("recovers-{name}"), "packets come back, or stay away", rows, script);
    }
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[8, 6]);
    script.stream(at, 0, 14);
    script.kinds(at + 30, (0, 0), [Kind::Ecn, Kind::Good, Kind::Good, Kind::Ecn]);
    script.reads(at + 34, 0, 1);
    script.feedback(at + 50, 0, 0, Kind::Nack);
    script.reads(at + 52, 0, 1);
    suite.add("recovers-between", "a raised weight between two steps: the count begins anew", rows, script);
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[8, 6]);
    script.stream(at, 0, 8);
    script.kinds(at + 30, (0, 0), [Kind::Ecn; 2]);
    script.command(at + 40, Op::Drain, 0, 0);
    script.kinds(at + 50, (0, 0), [Kind::Good; 2]);
    script.reads(at + 60, 0, 1);
    script.command(0, Op::Remove, 0, 0);
    let at = script.add(0, 0, 5);
    script.reads(at, 0, 1);
    script.stream(at, 0, 8);
    suite.add("recovers-again", "added again it is not avoided", rows, script);
}

/// All sub-paths are avoided: then none is. The last of the others that is not avoided is full: then the avoided ones
/// take packets.
fn all(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Migration", "Window"], &["T3", "T5", "T22", "M47", "M62", "M70"]);
    for granularity in Granularity::ALL {
        let (mut script, at) = Script::running(shape, granularity, &[5, 4]);
        script.set(0, SETTINGS.migrate(1));
        script.stream(at, 0, 4);
        script.feedback(at + 30, 0, 0, Kind::Ecn);
        script.stream(at + 40, 0, 4);
        script.feedback(at + 60, 0, 1, Kind::Ecn);
        script.stream(at + 62, 0, 12);
        script.reads(at + 64, 0, 2);
        let comment = format!("{granularity:?}: one is avoided, then all, so none");
        suite.add(format!("M62-all-{}", granularity.code()), comment, rows, script);
        let (mut script, at) = Script::running(shape, granularity, &[5, 4]);
        script.set(0, SETTINGS.migrate(1).window(6));
        script.stream(at, 0, 4);
        script.feedback(at + 30, 0, 0, Kind::Ecn);
        script.stream(at + 40, 0, 30);
        script.kinds(at + 75, (0, 1), [Kind::Good; 6]);
        script.stream(at + 78, 0, 10);
        let comment = format!("{granularity:?}: one is avoided, and the other full");
        suite.add(format!("M47-other-full-{}", granularity.code()), comment, rows, script);
    }
}

/// Packets and flowlets go to an avoided sub-path as its weight says; a flow is back on it only after an answer.
fn tried(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Migration", "Granularity"], &["T3", "T17", "T22", "M62", "M70"]);
    for granularity in Granularity::ALL {
        let (mut script, at) = Script::running(shape, granularity, &[5, 4]);
        script.set(0, SETTINGS.migrate(1));
        script.stream(at, 0, 4);
        script.feedback(at + 30, 0, 0, Kind::Ecn);
        script.stream(at + 40, 0, 12);
        for other in Granularity::ALL {
            let at = script.operate(0, Command { mode: other.code(), ..Command::new(Op::Regrain, 0, 0) });
            script.stream(at + shape.visibility_delay() - 2, 0, 8);
        }
        let comment = format!("{granularity:?}: an avoided sub-path, in this granularity and then in each");
        suite.add(format!("M62-avoided-{}", granularity.code()), comment, rows, script);
    }
}
