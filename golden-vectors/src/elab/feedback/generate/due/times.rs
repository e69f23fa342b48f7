// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows W12 and W13: in which cycle a pair is visited, and when it has waited long enough. A visit too early or too late,
//! or a time that begins with the wrong packet, is seen.

use super::after;
use crate::collect::aim;
use crate::elab::feedback::oracle::{Arrival, Shape};
use crate::elab::feedback::ports::numbers;
use crate::elab::feedback::script::{Script, port};
use crate::elab::feedback::suite::Suite;
use std::collections::BTreeSet;

pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("due-time", "the time until a report is due", shape, after(1));
    one(suite, shape);
    all_pairs(suite, shape);
    packets(suite, shape);
    vps(suite, shape);
    none(suite, shape);
}

/// One packet. Nobody makes a query, so that its pair is due again and again.
fn one(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Boundary"], &["W12", "W13", "W14", "E11", "E16"]);
    let pairs = shape.pairs;
    let times = BTreeSet::from([1, pairs.max(2) - 1, pairs, pairs + 1, 2 * pairs + 1, 50]);
    for time in times {
        // So many cycles before the last one that the visit sees.
        for early in BTreeSet::from([0, 1 % pairs, pairs - 1]) {
            let (mut script, at) = Script::new(shape);
            script.set(0, after(time));
            let seen = script.sees_arrival(at + pairs, pairs - 1);
            script.arrive(seen - shape.arrival_to_visit() - early, pairs - 1, 1);
            script.wait(seen + 2 * time.next_multiple_of(pairs) + pairs);
            let comment = format!("due after {time} cycles, {early} cycles before the last that the visit sees");
            suite.add(format!("{time}-{early}"), comment, rows, script);
        }
    }
    let (mut script, at) = Script::new(shape);
    script.arrive(at, 0, 1);
    script.wait(at + 2 * pairs + 8);
    suite.add("first", "a packet in the first cycle, due in the next visit", rows, script);
}

/// All pairs wait, in an order other than that of the visits.
fn all_pairs(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Interleaved"], &["W12", "W13", "W14", "E02"]);
    let pairs = shape.pairs;
    for time in [1, 3 * pairs] {
        let (mut script, at) = Script::new(shape);
        script.set(0, after(time));
        (0..pairs).for_each(|n| script.arrive(at + pairs + n, (pairs - 1 - n) * 7 % pairs, 1));
        script.wait(at + 3 * pairs + 2 * time + 20);
        suite.add(format!("pairs-{time}"), format!("all pairs, due after {time} cycles"), rows, script);
    }
}

/// Packets come all the time. The time begins with the first of them, and again when a report is due.
fn packets(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "BackToBack"], &["W12", "W13"]);
    let time = 3 * shape.pairs + 2;
    for apart in [1, 2, 7] {
        let (mut script, at) = Script::new(shape);
        script.set(0, after(time));
        (0..=3 * time / apart).for_each(|n| script.arrive(at + n * apart, 0, n % 2));
        script.wait(at + 4 * time);
        suite.add(format!("packets-{apart}"), format!("packets {apart} cycles apart"), rows, script);
    }
}

/// As many reports are due as there are VPs, if each is asked for.
fn vps(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Turns"], &["W4", "W5", "W13", "W14", "E05", "E11"]);
    let first = after(2 * shape.pairs);
    for count in BTreeSet::from([1, 2, 3.min(shape.vps), shape.vps]) {
        // With the longest delay a pair is due once more before its query.
        for delay in BTreeSet::from([0, 3, 12, 5 * shape.pairs]) {
            let (mut script, at) = Script::new(shape);
            script.set(0, first);
            (0..count).for_each(|n| script.arrive(at + n, 0, (n * 3 + 1) % shape.vps));
            script.arrive(at + count + 1, 0, 1);
            script.wait(at + 2 * count + (count + 1) * (4 * shape.pairs + delay + 20));
            script.ask_for_due(first, delay);
            let comment = format!("{count} VPs, a query {delay} cycles after each is due");
            suite.add(format!("vps-{count}-{delay}"), comment, rows, script);
        }
    }
    // One more VP becomes known while the others wait.
    for visits in 0..3 {
        let (mut script, at) = Script::new(shape);
        script.set(0, first);
        script.arrive(at, 0, 0);
        script.arrive(script.visit(at, 0) + visits * shape.pairs, 0, 1);
        script.wait(at + 20 * shape.pairs + 80);
        script.ask_for_due(first, 2);
        suite.add(format!("joins-{visits}"), "one more VP becomes known while one waits", rows, script);
    }
}

/// Nothing that makes a pair wait: a pair that is none, queries for a pair without a VP.
fn none(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Empty"], &["W1", "W4", "W13"]);
    let (mut script, at) = Script::new(shape);
    for pair in shape.pairs..numbers(shape) {
        let sport = port(shape, pair, 1);
        script.arrival(at + pair, Arrival { pair, sport, ecn: true, burst: 0 });
    }
    (0..6).for_each(|n| script.query(at + 2 + n, n % numbers(shape)));
    script.wait(at + 3 * numbers(shape));
    suite.add("none", "queries, and arrivals for a pair that is none", rows, script);
}
