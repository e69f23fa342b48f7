// SPDX-License-Identifier: MIT OR Apache-2.0
//! A peer that refuses (rows TX40 and D36): its ACK becomes a NAK or NACK on its way.

use super::variants::keep;
use super::{Kind, steps};
use crate::closed_loop::setup::{Device, RTT};
use testbench::closed_loop::{Field, Forged};
use testbench::network::FrameBytes;
use tier::pick;

/// Clock cycles until the host has been told.
const PATIENCE: u64 = 2000;

/// The NAK with this syndrome, or the NACK with this code, in place of an ACK of the same packet; `offset` is that of its PSN.
fn refusal(kind: Kind, ack: &[u8], code: u8, offset: u128) -> FrameBytes {
    let mut forged = Forged::of(ack, kind.rocev2).expect("it is of the protocol");
    forged.set(Field::Psn, forged.get(Field::Psn) + offset);
    if kind.rocev2 {
        // Behind BTH and MPEH.
        forged.write(20, &[code]);
    } else {
        // Type 10, no next header, no flags; it has the length of the ACK, which is more than its own.
        forged.write(0, &[10 << 3, 0, code, 0]);
    }
    forged.finish()
}

/// The first connection fails at once, with the code, and sends nothing more; the other one goes on.
fn ends_at_once(kind: Kind, code: u8, devices: impl Iterator<Item = Device>) {
    let mut run = kind.open(devices);
    run.send(0, 0, 500);
    let ack = keep(&mut run, 0);
    run.nics[0].arrive_at_last(refusal(kind, &ack, code, 1000));
    steps(&mut run, PATIENCE);
    assert!(run.nics[0].failed.is_empty(), "{kind:?}: of a packet that has not been sent");
    run.nics[0].arrive_at_last(refusal(kind, &ack, code, 0));
    steps(&mut run, PATIENCE);
    let told: Vec<_> = run.nics[0].failed.iter().map(|&(_, number, reason)| (number, reason)).collect();
    assert_eq!(told, [(0, 2)], "{kind:?}, {code:#x}");
    assert_eq!(run.nics[0].count("failure_code"), Some(code.into()));
    // Once, and without a time-out.
    let sent = run.nics[0].sent.data;
    run.nics[0].arrive_at_last(refusal(kind, &ack, code, 0));
    steps(&mut run, 40 * RTT);
    assert_eq!((run.nics[0].failed.len(), run.nics[0].sent.data), (1, sent), "{kind:?}, {code:#x}");
    run.nics[0].intercepted = None;
    run.send(0, 1, 500);
    steps(&mut run, 4 * RTT);
    assert_eq!(run.nics[0].sent.data, sent + 1);
    println!("{kind:?}, {code:#x}: fails at once");
}

/// A NACK without a context, as a peer says it of a packet for a PDC that it does not have.
fn stray(ack: &[u8], code: u8) -> FrameBytes {
    let mut forged = Forged::of(ack, false).expect("it is of UET");
    forged.write(0, &[10 << 3, 0, code, 0]);
    // SPDCID.
    forged.write(8, &[0, 0]);
    forged.finish()
}

/// A packet that was damaged on its way to another PDC, or that somebody else has sent, brings a NACK of a peer that is well: the
/// connection waits a round trip, and goes on. One whose peer has no context any more fails with the second.
fn doubts(devices: impl Iterator<Item = Device>) {
    let kind = Kind { rocev2: false, ipv6: false, any_peer: false, backoff_limit: None };
    let mut run = kind.open(devices);
    for round in 0..3 {
        run.send(0, 0, 500);
        let ack = keep(&mut run, 0);
        // The peer's ACK does not come, and twice this does.
        run.nics[0].arrive_at_last(stray(&ack, 0x0E));
        steps(&mut run, PATIENCE / 4);
        run.nics[0].arrive_at_last(stray(&ack, 0x0E));
        run.nics[0].intercepted = None;
        run.until_done(20 * RTT).unwrap_or_else(|error| panic!("{round}: {error}"));
        assert!(run.nics[0].failed.is_empty(), "{round}");
    }
    run.send(0, 0, 500);
    let ack = keep(&mut run, 0);
    let sent = run.nics[0].sent.data;
    for _ in 0..2 {
        run.nics[0].arrive_at_last(stray(&ack, 0x0E));
        steps(&mut run, 4 * RTT);
    }
    let told: Vec<_> = run.nics[0].failed.iter().map(|&(_, number, reason)| (number, reason)).collect();
    assert_eq!(told, [(0, 2)]);
    let trials = run.nics[0].sent.data - sent;
    assert!((1..3).contains(&trials), "{trials} trials");
}

#[test]
fn a_peer_without_a_context_is_asked_once_more() {
    let kind = Kind { rocev2: false, ipv6: false, any_peer: false, backoff_limit: None };
    doubts(kind.models());
}

#[test]
fn the_verilog_asks_once_more_too() {
    let kind = Kind { rocev2: false, ipv6: false, any_peer: false, backoff_limit: None };
    doubts(kind.simulations());
}

fn kinds() -> [(Kind, &'static [u8]); 2] {
    let kind = |rocev2| Kind { rocev2, ipv6: false, any_peer: false, backoff_limit: None };
    [(kind(true), &[0x61, 0x62, 0x63]), (kind(false), &[0x0E, 0x10, 0x16])]
}

#[test]
fn a_connection_that_is_refused_fails_at_once() {
    for (kind, codes) in kinds() {
        codes.iter().for_each(|code| ends_at_once(kind, *code, kind.models()));
    }
}

#[test]
fn the_verilog_fails_at_once_too() {
    for (kind, codes) in kinds() {
        pick(codes.to_vec(), 1).into_iter().for_each(|code| ends_at_once(kind, code, kind.simulations()));
    }
}
