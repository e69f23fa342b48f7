// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every order of a few packets, also with one lost or one that comes twice.

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::Shape;
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

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
            lost(suite, shape, 4, start(shape, 4 * 24 * 4));
            twice(suite, shape, 3);
        }
    }
    suite.group("orders", "every order of a few packets", shapes::LARGEST, None);
    idle(suite, shapes::LARGEST, 3);
    dense(suite, shapes::LARGEST, 4);
}

/// Groups for a stage with frames.
pub fn with_frames(suite: &mut Suite, shape: Shape, most: u64) {
    suite.group("orders", "every order of a few frames", shape, None);
    for count in 1..=most {
        idle(suite, shape, count);
        let packets = count * orders(count).len() as u64;
        lost(suite, shape, count, start(shape, packets));
        twice(suite, shape, count);
    }
    dense(suite, shape, most);
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

/// One of the packets is lost and comes when the others wait.
fn lost(suite: &mut Suite, shape: Shape, count: u64, mut first: u64) {
    let orders = orders(count);
    let mut script = Script::opened(shape, first);
    for lost in 0..count {
        for order in &orders {
            // An order without the packet comes once for each place that the packet can have.
            if order[0] != lost {
                continue;
            }
            script.send_all(0, order[1..].iter().map(|ahead| first + ahead));
            script.idle(3);
            script.send(0, first + lost);
            script.drain();
            first += count;
        }
    }
    let rows = aim(&["Orders", "Lost"], &["R2", "R4", "R8", "R12", "M56", "M58"]);
    let (id, comment) = match count {
        4 => ("lost".to_owned(), "every order of three packets, one of four comes later".to_owned()),
        _ => (format!("lost-{count}"), format!("every order of {} packets, one of {count} comes later", count - 1)),
    };
    suite.add(id, comment, rows, script);
}

/// One of the packets comes twice, at every place; of more than four, once in each order.
fn twice(suite: &mut Suite, shape: Shape, count: u64) {
    let mut cases = Vec::new();
    for (n, order) in orders(count).into_iter().enumerate() {
        let places = (1..=order.len()).flat_map(|at| (0..at).map(move |of| (of, at)));
        let all: Vec<_> = places.map(|(of, at)| (order.clone(), at, order[of])).collect();
        match count {
            ..=4 => cases.extend(all),
            _ => cases.extend(all.into_iter().skip(n * 7 % 15).take(1)),
        }
    }
    let mut first = start(shape, count * cases.len() as u64);
    let mut script = Script::opened(shape, first);
    for (mut order, at, again) in cases {
        order.insert(at, again);
        script.send_all(0, order.iter().map(|ahead| first + ahead));
        script.drain();
        first += count;
    }
    let rows = aim(&["Orders", "Duplicate"], &["R2", "R4", "R8", "R12", "M82"]);
    let (id, comment) = match count {
        3 => ("twice".to_owned(), "every order of three packets, one of them again at every place".to_owned()),
        _ => (format!("twice-{count}"), format!("every order of {count} packets, one of them again")),
    };
    suite.add(id, comment, rows, script);
}
