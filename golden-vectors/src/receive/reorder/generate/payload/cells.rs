// SPDX-License-Identifier: MIT OR Apache-2.0
//! Free cells: returns of all kinds in one cycle, and a pool that is whole again (R36, R37, R39).

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::{Shape, op};
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("cells", "cells that are returned and taken in one cycle", shape, None);
        at_once(suite, shape);
    }
    for shape in shapes::SMALL {
        suite.group("pool", "a pool that is full, and whole again", shape, None);
        around(suite, shape);
        low_water(suite, shape);
    }
}

/// While a connection is being cleared, frames of two beats leave and frames of one beat are refused in every cycle: up to
/// three cells are returned in a cycle, and one is taken.
fn at_once(suite: &mut Suite, shape: Shape) {
    for phase in 0..2 {
        let mut script = Script::opened(shape, 5);
        script.open(1, 5);
        for n in 0..12 {
            script.send_frame(0, 7 + n, 1 + n % 2);
        }
        script.stall(true);
        for n in 0..40 {
            script.send_frame(1, 5 + n, 2);
        }
        script.settle();
        script.issue(op::CLOSE, 0, 0, 0);
        script.idle(shape.effect() + shape.clearing() - 10 + phase);
        script.stall(false);
        script.free_running = true;
        for n in 0..100 {
            script.send_frame(1, 4, if n % 30 == 29 { 9 } else { 1 });
        }
        script.drain();
        let rows = aim(&["AtOnce", "BackToBack", "Closed", "Whole"], &["R33", "R34", "R35", "R36"]);
        suite.add(format!("at-once-{phase}"), "returns by delivery, refusal and close in one cycle", rows, script);
    }
}

/// All cells are taken and returned again and again, so that all lists wrap.
fn around(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 20);
    let (cell, cells) = (script.pool().cell_beats(), script.pool().cells);
    for round in 0..6 {
        let now = script.expected(0);
        // Held, all but one cell; the one that is missing takes the last one.
        let mut ahead = 1;
        while script.shown().free > 3 {
            script.send_frame(0, now + ahead, [1, cell, 2 * cell, cell + 1][((round + ahead) % 4) as usize]);
            ahead += 1;
        }
        script.send_frame(0, now.wrapping_sub(1), 1);
        script.idle(shape.walk() + 2 * shape.freed());
        script.send_frame(0, now, if round % 2 == 0 { 1 } else { cell });
        script.drain();
        assert_eq!(script.shown().free, cells, "all have left");
    }
    let rows = aim(&["Whole", "PsnWrap"], &["R31", "R34", "R36", "R39"]);
    suite.add("around", "nearly all cells are taken and returned, again and again", rows, script);
}

/// The fewest free cells: it goes down cell by cell and never up.
fn low_water(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 5);
    let (cell, cells) = (script.pool().cell_beats(), script.pool().cells);
    for taken in [2, 1, 5, 4, cells - 1, 3, cells] {
        let now = script.expected(0);
        script.send_frame(0, now, taken * cell);
        script.drain();
        script.idle(2 * shape.freed());
    }
    let rows = aim(&["Whole", "Boundary"], &["R36", "R39"]);
    suite.add("low-water", "frames of some cells: the fewest free cells", rows, script);
}
