// SPDX-License-Identifier: MIT OR Apache-2.0
//! G18: the fields of UET, with the examples of the formats.

use super::help::{Bench, UET, other, packet};
use golden_vectors::receive::ack_generator::oracle::{Ack, Arrival, Outcome, Settings};

fn one(bench: &mut Bench, arrival: Arrival) -> Ack {
    bench.arrive(Arrival { ack_request: true, ..arrival });
    let acks = bench.sent();
    assert_eq!(acks.len(), 1);
    acks[0]
}

#[test]
fn ack_or_ack_cc() {
    let mut bench = Bench::opened(UET, 100, false);
    bench.set(|s| Settings { cc: false, mpr: 8, ..s });
    bench.inputs.pressure = 64;
    let ack = one(&mut bench, Arrival { ev: 9, ..packet(0, 100, 101) });
    assert_eq!(ack, Ack { kind: 0, psn: 100, ev: 9, ..Ack::default() });
    let ack = one(&mut bench, Arrival { held: 2, sack_base: 64, sack: 0xF0, ..other(Outcome::Held, 103) });
    assert_eq!((ack.kind, ack.mpr, ack.pend, ack.restore, ack.ooo_count, ack.sack), (1, 8, 64, true, 2, 0xF0));
    bench.set(|s| Settings { cc: true, restore: false, ..s });
    let ack = one(&mut bench, packet(0, 101, 102));
    assert_eq!((ack.kind, ack.ooo_count, ack.restore), (1, 0, false));
}

/// ACK_PSN is CACK_PSN + ack_psn_offset, if it is that near.
#[test]
fn psn_offsets() {
    for (psn, offset) in [
        (99, 0),
        (100, 1),
        (98, 0xFFFF),
        (99 + 0x7FFF, 0x7FFF),
        (99 + 0x8000, 0),
        (0x1_0000_0000 + 99 - 0x8000, 0x8000),
        (0x1_0000_0000 + 99 - 0x8001, 0),
        (0x8000_0000 + 99, 0),
    ] {
        let mut bench = Bench::opened(UET, 100, false);
        assert_eq!(one(&mut bench, other(Outcome::Duplicate, psn)).psn_offset, offset, "{psn:#x}");
    }
    // SACK_BASE is CACK_PSN + sack_psn_offset: 0 - 0xFFFFFFFF is 1.
    let mut bench = Bench::opened(UET, 0, false);
    let ack = one(&mut bench, Arrival { sack: 1, ..packet(0, 0, 0) });
    assert_eq!((ack.psn, ack.sack_offset), (0xFFFF_FFFF, 1));
}

/// The units of 256 bytes are rounded up, and wrap with the sum.
#[test]
fn rcvd_bytes() {
    let mut bench = Bench::opened(UET, 100, false);
    for (length, units) in [(0, 0), (1, 1), (255, 1), (1, 2), (255, 2), (65_535, 258)] {
        let ack = one(&mut bench, Arrival { length, ..packet(0, 100, 101) });
        assert_eq!(ack.rcvd_bytes, units, "{length}");
    }
}

/// `time` is floor(cycle / 2). τ is of cycle p + 4, the end of cycle b + 3 = p + 16: 6 units, and what is added.
#[test]
fn service_times() {
    let mut bench = Bench::opened(UET, 100, false);
    for added in [0, 1, 255] {
        bench.set(|s| Settings { added, ..s });
        assert_eq!(one(&mut bench, packet(0, 100, 101)).service_time, 6 + added);
    }
    // Of the trigger, also if it is long ago.
    bench.set(|s| Settings { on_ecn: false, added: 0, ..s });
    bench.arrive(Arrival { ecn: true, ..packet(0, 100, 101) });
    bench.idle(1999);
    assert_eq!(one(&mut bench, packet(0, 101, 102)).service_time, 1006);
    bench.arrive(Arrival { ecn: true, ..packet(0, 102, 103) });
    bench.idle(140_000);
    assert_eq!(one(&mut bench, packet(0, 103, 104)).service_time, 65_535);
    bench.set(|s| Settings { tick: 0, added: 0, ..s });
    assert_eq!(one(&mut bench, packet(0, 104, 105)).service_time, 1);
    // A reply has its own.
    bench.set(|s| Settings { tick: 32_768, ..s });
    bench.idle(bench.oracle.cycle() % 2);
    bench.arrive(other(Outcome::Probe, 0));
    assert_eq!(bench.sent()[0].service_time, 6);
}

/// The first ACK of a connection that has only lost replies: its PSN is the one before the first, and its time that of *open*.
#[test]
fn nothing_but_the_opening() {
    let mut bench = Bench::opened(UET, 100, false);
    bench.open(2, 130, false);
    bench.block();
    for _ in 0..5 {
        bench.arrive(Arrival { connection: 2, ..packet(0, 9, 130) }.probe());
    }
    let ack = bench.release()[1];
    assert_eq!((ack.connection, ack.psn, ack.psn_offset, ack.ev, ack.flags), (2, 129, 0, 0, 0));
    // 128 - 129.
    assert_eq!((ack.sack, ack.sack_offset), (0, 0xFFFF));
}

trait Probe {
    fn probe(self) -> Self;
}

impl Probe for Arrival {
    fn probe(self) -> Self {
        Arrival { outcome: Outcome::Probe, ..self }
    }
}
