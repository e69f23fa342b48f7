// SPDX-License-Identifier: MIT OR Apache-2.0
//! G6 to G10: what is merged, what is urgent, and what the ACK says.

use super::help::{Bench, ROCE, UET, other, packet};
use golden_vectors::receive::ack_generator::oracle::{Arrival, Outcome, Settings, Shape, op};

/// Whether a packet in order with these fields is acknowledged at once.
fn urgent(shape: Shape, multipath: bool, change: fn(Settings) -> Settings, arrival: fn(Arrival) -> Arrival) -> bool {
    let mut bench = Bench::opened(shape, 100, multipath);
    bench.set(change);
    bench.arrive(arrival(packet(0, 100, 101)));
    !bench.sent().is_empty()
}

#[test]
fn g7_lines_of_the_table() {
    let ecn = |a| Arrival { ecn: true, ..a };
    let retx = |a| Arrival { retx: true, ..a };
    for (shape, multipath) in [(ROCE, true), (ROCE, false), (UET, false)] {
        assert!(!urgent(shape, multipath, |s| s, |a| a));
        assert!(urgent(shape, multipath, |s| s, |a| Arrival { ack_request: true, ..a }));
        assert_eq!(urgent(shape, multipath, |s| s, ecn), multipath || shape.is_uet());
        assert!(!urgent(shape, multipath, |s| Settings { on_ecn: false, ..s }, ecn));
    }
    assert!(urgent(ROCE, true, |s| Settings { count_multipath: 1, ..s }, |a| a));
    assert!(urgent(ROCE, true, |s| Settings { count_multipath: 0, ..s }, |a| a));
    assert!(!urgent(ROCE, true, |s| Settings { count_multipath: 2, count: 0, ..s }, |a| a));
    assert!(urgent(ROCE, false, |s| Settings { count: 1, ..s }, |a| a));
    assert!(!urgent(ROCE, false, |s| Settings { count: 2, count_multipath: 0, ..s }, |a| a));
    // A packet of 1000 bytes counts 1024.
    assert!(urgent(UET, false, |s| Settings { trigger: 1024, ..s }, |a| a));
    assert!(!urgent(UET, false, |s| Settings { trigger: 1025, ..s }, |a| a));
    assert!(!urgent(UET, false, |s| Settings { trigger: 1001, min: 0, ..s }, |a| a));
    assert!(urgent(UET, false, |s| Settings { trigger: 1000, min: 0, ..s }, |a| a));
    assert!(urgent(UET, false, |s| s, |a| Arrival { syn: true, ..a }));
    assert!(urgent(UET, false, |s| Settings { per_packet: true, ..s }, |a| a));
    assert!(urgent(UET, false, |s| s, retx));
    assert!(!urgent(UET, false, |s| Settings { on_retx: false, ..s }, retx));
}

#[test]
fn g7_the_first_one_of_uet() {
    let mut bench = Bench::new(UET);
    bench.open(0, 100, false);
    // Replies are not merged.
    bench.arrive(other(Outcome::Probe, 100));
    bench.arrive(other(Outcome::Above, 900));
    assert_eq!(bench.sent().len(), 2);
    bench.send(0, 100);
    assert_eq!(bench.sent().len(), 1);
    bench.send(0, 101);
    assert_eq!(bench.sent().len(), 0);
}

/// What is owed is counted anew behind each take; only new packets count.
#[test]
fn g7_counts() {
    let mut bench = Bench::opened(ROCE, 100, true);
    bench.set(|s| Settings { count_multipath: 3, ..s });
    bench.send(0, 100);
    bench.arrive(other(Outcome::Below, 90));
    assert_eq!(bench.sent().len(), 1);
    bench.send(0, 101);
    bench.send(0, 102);
    assert_eq!(bench.sent().len(), 0);
    bench.arrive(Arrival { held: 1, ..packet(0, 105, 103) }.held());
    assert_eq!(bench.sent().len(), 1);
    // While it is due, what comes is merged and counted.
    bench.block();
    let before = bench.counters().merged_causes;
    for psn in 103..108 {
        bench.send(0, psn);
    }
    let acks = bench.release();
    assert_eq!(acks.iter().map(|ack| ack.psn).collect::<Vec<_>>(), [107]);
    assert_eq!(bench.counters().merged_causes, before + 2);
}

