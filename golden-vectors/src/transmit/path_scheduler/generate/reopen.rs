// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sub-paths and QPs that are removed and come again: under load, until none is left, and with another life. State
//! that survives is seen in the later one.

use super::shapes::{FEW, FEW_SLOW, LATENCIES, SETTINGS, SMALL};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Granularity, Kind, Op, Packet, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES.into_iter().chain([SMALL]) {
        suite.group("lives", "sub-paths and QPs that come and go", shape, SETTINGS);
        for granularity in Granularity::ALL {
            under_load(suite, shape, granularity);
            last(suite, shape, granularity);
        }
        closing(suite, shape);
    }
    for shape in [FEW_SLOW, SMALL] {
        suite.group("reopened", "QPs that are opened again", shape, SETTINGS);
        for granularity in Granularity::ALL {
            reopened(suite, shape, granularity);
        }
    }
    suite.group("vanished", "a sub-path that fails by itself is removed, but not at first", FEW, SETTINGS);
    vanished(suite, FEW);
}

/// A packet in every second cycle while sub-paths are removed and added. The PSNs must go on without a gap.
fn under_load(suite: &mut Suite, shape: Shape, granularity: Granularity) {
    let (mut script, at) = Script::running(shape, granularity, &[2]);
    let ops = [Op::Add, Op::Start, Op::Limit, Op::Drain, Op::Remove, Op::Add, Op::Fail, Op::Remove, Op::Add, Op::Start];
    for op in ops {
        script.operate(at + 4, Command::new(op, 0, 1).weight(3));
    }
    let end = script.settled() + 6;
    (at..end).step_by(3).for_each(|at| script.data(at, 0));
    (at + 12..end).step_by(7).for_each(|at| script.feedback(at, 0, at % 2, Kind::Good));
    let rows = aim(&["Command", "Reopened", "FullLoad"], &["T6", "T17", "M48", "M60", "M61", "M62"]);
    suite.add(format!("load-{}", granularity.code()), "a sub-path comes and goes under load", rows, script);
}

/// The last sub-path fails, and another one is added.
fn last(suite: &mut Suite, shape: Shape, granularity: Granularity) {
    for fail in [1, 2] {
        let (mut script, at) = Script::running(shape, granularity, &[4]);
        script.set(0, Settings::new(1, 1, fail));
        script.stream(at, 0, 5);
        script.kinds(at + 16, (0, 0), [Kind::Timeout; 3]);
        for at in at + 14..at + 26 {
            script.request(at, 0, if at % 4 == 0 { Packet::Retransmission } else { Packet::Data }, 0);
        }
        script.operate(at + 40, Command::new(Op::Add, 0, 1).weight(3));
        let start = script.operate(0, Command::new(Op::Start, 0, 1).weight(3));
        script.stream(start + shape.response() - 2, 0, 6);
        let rows = aim(&["Failing", "Reopened"], &["T2", "T3", "T14", "T6", "M72", "M75"]);
        let id = format!("last-{}-{fail}", granularity.code());
        suite.add(id, "no sub-path is left, then there is another", rows, script);
    }
}

/// Removes two sub-paths, closes the QP, and opens it with another PSN. Returns the first cycle in which it is open
/// again.
fn again(script: &mut Script, psn: u64, granularity: Granularity) -> u64 {
    for path in 0..2 {
        script.command(0, Op::Drain, 0, path);
        script.command(0, Op::Remove, 0, path);
    }
    script.command(0, Op::Close, 0, 0);
    script.operate(0, Command::open(0, psn, psn % (1 << 20), granularity));
    script.add(0, 0, 2);
    script.add(0, 1, 1)
}

