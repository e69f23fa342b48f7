// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row W8: the command *clear*. A pair is cleared, and its VPs become known again.

use super::shapes::{FOUR, LATENCIES, SMALL, TEN};
use crate::collect::aim;
use crate::elab::feedback::oracle::{Arrival, Settings, Shape};
use crate::elab::feedback::ports;
use crate::elab::feedback::script::{Script, port};
use crate::elab::feedback::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES.into_iter().chain([FOUR, SMALL]) {
        suite.group("forget", "pairs that are forgotten and known again", shape, TEN);
        about_asks(suite, shape);
        about_arrivals(suite, shape);
        again(suite, shape);
        strangers(suite, shape);
        hammered(suite, shape);
    }
}

/// The distance from *clear* to the first query that finds no VP.
fn about_asks(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Forget", "Boundary"], &["W4", "W5", "W8", "E02"]);
    for distance in 0..=shape.visibility_delay() + 4 {
        let (mut script, at) = Script::known(shape, [0, 1]);
        script.mark(at, 0, 1);
        let at = script.forget(at + 5, 0);
        script.query(at - 1 + distance, 0);
        script.queries(at + 20, 0, 2);
        suite.add(format!("query-{distance}"), "one query about forgetting", rows, script);
    }
    let (mut script, at) = Script::known(shape, [0, 1]);
    script.queries(at, 0, 40);
    script.forget(at + 6, 0);
    suite.add("queries", "a query in every cycle", rows, script);
}

/// Arrivals in the cycles around *clear*, with a query in every cycle. Those before it are lost, those after it
/// count.
fn about_arrivals(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Forget", "Boundary"], &["W1", "W2", "W5", "W8"]);
    for distance in [-2_i64, -1, 0, 2, 3, 4, 5, 6] {
        for vp in 0..2 {
            let (mut script, at) = Script::known(shape, [1]);
            let at = script.forget(at + 8, 0);
            script.mark(at.saturating_add_signed(distance), 0, vp);
            script.queries(at - 4, 0, 24);
            let comment = format!("a packet {distance} cycles from forgetting, on VP {vp}");
            suite.add(format!("arrival-{distance:+}-{vp}"), comment, rows, script);
        }
    }
    for every in [2, 3, 5, 9] {
        let (mut script, at) = Script::new(shape);
        (0..60).for_each(|n| script.arrive(at + n, 0, n * 2 / 3 % 2));
        (0..40 / every).for_each(|n| {
            script.forget(at + 9 + n * every, 0);
        });
        script.queries(at, 0, 70);
        let comment = format!("forgotten every {every} cycles, a packet and a query in every cycle");
        suite.add(format!("every-{every}"), comment, rows, script);
    }
}

/// After *clear* a VP must start without count, mark or burst. Only the turn of row W5 continues.
fn again(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Forget", "Reopened"], &["W2", "W3", "W5", "W7", "W8"]);
    for queried in [false, true] {
        for numbers in [&[0, 0][..], &[7, 7], &[7, 0], &[8, 8, 8], &[7, 7, 7]] {
            let (mut script, at) = Script::known(shape, [0, 1]);
            script.set(0, Settings::new(2));
            script.mark(at, 0, 1);
            script.bursts(at + 1, 1, 7, 2, 5);
            if queried {
                script.queries(at + 8, 0, 1);
            }
            script.forget(at + 12, 0);
            for (n, &number) in (0..).zip(numbers) {
                script.burst(at + 18 + 3 * n, 1, number);
            }
            script.queries(at + 26, 0, 3);
            let id =
                format!("again-{}-{}", if queried { "reported" } else { "unreported" }, numbers.iter().sum::<u64>());
            suite.add(id, format!("then packets of bursts {numbers:?}"), rows, script);
        }
    }
}

/// *clear* must change its own pair only, and a pair number that does not exist must clear nothing.
fn strangers(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Forget", "NoSuchPair"], &["W4", "W8", "E02"]);
    for pair in 0..ports::numbers(shape) {
        let (mut script, at) = Script::new(shape);
        for n in 0..4 * shape.pairs {
            script.arrive(at + n, n % shape.pairs, n / shape.pairs % shape.vps);
        }
        script.forget(at + 4 * shape.pairs, pair);
        (0..3 * shape.pairs).for_each(|n| script.query(at + 4 * shape.pairs + 12 + n, n % shape.pairs));
        suite.add(format!("pair-{pair}"), format!("pair {pair} is forgotten"), rows, script);
    }
}

/// Commands and arrivals are driven while they are not accepted. They must have no effect.
fn hammered(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Forget", "HeldValid"], &["W1", "W8", "W9"]);
    let (mut script, at) = Script::known(shape, [0, 1]);
    script.hammered = vec![0];
    script.forget(at, shape.pairs - 1);
    script.forget(at + 6, shape.pairs - 1);
    script.queries(at + 2, 0, 20);
    suite.add("hammered", "forgetting that nobody accepts", rows, script);
    let (mut script, at) = Script::known(shape, [0, 1]);
    script.held = vec![Arrival { pair: 0, sport: port(shape, 0, 1), ecn: true, burst: 3 }];
    (0..4).for_each(|n| {
        script.forget(at + 3 * n, if n == 2 { 0 } else { shape.pairs - 1 });
    });
    (0..20).filter(|n| n % 4 != 1).for_each(|n| script.arrive(at + n, 0, n % 2));
    script.queries(at, 0, 30);
    suite.add("held", "arrivals that nobody accepts", rows, script);
}
