// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns, stalls, and slots that are still occupied. The scripts are such that the contract allows one order only.

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::Shape;
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES.into_iter().chain([shapes::LARGEST]) {
        suite.group("delivery", "turns, stalls, and slots that are still occupied", shape, None);
        if shape.window == 64 {
            runs(suite, shape);
            stalls(suite, shape);
        }
        full(suite, shape);
    }
    suite.group("delivery", "turns, stalls, and slots that are still occupied", shapes::MANY, None);
    many(suite, shapes::MANY);
}

/// Groups for a stage with frames.
pub fn with_frames(suite: &mut Suite, shape: Shape) {
    suite.group("delivery", "turns, stalls, and slots that are still occupied", shape, None);
    runs(suite, shape);
    stalls(suite, shape);
    full(suite, shape);
}

/// A packet that releases so many, at one per cycle without a gap, whatever the number of turns.
fn runs(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    let mut first = 0;
    for run in [1, 2, 15, 16, 17, 31, 32, 33, 48, 64] {
        script.send_all(0, (1..run).map(|ahead| first + ahead));
        script.send(0, first);
        script.drain();
        first += run;
    }
    let rows = aim(&["Turns"], &["R8", "R10", "R11", "R12", "M58", "M102"]);
    suite.add("runs", "a packet that makes 1 to 64 packets leave, one per cycle", rows, script);
}

/// Delivery that is stalled in every pattern of three cycles.
fn stalls(suite: &mut Suite, shape: Shape) {
    for pattern in 1..7_u64 {
        let mut script = Script::opened(shape, shape.psns() - 20);
        let first = shape.psns() - 20;
        script.send_all(0, (1..40).map(|ahead| first + ahead));
        script.stall(true);
        script.send(0, first);
        script.settle();
        for n in 0..150 {
            script.stall(pattern >> (n % 3) & 1 == 0);
            script.idle(1);
        }
        script.stall(false);
        script.drain();
        let rows = aim(&["Stall"], &["R8", "R9", "R11", "R12"]);
        suite.add(format!("stall-{pattern}"), "40 packets while delivery is ready in some cycles", rows, script);
    }
    let mut script = Script::opened(shape, 5);
    for n in 0..8 {
        script.stall(true);
        script.send(0, 5 + n);
        script.idle(shape.delivery() + n);
        script.stall(false);
        script.drain();
    }
    let rows = aim(&["Stall"], &["R8", "R11"]);
    suite.add("stall-one", "a packet that stays on the ports until it is taken", rows, script);
}

/// Delivery is stalled until 16 packets are read and all slots are occupied: those behind find no buffer, also the
/// expected one. One slot becomes free for each packet that leaves.
fn full(suite: &mut Suite, shape: Shape) {
    let first = shape.psns() - 40;
    let mut script = Script::opened(shape, first);
    script.stall(true);
    // 16 are read, the others fill the window.
    let count = if shape.window == 64 { 70 } else { 90 };
    script.send_all(0, first..first + count);
    script.settle();
    let base = first + 16;
    let now = first + count;
    script.send_all(0, [base + shape.window, base + shape.window - 1, base + shape.window - 1]);
    script.send_all(0, [base + shape.window + 1, now + shape.window - 1, now + shape.window, now - 1]);
    if shape.window == 64 {
        script.send_all(0, now..base + shape.window - 1);
        let end = base + shape.window;
        script.send_all(0, [end, end + 1, end]);
        // One packet leaves: one slot is free.
        for n in 0..3 {
            script.stall(false);
            script.idle(1);
            script.stall(true);
            script.settle();
            script.send_all(0, [end + n + 1, end + n, end + n, end + n + 1]);
        }
        script.settle();
        script.stall(false);
        script.drain();
        script.send_all(0, [end + 4, end + 3]);
    } else {
        script.stall(false);
        script.drain();
        script.send_all(0, [base + shape.window, now]);
    }
    script.drain();
    let rows = aim(&["NoBuffer", "Stall", "PsnWrap"], &["R2", "R3", "R8", "R9", "R12", "R21", "M82", "M101"]);
    suite.add("full", "16 packets are read, and all slots are occupied", rows, script);
}

/// Connections that have one packet each, in every cycle, and runs of up to 16 packets: a turn each, in the order of the
/// arrivals.
fn many(suite: &mut Suite, shape: Shape) {
    let all = shape.connections;
    let open = || {
        let mut script = Script::new(shape);
        (0..all).for_each(|connection| script.open(connection, shape.psns() - 8 + connection));
        script
    };
    let mut script = open();
    for _ in 0..2 {
        for n in 0..all {
            let connection = n * 5 % all;
            script.send(connection, script.expected(connection));
        }
        script.drain();
    }
    let rows = aim(&["Connections", "BackToBack"], &["R4", "R8", "R10", "R11", "M58"]);
    suite.add("each", "a packet of each connection, one per cycle; each has a turn", rows, script);
    let mut script = open();
    for (stall, runs) in
        [(false, [1, 16, 2, 3]), (true, [16, 1, 7, 16]), (false, [16, 16, 16, 16]), (true, [2, 2, 1, 2])]
    {
        script.stall(stall);
        let run = |connection: u64| runs[(connection % 4) as usize];
        for connection in 0..12 {
            let first = script.expected(connection);
            script.send_all(connection, (1..run(connection)).rev().map(|ahead| first + ahead));
        }
        // 11, 4, 9 and so on.
        for n in 0..12 {
            let connection = (n * 5 + 11) % 12;
            script.send(connection, script.expected(connection));
        }
        script.settle();
        script.stall(false);
        script.drain();
    }
    let rows = aim(&["Connections", "Turns", "Stall"], &["R8", "R9", "R10", "R11", "R12"]);
    suite.add("turns", "turns of 1 to 16 packets in the order in which they became due", rows, script);
    // A connection that is closed or full does not keep others from their turns.
    let mut script = open();
    script.send_all(3, [script.expected(3) + 1, script.expected(3) + 2]);
    script.close(3);
    for connection in [2, 3, 4, 2, 3, 4] {
        script.send(connection, script.expected(connection));
        script.drain();
    }
    let rows = aim(&["Connections", "Unknown"], &["R2", "R8", "R18", "R21"]);
    suite.add("closed-between", "a closed connection between others", rows, script);
}
