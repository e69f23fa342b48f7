// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row T13: what clears the congested flag and what leaves it.

use super::shapes::FEW;
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Granularity, Kind, Op, Settings};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// Opens a QP whose only sub-path is 1, with weight 5 and limit 9, and sends `count` packets. Also returns the first
/// cycle in which all of them are in flight.
fn loaded(count: u64, settings: Settings) -> (Script, u64) {
    let mut script = Script::new(FEW);
    script.open(0, Granularity::Flow, &[]);
    script.set(0, settings);
    script.operate(0, Command::new(Op::Add, 0, 1).weight(9));
    script.operate(0, Command::new(Op::Start, 0, 1).weight(5));
    let at = script.settled();
    let behind = script.stream(at, 0, count) + FEW.counted();
    (script, behind)
}

/// Adds the group `congested`.
pub fn add(suite: &mut Suite) {
    suite.group("congested", "what ends congestion", FEW, Settings::new(0, 1, 0));
    stays(suite);
    ends(suite);
}

/// A sub-path is congested, then a command leaves it congested. GOOD feedback follows, and where possible the
/// sub-path is removed and added again.
fn stays(suite: &mut Suite) {
    for (name, op) in [("drain", Op::Drain), ("fail", Op::Fail)] {
        let (mut script, at) = loaded(3, Settings::new(0, 1, 0));
        script.feedback(at, 0, 1, Kind::Ecn);
        again(&mut script, at, op);
        let comment = format!("{op:?} leaves it congested, as does GOOD behind that; added again it is not");
        suite.add(name, comment, aim(&["Reopened"], &["T13", "T17", "M19"]), script);
    }
    let (mut script, at) = loaded(3, Settings::new(0, 1, 1));
    script.feedback(at, 0, 1, Kind::Timeout);
    again(&mut script, at, Op::Read);
    let rows = aim(&["Reopened", "Failing"], &["T13", "T14", "T17", "M19", "M72"]);
    suite.add("lost", "failed by itself it is congested, as before; added again it is not", rows, script);
    for (name, op) in [("limit", Op::Limit), ("set_granularity", Op::Regrain), ("read", Op::Read)] {
        let (mut script, at) = loaded(3, Settings::new(0, 0, 0));
        script.kinds(at, (0, 1), [Kind::Ecn, Kind::Good, Kind::Good]);
        let granularity = Command::open(0, 0, 0, Granularity::Packet);
        let at = script.operate(at + 9, Command { op: op.code(), path: 1, weight: 4, ..granularity });
        script.stream(at + 12, 0, 3);
        script.command(at + 20, Op::Read, 0, 1);
        let comment = format!("{op:?} leaves it congested, and GOOD if no number of them raises a weight");
        suite.add(name, comment, aim(&["Command"], &["T8", "T13", "T17", "M19"]), script);
    }
}

/// Adds a command and two GOOD after it. Then the sub-path is removed, added again, and sends again.
fn again(script: &mut Script, at: u64, op: Op) {
    let at = script.command(at + 2, op, 0, 1);
    script.kinds(at + 4, (0, 1), [Kind::Good; 2]);
    script.command(0, Op::Read, 0, 1);
    script.command(0, Op::Remove, 0, 1);
    script.operate(0, Command::new(Op::Add, 0, 1).weight(9));
    script.operate(0, Command::new(Op::Start, 0, 1).weight(5));
    let at = script.settled();
    script.stream(at, 0, 2);
}

/// As many GOOD as raise a weight, also of a weight that is at its limit: they clear the congested flag.
fn ends(suite: &mut Suite) {
    for (raise, limit) in [(1, 9), (1, 4), (2, 4)] {
        let (mut script, at) = loaded(5, Settings::new(0, raise, 0));
        script.feedback(at, 0, 1, Kind::Ecn);
        let at = script.operate(at + 2, Command::new(Op::Limit, 0, 1).weight(limit));
        let at = script.command(at, Op::Read, 0, 1);
        let behind = script.kinds(at + 4, (0, 1), (0..raise).map(|_| Kind::Good));
        (at + 4..behind + 12).step_by(2).for_each(|at| script.data(at, 0));
        script.command(behind, Op::Read, 0, 1);
        let comment = format!("ends with {raise} GOOD, which raise a weight of 4 with limit {limit}");
        suite.add(format!("good-{raise}-{limit}"), comment, aim(&["Kind", "Boundary"], &["T8", "T13", "M19"]), script);
    }
}
