// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T14, T22, T29 and T30: losses of any kind fail a sub-path, what was lost goes over another one, and who sends is told.

use super::shapes::{FEW_FAST, FEW_SLOW, LATENCIES, SIXTEEN, SMALL};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Granularity, Kind, Op, Packet, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// A sub-path fails with the second loss, if it is two units of time behind the first one.
const SETTINGS: Settings = Settings::new(0, 2, 2).fail_time(2).migrate(3);

/// Adds the groups `losses` and `lost`.
pub fn add(suite: &mut Suite) {
    for shape in [FEW_FAST, FEW_SLOW, SMALL] {
        suite.group("losses", "losses of any kind, and packets that have arrived", shape, SETTINGS);
        in_time(suite, shape);
        in_a_row(suite, shape);
        again(suite, shape);
        arrivals(suite, shape);
    }
    for shape in LATENCIES {
        suite.group("lost", "sub-paths whose packets are lost", shape, SETTINGS);
        told(suite, shape);
    }
    suite.group("lost-queue", "sub-paths of many QPs", SIXTEEN, SETTINGS);
    many(suite, SIXTEEN);
}

/// The second NACK comes about the time from which on it fails the sub-path, and long after it.
fn in_time(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Failing", "Boundary"], &["T14", "M72", "M104"]);
    for fail_time in [0, 1, 2] {
        for units in 0..5 {
            let (mut script, at) = Script::running(shape, Granularity::Packet, &[9, 9]);
            script.set(at, SETTINGS.fail_time(fail_time));
            script.stream(at + 1, 0, 8);
            let at = (at + 40).next_multiple_of(64) + 64 - shape.settings();
            script.feedback(at, 0, 1, Kind::Nack);
            script.feedback(at + 64 * units - u64::from(units > 0), 0, 1, Kind::Nack);
            script.feedback(at + 64 * units + 2, 0, 1, Kind::Nack);
            script.reads(at + 64 * units + 3, 0, 2);
            script.stream(at + 64 * units + 30, 0, 3);
            let comment = format!("NACKs {units} units of time apart, of which {fail_time} are enough (0: never)");
            suite.add(format!("T14-time-{fail_time}-{units}"), comment, rows, script);
        }
    }
}

/// Which kinds are losses, and which end a row of them.
fn in_a_row(suite: &mut Suite, shape: Shape) {
    use Kind::{Arrived, Ecn, Good, Mark, Nack, Return, Timeout};
    let rows = aim(&["Failing", "Kind"], &["T13", "T14", "T30", "M72"]);
    let lists: [(&str, &[Kind]); 12] = [
        ("nacks", &[Nack, Nack]),
        ("nack-timeout", &[Nack, Timeout]),
        ("timeout-nack", &[Timeout, Nack]),
        ("good", &[Nack, Good, Nack]),
        ("ecn", &[Nack, Ecn, Nack]),
        ("mark", &[Nack, Mark, Nack]),
        ("return", &[Nack, Return, Nack]),
        ("arrived", &[Nack, Arrived, Nack]),
        ("arrived-twice", &[Nack, Arrived, Nack, Nack]),
        ("arrived-timeout", &[Timeout, Arrived, Timeout, Timeout]),
        ("avoided", &[Timeout]),
        ("goods", &[Good, Arrived, Good]),
    ];
    for (name, kinds) in lists {
        for migrate in [0, 3] {
            let (mut script, at) = Script::running(shape, Granularity::Flow, &[9, 8]);
            script.set(at, SETTINGS.migrate(migrate));
            script.stream(at + 1, 0, 6);
            for (at, kind) in (at + 64..).step_by(200).zip(kinds) {
                script.feedback(at, 0, 0, *kind);
                script.data(at + 20, 0);
            }
            script.reads(at + 900, 0, 2);
            script.stream(at + 940, 0, 3);
            let comment = format!("{kinds:?}, with {migrate} steps that lead away");
            suite.add(format!("T14-{name}-{migrate}"), comment, rows, script);
        }
    }
}