trait Held {
    fn held(self) -> Self;
}

impl Held for Arrival {
    fn held(self) -> Self {
        Arrival { outcome: Outcome::Held, ..self }
    }
}

/// The latest marked one, or the latest one.
#[test]
fn g6_the_trigger() {
    for (marks, path) in [([0, 0, 0], 3), ([1, 0, 0], 1), ([0, 1, 0], 2), ([1, 1, 0], 2), ([1, 0, 1], 3)] {
        let mut bench = Bench::opened(ROCE, 100, true);
        bench.block();
        for (n, mark) in (1..).zip(marks) {
            let held = u64::from(n == 2);
            bench.arrive(Arrival { path: n, ecn: mark == 1, held, ack_request: true, ..packet(0, 99 + n, 100 + n) });
        }
        let ack = bench.release()[0];
        assert_eq!((ack.path, ack.ecn, ack.flags), (path, marks != [0, 0, 0], 0b001), "{marks:?}");
        let mut bench = Bench::opened(UET, 100, false);
        bench.block();
        for (n, mark) in (1..).zip(marks) {
            let retx = n == 2;
            bench.arrive(Arrival { ev: 70 + n, ecn: mark == 1, retx, ack_request: true, ..packet(0, 99 + n, 100 + n) });
        }
        let ack = bench.release()[0];
        let flags = if marks == [0, 0, 0] { 0 } else { 0x20 } | if path == 2 { 0x10 } else { 0 };
        assert_eq!((ack.ev, ack.flags, ack.psn), (70 + path, flags, 102), "{marks:?}");
        assert_eq!(ack.psn_offset, (path + 0xFFFD) & 0xFFFF, "{marks:?}");
    }
}

/// Messages that have ended before the expected PSN, also if their last packets were held.
#[test]
fn g8_messages() {
    let last = |arrival| Arrival { last: true, ..arrival };
    let mut bench = Bench::opened(ROCE, 0xFF_FFFE, true);
    let msn = |bench: &mut Bench| bench.command(op::READ, 0, 0, false).msn;
    bench.arrive(last(packet(0, 0xFF_FFFE, 0xFF_FFFF)));
    assert_eq!(msn(&mut bench), 1);
    bench.arrive(last(packet(0, 0, 0xFF_FFFF).held()));
    bench.arrive(packet(0, 1, 0xFF_FFFF).held());
    bench.arrive(last(packet(0, 2, 0xFF_FFFF).held()));
    assert_eq!(msn(&mut bench), 1);
    bench.arrive(packet(0, 0xFF_FFFF, 3));
    assert_eq!(msn(&mut bench), 3);
    // The marks of slots 0 and 2 are written anew; those of a duplicate or a probe are not.
    bench.arrive(Arrival { outcome: Outcome::Duplicate, ..last(packet(0, 3, 3)) });
    bench.arrive(packet(0, 3, 4));
    bench.arrive(last(packet(0, 64, 4).held()));
    bench.arrive(packet(0, 66, 4).held());
    bench.arrive(last(packet(0, 65, 4).held()));
    for psn in 4..63 {
        bench.send(0, psn);
    }
    assert_eq!(msn(&mut bench), 3);
    bench.arrive(packet(0, 63, 67));
    assert_eq!(msn(&mut bench), 5);
    // Each slot once: 0 and 1 of 64.
    for moved in [64, 65, 1000] {
        let before = msn(&mut bench);
        bench.arrive(packet(0, 5, 5 + moved));
        assert_eq!(msn(&mut bench), before + 2);
    }
    bench.command(op::CLOSE, 0, 0, false);
    bench.quiet();
    // A mark is written while it is closed too; opening leaves it as it is. The others are those of before.
    bench.arrive(last(packet(0, 8, 9)));
    bench.arrive(packet(0, 9, 10));
    bench.open(0, 7, true);
    assert_eq!(msn(&mut bench), 0);
    bench.arrive(last(packet(0, 7, 10)));
    assert_eq!(msn(&mut bench), 2);
}

