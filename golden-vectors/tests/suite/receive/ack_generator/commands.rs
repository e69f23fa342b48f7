// SPDX-License-Identifier: MIT OR Apache-2.0
//! G21 to G26: commands, counters and the sweep.

use super::help::{Bench, ROCE, UET, other, packet};
use golden_vectors::receive::ack_generator::oracle::{Arrival, Command, Counters, Outcome, Settings, op};

#[test]
fn g21_open_and_close() {
    let mut bench = Bench::new(ROCE);
    let closed = bench.command(op::READ, 2, 9, true);
    assert!(closed.done && !closed.open && !closed.draining);
    assert_eq!((closed.expected, closed.msn), (0, 0));
    assert!(!bench.command(op::CLOSE, 2, 0, false).done);
    let opened = bench.command(op::OPEN, 2, 70, true);
    assert!(opened.done && opened.open && !opened.draining && opened.expected == 70);
    let again = bench.command(op::OPEN, 2, 80, false);
    assert!(!again.done && again.open && again.expected == 70);
    assert!(!bench.command(op::CHANGE, 1, 90, false).done);
    let changed = bench.command(op::CHANGE, 2, 90, false);
    assert!(changed.done && changed.open && changed.expected == 70);
    // Closed while an ACK waits: it becomes due, and leaves with the last state.
    bench.arrive(Arrival { last: true, ..packet(2, 70, 71) });
    bench.quiet();
    assert!(bench.command(op::READ, 2, 0, false).draining);
    let last = bench.command(op::CLOSE, 2, 0, false);
    assert!(last.done && !last.open && last.draining && last.expected == 71 && last.msn == 1);
    assert_eq!(bench.sent().iter().map(|ack| (ack.psn, ack.msn)).collect::<Vec<_>>(), [(70, 1)]);
    let read = bench.command(op::READ, 2, 0, false);
    assert!(!read.draining && read.expected == 71 && read.msn == 1);
}

/// The timer code of RNR NAKs: by *open*, by *change*, by the settings.
#[test]
fn g21_rnr_codes() {
    let mut bench = Bench::new(ROCE);
    let say = |bench: &mut Bench| {
        bench.arrive(Arrival { outcome: Outcome::NoBuffer, ..packet(0, 9, 9) });
        let sent = bench.sent();
        assert_eq!(sent.len(), 1);
        sent[0].syndrome
    };
    let own = |op, own_rnr_code, rnr_code| Command { op, psn: 9, own_rnr_code, rnr_code, ..Command::default() };
    bench.issue(own(op::OPEN, true, 31));
    assert_eq!(say(&mut bench), 0x3F);
    bench.set(|s| Settings { rnr: 3, ..s });
    assert_eq!(say(&mut bench), 0x3F);
    bench.issue(own(op::CHANGE, true, 0));
    assert_eq!(say(&mut bench), 0x20);
    // An *open* that cannot be done changes nothing.
    bench.issue(own(op::OPEN, true, 7));
    assert_eq!(say(&mut bench), 0x20);
    bench.issue(own(op::CHANGE, false, 7));
    assert_eq!(say(&mut bench), 0x23);
    bench.issue(own(op::CHANGE, true, 7));
    bench.issue(own(op::CLOSE, true, 8));
    bench.quiet();
    bench.issue(own(op::OPEN, false, 8));
    assert_eq!(say(&mut bench), 0x23);
}

