// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets, arrivals and verdicts in short.

use golden_vectors::receive::request_check::oracle::{Arrival, Delivery, Event, Oracle, Packet, Verdict};

/// Windows of the random traffic and the cases here.
pub const WINDOWS: [u64; 2] = [64, 128];

const fn packet(first: bool, last: bool, write: bool, length: u64, dma_length: u64) -> Packet {
    Packet { first, last, write, length, dma_length }
}

/// A packet by the name of its opcode: "sf" is a SEND first, "wo" a WRITE only. Last, its length in the RETH.
pub fn of(name: &str, length: u64, dma_length: u64) -> Packet {
    let (first, last) = match &name[1..] {
        "f" => (true, false),
        "m" => (false, false),
        "l" => (false, true),
        "o" => (true, true),
        _ => panic!("{name}"),
    };
    packet(first, last, &name[..1] == "w", length, dma_length)
}

/// An arrival at connection 3.
pub const fn arrival(outcome: u64, psn: u64, expected: u64, packet: Packet) -> Arrival {
    Arrival { connection: 3, outcome, psn, expected, packet }
}

/// A delivery of connection 3.
pub const fn delivery(psn: u64, handle: u64) -> Delivery {
    Delivery { connection: 3, psn, handle }
}

/// The verdict on an arrival at connection 3.
pub const fn verdict(outcome: u64, psn: u64, expected: u64, invalid: bool, last: bool) -> Verdict {
    Verdict { connection: 3, outcome, psn, expected, invalid, last }
}

/// The cause for which the last one of these packets is refused, 0 if it passes. Those before it have to pass.
pub fn cause_of(mtu: u64, packets: &[Packet]) -> u64 {
    let mut oracle = Oracle::new();
    oracle.open(3, 10, mtu);
    for (psn, &packet) in (10..).zip(packets) {
        assert_eq!(oracle.status(3).cause, 0, "before {packet:?}");
        oracle.arrive(&arrival(0, psn, psn + 1, packet));
    }
    oracle.status(3).cause
}

/// What is done with each event behind those before it.
pub fn run(events: &[Event], mut each: impl FnMut(&mut Oracle, &Event)) -> Oracle {
    let mut oracle = Oracle::new();
    for event in events {
        if let &Event::Open { connection, psn, mtu } = event {
            oracle.open(connection, psn, mtu);
        }
        each(&mut oracle, event);
    }
    oracle
}
