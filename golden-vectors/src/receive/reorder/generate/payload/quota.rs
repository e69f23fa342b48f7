// SPDX-License-Identifier: MIT OR Apache-2.0
//! The quota: what counts as used, from which cycle on and up to which, and for which packet the quota does not apply (R32).

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::Shape;
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("quota", "cells of a connection", shape, None);
        full(suite, shape);
        counted(suite, shape);
        returned(suite, shape);
        stalled(suite, shape);
        changed(suite, shape);
        base(suite, shape);
        cleared(suite, shape);
    }
}

/// Frames of some cells up to the quota and one cell beyond it, for each of two connections, so far apart that all count.
fn full(suite: &mut Suite, shape: Shape) {
    for quota in [1, 4, 7] {
        let mut script = Script::opened(shape, shape.psns() - 3);
        script.open(1, 100);
        script.limit(quota, 0);
        let (first, cell) = (shape.psns() - 3, script.pool().cell_beats());
        for (connection, first) in [(0, first), (1, 100)] {
            for (n, cells) in (2..).zip([2, 1, 3, 2, 1, 1, 1]) {
                script.send_frame(connection, first + n, cells * cell);
                script.idle(shape.counted());
            }
        }
        // Without these nothing can leave; there is room again when all has left.
        for (connection, first) in [(0, first), (1, 100)] {
            script.send_frame(connection, first, cell);
            script.drain();
            script.send_frame(connection, first + 1, 3 * cell);
            script.drain();
            script.send_frame(connection, script.expected(connection) + 1, cell);
            script.send_frame(connection, script.expected(connection), 1);
            script.drain();
        }
        let rows = aim(&["Quota", "Boundary", "PsnWrap"], &["R3", "R32", "R33", "R36", "R38", "R39", "M101"]);
        suite.add(format!("full-{quota}"), format!("held frames up to a quota of {quota} cells"), rows, script);
    }
}

/// Two frames so many cycles apart: the second one is refused from the distance on at which the first one counts.
fn counted(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 40);
    script.limit(1, 0);
    for apart in 0..shape.counted() + 3 {
        let now = script.expected(0);
        script.send_frame(0, now + 1, 1);
        script.idle(apart);
        script.send_frame(0, now + 2, 1);
        // One that is refused does not count.
        script.send_frame(0, now + 3, 1);
        script.settle();
        script.send_frame(0, now, 1);
        script.drain();
        while script.expected(0) < now + 4 {
            script.send_frame(0, script.expected(0), 1);
            script.drain();
        }
    }
    let rows = aim(&["Quota", "Visible"], &["R32", "R39"]);
    suite.add("counted", "two frames of one cell apart by each number of cycles, with a quota of one", rows, script);
}

/// A frame leaves, and another one comes so many cycles after its cell was returned.
fn returned(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 40);
    script.limit(1, 0);
    for apart in 0..6 {
        let now = script.expected(0);
        script.send_frame(0, now, 1);
        // The cell is returned in cycle `delivery`; the frame counts up to that and some cycles.
        script.idle(shape.delivery() + shape.freed() - 4 + apart);
        script.send_frame(0, now + 2, 1);
        script.drain();
        while script.expected(0) < now + 3 {
            script.send_frame(0, script.expected(0), 1);
            script.drain();
        }
    }
    let rows = aim(&["Quota", "Visible"], &["R32", "R34", "R39"]);
    suite.add(
        "returned",
        "a frame in each cycle around the one from which a returned cell does not count",
        rows,
        script,
    );
}

/// A frame of some cells that is stalled in the middle counts with the cells that have not been returned.
fn stalled(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 40);
    let cell = script.pool().cell_beats();
    script.limit(3, 0);
    for done in 0..4 {
        let now = script.expected(0);
        script.stall(true);
        script.send_frame(0, now, 3 * cell);
        script.settle();
        if done > 0 {
            script.stall(false);
            script.idle(done * cell);
            script.stall(true);
            script.idle(shape.freed() + 2);
        }
        for n in 0..4 {
            script.send_frame(0, now + 2 + n, 1);
            script.idle(shape.counted());
        }
        script.drain();
        script.limit(script.pool().cells, 0);
        while script.expected(0) < now + 6 {
            script.send_frame(0, script.expected(0), 1);
            script.drain();
        }
        script.limit(3, 0);
    }
    let rows = aim(&["Quota", "Stall"], &["R32", "R34"]);
    suite.add("stalled", "a frame that is stalled behind each of its cells", rows, script);
}