/// Nothing of the opening before.
#[test]
fn g21_opened_again() {
    let mut bench = Bench::opened(ROCE, 100, true);
    bench.arrive(Arrival {
        path: 6,
        flowlet: 7,
        last: true,
        ecn: true,
        suspected: true,
        held: 3,
        ..packet(0, 100, 101)
    });
    bench.arrive(Arrival { expected: 101, ..other(Outcome::NoBuffer, 110) });
    bench.quiet();
    bench.command(op::CLOSE, 0, 0, false);
    bench.quiet();
    bench.open(0, 0, true);
    bench.block();
    for _ in 0..5 {
        bench.arrive(packet(0, 0, 0).probe());
    }
    let ack = bench.release()[1];
    assert_eq!((ack.kind, ack.psn, ack.msn, ack.path, ack.flags, ack.flowlet), (0, 0xFF_FFFF, 0, 0, 0, 0));
    bench.arrive(Arrival { outcome: Outcome::NoBuffer, ..packet(0, 9, 0) });
    assert_eq!(bench.sent()[0].kind, 2);
    // UET: the first packet is acknowledged at once, again.
    let mut bench = Bench::opened(UET, 100, false);
    bench.send(0, 100);
    assert_eq!(bench.sent(), []);
    bench.command(op::CLOSE, 0, 0, false);
    bench.quiet();
    bench.open(0, 200, false);
    bench.send(0, 200);
    let ack = bench.sent()[0];
    assert_eq!((ack.rcvd_bytes, bench.command(op::READ, 0, 0, false).bytes), (4, 1000));
}

trait Probe {
    fn probe(self) -> Self;
}

impl Probe for Arrival {
    fn probe(self) -> Self {
        Arrival { outcome: Outcome::Probe, ..self }
    }
}

#[test]
fn g25_counters() {
    let mut bench = Bench::opened(ROCE, 100, true);
    bench.urgent(0, 100);
    bench.quiet();
    bench.arrive(other(Outcome::Probe, 0));
    bench.arrive(other(Outcome::NoBuffer, 100));
    bench.arrive(other(Outcome::Above, 900));
    bench.report(3, 0, 0);
    bench.quiet();
    let counters =
        Counters { acks: 1, naks: 1, probe_answers: 1, refused_arrivals: 1, void_events: 1, ..Counters::default() };
    assert_eq!(bench.counters(), counters);
    // Counted when they are transferred.
    bench.block();
    assert_eq!(bench.counters(), counters);
    bench.release();
    assert_eq!(bench.counters(), Counters { acks: 2, ..counters });
}

#[test]
fn g26_the_sweep() {
    let mut bench = Bench::from_reset(ROCE);
    for cycle in 0..40 {
        bench.inputs.arrival = Some(packet(0, 0, 1));
        let out = bench.step();
        let swept = cycle >= 4 + 2 + 12;
        assert_eq!((out.busy, out.command_ready, out.event_ready), (!swept, swept, swept), "{cycle}");
        assert_eq!((out.ack, out.response), (None, None));
    }
    bench.quiet();
    assert_eq!(bench.counters(), Counters { busy_arrivals: 18, refused_arrivals: 22, ..Counters::default() });
}

/// The settings after reset: the defaults of the page.
#[test]
fn settings_after_reset() {
    use golden_vectors::receive::ack_generator::oracle::{Protocol, Shape};
    let roce = Shape::new(Protocol::Roce, 4, 64).reset;
    let none = Settings::default();
    let common = Settings { tick: 1589, on_ecn: true, ..none };
    assert_eq!(roce, Settings { count: 4, count_multipath: 1, time: 16, rnr: 12, credits: 31, ..common });
    let uet = Settings { trigger: 16_384, min: 1024, on_retx: true, cc: true, added: 1, ..common };
    let uet = Settings { restore: true, no_buffer_time: 94, ..uet };
    for (window, mpr) in [(64, 1), (128, 1), (256, 2), (512, 4), (1024, 8)] {
        assert_eq!(Shape::new(Protocol::Uet, 4, window).reset, Settings { mpr, ..uet });
    }
    // Settings are taken in the sweep too.
    let mut bench = Bench::from_reset(ROCE);
    bench.set(|s| Settings { count_multipath: 1, ..s });
    bench.until(18);
    bench.open(0, 5, true);
    bench.send(0, 5);
    assert_eq!(bench.sent().len(), 1);
}
