// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T12, T13 and T23: marks by delay, and at most one step per RTT.

use super::shapes::{FEW_SLOW, LATENCIES};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Feedback, Granularity, Kind, Op, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// Adds the groups `steps` and `delay`, one of each per latency, and the group `slow`.
pub fn add(suite: &mut Suite) {
    for shape in LATENCIES {
        suite.group("steps", "marks within an RTT", shape, Settings::new(0, 2, 0).rtt(1).migrate(2));
        within(suite, shape);
        edges(suite, shape);
        lives(suite, shape);
        suite.group("delay", "packets that took long", shape, Settings::new(0, 2, 2).delay(9).migrate(3));
        settings(suite, shape);
    }
    suite.group("slow", "each kind with a long RTT", FEW_SLOW, Settings::new(0, 2, 2).delay(9).migrate(3));
    slow(suite, FEW_SLOW);
}

/// Opens a QP with a sub-path of a great weight, and puts packets in flight on it.
fn loaded(shape: Shape, weight: u64, count: u64) -> (Script, u64) {
    let mut script = Script::new(shape);
    script.open(0, Granularity::Packet, &[]);
    let at = script.add_to(0, 1, weight, shape.most());
    script.add_to(0, 2, 9, shape.most());
    script.stream(at, 0, count);
    // The beginning of a unit of time for the feedback of this cycle.
    let at = (script.settled() + count + 40).next_multiple_of(64) - shape.settings();
    (script, at)
}

/// Marks of every kind in a row: the first is a step, the others are none.
fn within(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Steps", "Kind"], &["T13", "T23", "M64", "M69"]);
    for kinds in [
        [Kind::Ecn, Kind::Ecn, Kind::Ecn],
        [Kind::Ecn, Kind::Nack, Kind::Ecn],
        [Kind::Nack, Kind::Nack, Kind::Good],
        [Kind::Ecn, Kind::Timeout, Kind::Ecn],
        [Kind::Timeout, Kind::Nack, Kind::Good],
        [Kind::Good, Kind::Nack, Kind::Ecn],
    ] {
        let (mut script, at) = loaded(shape, 50, 20);
        let behind = script.kinds(at, (0, 1), kinds.into_iter().chain([Kind::Ecn; 3]));
        script.reads(behind, 0, 3);
        script.kinds(at + 130, (0, 1), [Kind::Ecn; 2]);
        script.command(at + 140, Op::Read, 0, 1);
        script.stream(at + 150, 0, 10);
        let id: String = kinds.iter().map(|kind| kind.code().to_string()).collect();
        let comment = format!("{kinds:?} and more within an RTT are one step");
        suite.add(format!("M69-within-{id}"), comment, rows, script);
    }
    // GOOD within the hold raises the weight, and the next mark is no step.
    let (mut script, at) = loaded(shape, 50, 20);
    let behind = script.kinds(at, (0, 1), [Kind::Ecn, Kind::Good, Kind::Good, Kind::Ecn, Kind::Good, Kind::Good]);
    script.command(behind, Op::Read, 0, 1);
    script.feedback(behind + 20, 0, 1, Kind::Nack);
    script.command(behind + 22, Op::Read, 0, 1);
    suite.add("M69-raised", "raised while it is on hold, which goes on", rows, script);
    // Each sub-path has its own.
    let (mut script, at) = loaded(shape, 50, 40);
    (0..8).for_each(|n| script.feedback(at + n, 0, 1 + n % 2, Kind::Ecn));
    script.reads(at + 12, 0, 3);
    let rows = aim(&["Steps"], &["T23", "M66", "M68", "M69"]);
    suite.add("M68-two", "two sub-paths, each with its own step", rows, script);
}

