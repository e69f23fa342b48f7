// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows W1, W4 and W9: arrivals and queries that must be refused and counted, and the sweep after reset.

use super::shapes::{FOUR, LATENCIES, MANY, SMALL, TEN, THIRTY};
use crate::collect::aim;
use crate::elab::feedback::oracle::{Arrival, Shape};
use crate::elab::feedback::ports::numbers;
use crate::elab::feedback::script::{Script, port};
use crate::elab::feedback::suite::Suite;

/// Adds the groups `refused` and `sweep`.
pub fn add(suite: &mut Suite) {
    for shape in [LATENCIES[0], FOUR, SMALL, THIRTY] {
        suite.group("refused", "arrivals and queries that nothing comes of", shape, TEN);
        strangers(suite, shape);
    }
    for shape in LATENCIES.into_iter().chain([FOUR, MANY, SMALL]) {
        suite.group("sweep", "the cycles behind reset", shape, TEN);
        sweep(suite, shape);
    }
}

/// Pair numbers at the limit: the last pair that exists, and the first that does not.
fn strangers(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["NoSuchPair"], &["W1", "W4", "W10", "E02"]);
    for (name, most) in [("all", numbers(shape)), ("known", shape.pairs)] {
        let (mut script, at) = Script::new(shape);
        for n in 0..2 * numbers(shape) {
            let pair = n % most;
            script.arrival(at + n, Arrival { pair, sport: port(shape, 0, n % shape.vps), ecn: n % 3 == 0, burst: n });
        }
        (0..40).for_each(|n| script.query(at + 6 + n, n % numbers(shape)));
        suite.add(format!("{name}-pairs"), format!("arrivals for {name} pairs, queries for all"), rows, script);
    }
    let (mut script, at) = Script::new(shape);
    (0..12).for_each(|n| script.query(at + n, n % shape.pairs));
    script.arrive(at + 14, 0, 0);
    script.queries(at + 10, 0, 12);
    let rows = aim(&["Empty", "Boundary"], &["W4", "W5", "W10"]);
    suite.add("empty", "queries before there is any VP", rows, script);
}

/// The sweep ends in the right cycle: nothing is accepted in its last cycle, and everything in the next one.
fn sweep(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Sweep"], &["W1", "W4", "W9"]);
    let (mut script, at) = Script::new(shape);
    script.queries(0, 0, 3);
    script.queries(at - 3, 0, 6);
    script.hammered = vec![0];
    suite.add("queries", "queries about the end of the sweep", rows, script);
    let (mut script, at) = Script::new(shape);
    script.held = vec![Arrival { pair: 0, sport: port(shape, 0, 1), ecn: true, burst: 8 }];
    script.arrive(at, 0, 0);
    script.queries(at, 0, 12);
    suite.add("first", "an arrival in the first cycle", rows, script);
    let (mut script, at) = Script::new(shape);
    script.arrive(at, 0, 0);
    script.forget(at, 0);
    script.arrive(at + 2, 0, 1);
    script.queries(at, 0, 12);
    suite.add("first-forgotten", "an operation in the first cycle", rows, script);
    for pair in (0..shape.pairs).step_by(3) {
        let (mut script, at) = Script::new(shape);
        script.queries(at, pair, 4);
        script.arrive(at + 2, pair, shape.vps - 1);
        script.queries(at + 9, pair, 2);
        suite.add(format!("swept-{pair}"), "no VP is known", rows, script);
    }
}
