// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reserve, settings of the limits, and which condition counts (R32, R38, R39).

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::{Arrival, Limits, PROBE, PoolShape, Shape};
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("reserve", "cells that held packets leave free", shape, None);
        reserve(suite, shape);
        changed(suite, shape);
        extremes(suite, shape);
        slots(suite, shape);
    }
    for shape in shapes::SMALL {
        suite.group("causes", "more than one condition holds", shape, None);
        causes(suite, shape);
        others(suite, shape);
    }
    for (quota, reserve) in [(3, 0), (16, 12), (16, 16), (1, 1)] {
        let shape = shapes::SMALL[0];
        let pool = PoolShape { reset: Limits { quota, reserve }, ..PoolShape::new(128, 16, 64) };
        let shape = shape.pool(pool);
        suite.group("reset", "the limits after reset", shape, None);
        reset(suite, shape);
    }
}

/// Held frames until as many cells are free as the reserve, then one more. The packet with the PSN of *B* passes.
fn reserve(suite: &mut Suite, shape: Shape) {
    for above in [0, 1, 2, 5] {
        let mut script = Script::opened(shape, shape.psns() - 3);
        let first = shape.psns() - 3;
        let (cell, cells) = (script.pool().cell_beats(), script.pool().cells);
        script.open(1, 7);
        script.limit(cells, cells - above);
        for n in 0..4 {
            // Free cells are counted with those of the frame itself, and with those of refused ones for a while.
            script.send_frame(0, first + 2 + n, 1);
            script.idle(if n == 1 { 0 } else { shape.walk() + 2 * shape.freed() });
            script.send_frame(1, 9 + n, cell + 1);
            script.idle(shape.walk() + 2 * shape.freed());
        }
        for n in 0..2 {
            script.send_frame(0, first + n, cell + 1);
            script.drain();
            script.send_frame(1, 7 + n, 3 * cell);
            script.drain();
        }
        let rows = aim(&["Reserve", "Boundary", "PsnWrap"], &["R32", "R33", "R36", "R38", "R39", "M101"]);
        suite.add(
            format!("reserve-{above}"),
            format!("held frames with {above} cells above the reserve"),
            rows,
            script,
        );
    }
}

/// The reserve changes in each cycle around an arrival, and a cell becomes free in each cycle around it.
fn changed(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 40);
    let cells = script.pool().cells;
    let mut held = 0;
    for (before, after) in [(0, cells), (cells, 0)] {
        for later in 0..4 {
            script.limit(cells, before);
            script.idle(3);
            match later {
                0 => {
                    script.limit_now(cells, after);
                    script.idle(1);
                    script.send_frame(0, 42 + held, 1);
                }
                1 => {
                    script.limit_now(cells, after);
                    script.send_frame(0, 42 + held, 1);
                }
                _ => {
                    script.send_frame(0, 42 + held, 1);
                    script.idle(later - 2);
                    script.limit_now(cells, after);
                    script.idle(1);
                }
            }
            script.settle();
            held += 1;
        }
    }
    script.limit(cells, 0);
    for psn in (40..42 + held).rev() {
        script.send_frame(0, psn, 1);
    }
    script.drain();
    let rows = aim(&["Reserve", "Settings", "Visible"], &["R32", "R38"]);
    suite.add("changed", "the reserve changes in each cycle around an arrival", rows, script);
    let mut script = Script::opened(shape, 40);
    script.limit(cells, cells - 1);
    for early in 0..6 {
        // A refused frame of one cell; its cell is free again after some cycles.
        let now = script.expected(0);
        script.send_frame(0, now.wrapping_sub(1), 1);
        script.idle(shape.walk() + shape.freed() - 4 + early);
        script.send_frame(0, now + 1, 1);
        script.settle();
        script.send_frame(0, now, 1);
        script.drain();
        if script.expected(0) == now + 1 {
            script.send_frame(0, now + 1, 1);
            script.drain();
        }
    }
    let rows = aim(&["Reserve", "Visible"], &["R32", "R33", "R36"]);
    suite.add("freed", "a frame in each cycle around the one in which a cell is free again", rows, script);
}

