// SPDX-License-Identifier: MIT OR Apache-2.0
//! *Close* with frames held: their cells are returned one after the other (R35).

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::{Shape, op};
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("closing", "connections that are closed while frames are held", shape, None);
        held(suite, shape);
        edges(suite, shape);
        meanwhile(suite, shape);
        received(suite, shape);
    }
}

/// Long enough that so many cells have been returned.
fn cleared(script: &mut Script, shape: Shape, cells: u64) {
    script.idle(shape.effect() + shape.clearing() + (cells + 2) * shape.clearing_interval());
}

/// Frames of one beat up to some cells are held, with gaps; others were delivered before.
fn held(suite: &mut Suite, shape: Shape) {
    for frames in [0, 1, 2, 9] {
        let first = shape.psns() - 4;
        let mut script = Script::opened(shape, first);
        script.send_all(0, [first, first + 1]);
        script.drain();
        let (mut cells, free) = (0, script.shown().free);
        for n in 0..frames {
            script.send(0, first + 3 + n * 5 % 58);
            script.idle(2);
            cells = free - script.shown().free;
        }
        script.settle();
        script.close(0);
        cleared(&mut script, shape, cells);
        script.open(0, first);
        script.send_all(0, [first + 4, first]);
        script.drain();
        let rows = aim(&["Closed", "PsnWrap"], &["R12", "R18", "R35", "R36", "M82"]);
        suite.add(format!("held-{frames}"), format!("closed with {frames} frames held"), rows, script);
    }
}

/// Commands that look at the connection in each cycle around the last return: *open* of this connection, *close* of
/// another one, with and without frames held, and *read*, which shows that it drains.
fn edges(suite: &mut Suite, shape: Shape) {
    let cells = 4;
    for (name, code, connection, holds) in [
        ("open", op::OPEN, 0, false),
        ("open-other", op::OPEN, 2, false),
        ("close-other", op::CLOSE, 1, true),
        ("close-empty", op::CLOSE, 1, false),
        ("read", op::READ, 0, false),
    ] {
        let mut script = Script::opened(shape, 5);
        script.open(1, 5);
        let cell = script.pool().cell_beats();
        for early in 0..4 {
            script.send_frame(0, 7, (cells - 1) * cell);
            script.send_frame(0, 9, 1);
            if holds {
                script.send_frame(1, 8, 1);
            }
            script.settle();
            script.issue(op::CLOSE, 0, 0, 0);
            script.idle(1);
            let closed = script.cycle() - 1;
            let last = closed + shape.effect() + shape.clearing() + (cells - 1) * shape.clearing_interval();
            // The command looks in the cycle after it is accepted; a read shows what it finds when it takes effect.
            let looks = if code == op::READ { shape.effect() } else { 1 };
            script.until(last - looks - 1 + early);
            script.issue(code, connection, 1, 5);
            script.answered();
            script.idle(3 * shape.clearing());
            for connection in [0, 1] {
                script.open(connection, 5);
            }
            script.close(2);
        }
        let rows = aim(&["Closed", "Command", "Visible"], &["R17", "R18", "R19", "R35"]);
        suite.add(format!("edge-{name}"), "a command in each cycle around the last return", rows, script);
    }
}

/// Packets of the connection before the expected one leave while it is being cleared, and those of others; delivery may
/// be stalled, which does not delay the returns.
fn meanwhile(suite: &mut Suite, shape: Shape) {
    for stalled in [false, true] {
        let mut script = Script::opened(shape, 5);
        script.open(1, 5);
        let cell = script.pool().cell_beats();
        // Frames long enough that they are read well before they leave.
        for n in 0..4 {
            script.send_frame(0, 7 + 2 * n, cell + 1);
        }
        script.stall(true);
        script.send_frame(0, 5, 3 * cell);
        for n in 0..6 {
            script.send_frame(1, 5 + n, 3 * cell);
        }
        script.settle();
        script.issue(op::CLOSE, 0, 0, 0);
        script.idle(shape.effect());
        script.stall(stalled);
        script.answered();
        script.issue(op::CLOSE, 1, 0, 0);
        script.issue(op::READ, 0, 0, 0);
        script.answered();
        cleared(&mut script, shape, 10);
        script.stall(false);
        script.drain();
        script.close(1);
        script.open(0, 5);
        script.send_frame(0, 5, 1);
        script.drain();
        let rows = aim(&["Closed", "Stall", "Command"], &["R12", "R18", "R34", "R35", "R36"]);
        let name = if stalled { "stalled" } else { "leaving" };
        suite.add(format!("meanwhile-{name}"), "frames leave while a connection is being cleared", rows, script);
    }
}

/// A frame is being received when its connection is closed: it is unknown, and its cells are returned. Held and closed in
/// consecutive cycles: a packet of the cycle before the effect is discarded, one of the cycle behind it unknown.
fn received(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 5);
    let cell = script.pool().cell_beats();
    for more in 0..4 {
        script.send_frame(0, 7, cell);
        script.settle();
        script.issue(op::CLOSE, 0, 0, 0);
        script.begin(shape.effect() - 2 + more);
        let packet = script.packet(0, 5 + 4);
        script.end(packet);
        script.send_frame(0, 10, 1);
        script.send_frame(0, 5, 1);
        script.answered();
        cleared(&mut script, shape, 12);
        script.drain();
        script.open(0, 5);
    }
    let rows = aim(&["Closed", "Command", "Visible"], &["R17", "R30", "R33", "R35"]);
    suite.add("received", "frames that end in each cycle around the effect of close", rows, script);
}
