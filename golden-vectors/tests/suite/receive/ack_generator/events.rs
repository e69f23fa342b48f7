// SPDX-License-Identifier: MIT OR Apache-2.0
//! G12, G13: events of `reorder`.

use super::help::{Bench, ROCE, UET, other, packet};
use golden_vectors::receive::ack_generator::oracle::{Arrival, Outcome, op};

/// A gap of 4 PSNs across the wrap: void if the expected PSN is behind it.
#[test]
fn g12_void() {
    for shape in [ROCE, UET] {
        let psns = shape.psns();
        for (from_first, void) in [(psns - 9, false), (psns - 1, false), (0, false), (3, false), (4, true)] {
            let mut bench = Bench::opened(shape, (psns - 2 + from_first) % psns, true);
            bench.report(0, psns - 2, 1);
            assert_eq!(bench.sent().is_empty(), void, "{from_first}");
            assert_eq!(bench.counters().void_events, u64::from(void));
        }
        let mut bench = Bench::opened(shape, 100, true);
        bench.report(3, 0, 5);
        assert_eq!(bench.sent(), []);
        assert_eq!(bench.counters().void_events, 1);
    }
    let mut bench = Bench::opened(ROCE, 100, false);
    bench.report(0, 100, 105);
    assert_eq!(bench.sent(), []);
    assert_eq!(bench.counters().void_events, 1);
}

/// RoCE: a reply names the gap, with L; ACKs have the delay of their packet.
#[test]
fn g12_suspected() {
    let mut bench = Bench::opened(ROCE, 100, true);
    bench.arrive(Arrival { path: 5, ecn: true, stamped: true, stamp: 1, held: 2, ..other(Outcome::Held, 103) });
    let ack = bench.sent()[0];
    assert!(ack.path == 5 && ack.tag > 0 && ack.ecn && ack.flags == 0b001 && !ack.reply);
    bench.report(0, 101, 102);
    bench.quiet();
    bench.acks.clear();
    bench.arrive(Arrival { path: 6, stamped: true, stamp: 1, ack_request: true, ..other(Outcome::Held, 105) });
    let ack = bench.sent()[0];
    assert!(ack.flags == 0 && ack.tag > 0 && ack.path == 6, "{ack:?}");
    // It waits, and goes on waiting.
    bench.arrive(Arrival { path: 6, stamped: true, stamp: 1, ..other(Outcome::Held, 106) });
    bench.report(0, 100, 102);
    let acks = bench.sent();
    assert_eq!(acks.iter().map(|ack| (ack.reply, ack.flags, ack.tag)).collect::<Vec<_>>(), [(true, 0b010, 0x2000)]);
    bench.arrive(other(Outcome::Duplicate, 103));
    assert_eq!(bench.sent()[0].flags, 0);
    bench.arrive(Arrival { suspected: true, stamped: true, stamp: 1, ..other(Outcome::Duplicate, 103) });
    let ack = bench.sent()[0];
    // What L says of the tag holds for replies alone.
    assert!(ack.flags == 0 && ack.tag > 0 && !ack.reply, "{ack:?}");
}

/// RoCE: a reply for each 16 PSNs of a gap, whose tag says where they are from the expected PSN on.
#[test]
fn g13_gaps_in_tags() {
    let tags = |first: u64, last: u64, moved: u64| {
        let mut bench = Bench::opened(ROCE, 0xFF_FFFE, true);
        bench.block();
        bench.report(0, first, last);
        bench.idle(40);
        if moved > 0 {
            bench.arrive(Arrival { expected: (0xFF_FFFE + moved) % (1 << 24), ..other(Outcome::Held, 90) });
            bench.idle(20);
        }
        let acks = bench.release();
        let replies: Vec<_> = acks.iter().filter(|ack| ack.reply).map(|ack| (ack.psn, ack.flags, ack.tag)).collect();
        replies
    };
    assert_eq!(tags(0xFF_FFFE, 0xFF_FFFE, 0), [(0xFF_FFFD, 2, 0)]);
    assert_eq!(tags(0xFF_FFFF, 1, 0), [(0xFF_FFFD, 2, 0x2001)]);
    assert_eq!(tags(3, 18, 0), [(0xFF_FFFD, 2, 0xF005)]);
    assert_eq!(tags(3, 19, 0), [(0xFF_FFFD, 2, 0xF005), (0xFF_FFFD, 2, 0x0015)]);
    assert_eq!(tags(3, 40, 0).iter().map(|ack| ack.2).collect::<Vec<_>>(), [0xF005, 0xF015, 0x5025]);
    // The expected PSN moves up to the gap, into it, to its end and beyond.
    assert_eq!(tags(3, 6, 3), [(0, 2, 0x3002)]);
    assert_eq!(tags(3, 6, 7), [(4, 2, 0x1000)]);
    assert_eq!(tags(3, 6, 8), [(5, 2, 0)]);
    assert_eq!(tags(3, 6, 9), [(6, 0, 6)]);
}