/// A packet that is sent again leaves a sub-path that has lost one; the flow stays, if it has not timed out.
fn again(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Kind", "Failing"], &["T3", "T9", "T21", "T22", "M62", "M73"]);
    for granularity in [Granularity::Flow, Granularity::Flowlet, Granularity::Packet] {
        for kind in [Kind::Nack, Kind::Timeout] {
            for both in [false, true] {
                let (mut script, at) = Script::running(shape, granularity, &[9, 9]);
                script.stream(at, 0, 6);
                let at = at + 40;
                script.feedback(at, 0, 0, kind);
                if both {
                    script.feedback(at + 1, 0, 1, kind);
                }
                let at = at + 2 + shape.visibility_delay();
                for (at, kind) in
                    (at..).zip([Packet::Data, Packet::Retransmission, Packet::Retransmission, Packet::Data])
                {
                    script.request(at, 0, kind, 0);
                }
                script.feedback(at + 20, 0, 0, Kind::Arrived);
                script.request(at + 40, 0, Packet::Retransmission, 0);
                script.data(at + 41, 0);
                let comment = format!("{granularity:?}, {kind:?} on sub-path 0, and on 1: {both}");
                let name = format!("T22-{granularity:?}-{kind:?}-{}", u64::from(both)).to_lowercase();
                suite.add(name, comment, rows, script);
            }
        }
    }
}

/// ARRIVED for a sub-path in each state.
fn arrivals(suite: &mut Suite, shape: Shape) {
    let states: [(&str, &[Op]); 5] = [
        ("absent", &[Op::Drain, Op::Remove]),
        ("probing", &[Op::Drain, Op::Remove, Op::Add]),
        ("active", &[]),
        ("draining", &[Op::Drain]),
        ("failed", &[Op::Fail]),
    ];
    let rows = aim(&["Kind", "OutOfRange"], &["T15", "T30", "M26", "M74"]);
    for (name, ops) in states {
        let (mut script, _) = Script::running(shape, Granularity::Packet, &[9, 9]);
        for &op in ops {
            script.operate(0, super::super::oracle::Command::new(op, 0, 1).weight(9));
        }
        let at = script.settled();
        script.kinds(at, (0, 1), [Kind::Arrived, Kind::Arrived]);
        script.feedback(at + 2, 0, shape.paths, Kind::Arrived);
        script.reads(at + 3, 0, 2);
        script.stream(at + 40, 0, 2);
        suite.add(format!("T30-{name}"), format!("ARRIVED for a sub-path that is {name}"), rows, script);
    }
}

/// A sub-path that fails by itself or by command; the last one, if the QP waits or not; a reader that is not ready.
fn told(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Event", "Failing"], &["T14", "T25", "T29", "M72", "M73", "M75"]);
    for held in [false, true] {
        for waiting in [false, true] {
            let (mut script, at) = Script::running(shape, Granularity::Packet, &[5, 5, 5]);
            script.set(at, if waiting { SETTINGS.waiting() } else { SETTINGS });
            script.lost_ready(at, !held);
            script.stream(at + 1, 0, 6);
            script.kinds(at + 60, (0, 1), [Kind::Timeout; 2]);
            let behind = script.command(at + 90, Op::Fail, 0, 2);
            script.kinds(behind + 40, (0, 0), [Kind::Timeout; 2]);
            script.lost_ready(behind + 100, true);
            script.stream(behind + 110, 0, 2);
            let comment = format!("all sub-paths fail, one by command; not ready: {held}; the QP waits: {waiting}");
            suite.add(format!("T29-{}-{}", u64::from(held), u64::from(waiting)), comment, rows, script);
        }
    }
    // About the cycle in which the first one leaves.
    for gap in 0..12 {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[5, 5, 5]);
        script.stream(at, 0, 6);
        script.kinds(at + 60, (0, 1), [Kind::Timeout; 2]);
        script.kinds(at + 62 + gap, (0, 2), [Kind::Timeout; 2]);
        suite.add(format!("T29-gap-{gap}"), format!("two sub-paths fail, {gap} cycles between"), rows, script);
    }
}

/// The same link dies for all QPs.
fn many(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Event", "FullLoad"], &["T26", "T29", "M72"]);
    for ready in [true, false] {
        let (mut script, at) = Script::all_running(shape, shape.qps, 2, &[5, 5]);
        script.lost_ready(at, ready);
        for round in 0..4 {
            (0..shape.qps).for_each(|qp| script.data(at + round * shape.qps + qp, qp));
        }
        let at = at + 5 * shape.qps + shape.counted();
        for round in 0..2 {
            (0..shape.qps).for_each(|qp| script.feedback(at + round * shape.qps + qp, qp, 1, Kind::Timeout));
        }
        script.lost_ready(at + 80, true);
        script.stream(at + 400, 0, 2);
        suite.add(
            format!("T29-all-{}", u64::from(ready)),
            format!("sub-path 1 of all QPs; ready: {ready}"),
            rows,
            script,
        );
    }
}