/// The quota changes so many cycles after an arrival, to less and to more.
fn changed(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 40);
    script.limit(4, 0);
    script.send_frame(0, 42, 1);
    script.idle(shape.counted());
    let mut psn = 43;
    for (before, after) in [(4, 1), (0, 4)] {
        for later in 0..shape.judged() + 3 {
            script.limit(before, 0);
            script.idle(4);
            if later == 0 {
                // In the cycle of the arrival.
                script.limit_now(after, 0);
                script.send_frame(0, psn, 1);
            } else {
                script.send_frame(0, psn, 1);
                script.idle(later - 1);
                script.limit_now(after, 0);
                script.idle(1);
            }
            script.settle();
            // It is in the way of the next one.
            script.limit(script.pool().cells, 0);
            script.close(0);
            script.idle(4 * shape.clearing());
            script.open(0, 40);
            script.send_frame(0, 42, 1);
            script.idle(shape.counted());
            psn += 1;
        }
    }
    let rows = aim(&["Quota", "Settings", "Visible"], &["R32", "R38"]);
    suite.add("changed", "the quota changes in each cycle around an arrival", rows, script);
}

/// Packets with the PSN of *B* are never over the quota; one that is in order is, while others before it are to be read.
fn base(suite: &mut Suite, shape: Shape) {
    for count in [15, 16, 17, 18] {
        let mut script = Script::opened(shape, shape.psns() - 8);
        let first = shape.psns() - 8;
        script.stall(true);
        for n in 0..count {
            script.send_frame(0, first + n, 1);
        }
        script.settle();
        script.limit(0, 0);
        // With 16 or less, all have been read.
        script.send_frame(0, first + count, 1);
        script.settle();
        script.send_frame(0, first + count + 1, 1);
        script.send_frame(0, first + count + 3, 1);
        script.settle();
        script.drain();
        for _ in 0..3 {
            script.send_frame(0, script.expected(0), 9);
            script.drain();
        }
        let rows = aim(&["Quota", "Base", "Stall"], &["R3", "R9", "R32", "R34", "R38", "R39", "R40"]);
        suite.add(format!("base-{count}"), format!("a quota of 0 behind {count} packets that leave"), rows, script);
    }
}

/// Cells of a closed connection count until they are returned, also when it is open again.
fn cleared(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 40);
    let cell = script.pool().cell_beats();
    for late in 0..4 {
        script.limit(script.pool().cells, 0);
        script.send_frame(0, 42, 2 * cell);
        script.settle();
        script.limit(2, 0);
        script.close(0);
        script.idle(shape.clearing() + shape.clearing_interval());
        script.open(0, 40);
        // Two cells are used until they are returned.
        for _ in 0..8 {
            script.send_frame(0, 42, 1);
            script.idle(late);
        }
        script.settle();
        script.close(0);
        script.idle(4 * shape.clearing());
        script.open(0, 40);
    }
    let rows = aim(&["Quota", "Closed", "Reopened"], &["R18", "R32", "R35"]);
    suite.add("cleared", "what was held when a connection was closed counts until it is returned", rows, script);
    let mut script = Script::opened(shape, 40);
    for early in 0..10 {
        script.limit(script.pool().cells, 0);
        script.stall(true);
        script.send_frame(0, 40, cell + 1);
        script.settle();
        script.limit(1, 0);
        script.close(0);
        script.open(0, 60);
        // The frame of before leaves while the connection is open again.
        script.stall(false);
        script.idle(cell + early);
        script.send_frame(0, 62, 1);
        script.drain();
        script.close(0);
        script.idle(3 * shape.clearing());
        script.open(0, 40);
    }
    let rows = aim(&["Quota", "Reopened", "Visible"], &["R18", "R32", "R34"]);
    suite.add("reopened", "a frame that leaves when its connection is open again counts until then", rows, script);
}
