// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames that are refused: the walk returns their cells in the order in which they were taken (R33).

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::{Arrival, PROBE, Shape};
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("walk", "frames that are refused return their cells", shape, None);
        causes(suite, shape);
        lag(suite, shape);
        mixed(suite, shape);
    }
}

/// A frame that is refused for each cause, of one beat up to three cells, while the stage is idle.
fn causes(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 20);
    let cell = script.pool().cell_beats();
    script.send_frame(0, 20, 1);
    script.send_frame(0, 23, cell + 1);
    script.drain();
    for beats in [1, cell, cell + 1, 3 * cell] {
        let of = |connection, found, psn, flags| (connection, found, psn, flags);
        for (connection, found, psn, flags) in [
            of(0, false, 21, 0),
            of(1, true, 21, 0),
            of(0, true, 21, PROBE),
            of(0, true, 20, 0),
            of(0, true, 23, 0),
            of(0, true, 21 + shape.window, 0),
        ] {
            let packet = script.packet(connection, psn);
            script.frame(Arrival { found, flags, ..packet }, beats);
            script.idle(shape.walk() + 3 * shape.freed());
        }
    }
    script.limit(0, 0);
    script.send_frame(0, 25, 2 * cell);
    script.idle(2 * shape.walk());
    script.limit(script.pool().cells, script.pool().cells);
    script.send_frame(0, 25, cell);
    script.idle(2 * shape.walk());
    script.send_all(0, [21, 22]);
    script.drain();
    let rows = aim(&["Refused"], &["R2", "R21", "R32", "R33", "R36", "R38", "R39"]);
    suite.add("causes", "a frame that is refused for each cause, alone", rows, script);
}

/// Frames of one beat in every cycle behind a long one: the walk is as many cells behind, and catches up in a pause. The
/// same if the long one is accepted, since the walk visits its cells too.
fn lag(suite: &mut Suite, shape: Shape) {
    for (name, ahead) in [("refused", shape.psns() - 1), ("accepted", 2)] {
        let mut script = Script::opened(shape, 20);
        let cell = script.pool().cell_beats();
        for cells in [2, 5, 20] {
            script.send_frame(0, 20 + ahead, cells * cell);
            for n in 0..cells + 6 {
                script.send_frame(0, 19, if n == 4 { cell + 1 } else { 1 });
            }
            script.idle(cells + 3 * shape.walk());
        }
        script.send_all(0, [20, 21]);
        script.drain();
        let rows = aim(&["Refused", "BackToBack"], &["R33", "R36"]);
        suite.add(format!("lag-{name}"), "frames of one beat behind a long one", rows, script);
    }
}

/// Accepted and refused frames in turns, in every cycle.
fn mixed(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 30);
    let (first, cell) = (shape.psns() - 30, script.pool().cell_beats());
    for n in 0..44 {
        // Held, held, again, before the window, held, behind it, and so on.
        let psn = [first + 1 + n, first + 1 + n, first + n, first - 1, first + 1 + n, first + 90][(n % 6) as usize];
        script.send_frame(0, psn, [1, 2, cell + 1, 1, 1, cell, 3 * cell, 1][(n % 8) as usize]);
    }
    script.send_frame(0, first, 1);
    script.drain();
    let rows = aim(&["Refused", "BackToBack", "PsnWrap"], &["R31", "R33", "R34", "R36"]);
    suite.add("mixed", "accepted and refused frames in turns, back to back", rows, script);
}
