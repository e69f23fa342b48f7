// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows W8 and W13: a pair is forgotten while it waits, or while it is due.

use super::{Waiting, after, near, waiting};
use crate::collect::aim;
use crate::elab::feedback::oracle::Shape;
use crate::elab::feedback::suite::Suite;
use std::collections::BTreeSet;

pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("due-forget", "pairs that are forgotten while they wait", shape, after(1));
    before_due(suite, shape);
    while_due(suite, shape);
    again(suite, shape);
    others(suite, shape);
}

/// The command takes effect about the last cycle that the visit sees in which the pair would be due.
fn before_due(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Forget", "Boundary"], &["W8", "W12", "W13", "W14"]);
    let pairs = shape.pairs.cast_signed();
    let behind = shape.arrival_to_visit().cast_signed();
    for distance in BTreeSet::from([-pairs, -1, 0, 1, behind, behind + 4]) {
        let Waiting { mut script, due, .. } = waiting(shape, &[0, 1]);
        script.forget(near(due - shape.arrival_to_visit() - 1, distance), 0);
        script.wait(due + 6 * shape.pairs);
        let comment = format!("{distance} cycles behind the last command that takes back what is due");
        suite.add(format!("{distance:+}"), comment, rows, script);
    }
}

/// The pair is due but the output is stalled: it stands there, or waits behind the last one.
fn while_due(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Forget", "Stall"], &["W8", "W13", "W14"]);
    let last = shape.pairs - 1;
    for pair in BTreeSet::from([0, last]) {
        let Waiting { mut script, due, .. } = waiting(shape, &[1]);
        script.arrive(due - 4 * shape.pairs - 2, last, 1);
        script.stall(due + shape.visit_to_ready() - 1, 6 * shape.pairs + 12);
        script.forget(due + 3 * shape.pairs + 8, pair);
        script.wait(due + 12 * shape.pairs + 20);
        suite.add(format!("stalled-{pair}"), format!("pair {pair}, while the output is stalled"), rows, script);
    }
}

/// The pair is known again, in the same visit or in a later one.
fn again(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Forget", "Reopened"], &["W8", "W12", "W13"]);
    for distance in BTreeSet::from([2, 3, shape.pairs, shape.pairs + 1, 2 * shape.pairs + 2]) {
        for queried in [false, true] {
            let Waiting { mut script, seen, .. } = waiting(shape, &[0, 1]);
            let at = script.forget(seen + shape.pairs - shape.arrival_to_visit() + 2, 0);
            script.arrive(at + distance, 0, 1);
            if queried {
                // It sees the command not yet, or just so.
                script.query(at + shape.visibility_delay() + distance % 2, 0);
            }
            script.wait(at + 14 * shape.pairs + 20);
            let comment =
                format!("a packet {distance} cycles behind the command, {}", ["", "and a query"][usize::from(queried)]);
            let name = if queried { "queried" } else { "again" };
            suite.add(format!("{name}-{distance}"), comment, rows, script);
        }
    }
}

/// Another pair is forgotten.
fn others(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Forget", "Interleaved"], &["W8", "W13", "E02"]);
    for pair in BTreeSet::from([1, shape.pairs - 1, shape.pairs]) {
        if pair == 0 || pair >= crate::elab::feedback::ports::numbers(shape) {
            continue;
        }
        let Waiting { mut script, due, .. } = waiting(shape, &[1]);
        script.forget(due - shape.pairs - 9, pair);
        script.wait(due + 2 * shape.pairs);
        suite.add(format!("pair-{pair}"), format!("pair {pair} is forgotten, pair 0 waits"), rows, script);
    }
}