/// UET: a NACK for each PSN from the expected one on; the connection owes nothing by it.
#[test]
fn g13_inferred_loss() {
    let mut bench = Bench::opened(UET, 0xFFFF_FFFE, false);
    let accepted = bench.report(0, 0xFFFF_FFFC, 1);
    // Takes effect in d + 9; then one in each cycle.
    let mut ready = Vec::new();
    while bench.oracle.cycle() < accepted + 20 {
        if bench.step().event_ready {
            ready.push(bench.oracle.cycle() - 1 - accepted);
        }
    }
    assert_eq!(ready.first(), Some(&14));
    bench.quiet();
    let nacks: Vec<_> =
        bench.acks.iter().map(|&(cycle, ack)| (cycle - accepted, ack.kind, ack.code, ack.psn)).collect();
    // Decided in 10, there in 15, on the ports in 21; then every 7 cycles.
    assert_eq!(nacks, [(21, 2, 0x1A, 0xFFFF_FFFE), (28, 2, 0x1A, 0xFFFF_FFFF), (35, 2, 0x1A, 0), (42, 2, 0x1A, 1)]);
    let response = bench.command(op::READ, 0, 0, false);
    assert!(!response.draining);
}

/// They leave the cycles to replies of arrivals, and wait for room.
#[test]
fn g13_behind_other_replies() {
    let mut bench = Bench::opened(UET, 100, false);
    let accepted = bench.report(0, 100, 102);
    // Decided in d + 10 and d + 12.
    bench.until(accepted + 2);
    bench.arrive(Arrival { opaque: 1, ..other(Outcome::Probe, 0) });
    bench.idle(1);
    bench.arrive(Arrival { opaque: 2, ..other(Outcome::Probe, 0) });
    let order: Vec<u64> = bench.sent().iter().map(|ack| if ack.kind == 2 { ack.psn } else { ack.psn_offset }).collect();
    assert_eq!(order, [1, 100, 2, 101, 102]);
    // With room for one more, stalled: the others are decided when takes make room.
    bench.block();
    for _ in 0..3 {
        bench.arrive(other(Outcome::Probe, 0));
    }
    bench.report(0, 100, 103);
    bench.idle(100);
    assert!(!bench.oracle.outputs().event_ready);
    assert_eq!(bench.counters().dropped_replies, 0);
    // An arrival finds no room.
    bench.arrive(other(Outcome::Above, 900));
    bench.idle(20);
    assert_eq!(bench.counters().dropped_replies, 1);
    let psns: Vec<u64> = bench.release().iter().filter(|ack| ack.kind == 2).map(|ack| ack.psn).collect();
    assert_eq!(psns, [100, 101, 102, 103]);
    assert!(bench.oracle.outputs().event_ready);
}

/// What fills the gap before the effect is seen; afterwards it changes nothing.
#[test]
fn g13_gaps_that_fill() {
    for (late, nacks) in [(0, vec![101, 102]), (1, vec![101, 102]), (2, vec![100, 101, 102])] {
        let mut bench = Bench::opened(UET, 100, false);
        if late == 0 {
            bench.arrive(packet(0, 100, 101));
        }
        let accepted = bench.report(0, 100, 102);
        match late {
            1 => {
                bench.arrive(packet(0, 100, 101));
            }
            2 => {
                bench.until(accepted + 2);
                bench.arrive(packet(0, 100, 103));
            }
            _ => {}
        }
        // The packet that closes the gap is acknowledged, too.
        let psns: Vec<u64> = bench.sent().iter().filter(|ack| ack.kind == 2).map(|ack| ack.psn).collect();
        assert_eq!(psns, nacks, "{late}");
    }
}