/// MSN has 24 bits.
#[test]
fn g8_messages_wrap() {
    let mut bench = Bench::opened(ROCE, 0, false);
    for psn in 0..64 {
        bench.arrive(Arrival { last: true, ..packet(0, psn, psn + 1) });
    }
    for _ in 0..(1 << 24) / 64 - 1 {
        bench.arrive(Arrival { last: true, ..packet(0, 0, 64) });
    }
    bench.arrive(Arrival { last: true, ..packet(0, 0, 3) });
    assert_eq!(bench.command(op::READ, 0, 0, false).msn, 3);
}

#[test]
fn g9_flowlets() {
    let mut bench = Bench::opened(ROCE, 10, true);
    let mut flowlet = |psn, expected, highest, held, outcome, flowlet| {
        bench.arrive(Arrival { highest, held, outcome, flowlet, ack_request: true, ..packet(0, psn, expected) });
        bench.sent()[0].flowlet
    };
    assert_eq!(flowlet(10, 11, 10, 0, Outcome::InOrder, 7), 7);
    // 13 is the highest one, 12 is not; what is acknowledged stays.
    assert_eq!(flowlet(13, 11, 13, 1, Outcome::Held, 9), 7);
    assert_eq!(flowlet(12, 11, 13, 2, Outcome::Held, 8), 7);
    // No gap is left: that of 13. With one, its own.
    assert_eq!(flowlet(11, 14, 13, 0, Outcome::InOrder, 5), 9);
    assert_eq!(flowlet(17, 14, 17, 1, Outcome::Held, 20), 9);
    assert_eq!(flowlet(14, 15, 17, 1, Outcome::InOrder, 11), 11);
    assert_eq!(flowlet(17, 15, 17, 1, Outcome::Duplicate, 30), 11);
    assert_eq!(flowlet(15, 16, 17, 1, Outcome::InOrder, 12), 12);
    assert_eq!(flowlet(16, 18, 17, 0, Outcome::InOrder, 13), 20);
}

/// τ is `time` of cycle p + 4, which is (p + 4) / 2.
#[test]
fn g10_delays() {
    for (stamped, ahead, offset, delay) in [
        (true, 0, 0, 1),
        (true, 1, 0, 1),
        (true, 7, 0, 7),
        (true, 0, 9, 9),
        (true, 0xFFFF, 0, 0xFFFF),
        (true, 5, 0xFFFF, 4),
        (true, 1, 0xFFFF, 1),
        // Without a time, its PSN.
        (false, 7, 0, 100),
    ] {
        let mut bench = Bench::opened(ROCE, 100, true);
        bench.set(|s| Settings { offset, ..s });
        bench.idle(4);
        let stamp = ((bench.oracle.cycle() + 4) / 2).wrapping_sub(ahead) & 0xFFFF;
        bench.arrive(Arrival { stamped, stamp, ack_request: true, ..packet(0, 100, 101) });
        assert_eq!(bench.sent()[0].tag, delay, "{stamped} {ahead} {offset}");
    }
}

#[test]
fn g7_bytes_of_uet() {
    let mut bench = Bench::opened(UET, 100, false);
    let bytes = |bench: &mut Bench| bench.command(op::READ, 0, 0, false).bytes;
    bench.send(0, 100);
    bench.arrive(Arrival { length: 1, ..packet(0, 103, 101).held() });
    assert_eq!(bytes(&mut bench), 1001);
    // Not again, nor what is refused or trimmed.
    bench.arrive(Arrival { outcome: Outcome::Duplicate, ..packet(0, 103, 101) });
    bench.arrive(Arrival { outcome: Outcome::Above, ..packet(0, 903, 101) });
    bench.arrive(Arrival { trimmed: true, ..packet(0, 101, 101) });
    assert_eq!(bytes(&mut bench), 1001);
    for _ in 0..65_537 {
        bench.arrive(Arrival { length: 65_535, ..packet(0, 101, 102) });
    }
    // 65537 times 65535 is one less than 2 to the 32nd.
    assert_eq!(bytes(&mut bench), 1000);
}
