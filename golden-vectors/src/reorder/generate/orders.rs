// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every order of a few packets, also with one lost or one that comes twice.

use super::shapes;
use crate::collect::aim;
use crate::reorder::oracle::Shape;
use crate::reorder::script::Script;
use crate::reorder::suite::Suite;

/// All orders of the numbers below `count`.
pub fn orders(count: u64) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    for last in 0..count {
        let longer = |order: &Vec<u64>| {
            let order = order.clone();
            (0..=order.len()).map(move |at| [&order[..at], &[last], &order[at..]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("orders", "every order of a few packets", shape, None);
        for count in 2..=if shape == shapes::USUAL { 5 } else { 4 } {
            idle(suite, shape, count);
        }
        dense(suite, shape, if shape == shapes::LATENCIES[0] { 5 } else { 4 });
        if shape != shapes::LATENCIES[2] {
            lost(suite, shape);
            twice(suite, shape);
        }
    }
    suite.group("orders", "every order of a few packets", shapes::LARGEST, None);
    idle(suite, shapes::LARGEST, 3);
    dense(suite, shapes::LARGEST, 4);
}

/// The PSN before which PSNs wrap in the middle of a case.
const fn start(shape: Shape, packets: u64) -> u64 {
    shape.psns() - packets / 2
}

/// One order after the other; each is delivered before the next one comes.
fn idle(suite: &mut Suite, shape: Shape, count: u64) {
    let orders = orders(count);
    let mut first = start(shape, count * orders.len() as u64);
    let mut script = Script::opened(shape, first);
    for order in orders {
        script.send_all(0, order.iter().map(|ahead| first + ahead));
        script.drain();
        first += count;
    }
    let rows = aim(&["Orders", "PsnWrap"], &["R2", "R4", "R8", "R11", "M56", "M58", "M82"]);
    suite.add(format!("idle-{count}"), format!("every order of {count} packets, then idle"), rows, script);
}

/// One order behind the other in every cycle, while delivery is stalled.
fn dense(suite: &mut Suite, shape: Shape, count: u64) {
    let orders = orders(count);
    let mut first = start(shape, count * orders.len() as u64);
    let mut script = Script::opened(shape, first);
    for orders in orders.chunks((shape.window.min(64) / count) as usize) {
        script.stall(true);
        for order in orders {
            script.send_all(0, order.iter().map(|ahead| first + ahead));
            first += count;
        }
        script.settle();
        script.stall(false);
        script.drain();
    }
    let rows = aim(&["Orders", "BackToBack", "PsnWrap", "Stall"], &["R2", "R4", "R5", "R8", "R9", "M82"]);
    suite.add(format!("dense-{count}"), format!("every order of {count} packets, back to back"), rows, script);
}

/// One of four packets is lost and comes when the others wait.
fn lost(suite: &mut Suite, shape: Shape) {
    let mut first = start(shape, 4 * 24 * 4);
    let mut script = Script::opened(shape, first);
    for lost in 0..4 {
        for order in orders(4) {
            // An order without the packet comes once for each place that the packet can have.
            if order[0] != lost {
                continue;
            }
            script.send_all(0, order[1..].iter().map(|ahead| first + ahead));
            script.idle(3);
            script.send(0, first + lost);
            script.drain();
            first += 4;
        }
    }
    let rows = aim(&["Orders", "Lost"], &["R2", "R4", "R8", "R12", "M56", "M58"]);
    suite.add("lost", "every order of three packets, one of four comes later", rows, script);
}

/// One of three packets comes twice, at every place.
fn twice(suite: &mut Suite, shape: Shape) {
    let cases: Vec<(Vec<u64>, usize, u64)> = orders(3)
        .into_iter()
        .flat_map(|order| {
            (1..=3).flat_map(move |at| {
                order.clone().into_iter().map({
                    let order = order.clone();
                    move |again| (order.clone(), at, again)
                })
            })
        })
        .filter(|(order, at, again)| order[..*at].contains(again))
        .collect();
    let mut first = start(shape, 3 * cases.len() as u64);
    let mut script = Script::opened(shape, first);
    for (mut order, at, again) in cases {
        order.insert(at, again);
        script.send_all(0, order.iter().map(|ahead| first + ahead));
        script.drain();
        first += 3;
    }
    let rows = aim(&["Orders", "Duplicate"], &["R2", "R4", "R8", "R12", "M82"]);
    suite.add("twice", "every order of three packets, one of them again at every place", rows, script);
}
