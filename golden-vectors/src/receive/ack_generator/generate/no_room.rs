// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets for which there is no room (G4, G11, G27): what a receiver says, and how often. RoCE: with which timer code (G21).

use super::shapes;
use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Outcome, Settings, Shape, op};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::latencies() {
        suite.group("no-room", "packets for which there is no room", shape, None);
        if shape.is_uet() {
            apart(suite, shape);
            next_to_each_other(suite, shape);
            around(suite, shape);
        } else {
            codes(suite, shape);
            gap(suite, shape);
        }
    }
}

/// One NACK in the time, of each connection; those of the gate and of the pool are the same.
fn apart(suite: &mut Suite, shape: Shape) {
    for time in [0, 1, 5, 40] {
        let mut script = Script::opened(shape, shape.psns() - 3);
        script.open(1, 70);
        // A unit in eight clock cycles.
        script.set(|s| Settings { tick: 8192, no_buffer_time: time, ..s });
        for pause in [0, 1, 7, 8, 9, 30, 38, 39, 40, 41, 42, 43, 44, 300, 310, 320, 330] {
            let this = if pause % 2 == 0 { script.no_room(0, 2) } else { script.refused(0, 1, Outcome::NoBuffer) };
            script.arrive(this);
            let other = script.no_room(1, 0);
            script.arrive(other);
            // What is not of this kind neither begins nor extends the time.
            let above = script.refused(0, 1000, Outcome::Above);
            script.arrive(above);
            let below = script.no_room(0, u64::MAX);
            script.arrive(below);
            script.idle(pause);
        }
        script.drain();
        // Closed and opened again within the time, and closed while it is said.
        let this = script.no_room(0, 0);
        script.arrive(this);
        script.close(0);
        let closed = script.refused(0, 0, Outcome::NoBuffer);
        script.arrive(closed);
        script.drain();
        script.open(0, 9);
        let this = script.no_room(0, 0);
        script.arrive(this);
        script.idle(400);
        let this = script.no_room(0, 0);
        script.arrive(this);
        script.drain();
        let rows = aim(&["NoRoom"], &["G4", "G14", "G27", "U24"]);
        suite.add(
            format!("apart-{time}"),
            "NACKs for want of a buffer, closer than the setting and further",
            rows,
            script,
        );
    }
}

/// Such packets in consecutive cycles, also when there is no room for replies: then an ACK is due for the first one.
fn next_to_each_other(suite: &mut Suite, shape: Shape) {
    for full in [false, true] {
        let mut script = Script::opened(shape, 100);
        script.open(1, 0);
        script.set(|s| Settings { no_buffer_time: 50, ..s });
        if full {
            script.block(1);
            for _ in 0..shape.replies {
                script.reply(1);
            }
        }
        for ahead in 0..12 {
            let this = script.no_room(0, ahead);
            script.arrive(this);
        }
        script.idle(30);
        script.drain();
        script.read(0);
        let rows = aim(&["NoRoom", "BackToBack", "Full"], &["G14", "G15", "G27"]);
        suite.add(
            format!("together-{full}"),
            "packets for which there is no buffer in consecutive cycles",
            rows,
            script,
        );
    }
}

/// The setting of the cycle in which it takes effect.
fn around(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 100);
    for distance in 0..shape.ram_latency + 12 {
        for [old, new] in [[0, 200], [200, 0]] {
            script.set(|s| Settings { tick: 65_535, no_buffer_time: 0, ..s });
            let this = script.no_room(0, 0);
            script.arrive(this);
            script.set(|s| Settings { no_buffer_time: old, ..s });
            script.idle(12);
            let this = script.no_room(0, 1);
            script.arrive(this);
            script.idle(distance);
            script.set(|s| Settings { no_buffer_time: new, ..s });
            script.idle(30);
            script.drain();
        }
    }
    let rows = aim(&["NoRoom", "Settings", "Visible"], &["G3", "G27"]);
    suite.add("around", "the setting changes in each cycle from the packet to its effect", rows, script);
}

/// The timer code of a connection, of another one, and of the settings.
fn codes(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    script.open(0, 5);
    for (connection, code) in [(1, Some(31)), (2, None)] {
        script.issue_rnr_code(op::OPEN, connection, 5, code);
        script.answered();
        script.begin(connection, 5);
    }
    let ask = |script: &mut Script| {
        for connection in 0..3 {
            let full = script.refused(connection, 0, Outcome::NoBuffer);
            script.arrive(full);
        }
        script.drain();
    };
    ask(&mut script);
    script.set(|s| Settings { rnr: 21, ..s });
    ask(&mut script);
    for code in [Some(0), Some(1), Some(2), Some(4), Some(8), Some(16), None] {
        for connection in [0, 2] {
            script.issue_rnr_code(op::CHANGE, connection, 777, code);
            script.answered();
        }
        ask(&mut script);
    }
    // Nothing of it is left for the next opening.
    for connection in 0..3 {
        script.close(connection);
        script.issue_rnr_code(op::CHANGE, connection, 0, Some(3));
        script.answered();
        script.open(connection, 9);
    }
    ask(&mut script);
    // It changes while the NAK is under way.
    for distance in 0..3 * shape.ram_latency + 16 {
        script.issue_rnr_code(op::CHANGE, 0, 0, Some(distance % 32));
        script.idle(distance);
        let full = script.refused(0, 0, Outcome::NoBuffer);
        script.arrive(full);
        script.answered();
        script.drain();
    }
    let rows = aim(&["NoRoom", "Command", "Reopened", "Visible"], &["G18", "G21", "G24", "M12"]);
    suite.add("codes", "the timer code of an RNR NAK, by the connection and by the settings", rows, script);
}

/// RoCE: one RNR NAK of a gap, and one whenever the expected packet finds no room.
fn gap(suite: &mut Suite, shape: Shape) {
    for multipath in [false, true] {
        let mut script = Script::new(shape);
        if multipath {
            script.open(0, shape.psns() - 3)
        } else {
            script.open_single(0, shape.psns() - 3)
        }
        for ahead in [3, 2, 0, 5, 0, u64::MAX, 9, 1] {
            let this = script.no_room(0, ahead);
            script.arrive(this);
            script.drain();
        }
        script.send(0, 1);
        for ahead in [1, 4, 0] {
            let this = script.no_room(0, ahead);
            script.arrive(this);
        }
        script.drain();
        // Behind a gap that has its NAK only the expected packet says so.
        script.send(0, 2);
        let held = script.refused(0, 3, Outcome::Above);
        script.arrive(held);
        script.drain();
        for ahead in [4, 0, 4] {
            let this = script.no_room(0, ahead);
            script.arrive(this);
            script.drain();
        }
        script.send(0, 1);
        script.read(0);
        let rows = aim(&["NoRoom", "Nak"], &["G4", "G11", "M12", "M41"]);
        suite.add(format!("gap-{multipath}"), "RNR NAKs of packets for which there was no room", rows, script);
    }
}
