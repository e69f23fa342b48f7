// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replies (G14, G15): what they keep, in which order they leave, and what becomes of those without room.

use super::shapes;
use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Arrival, Outcome, Settings, Shape};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::latencies() {
        suite.group("replies", "answers to single packets", shape, None);
        room(suite, shape);
        dropped(suite, shape);
        keeps(suite, shape);
    }
    for shape in [shapes::OTHERS[1], shapes::OTHERS[4], shapes::OTHERS[5]] {
        suite.group("replies", "more room, other handles", shape, None);
        full(suite, shape);
        keeps(suite, shape);
    }
}

/// Some reply of the protocol, of a connection that is open.
fn reply(script: &mut Script, shape: Shape, connection: u64, n: u64) {
    if !shape.is_uet() {
        let probe = script.probe(connection);
        script.arrive(Arrival { ecn: n.is_multiple_of(3), trimmed: n % 4 == 3, ..probe });
        return;
    }
    let outcome = [Outcome::Probe, Outcome::Above, Outcome::NoBuffer, Outcome::Held][(n % 4) as usize];
    let this = script.refused(connection, 70 + n, outcome);
    let trimmed = outcome == Outcome::Held;
    script.arrive(Arrival {
        trimmed,
        last_hop: n % 8 == 3,
        ecn: n.is_multiple_of(3),
        retx: n.is_multiple_of(5),
        ..this
    });
}

/// One reply more than there is room for, while the output is stalled.
fn full(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    script.open(1, 5);
    for _ in 0..2 {
        script.block(1);
        for n in 0..shape.replies + 3 {
            reply(&mut script, shape, n % 2, n);
        }
        script.drain();
    }
    let rows = aim(&["Reply", "Full", "Stall"], &["G14", "G15", "G16", "G25"]);
    suite.add("full", "all the room there is, and three more", rows, script);
}

/// The queue is full, and one reply is taken: arrivals in the cycles around it find room or not.
fn room(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 10);
    script.open(1, 5);
    script.open(2, 5);
    for offset in 0..2 * shape.ram_latency + 8 {
        script.block(1);
        for n in 0..shape.replies {
            reply(&mut script, shape, n % 2, n);
        }
        script.idle(20);
        script.stall(false);
        script.idle(offset);
        // One in every cycle would find no room twice; so there is one, then two.
        reply(&mut script, shape, 2, offset);
        script.idle(offset % 4);
        reply(&mut script, shape, 2, offset + 1);
        reply(&mut script, shape, 0, offset + 2);
        script.drain();
    }
    let rows = aim(&["Reply", "Full", "Visible"], &["G14", "G15", "G16"]);
    suite.add("room", "replies in the cycles around a take that makes room", rows, script);
}

/// Without room: nothing owed, waiting, due; the trigger stays that of the packet before it. Unknown ones are not answered.
fn dropped(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 70);
    script.open(1, 5);
    script.urgent(0);
    script.drain();
    for state in 0..4 {
        script.block(1);
        for n in 0..shape.replies {
            reply(&mut script, shape, 1, n);
        }
        if state == 1 {
            script.send(0, 1);
        }
        if state == 2 {
            script.urgent(0);
        }
        if state == 3 {
            let marked = script.ahead(0, 2);
            script.arrive(Arrival { ecn: true, retx: shape.is_uet(), ..marked });
        }
        for n in 0..2 {
            let this = script.probe(0);
            script.arrive(Arrival { ecn: n == 0, held: 3, ..this });
        }
        // Of a connection that is closed, and of one that is open here only.
        let closed = script.probe(3);
        script.arrive(closed);
        let unknown = script.refused(2, 0, Outcome::Unknown);
        script.arrive(unknown);
        let unknown = script.refused(0, 0, Outcome::Unknown);
        script.arrive(Arrival { expected: 3, held: 9, ..unknown });
        script.read(0);
        script.drain();
        script.urgent(0);
        script.drain();
        script.send(0, 2);
        script.urgent(0);
        script.drain();
    }
    let rows = aim(&["Reply", "Full", "Stall"], &["G5", "G6", "G7", "G14", "G15", "G25"]);
    suite.add("dropped", "replies without room, whatever is owed", rows, script);
}

/// Replies stay those of their packets, but show their connection as it is when they are taken: moved on, closed, opened
/// again.
fn keeps(suite: &mut Suite, shape: Shape) {
    for change in 0..5 {
        let mut script = Script::opened(shape, shape.psns() - 3);
        script.open(1, 5);
        script.set(|s| Settings { tick: 40_000, ..s });
        script.block(1);
        for n in 0..4 {
            reply(&mut script, shape, 0, n);
            script.idle(n);
        }
        match change {
            0 => {}
            1 => {
                script.gap(0, 1);
                script.send(0, 4);
                script.report(0);
            }
            2 => script.close(0),
            3 => script.report_gap(0, script.expected(0), script.expected(0)),
            _ => {
                script.close(0);
                script.open(0, 900);
                script.send(0, 1);
            }
        }
        script.idle(30);
        script.drain();
        script.read(0);
        let rows = aim(&["Reply", "Stall"], &["G14", "G18", "G21", "M18", "M29", "U29"]);
        suite.add(format!("keeps-{change}"), "replies that wait while their connection changes", rows, script);
    }
}
