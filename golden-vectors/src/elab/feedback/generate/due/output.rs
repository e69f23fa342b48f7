// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row W14: the output, stalled and not. A pair that is lost, comes twice or in another cycle is seen.

use super::{Waiting, after, near, waiting};
use crate::collect::aim;
use crate::elab::feedback::oracle::Shape;
use crate::elab::feedback::script::Script;
use crate::elab::feedback::suite::Suite;
use std::collections::BTreeSet;

pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("due-stall", "the output is stalled", shape, after(1));
    stalls(suite, shape);
    pulses(suite, shape);
    answered(suite, shape);
    across_reset(suite, shape);
}

/// All pairs wait from one round of visits on, and are due in another one, of which this is the visit of pair 0.
fn all_wait(shape: Shape) -> (Script, u64) {
    let (mut script, at) = Script::new(shape);
    let time = 3 * shape.pairs;
    script.set(0, after(time));
    let first = script.sees_arrival(at + shape.pairs, 0);
    (0..shape.pairs).for_each(|pair| script.arrive(first - shape.arrival_to_visit() + pair, pair, 1));
    (script, first + time)
}

/// The output is stalled from about the cycle on in which it takes the first pair.
fn stalls(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Stall", "Boundary"], &["W12", "W13", "W14"]);
    for distance in 0..3 {
        for count in BTreeSet::from([1, shape.pairs, shape.pairs + 1, 40]) {
            let (mut script, due) = all_wait(shape);
            script.stall(due + shape.visit_to_ready() + distance, count);
            script.wait(due + count + 5 * shape.pairs);
            let comment = format!("{count} cycles from {distance} cycles behind the decision on");
            suite.add(format!("{distance}-{count}"), comment, rows, script);
        }
    }
}

/// The output is ready in one of so many cycles.
fn pulses(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Stall"], &["W13", "W14"]);
    for every in [2, 3, 7] {
        let (mut script, due) = all_wait(shape);
        let until = due + 7 * shape.pairs + 20;
        for at in (due..until).step_by(every) {
            script.ready(at, true);
            script.ready(at + 1, false);
        }
        script.wait(until);
        suite.add(format!("pulses-{every}"), format!("ready once in {every} cycles"), rows, script);
    }
}

/// A query for the pair that stands on the output does not take it back; one for a pair that waits behind it does.
fn answered(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Stall", "Boundary"], &["W4", "W13", "W14"]);
    for pair in BTreeSet::from([0, 1 % shape.pairs, shape.pairs - 1]) {
        for distance in [-1, 0, 1] {
            let (mut script, due) = all_wait(shape);
            let stalled = due + shape.visit_to_ready();
            script.stall(stalled, 6 * shape.pairs + 12);
            // About the visit before the output is ready again.
            let visit = script.visit(stalled + 4 * shape.pairs + 12, pair);
            script.query(near(visit - shape.query_to_visit(), distance), pair);
            script.wait(due + 11 * shape.pairs + 20);
            let comment = format!("a query for pair {pair} while the output is stalled");
            suite.add(format!("answered-{pair}-{distance:+}"), comment, rows, script);
        }
    }
    // One of two reports is left, for which the pair waits anew.
    for distance in [-1, 0, 1] {
        let (mut script, due) = all_wait(shape);
        let pair = shape.pairs - 1;
        script.arrive(due - 2 * shape.pairs, pair, 0);
        let stalled = due + shape.visit_to_ready();
        script.stall(stalled, 6 * shape.pairs + 12);
        let visit = script.visit(stalled + 5 * shape.pairs + 12, pair);
        script.query(near(visit - shape.query_to_visit(), distance), pair);
        script.wait(due + 11 * shape.pairs + 20);
        suite.add(
            format!("one-of-two-{distance:+}"),
            "one query for two reports while the output is stalled",
            rows,
            script,
        );
    }
    // The query comes late: by then the pair has been due once more, also while it still stands on the output.
    for stalled in [0, 5 * shape.pairs, 14 * shape.pairs] {
        let Waiting { mut script, due, .. } = waiting(shape, &[0, 1]);
        script.stall(due + shape.visit_to_ready(), stalled);
        script.queries(due + 9 * shape.pairs, 0, 2);
        script.wait(due + 16 * shape.pairs);
        let comment = format!("a late query, stalled for {stalled} cycles");
        suite.add(format!("late-{stalled}"), comment, rows, script);
    }
}

/// A reset while all pairs are due and one stands on the output: the next case shows that nothing is left.
fn across_reset(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Stall", "Reopened"], &["W9", "W13", "W14"]);
    let (mut script, due) = all_wait(shape);
    script.ready(due, false);
    script.wait(due + 2 * shape.pairs);
    suite.add("reset-before", "ends while the output is stalled", rows, script);
    let (mut script, at) = Script::new(shape);
    script.wait(at + 5 * shape.pairs);
    suite.add("reset-behind", "nothing is due any more", rows, script);
}