/// A QP that is opened several times, with and without packets in its previous life.
fn reopened(suite: &mut Suite, shape: Shape, granularity: Granularity) {
    let rows = aim(&["Reopened", "Psn"], &["T3", "T5", "T6", "T8", "T9", "M48"]);
    for counts in [[3, 3], [0, 3], [5, 0], [0, 0]] {
        let (mut script, mut at) = Script::running(shape, granularity, &[1, 2]);
        for (n, count) in (0..).zip(counts) {
            script.stream(at, 0, count);
            // Every packet gets its feedback, whatever its sub-path.
            (0..2 * count).for_each(|n| script.feedback(at + 14 + n, 0, n % 2, Kind::Nack));
            script.command(at + 26, Op::Read, 0, 0);
            let granularity = Granularity::ALL[((granularity.code() + n) % 3) as usize];
            at = again(&mut script, 1000 * (n + 1), granularity);
        }
        script.stream(at, 0, 5);
        let id = format!("opened-{}-{}-{}", granularity.code(), counts[0], counts[1]);
        let comment = format!("opened three times, {} and {} packets in the lives before", counts[0], counts[1]);
        suite.add(id, comment, rows, script);
    }
    let mut script = Script::new(shape);
    for psn in [77, 0xFF_FFFF, 5, 6] {
        script.operate(0, Command::open(0, psn, psn % 1000, granularity));
        script.command(0, Op::Close, 0, 0);
    }
    let at = script.open(0, granularity, &[1]);
    script.stream(at, 0, 3);
    let id = format!("unused-{}", granularity.code());
    suite.add(id, "opened and closed, no packet in between", aim(&["Reopened", "Psn"], &["T6", "T17"]), script);
    let (mut script, from) = Script::running(shape, granularity, &[1, 2]);
    let at = again(&mut script, 4000, granularity);
    (from..at + 4).step_by(2).for_each(|at| script.data(at, 0));
    (from + 10..at).for_each(|at| script.feedback(at, 0, at % 2, Kind::Ecn));
    let rows = aim(&["Reopened", "FullLoad"], &["T2", "T6", "T15", "T17"]);
    suite.add(format!("reload-{}", granularity.code()), "closed and opened under load", rows, script);
}

/// A QP cannot be closed while it has a sub-path.
fn closing(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Command", "Reopened"], &["T17", "M71"]);
    for path in [0, 1, shape.paths - 1].into_iter().take(shape.paths.min(3) as usize) {
        let mut script = Script::new(shape);
        script.open(0, Granularity::Packet, &[]);
        script.add(0, path, 1);
        script.command(0, Op::Close, 0, 0);
        script.command(0, Op::Fail, 0, path);
        script.command(0, Op::Close, 0, path);
        script.command(0, Op::Remove, 0, path);
        let at = script.command(0, Op::Close, 0, 0);
        script.stream(at, 0, 8);
        script.command(0, Op::Close, 0, 0);
        suite.add(format!("close-{path}"), format!("sub-path {path} must go before the QP"), rows, script);
    }
}

/// Packets granted before the failure was seen are counted later. So a *remove* right after the failure is not done;
/// the next one is done once every packet got its feedback.
fn vanished(suite: &mut Suite, shape: Shape) {
    for distance in 0..4 {
        for first in [Op::Remove, Op::Read, Op::Fail, Op::Limit] {
            let (mut script, at) = Script::running(shape, Granularity::Flow, &[4, 1]);
            script.set(0, Settings::new(0, 0, 1));
            script.data(at, 0);
            script.feedback(at + 20, 0, 0, Kind::Timeout);
            script.stream(at + 16, 0, 10);
            script.command(at + 20 + distance, first, 0, 0);
            script.command(at + 50, Op::Remove, 0, 0);
            (at + 70..at + 80).for_each(|at| script.feedback(at, 0, 0, Kind::Good));
            script.command(at + 90, Op::Remove, 0, 0);
            script.reads(at + 110, 0, 1);
            let rows = aim(&["Failing", "InFlight", "Boundary"], &["T11", "T14", "T17", "M72"]);
            let comment = format!("{first:?} {distance} cycles behind the failure, then removed");
            suite.add(format!("{distance}-{}", first.code()), comment, rows, script);
        }
    }
}
