// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row W13: queries for a pair that waits. One that is counted twice, not at all, or in another visit is seen.

use super::{Waiting, near, waiting};
use crate::collect::aim;
use crate::elab::feedback::oracle::Shape;
use crate::elab::feedback::script::Script;
use crate::elab::feedback::suite::Suite;
use std::collections::BTreeSet;

pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("due-answer", "queries for a pair that waits", shape, super::after(1));
    before_due(suite, shape);
    about_a_packet(suite, shape);
    number(suite, shape);
    unanswered(suite, shape);
    new_vp(suite, shape);
    others(suite, shape);
}

/// One query about the last cycle from which the visit sees it in which the pair would be due.
fn before_due(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Boundary"], &["W12", "W13", "W14"]);
    let pairs = shape.pairs.cast_signed();
    let behind = shape.query_to_visit().cast_signed();
    for vps in [&[1][..], &[0, 1]] {
        for distance in BTreeSet::from([-pairs, 1 - pairs, -1, 0, 1, 2, behind, behind + 6]) {
            let Waiting { mut script, due, .. } = waiting(shape, vps);
            script.query(near(due - shape.query_to_visit(), distance), 0);
            script.wait(due + 6 * shape.pairs);
            let comment = format!("{distance} cycles behind the last query that takes back what is due");
            suite.add(format!("{}-{distance:+}", vps.len()), comment, rows, script);
        }
    }
}

/// A packet and a query about it, in the same visits and in others.
fn about_a_packet(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Boundary", "BackToBack"], &["W6", "W12", "W13"]);
    let longest = shape.query_to_visit().cast_signed() + 2;
    for distance in -2..=longest {
        for early in BTreeSet::from([0, 1 % shape.pairs]) {
            let Waiting { mut script, due, .. } = waiting(shape, &[1]);
            // The pair waits for nothing any more.
            script.queries(due - 3 * shape.pairs, 0, 1);
            let seen = script.sees_arrival(due + 2 * shape.pairs + 10, 0);
            let packet = seen - shape.arrival_to_visit() - early;
            script.arrive(packet, 0, 1);
            script.query(near(packet, distance), 0);
            script.wait(seen + 6 * shape.pairs);
            let comment = format!("a query {distance} cycles behind a packet");
            suite.add(format!("packet-{distance:+}-{early}"), comment, rows, script);
        }
    }
}

/// So many queries in a row, which may be more than reports for which the pair waits.
fn number(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Turns"], &["W5", "W13"]);
    for vps in [&[1][..], &[0, 1], &[0, 3, 2, 1]] {
        if vps.iter().any(|&vp| vp >= shape.vps) {
            continue;
        }
        for count in 1..=vps.len() as u64 + 1 {
            let Waiting { mut script, seen, .. } = waiting(shape, vps);
            let at = seen + shape.pairs + vps.len() as u64;
            script.queries(at, 0, count);
            script.wait(at + 12 * shape.pairs);
            // The next packet makes it wait once more.
            script.arrive(at + 9 * shape.pairs + 8, 0, 1);
            script.wait(at + 17 * shape.pairs + 20);
            let comment = format!("{count} queries for a pair with {} VPs", vps.len());
            suite.add(format!("number-{}-{count}", vps.len()), comment, rows, script);
        }
    }
}

/// A query that does not see the VP yet is no report.
fn unanswered(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Empty", "Boundary"], &["W4", "W5", "W13"]);
    for distance in [0, shape.visibility_delay() - 1, shape.visibility_delay()] {
        let (mut script, at) = Script::new(shape);
        script.set(0, super::after(4 * shape.pairs));
        script.arrive(at + 3, 0, 1);
        script.query(at + 3 + distance, 0);
        script.wait(at + 12 * shape.pairs + 20);
        let comment = format!("a query {distance} cycles behind the packet of a new VP");
        suite.add(format!("unanswered-{distance}"), comment, rows, script);
    }
}

/// The last packet makes a VP known, and queries come that do not see that VP yet. It must be reported all the same.
fn new_vp(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Turns", "Boundary"], &["W5", "W12", "W13"]);
    for count in BTreeSet::from([1, 2, shape.visibility_delay() - 1, shape.visibility_delay() + 1]) {
        if shape.vps < 4 {
            continue;
        }
        for early in BTreeSet::from([0, 1 % shape.pairs]) {
            let Waiting { mut script, due, .. } = waiting(shape, &[0, 2]);
            let first = super::after(4 * shape.pairs);
            script.query(due - 2 * shape.pairs, 0);
            let seen = script.sees_arrival(due + 2 * shape.pairs, 0);
            let packet = seen - shape.arrival_to_visit() - early;
            script.arrive(packet, 0, 1);
            script.queries(packet + 1, 0, count);
            script.wait(seen + 24 * shape.pairs + 80);
            script.ask_for_due(first, 4);
            let comment = format!("{count} queries behind the packet of a new VP, which is the last one");
            suite.add(format!("new-vp-{count}-{early}"), comment, rows, script);
        }
    }
}

/// Queries for other pairs are none for this one.
fn others(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Interleaved"], &["W12", "W13", "E02"]);
    for answered in BTreeSet::from([0, shape.pairs / 2, shape.pairs - 1]) {
        let (mut script, at) = Script::new(shape);
        let time = 4 * shape.pairs;
        script.set(0, super::after(time));
        (0..shape.pairs).for_each(|pair| script.arrive(at + pair, pair, pair % 2));
        (0..3).for_each(|n| script.query(at + shape.pairs + 9 + n, answered));
        script.wait(at + 2 * shape.pairs + 2 * time + 20);
        suite.add(format!("pair-{answered}"), format!("queries for pair {answered}, all wait"), rows, script);
    }
}