/// The unit of time in which the hold ends, for several RTTs.
fn edges(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Steps", "Boundary", "Settings"], &["T23", "M69"]);
    for rtt in [0, 1, 2] {
        for (units, offset) in [(0, 1), (rtt + 1, -1), (rtt + 1, 0)] {
            for late in [0, 63] {
                let (mut script, at) = loaded(shape, 50, 20);
                script.set(0, Settings::new(0, 2, 0).rtt(rtt));
                let second = (at + 64 * units).saturating_add_signed(offset);
                if second <= at + late {
                    continue;
                }
                script.feedback(at + late, 0, 1, Kind::Ecn);
                script.feedback(second, 0, 1, Kind::Ecn);
                script.feedback(second + 1, 0, 1, Kind::Ecn);
                script.command(second + 2, Op::Read, 0, 1);
                let id = format!("rtt-{rtt}-from-{late}-after-{units}{offset:+}");
                let comment = format!("an RTT of {rtt} units, the second mark about {units} units after the first");
                suite.add(id, comment, rows, script);
            }
        }
    }
    // Long after the deadline, in units in which no feedback has come since.
    for units in [3, 4, 9, 40] {
        let (mut script, at) = loaded(shape, 50, 20);
        script.feedback(at, 0, 1, Kind::Ecn);
        script.kinds(at + 64 * units, (0, 1), [Kind::Ecn; 2]);
        script.command(at + 64 * units + 2, Op::Read, 0, 1);
        suite.add(format!("late-{units}"), format!("the next mark {units} units later"), rows, script);
    }
    // GOOD may be the feedback that finds the deadline reached; the longest RTT; an RTT that becomes 0 on hold.
    let (mut script, at) = loaded(shape, 50, 20);
    script.feedback(at, 0, 1, Kind::Ecn);
    script.feedback(at + 128, 0, 1, Kind::Good);
    script.kinds(at + 140, (0, 1), [Kind::Ecn; 2]);
    script.command(at + 150, Op::Read, 0, 1);
    suite.add("good-ends", "GOOD after the deadline, then marks", rows, script);
    let (mut script, at) = loaded(shape, 50, 20);
    script.set(0, Settings::new(0, 2, 0).rtt(0x7FFF));
    script.feedback(at, 0, 1, Kind::Ecn);
    script.feedback(at + 640, 0, 1, Kind::Ecn);
    script.command(at + 650, Op::Read, 0, 1);
    suite.add("rtt-longest", "the longest RTT", rows, script);
    for distance in shape.settings() - 1..=shape.settings() {
        let (mut script, at) = loaded(shape, 50, 20);
        script.feedback(at, 0, 1, Kind::Ecn);
        script.set(at + distance, Settings::new(0, 2, 0).rtt(0));
        script.kinds(at + 9, (0, 1), [Kind::Ecn; 2]);
        script.command(at + 12, Op::Read, 0, 1);
        suite.add(format!("rtt-off-{distance}"), "the RTT becomes 0 about a step", rows, script);
    }
}

/// *start* ends the hold of the sub-path that had the number before.
fn lives(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    script.set(0, Settings::new(0, 2, 0).rtt(0x7FFF));
    script.open(0, Granularity::Packet, &[]);
    let at = script.add_to(0, 1, 50, 60);
    script.stream(at, 0, 2);
    script.feedback(at + 30, 0, 1, Kind::Ecn);
    script.command(at + 31, Op::Drain, 0, 1);
    script.feedback(at + 40, 0, 1, Kind::Good);
    script.command(0, Op::Remove, 0, 1);
    let at = script.add_to(0, 1, 50, 60);
    script.stream(at, 0, 3);
    script.kinds(at + 30, (0, 1), [Kind::Ecn; 2]);
    script.operate(at + 34, Command::new(Op::Read, 0, 1));
    let rows = aim(&["Steps", "Reopened"], &["T17", "T23", "M69"]);
    suite.add("M69-lives", "added again it is not on hold", rows, script);
}

/// RTTs around the limit, with each kind of feedback.
fn slow(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Delay", "Kind", "Boundary"], &["T12", "T13", "T14", "M47", "M64"]);
    for kind in Kind::ALL {
        for rtt in [0, 9, 10, 0xFFFF] {
            let (mut script, at) = loaded(shape, 50, 20);
            let feedback = |kind| Feedback { bandwidth: 8, ..Feedback::new(0, 1, kind).rtt(rtt) };
            // A slow GOOD between two TIMEOUTs keeps the sub-path alive, as an ECN does.
            script.hear(at, feedback(kind));
            script.command(at, Op::Read, 0, 1);
            script.feedback(at + 20, 0, 1, Kind::Timeout);
            script.hear(at + 21, feedback(kind));
            script.feedback(at + 22, 0, 1, Kind::Timeout);
            script.hear(at + 23, feedback(kind));
            script.stream(at + 24, 0, 8);
            script.reads(at + 30, 0, 3);
            let comment = format!("{kind:?} with an RTT of {rtt}, where more than 9 is slow");
            suite.add(format!("M64-{}-{rtt}", kind.code()), comment, rows, script);
        }
    }
    let (mut script, at) = loaded(shape, 50, 30);
    (0..6).for_each(|n| script.hear(at + n, Feedback::new(0, 1, Kind::Good).rtt(20)));
    script.stream(at + 3, 0, 20);
    script.reads(at + 20, 0, 3);
    let rows = aim(&["Delay", "Migration"], &["T12", "T13", "T22", "M47", "M62", "M64", "M70"]);
    suite.add("M64-avoided", "slow ones lower the weight until the sub-path is avoided", rows, script);
}

/// `settings_delay` changes about the cycle in which it is applied; 0 for never.
fn settings(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Delay", "Settings", "Boundary"], &["T12", "M64"]);
    for (from, to) in [(9, 0), (0, 9), (30, 29)] {
        for late in 0..3 {
            let (mut script, at) = loaded(shape, 50, 20);
            script.set(0, Settings::new(0, 2, 2).delay(from));
            script.hear(at, Feedback::new(0, 1, Kind::Good).rtt(30));
            script.set(at - 2 + late, Settings::new(0, 2, 2).delay(to));
            script.command(at + 4, Op::Read, 0, 1);
            let comment = format!("{from} becomes {to} about a feedback with 30");
            suite.add(format!("setting-{from}-to-{to}-{late}"), comment, rows, script);
        }
    }
}
