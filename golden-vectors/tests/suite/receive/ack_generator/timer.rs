// SPDX-License-Identifier: MIT OR Apache-2.0
//! G19, G20: visits and expiries.

use super::help::{Bench, ROCE, UET, packet};
use golden_vectors::receive::ack_generator::oracle::{Arrival, Settings, op};

/// Cycle of the first visit of a connection from a cycle on: 0 is visited in cycle 18, one per cycle.
fn visit(connection: u64, from: u64) -> u64 {
    (from..).find(|cycle| (cycle - 18) % 4 == connection).unwrap()
}

/// The age is `time` of cycle v + 2, floor of its half, less that of cycle p + 4.
#[test]
fn g19_the_age() {
    for shape in [ROCE, UET] {
        for (connection, phase) in [(0, 0), (1, 0), (0, 1), (1, 3)] {
            let mut bench = Bench::opened(shape, 100, true);
            bench.set(|s| Settings { time: 20, ..s });
            bench.idle(phase);
            let arrival = bench.send(connection, 100);
            let since = (arrival + 4) / 2;
            // The cycle v with (v + 2) / 2 - since >= 20.
            let found = visit(connection, 2 * (since + 20) - 2);
            bench.idle(90);
            // The expiry waits from v + 4 on, enters there, and 19 cycles later the ACK is on the ports.
            assert_eq!(bench.acks.iter().map(|&(cycle, _)| cycle).collect::<Vec<_>>(), [found + 4 + 19]);
            assert_eq!(bench.counters().expired, 1);
        }
    }
}

/// A visit one cycle behind the effect sees it; 1 unit is over in 2 cycles.
#[test]
fn g19_the_first_visit() {
    for phase in 0..4 {
        let mut bench = Bench::opened(ROCE, 100, true);
        bench.set(|s| Settings { time: 1, ..s });
        bench.idle(phase);
        let arrival = bench.send(0, 100);
        let found = visit(0, arrival + 8 + 1);
        bench.idle(60);
        assert_eq!(bench.acks[0].0, found + 4 + 19, "{phase}");
    }
}

/// The limit is that of cycle v + 3; 0 is none.
#[test]
fn g19_the_limit() {
    for (valid, expires) in [(2, true), (3, false)] {
        let mut bench = Bench::opened(ROCE, 100, true);
        bench.send(0, 100);
        bench.idle(40);
        let at = visit(0, bench.oracle.cycle() + 4);
        bench.until(at + valid);
        bench.set(|s| Settings { time: 5, ..s });
        bench.set(|s| Settings { time: 0, ..s });
        bench.idle(60);
        assert_eq!(bench.acks.len(), usize::from(expires), "{valid}");
    }
}

/// Visits stop until the expiry has entered, and go on with the next connection.
#[test]
fn g20_one_after_the_other() {
    let mut bench = Bench::opened(ROCE, 100, true);
    bench.send(0, 100);
    bench.send(1, 100);
    bench.idle(100);
    let at = visit(0, bench.oracle.cycle() + 4);
    bench.until(at);
    bench.set(|s| Settings { time: 5, ..s });
    // Compared in v + 3 with what is valid: the visit of cycle v is the first one. Busy until cycle v + 20.
    bench.until(at + 1);
    for _ in 1..20 {
        bench.arrive(packet(3, 0, 0));
    }
    // It enters in v + 20; the next visit is in v + 21, and its expiry enters in v + 25.
    for (enters, expired) in [(20, 1), (25, 2)] {
        bench.until(at + enters + 8);
        assert_eq!(bench.counters().expired, expired - 1);
        bench.idle(1);
        assert_eq!(bench.counters().expired, expired);
    }
    bench.idle(80);
    let found: Vec<_> = bench.acks.iter().map(|&(cycle, ack)| (cycle - at, ack.connection)).collect();
    assert_eq!(found, [(20 + 19, 0), (20 + 19 + 7, 1)]);
}

/// An expiry whose connection is not waiting any more does nothing; if it waits anew it is due at once.
#[test]
fn g20_late() {
    for (anew, expired) in [(false, 0), (true, 1)] {
        let mut bench = Bench::opened(ROCE, 100, true);
        bench.send(0, 100);
        bench.idle(100);
        bench.set(|s| Settings { time: 200, ..s });
        bench.idle(40);
        bench.acks.clear();
        // From here on it is found, but there is an arrival in every cycle.
        bench.set(|s| Settings { time: 30, ..s });
        bench.arrive(Arrival { ack_request: true, ..packet(0, 101, 102) });
        for n in 0..50 {
            let connection = if n == 40 && anew { 0 } else { 3 };
            bench.arrive(packet(connection, 102, 103));
        }
        bench.set(|s| Settings { time: 0, ..s });
        bench.idle(60);
        assert_eq!(bench.counters().expired, expired, "{anew}");
        assert_eq!(bench.acks.len(), 1 + expired as usize);
        assert!(!bench.command(op::READ, 0, 0, false).draining);
    }
}

/// `time` has 20 bits: an age across the wrap.
#[test]
fn g3_time_wraps() {
    let shape = ROCE.reset(Settings { tick: 65_535, ..ROCE.reset });
    let mut bench = Bench::opened(shape, 100, true);
    // 2 to the 36th over 65535 is 1048592: `time` is 0 again.
    bench.until(1_048_592);
    assert_eq!(bench.oracle.time(), (1 << 20) - 1);
    bench.idle(1);
    assert_eq!(bench.oracle.time(), 0);
    let mut bench = Bench::opened(shape, 100, true);
    bench.until(1_048_570);
    bench.set(|s| Settings { time: 40, ..s });
    let arrival = bench.send(0, 100);
    bench.idle(30);
    assert_eq!(bench.acks.len(), 0);
    bench.idle(70);
    let at = bench.acks[0].0 - arrival;
    assert!((4 + 40 - 2 + 4 + 19..4 + 40 - 2 + 4 + 19 + 5).contains(&at), "{at}");
}
