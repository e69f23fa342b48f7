// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows S3, S8 and S12: requests and feedback that are only counted, and the sweep after reset.

use super::shapes::SHAPES;
use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Op, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;
use std::collections::BTreeSet;

/// Adds the groups `refused` and `sweep`.
pub fn add(suite: &mut Suite) {
    for shape in SHAPES {
        suite.group("refused", "EVs and CCCs that do not exist or are not open", shape, (1000, 0));
        range(suite, shape);
        closed(suite, shape);
        suite.group("sweep", "events in the sweep", shape, (64, 128));
        sweep(suite, shape);
    }
}

fn range(suite: &mut Suite, shape: Shape) {
    let evs = shape.evs;
    let beyond = aim(&["OutOfRange", "Boundary"], &["S8"]);
    for ev in [evs - 1, evs, evs + 1, 2 * evs, 0x8000, 0xFFFF] {
        let (mut script, at) = Script::opened(shape, evs - 1);
        for (cycle, kind) in (at..).zip(Kind::ALL) {
            script.feedback(cycle, 0, ev, kind);
        }
        script.command(at + 4, Op::Read, 0, 0);
        script.requests(at + 12, 0, 3);
        suite.add(format!("ev-{ev}"), format!("feedback on EV {ev} of {evs}"), beyond, script);
    }
    let (mut script, at) = Script::opened(shape, 0);
    for n in 0..12 {
        script.feedback(at + n, 0, if n % 2 == 0 { 1 } else { evs + 1 }, Kind::Ecn);
    }
    script.requests(at, 0, 24);
    suite.add("ev-mixed", "good and bad EVs in turns while requests go on", beyond, script);
}

fn closed(suite: &mut Suite, shape: Shape) {
    // The largest CCC number that the port can carry, and the first that does not exist.
    let most = shape.cccs.next_power_of_two().max(2) - 1;
    let others = BTreeSet::from([1, shape.cccs, most]);
    for ccc in others.into_iter().filter(|&ccc| ccc <= most) {
        let exists = ccc < shape.cccs;
        if exists && ccc != 1 {
            continue;
        }
        let aim = match exists {
            true => aim(&["ClosedCcc"], &["S3", "S8"]),
            false => aim(&["NoSuchCcc", "Boundary"], &["S3", "S8", "S11"]),
        };
        let (mut script, at) = Script::opened(shape, 2);
        for (cycle, kind) in (at..).zip(Kind::ALL) {
            script.feedback(cycle, ccc, 2, kind);
            script.feedback(cycle + 5, ccc, shape.evs, kind);
            script.request(cycle, ccc);
        }
        (0..8).for_each(|n| script.request(at + 12 + n, if n % 2 == 0 { ccc } else { 0 }));
        for op in [Op::Close, Op::Read, Op::Resize] {
            script.command(0, op, ccc, 1);
        }
        script.command(0, Op::Read, 0, 0);
        suite.add(format!("ccc-{ccc}"), format!("CCC {ccc} of {}, CCC 0 is open", shape.cccs), aim, script);
        if !exists {
            let (mut script, at) = Script::opened(shape, 2);
            let open = script.open(ccc, 3);
            (0..4).for_each(|n| {
                script.request(open + 2 * n, ccc);
                script.request(open + 2 * n + 1, 0);
                script.mark(at + n, ccc, 2 + n);
            });
            script.command(0, Op::Read, ccc, 0);
            suite.add(format!("open-ccc-{ccc}"), "such a CCC cannot be opened", aim, script);
        }
    }
}

fn sweep(suite: &mut Suite, shape: Shape) {
    let flags = aim(&["Sweep"], &["S3", "S8", "S12", "S13"]);
    let mut script = Script::new(shape);
    for cycle in 0..shape.cccs + 24 {
        script.request(cycle, cycle % shape.cccs);
        script.mark(cycle, cycle % shape.cccs, cycle);
    }
    let at = script.open(0, 0);
    script.requests(at + 8, 0, 4);
    suite.add("load", "a request and a feedback in every cycle from the first", flags, script);
    let (mut script, at) = Script::opened(shape, 1);
    let unready = [(Op::Open, 0, 9), (Op::Open, shape.cccs - 1, 3), (Op::Read, 0, 0), (Op::Close, 0, 0)];
    script.unready = unready.map(|(op, ccc, start)| Command::new(op, ccc, start)).into();
    script.requests(at - 2, 0, 4);
    script.command(at, Op::Read, shape.cccs - 1, 0);
    suite.add("command", "operations in the sweep", aim(&["Sweep", "HeldValid"], &["S10", "S12"]), script);
}
