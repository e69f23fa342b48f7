// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames in: what a frame is, which cells it takes, and when it is cut (R30, R31).

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::{Shape, op};
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("frames", "frames of every length around one cell and some", shape, None);
        lengths(suite, shape);
        pauses(suite, shape);
        between(suite, shape);
        unready(suite, shape);
    }
    for shape in shapes::SMALL {
        suite.group("cut", "frames that find no cell", shape, None);
        last_cells(suite, shape);
        freed(suite, shape);
        beyond_pool(suite, shape);
    }
    suite.group("longest", "jumbo frames, and frames around the longest that is stored", shapes::WIDE, None);
    longest(suite, shapes::WIDE);
}

/// From one beat to one beat more than three cells, each into an idle stage; the cells show in `free_cells`.
fn lengths(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 9);
    let cell = script.pool().cell_beats();
    for (n, beats) in (0..).zip(1..=3 * cell + 1) {
        script.send_frame(0, shape.psns() - 9 + n, beats);
        script.drain();
    }
    let rows = aim(&["Beats", "PsnWrap"], &["R4", "R30", "R31", "R34", "R36", "M11", "M101", "M102"]);
    suite.add(
        "lengths",
        "1 beat to three cells and a beat, each alone: latency, cells taken and returned",
        rows,
        script,
    );
}

/// Cycles without a beat within a frame and between frames: a frame takes its cells when its beats come.
fn pauses(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 3);
    let cell = script.pool().cell_beats();
    for (n, beats) in (0..).zip([2, cell, cell + 1, 2 * cell + 1, 3]) {
        for beat in 1..beats {
            script.begin(1);
            script.idle((beat + n) % 4);
        }
        let packet = script.packet(0, 3 + (n ^ 1));
        script.end(packet);
        script.idle(n);
    }
    script.send(0, 6 + 1);
    script.drain();
    let rows = aim(&["Beats", "Pauses"], &["R30", "R31", "R36"]);
    suite.add("pauses", "cycles without a beat, within frames and between them", rows, script);
}

/// A command enters, and takes effect, between any two beats of a frame: the beat waits, and only the last one is an arrival.
fn between(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 3);
    let cell = script.pool().cell_beats();
    let beats = 2 * cell + 1;
    for late in 0..beats + 2 {
        let now = script.expected(0);
        // It enters in the cycle after it was accepted, and `effect` cycles after it.
        script.issue(op::READ, 0, late % 4, 0);
        script.idle(if late % 2 == 0 { 0 } else { shape.effect() - 1 });
        script.idle(late / 2);
        script.send_frame(0, now + 1, beats);
        script.send_frame(0, now, late % 3 + 1);
        script.answered();
        script.drain();
    }
    let rows = aim(&["Beats", "Command"], &["R1", "R17", "R30"]);
    suite.add("between", "commands that enter between the beats of a frame", rows, script);
}

/// Beats on the ports while `s_axis_tready` is 0, last ones among them, in the sweep and beside commands and checks.
fn unready(suite: &mut Suite, shape: Shape) {
    let mut script = Script::from_reset(shape);
    script.hammered = [0, 1, 2].map(|psn| script.packet(0, psn)).into();
    script.until(shape.sweep());
    script.set(0, (1 << 20) - 1);
    script.open(0, 0);
    for n in 0..4 {
        // A gap above tolerance, found while a frame is being received.
        script.send_frame(0, 4 * n + 2, 2);
        script.begin(40);
        let packet = script.packet(0, 4 * n + 3);
        script.end(packet);
        script.read(0, 0);
        script.send_frame(0, 4 * n, 1);
        script.send_frame(0, 4 * n + 1, 5);
        script.drain();
    }
    let rows = aim(&["Unready", "Sweep", "Command"], &["R1", "R14", "R17", "R30", "R37"]);
    suite.add("unready", "beats in every cycle in which they are not accepted", rows, script);
}

