// SPDX-License-Identifier: MIT OR Apache-2.0
//! Takes (G16 to G18): passes in the cycles around a take, turns of replies and connections, stalled outputs, full load.

use super::shapes;
use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Arrival, Outcome, Settings, Shape, op};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::latencies() {
        suite.group("takes", "what is taken, when, and what it has in it", shape, None);
        for pass in 0..7 {
            around(suite, shape, pass);
        }
        turns(suite, shape);
        arriving(suite, shape);
        stalls(suite, shape);
        reopened(suite, shape);
        back_to_back(suite, shape);
    }
    for shape in [shapes::OTHERS[1], shapes::OTHERS[4]] {
        suite.group("takes", "many connections", shape, None);
        many(suite, shape);
    }
}

const PASSES: [&str; 7] = ["waiting", "urgent", "marked", "reply", "event", "close", "read"];

/// A cause, and a pass of the same connection at each distance behind it: before, in and behind the cycle of the take.
fn around(suite: &mut Suite, shape: Shape, pass: usize) {
    let mut script = Script::opened(shape, shape.psns() - 50);
    script.urgent(0);
    script.drain();
    for distance in 1..2 * shape.ram_latency + 14 {
        if pass == 4 {
            script.gap(0, 2);
            script.drain();
        }
        script.urgent(0);
        script.idle(distance - 1);
        match pass {
            0 => script.send(0, 1),
            1 => script.urgent(0),
            2 => {
                let marked = script.ahead(0, 0);
                script.arrive(Arrival { ecn: true, last: !shape.is_uet(), ..marked });
            }
            3 => script.reply(0),
            4 => script.report(0),
            5 => script.issue(op::CLOSE, 0, 0, false),
            _ => script.issue(op::READ, 0, 0, false),
        }
        script.idle(1);
        script.drain();
        if pass == 5 {
            script.open(0, 60);
        }
        // What is left in the ACK after it.
        script.urgent(0);
        script.drain();
    }
    let aim = aim(&["Visible"], &["G1", "G12", "G16", "G17", "G18", "G21", "G22"]);
    suite.add(
        format!("around-{}", PASSES[pass]),
        "a pass at each distance from a cause of its connection",
        aim,
        script,
    );
}

/// So many due connections and so many replies, in turn.
fn turns(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    (0..4).for_each(|connection| script.open(connection, 10 * connection));
    for (due, replies) in [(1, 1), (3, 4), (2, 4), (3, 1), (0, 3), (2, 2), (3, 0), (1, 4)] {
        script.block(3);
        (0..due).for_each(|connection| script.urgent(due - 1 - connection));
        (0..replies).for_each(|n| script.reply(n % 4));
        script.idle(20);
        script.drain();
    }
    let rows = aim(&["Turns", "Stall"], &["G14", "G16", "G17", "G18"]);
    suite.add("turns", "replies and connections in turn", rows, script);
}

/// A reply and a due connection at each distance, so that one is there first.
fn arriving(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 10);
    script.open(1, 20);
    for reply_last in [false, true] {
        for distance in 0..shape.ram_latency + 8 {
            // Begins the turn with either.
            if reply_last {
                script.reply(0)
            } else {
                script.urgent(0)
            }
            script.drain();
            script.urgent(1);
            script.idle(distance);
            script.reply(0);
            script.drain();
            if reply_last {
                script.reply(0)
            } else {
                script.urgent(0)
            }
            script.drain();
            script.reply(0);
            script.idle(distance);
            script.urgent(1);
            script.drain();
        }
    }
    let rows = aim(&["Turns", "Visible"], &["G14", "G16", "G17"]);
    suite.add("arriving", "a reply and a due connection at each distance", rows, script);
}

/// The output is stalled from and to each cycle; what arrives meanwhile merges.
fn stalls(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 30);
    script.open(1, 20);
    for from in 0..4 {
        for length in 0..shape.ram_latency + 9 {
            script.urgent(0);
            script.idle(2 * shape.ram_latency + 10 + from);
            script.stall(true);
            script.idle(length);
            script.urgent(1);
            script.idle(2);
            script.stall(false);
            script.drain();
        }
    }
    let rows = aim(&["Stall"], &["G16", "G18"]);
    suite.add("stall", "the output is stalled from and to each cycle", rows, script);
    let mut script = Script::opened(shape, shape.psns() - 30);
    script.open(1, 20);
    script.open_single(2, 7);
    for _ in 0..3 {
        script.block(0);
        for n in 0..12 {
            let packet = script.ahead(n % 3, [0, 0, 2, 0][(n % 4) as usize]);
            script.arrive(Arrival { ecn: n == 4, ack_request: n > 7, ..packet });
            script.idle(n % 2);
        }
        let full = script.refused(1, 0, Outcome::NoBuffer);
        script.arrive(full);
        script.idle(60);
        script.read(1);
        script.drain();
    }
    let rows = aim(&["Stall", "Connections"], &["G6", "G7", "G11", "G16", "G17", "G18", "G25"]);
    suite.add("merged", "what arrives on stalled connections merges", rows, script);
}

/// Closed while an ACK is due, and opened in the cycles around the take.
fn reopened(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    script.open(1, 20);
    for released in 0..2 * shape.ram_latency + 20 {
        script.open(0, released);
        script.urgent(0);
        script.drain();
        script.block(1);
        script.send(0, 1);
        script.issue(op::CLOSE, 0, 0, false);
        script.answered();
        script.issue(op::OPEN, 0, 500, true);
        script.idle(1);
        script.idle(released);
        script.stall(false);
        script.answered();
        script.issue(op::OPEN, 0, 600, false);
        script.answered();
        script.drain();
        script.read(0);
        // Of either opening.
        script.begin(0, 500);
        script.send(0, 2);
        script.close(0);
        script.drain();
    }
    let rows = aim(&["Command", "Visible", "Stall"], &["G16", "G21", "G22", "G23", "G24"]);
    suite.add("reopened", "opened in the cycles around a take", rows, script);
}

/// An arrival in every cycle, each of which is urgent, of one connection and of several.
fn back_to_back(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    (0..4).for_each(|connection| script.open(connection, shape.psns() - 20));
    script.set(|s| Settings { count_multipath: 1, per_packet: shape.is_uet(), ..s });
    for connections in 1..=4 {
        for n in 0..40 {
            let packet = script.ahead(n % connections, if n % 7 == 3 { 2 } else { 0 });
            script.arrive(Arrival { ecn: n % 11 == 0, ..packet });
        }
        script.drain();
    }
    let rows = aim(&["BackToBack", "Connections"], &["G1", "G2", "G6", "G7", "G8", "G16", "G17", "G18", "G25"]);
    suite.add("back-to-back", "an urgent arrival in every cycle, of 1 to 4 connections", rows, script);
}

/// All connections are due, in the order in which they became so.
fn many(suite: &mut Suite, shape: Shape) {
    let all = shape.connections;
    let mut script = Script::new(shape);
    (0..all).for_each(|connection| script.open(connection, 7 * connection));
    for step in [1, 5, 11] {
        script.block(all - 1);
        for _ in 0..2 {
            (0..all).for_each(|n| script.urgent(n * step % all));
        }
        script.drain();
    }
    let rows = aim(&["Connections", "BackToBack", "Stall"], &["G16", "G17", "G18"]);
    suite.add("many", "all connections are due", rows, script);
}
