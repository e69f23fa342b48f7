// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames out: streams, stalls within frames, and when cells are returned (R34).

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::Shape;
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("leaving", "frames that leave, and their cells", shape, None);
        stalls(suite, shape);
        streams(suite, shape);
        turns(suite, shape);
    }
}

/// A stall of each length in each beat of a frame of some cells. A cell is returned when its last beat is transferred.
fn stalls(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 5);
    let cell = script.pool().cell_beats();
    for beats in [1, cell, cell + 1, 2 * cell + 2] {
        for at in 0..beats {
            let now = script.expected(0);
            script.send_frame(0, now, beats);
            script.idle(shape.delivery() - 1 + at);
            script.stall(true);
            script.idle(1 + at % 3);
            script.stall(false);
            script.drain();
        }
    }
    let rows = aim(&["Stall", "PsnWrap"], &["R8", "R34", "R36"]);
    suite.add("stalls", "a stall in each beat of frames of one cell and some", rows, script);
    let mut script = Script::opened(shape, 9);
    script.stall(true);
    for n in 0..12 {
        script.send(0, 9 + n);
    }
    script.settle();
    for n in 0..160_u64 {
        script.stall((n * n / 3).is_multiple_of(2));
        script.idle(1);
    }
    script.stall(false);
    script.drain();
    let rows = aim(&["Stall"], &["R8", "R34", "R36"]);
    suite.add("irregular", "frames of all lengths while the receiver is ready now and then", rows, script);
}

/// Frames of one connection back to back. They are so long that a turn each is no pause: a beat leaves in every cycle.
fn streams(suite: &mut Suite, shape: Shape) {
    for beats in [17, 20, 33] {
        let mut script = Script::opened(shape, shape.psns() - 4);
        script.free_running = true;
        for n in 0..8 {
            script.send_frame(0, shape.psns() - 4 + n, beats);
        }
        script.drain();
        let rows = aim(&["BackToBack", "PsnWrap", "Whole"], &["R11", "R30", "R34", "R36", "M82", "M102"]);
        suite.add(format!("stream-{beats}"), format!("frames of {beats} beats back to back"), rows, script);
    }
    // Frames of one beat, held in every cycle, and released by the first one.
    let mut script = Script::opened(shape, 0);
    for n in 1..60 {
        script.send_frame(0, n, 1);
    }
    script.send_frame(0, 0, 1);
    script.drain();
    let rows = aim(&["BackToBack", "Turns"], &["R10", "R11", "R34", "R36"]);
    suite.add("minimum", "frames of one beat: one leaves in every cycle", rows, script);
}

/// Turns of frames of one connection and of others, which wait since delivery is stalled.
fn turns(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    (0..4).for_each(|connection| script.open(connection, 9 + connection));
    script.stall(true);
    for (connection, count) in [(2, 3), (0, 16), (3, 1), (1, 15)] {
        let first = script.expected(connection);
        for n in (0..count).rev() {
            script.send(connection, first + n);
        }
    }
    script.settle();
    script.stall(false);
    script.drain();
    let rows = aim(&["Turns", "Stall"], &["R9", "R10", "R34"]);
    suite.add("turns", "turns of four connections, with frames of one beat to some cells", rows, script);
}
