// SPDX-License-Identifier: MIT OR Apache-2.0
//! G14, G15: replies.

use super::help::{Bench, ROCE, UET, other, packet};
use golden_vectors::receive::ack_generator::oracle::{Arrival, Outcome, op};

/// A reply keeps what is of its packet, and shows its connection as it is.
#[test]
fn g14_what_a_reply_keeps() {
    let mut bench = Bench::opened(ROCE, 100, true);
    bench.block();
    let stamp = (bench.oracle.cycle() + 4) / 2 - 3;
    bench.arrive(Arrival { path: 9, ecn: true, stamped: true, stamp, held: 1, ..other(Outcome::Probe, 5) });
    bench.arrive(Arrival { path: 8, flowlet: 77, last: true, ..packet(0, 100, 101) });
    let ack = bench.release()[0];
    assert_eq!((ack.kind, ack.psn, ack.path, ack.tag, ack.ecn, ack.flags), (0, 100, 9, 3, true, 0b100));
    assert_eq!((ack.msn, ack.flowlet, ack.syndrome), (1, 77, 0x1F));
    assert_eq!(bench.counters().probe_answers, 1);
    // The packet in order is still owed.
    assert!(bench.command(op::READ, 0, 0, false).draining);
    let mut bench = Bench::opened(UET, 100, false);
    let probe = Arrival { ev: 4, opaque: 5, handle: 6, ecn: true, retx: true, ..other(Outcome::Probe, 9) };
    bench.arrive(probe);
    bench.arrive(Arrival { outcome: Outcome::Above, psn: 900, ..probe });
    let acks = bench.sent();
    assert_eq!((acks[0].flags, acks[0].psn, acks[0].psn_offset, acks[0].ev, acks[0].handle), (0x38, 99, 5, 4, 6));
    assert_eq!((acks[1].flags, acks[1].psn, acks[1].psn_offset, acks[1].ev, acks[1].handle), (0x30, 900, 0, 4, 6));
    assert_eq!((acks[1].kind, acks[1].sack, acks[1].service_time, acks[1].mpr, acks[1].restore), (2, 0, 0, 0, false));
}

/// Room for 4. The fifth becomes an ACK of an open connection, which does not speak of it.
#[test]
fn g15_no_room() {
    for shape in [ROCE, UET] {
        let mut bench = Bench::opened(shape, 100, true);
        bench.arrive(Arrival { ev: 3, path: 3, ack_request: true, ..other(Outcome::Duplicate, 102) });
        bench.quiet();
        bench.block();
        for n in 0..6 {
            let probe = Arrival { ev: 40 + n, path: 40 + n, opaque: n, ecn: true, held: 1, ..other(Outcome::Probe, 9) };
            bench.arrive(probe);
        }
        bench.arrive(Arrival { connection: 2, ..other(Outcome::Probe, 9) });
        bench.arrive(Arrival { expected: 500, ..other(Outcome::Unknown, 9) });
        bench.idle(20);
        let acks = bench.release();
        let counters = bench.counters();
        let refused = if shape.is_uet() { (4, 0) } else { (2, 2) };
        assert_eq!((counters.dropped_replies, counters.refused_arrivals), refused);
        assert_eq!(counters.probe_answers, 4);
        // In turn: the last take was of a connection.
        assert_eq!(acks.len(), 5);
        let ack = acks[1];
        assert_eq!((ack.psn, ack.path | ack.ev, ack.ecn), (99, 3, false));
        // Its trigger is still the one before.
        assert_eq!((ack.tag, ack.flags), (if shape.is_uet() { 0 } else { 102 }, 0));
        assert_eq!(ack.psn_offset, if shape.is_uet() { 3 } else { 0 });
    }
}

/// A take in cycle t makes room for replies that are decided in t + 1.
#[test]
fn g14_room_behind_a_take() {
    for (decided_behind_take, dropped) in [(0, 1), (1, 0)] {
        let mut bench = Bench::opened(ROCE, 100, true);
        bench.block();
        for _ in 0..4 {
            bench.arrive(other(Outcome::Probe, 0));
        }
        bench.idle(30);
        // Transfer, take in the next cycle; the last arrival takes effect 8 cycles behind itself.
        let transfer = bench.oracle.cycle() + 20;
        bench.until(transfer + 1 + decided_behind_take - 8);
        bench.arrive(other(Outcome::Probe, 0));
        bench.until(transfer);
        bench.release();
        assert_eq!(bench.counters().dropped_replies, dropped);
    }
}

/// A reply of a connection that was closed and opened shows the new opening.
#[test]
fn g14_reopened() {
    let mut bench = Bench::opened(ROCE, 100, true);
    bench.block();
    bench.arrive(Arrival { path: 7, ..other(Outcome::Probe, 0) });
    bench.command(op::CLOSE, 0, 0, false);
    bench.open(0, 3000, false);
    let ack = bench.release()[0];
    assert_eq!((ack.psn, ack.multipath, ack.path, ack.flags), (2999, false, 0, 0));
    // Without multipath there is no P: it counts as an ACK.
    assert_eq!(bench.counters().probe_answers, 0);
}