/// Values that turn the limits off, those that leave the packet with the PSN of *B* only, and those above the cells.
fn extremes(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 40);
    let cells = script.pool().cells;
    for (quota, reserve) in
        [(cells, 0), (2 * cells - 1, 0), (0, 0), (cells, cells), (cells, 2 * cells - 1), (cells + 1, cells + 1), (1, 0)]
    {
        script.limit(quota, reserve);
        let now = script.expected(0);
        for ahead in [2, 1, 0, 1, 2] {
            script.send(0, now + ahead);
            script.drain();
        }
        script.limit(cells, 0);
        while script.expected(0) < now + 3 {
            script.send(0, script.expected(0));
            script.drain();
        }
    }
    let rows = aim(&["Settings", "Boundary"], &["R32", "R38"]);
    suite.add("extremes", "limits that are off, 0, all cells, and more than there are", rows, script);
}

/// An occupied slot is no buffer too, and is none of the three causes, whatever the limits are.
fn slots(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    script.stall(true);
    for n in 0..20 {
        script.send_frame(0, n, 1);
    }
    script.settle();
    // 16 have been read; the slots of four are occupied.
    for (quota, reserve) in [(128, 0), (0, 128)] {
        script.limit(quota, reserve);
        for psn in [16 + shape.window, 15 + shape.window, 19 + shape.window, 20] {
            script.send_frame(0, psn, 1);
            script.settle();
        }
    }
    script.limit(128, 0);
    script.drain();
    let rows = aim(&["Slots", "Stall"], &["R2", "R3", "R32", "R39"]);
    suite.add("slots", "slots that are occupied, with and without limits", rows, script);
}

/// The first condition that holds is counted.
fn causes(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 40);
    let (cell, cells) = (script.pool().cell_beats(), script.pool().cells);
    script.send_frame(0, 44, (cells - 2) * cell);
    script.settle();
    for (quota, reserve) in [(cells, 0), (0, 0), (cells, cells), (0, cells)] {
        script.limit(quota, reserve);
        for beats in [1, 3 * cell] {
            // Behind *B*, and *B* itself, which is refused for want of cells only.
            script.send_frame(0, 46, beats);
            script.idle(shape.walk() + 4 * shape.freed());
            if beats > cell {
                script.send_frame(0, 40, beats);
                script.idle(shape.walk() + 4 * shape.freed());
            }
        }
    }
    script.limit(0, cells);
    for psn in 40..44 {
        script.send_frame(0, psn, cell);
        script.drain();
    }
    let rows = aim(&["Causes", "Cut", "Quota", "Reserve", "Base"], &["R32", "R33", "R38", "R39"]);
    suite.add("causes", "cut, over the quota and below the reserve, each alone and together", rows, script);
}

/// Outcomes that come before *no buffer* are not changed by limits, nor by a cut.
fn others(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 40);
    let (cell, cells) = (script.pool().cell_beats(), script.pool().cells);
    script.send_frame(0, 42, (cells - 2) * cell);
    script.settle();
    script.limit(0, cells);
    for beats in [1, 3 * cell] {
        for (found, psn, flags) in [
            (true, 42, 0),
            (true, 39, 0),
            (true, 40 + shape.window, 0),
            (true, 41, PROBE),
            (false, 41, 0),
            (true, 41, 0), //
        ] {
            let packet = script.packet(0, psn);
            script.frame(Arrival { found, flags, ..packet }, beats);
            script.idle(shape.walk() + 4 * shape.freed());
        }
    }
    script.close(0);
    script.idle(cells * shape.clearing_interval() + 2 * shape.clearing());
    let rows = aim(&["Refused", "Cut", "Causes"], &["R2", "R21", "R32", "R33", "R39"]);
    suite.add("others", "duplicates, probes and others while nothing passes the limits, also cut", rows, script);
}

/// From reset on, before any setting.
fn reset(suite: &mut Suite, shape: Shape) {
    let mut script = Script::from_reset(shape);
    script.until(shape.sweep());
    script.open(0, 40);
    let cell = script.pool().cell_beats();
    for n in 0..6 {
        script.send_frame(0, 42 + n, if n == 3 { 2 * cell } else { cell });
        script.idle(shape.walk() + 2 * shape.freed());
    }
    script.send_frame(0, 40, cell + 1);
    script.send_frame(0, 41, cell + 1);
    script.drain();
    let rows = aim(&["Settings", "Sweep"], &["R32", "R37", "R38"]);
    suite.add("reset", "held frames, and the limits after reset", rows, script);
}