/// Held frames leave so many cells free; a frame that needs one less, as many, or more comes.
fn last_cells(suite: &mut Suite, shape: Shape) {
    for left in 0..4 {
        let mut script = Script::opened(shape, 8);
        let (cell, cells) = (script.pool().cell_beats(), script.pool().cells);
        script.send_frame(0, 10, (cells - left) * cell);
        script.settle();
        for (n, beats) in (0..).zip([left * cell, left * cell + 1, (left + 1) * cell + 1, 1, left * cell]) {
            if beats > 0 {
                // Held, if it has its cells; then nothing is left.
                script.send_frame(0, 12 + 2 * n, beats);
                script.settle();
            }
        }
        script.close(0);
        script.idle(cells * shape.clearing_interval() + 2 * shape.clearing());
        script.open(0, 8);
        script.send_frame(0, 8, cells * cell);
        script.drain();
        let rows = aim(&["Cut", "Boundary", "Whole"], &["R31", "R32", "R33", "R35", "R36", "R39", "M101"]);
        suite.add(format!("left-{left}"), format!("{left} cells are free when a frame comes"), rows, script);
    }
}

/// All cells are taken, and one is free again: a beat that needs a cell in each cycle around that one. A frame that has
/// been cut stays cut, though cells are free for its next beats.
fn freed(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 8);
    let (cell, cells) = (script.pool().cell_beats(), script.pool().cells);
    for early in 0..6 {
        let now = script.expected(0);
        // Frames of one cell are in order, and nothing of them leaves.
        script.stall(true);
        for n in 0..cells {
            script.send_frame(0, now + n, 1);
        }
        script.settle();
        // The first one leaves: its cell is free again after some cycles.
        script.stall(false);
        script.idle(1);
        script.stall(true);
        script.idle(shape.freed() - 4 + early);
        let packet = script.packet(0, now + cells + 1);
        script.begin(cell);
        script.end(packet);
        script.settle();
        script.calm();
        script.drain();
        script.send_frame(0, now + cells, 1);
        script.drain();
        let next = script.expected(0);
        if next == (now + cells + 1) % shape.psns() {
            script.send_frame(0, next, 2);
            script.drain();
        }
    }
    let rows = aim(&["Cut", "Boundary", "Visible"], &["R31", "R34", "R36", "R39"]);
    suite.add(
        "freed",
        "a beat that needs a cell in each cycle around the one in which one is free again",
        rows,
        script,
    );
    let mut script = Script::opened(shape, 8);
    script.stall(true);
    for n in 0..cells {
        script.send_frame(0, 8 + n, 1);
    }
    script.settle();
    script.stall(false);
    script.begin(3 * cell);
    script.drain();
    let packet = script.packet(0, 8 + cells);
    script.end(packet);
    // The next frame has a beginning of its own.
    script.send_frame(0, 8 + cells, cell + 1);
    script.drain();
    let rows = aim(&["Cut"], &["R30", "R31", "R32", "R36", "R39"]);
    suite.add("stays-cut", "cells become free while a frame that was cut is being received", rows, script);
}

/// A frame that needs more cells than there are is cut at its last cells, and all are free again behind it.
fn beyond_pool(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 8);
    let (cell, cells) = (script.pool().cell_beats(), script.pool().cells);
    for beats in [cells * cell + 1, cells * cell, (cells + 3) * cell, cells * cell - 1] {
        let now = script.expected(0);
        script.send_frame(0, now, beats);
        script.drain();
        script.idle(cells);
    }
    let rows = aim(&["Cut", "Long", "Whole"], &["R31", "R33", "R36", "R39"]);
    suite.add("beyond-pool", "frames of as many cells as there are, and more", rows, script);
}

/// 9,216 bytes, 16,384, and a beat more.
fn longest(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 3);
    let longest = script.pool().longest();
    for (name, beats) in [("jumbo", longest * 9 / 16), ("longest", longest), ("above", longest + 1)] {
        let mut script = Script::opened(shape, shape.psns() - 1);
        script.send_frame(0, shape.psns() + 1, beats);
        script.send_frame(0, shape.psns() - 1, beats);
        script.drain();
        script.send_frame(0, script.expected(0), 2);
        script.drain();
        let rows = aim(&["Long", "PsnWrap", "Whole"], &["R31", "R33", "R34", "R36", "R39", "M101"]);
        suite.add(name, format!("frames of {beats} beats of {longest}"), rows, script);
    }
    script.send_frame(0, shape.psns() - 3, 3 * longest);
    script.drain();
    script.send_frame(0, shape.psns() - 3, 1);
    script.drain();
    let rows = aim(&["Long", "Cut"], &["R31", "R33", "R36"]);
    suite.add(
        "endless",
        "three times the longest frame in one: no more cells are taken, whatever is free",
        rows,
        script,
    );
}
