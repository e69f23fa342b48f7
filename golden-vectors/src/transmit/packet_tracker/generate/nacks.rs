// SPDX-License-Identifier: MIT OR Apache-2.0
//! NACKs and credit (D18, D19).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Shape};
use crate::transmit::packet_tracker::script::Script;
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("nacks", "NACKs that mark a packet, and such that are void", shape, None);
        places(suite, shape);
        stale(suite, shape);
        together(suite, shape);
        first(suite, shape);
    }
    suite.group("codes", "each code of a NACK", shapes::ROCE, None);
    codes(suite, shapes::ROCE);
}

/// Each code: those that mark a packet of its own, and void ones.
fn codes(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 1000);
    for reason in 0_i64..256 {
        // The packets that are left make room.
        if reason % 16 == 0 {
            script.drain();
            script.ack(Ack { triggered: false, ..script.ack_of(0, script.psn(0, -1 + 16 * i64::from(reason > 0))) });
            script.packets(0, 16);
        }
        script.ack(Ack { marked: reason % 3 == 0, ..script.nack_of(0, script.psn(0, reason % 16), reason as u64) });
    }
    script.drain();
    script.read(0);
    let rows = aim(&["Nack", "Void"], &["D18", "D31", "U23"]);
    suite.add("codes", "each code of a NACK", rows, script);
}

/// PSNs before the window, in it and behind it, in flight, marked and acknowledged; of closed PDCs.
fn places(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 62);
    script.packets(0, 8);
    script.ack(script.ack_of(0, 63));
    script.ack(script.sack_of(0, 2, 1));
    script.drain();
    for psn in [61, 63, 64, 64, 65, 66, 67, 69, 70, 71, 62 + 64, 67, 69] {
        script.ack(script.nack_of(0, psn, 0x1A));
        script.ack(script.nack_of(1, psn, 0x1A));
    }
    script.drain();
    script.read(0);
    script.read(1);
    let rows = aim(&["Nack", "Void", "Closed"], &["D18", "D31"]);
    suite.add("places", "NACKs of packets in each state, and of none", rows, script);
}

/// NACKs of a transmission before the last one.
fn stale(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 5);
    script.packets(0, 2);
    for (n, reason) in [0, 1, 0x0B, 0x0D, 0x12, 0x14, 0x1A].into_iter().enumerate() {
        let nack = script.nack_of(0, 5, reason);
        // At first it was not sent again; then without retx only one code marks.
        script.ack(nack);
        script.ack(Ack { retx: true, ..nack });
        script.again(0, n as u64 % 2);
        script.drain();
        script.read(0);
    }
    let rows = aim(&["Nack", "Void", "Again"], &["D18", "D8", "U23"]);
    suite.add("stale", "NACKs of a transmission that was not the last one", rows, script);
}

/// A NACK at each distance from the operations that it must see: new, NACK of the same packet, ACK, *again*.
fn together(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 40);
    for distance in 0..2 * shape.ram_latency + 6 {
        let psn = script.oracle().pdc(0).next(shape);
        // In flight only if the new packet is before it.
        script.packets(0, 1);
        script.idle(distance);
        script.ack(script.nack_of(0, psn, 3));
        script.idle(distance);
        script.ack(script.nack_of(0, psn, 4));
        script.idle(distance);
        script.again(0, 1);
        script.offer_ack(script.nack_of(0, psn, 0x1A));
        script.accepted();
        script.idle(distance);
        script.offer_ack(script.ack_of(0, psn));
        script.offer_ack(script.nack_of(0, psn, 0x1A));
        script.accepted();
        script.drain();
    }
    // In consecutive clock cycles, of one packet and of several.
    script.packets(0, 6);
    script.drain();
    for n in [0, 0, 1, 2, 1, 3, 4, 5, 5, 4] {
        script.ack(script.nack_of(0, script.psn(0, n), 2));
    }
    script.drain();
    script.read(0);
    let rows = aim(&["BackToBack", "Nack"], &["D1", "D3", "D6", "D8", "D18"]);
    suite.add("together", "a NACK at each distance from what it must see", rows, script);
}

/// *first* behind NACKs in each order, seen in the order and the time of *again*.
fn first(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 60);
    script.packets(0, 12);
    for order in [[9, 2, 5], [2, 5, 9], [5, 9, 2], [5, 2, 9], [9, 5, 2], [2, 9, 5]] {
        for offset in order {
            script.ack(Ack { retx: true, ..script.nack_of(0, script.psn(0, offset), 2) });
        }
        for ev in 0..4 {
            script.again(0, ev % 2);
        }
        script.drain();
    }
    let rows = aim(&["Nack", "Again", "Empty"], &["D7", "D8", "D18"]);
    suite.add("first", "three packets marked in each order", rows, script);
}
