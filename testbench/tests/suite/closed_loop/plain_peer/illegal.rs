// SPDX-License-Identifier: MIT OR Apache-2.0
//! A peer that sends what a requester may not: OpCodes in a wrong order, packets of a wrong size, WRITEs of another length than they say
//! (rows RQ4 to RQ11; RX28). Each is refused at its PSN by NAK 0x61, nothing of it is delivered, nor what is behind it, and the host learns why.

use super::host::{World, memory};
use super::peer::MTU;
use super::{Device, model, of_peer, verilog};
use tier::is_all;

/// A packet that the peer sends.
type Sent = (u8, Vec<u8>, usize);

/// OpCodes.
const SEND: [u8; 4] = [0x00, 0x01, 0x02, 0x04];
const WRITE: [u8; 4] = [0x06, 0x07, 0x08, 0x0A];
const FIRST: usize = 0;
const MIDDLE: usize = 1;
const LAST: usize = 2;
const ONLY: usize = 3;
/// Causes.
const ORDER: u64 = 1;
const SIZE: u64 = 2;
const LENGTH: u64 = 3;

fn send(place: usize, length: usize) -> Sent {
    (SEND[place], Vec::new(), length)
}

/// A packet of a WRITE that says this length.
fn write(place: usize, length: usize, says: u32) -> Sent {
    let reth = [0x1234_5678_u64.to_be_bytes().to_vec(), 0xBEEF_u32.to_be_bytes().to_vec(), says.to_be_bytes().to_vec()];
    let has_reth = place == FIRST || place == ONLY;
    (WRITE[place], if has_reth { reth.concat() } else { Vec::new() }, length)
}

/// What is wrong, the packets up to the one that is, and the cause.
fn cases() -> Vec<(&'static str, Vec<Sent>, u64)> {
    let mtu = MTU as u32;
    vec![
        ("SEND middle without first", vec![send(MIDDLE, MTU)], ORDER),
        ("SEND last without first", vec![send(LAST, 5)], ORDER),
        ("WRITE middle without first", vec![write(MIDDLE, MTU, 0)], ORDER),
        ("WRITE last inside a SEND", vec![send(FIRST, MTU), write(LAST, 5, 0)], ORDER),
        ("SEND middle inside a WRITE", vec![write(FIRST, MTU, 3 * mtu), send(MIDDLE, MTU)], ORDER),
        ("SEND only inside a SEND", vec![send(FIRST, MTU), send(MIDDLE, MTU), send(ONLY, 5)], ORDER),
        ("SEND first that is short", vec![send(FIRST, MTU - 4)], SIZE),
        ("SEND middle that is long", vec![send(FIRST, MTU), send(MIDDLE, MTU + 4)], SIZE),
        ("SEND last without payload", vec![send(FIRST, MTU), send(LAST, 0)], SIZE),
        ("SEND only that is long", vec![send(ONLY, MTU + 1)], SIZE),
        ("WRITE only of 64 that says 100", vec![write(ONLY, 64, 100)], LENGTH),
        ("WRITE first that says a packet", vec![write(FIRST, MTU, mtu)], LENGTH),
        ("WRITE of two packets that says 5000", vec![write(FIRST, MTU, 5000), write(LAST, 1088, 0)], LENGTH),
        (
            "WRITE whose last is one byte short",
            vec![write(FIRST, MTU, 2 * mtu + 3), write(MIDDLE, MTU, 0), write(LAST, 2, 0)],
            LENGTH,
        ),
        ("WRITE that never ends", vec![write(FIRST, MTU, 2 * mtu), write(MIDDLE, MTU, 0)], LENGTH),
        ("WRITE of more than 2 GiB", vec![write(FIRST, MTU, 1 << 31 | 1)], LENGTH),
    ]
}

/// A wrong packet behind a message that is right and in front of others; then the QP is closed and opened again.
fn refuses(world: &mut World, what: &str, wrong: &[Sent], cause: u64) {
    // Messages that have been delivered since the QP was opened: each case but the first one begins behind one.
    let messages = u32::from(!world.delivered.is_empty()) + 1;
    let (before, refused_before) = (world.delivered.len(), world.output("invalid_requests"));
    let outcomes_before = world.outcomes.len() as u64;
    let sequenced_before = world.received();
    world.peer.is_wrong = true;
    world.peer.timeout = 3000;
    world.peer.send(&of_peer(0, 10_000));
    let right = [wrong.split_last().expect("there is one").1, &[]].concat();
    let psns: Vec<_> = wrong
        .iter()
        .map(|(opcode, extended, length)| world.peer.push(*opcode, extended.clone(), memory(7, *length as u32)))
        .collect();
    let bad = *psns.last().expect("there is one");
    world.peer.send(&of_peer(2, 9000));
    world.steps(10_000);
    assert_eq!(world.peer.refused, Some((bad, 0x61, messages)), "{what}");
    // Sent again, as one that has not heard it would, it is refused again.
    let (fatal, timeouts) = (world.peer.counts.fatal, world.peer.counts.timeouts);
    assert!(fatal > 1 && timeouts > 0, "{what}: {fatal} NAKs, {timeouts} time-outs");
    let delivered: Vec<_> = world.delivered[before..].iter().map(|(opcode, bytes)| (*opcode, bytes.len())).collect();
    let whole = [(0x00, MTU), (0x01, MTU), (0x02, 10_000 - 2 * MTU)];
    let begun = right.iter().map(|(opcode, _, length)| (*opcode, *length));
    assert_eq!(delivered, whole.into_iter().chain(begun).collect::<Vec<_>>(), "{what}");
    assert_eq!(world.output("invalid_requests") - refused_before, 1, "{what}");
    let state = world.state();
    assert_eq!((state["refused_cause"], state["refused_psn"]), (cause, bad.into()), "{what}");
    // Each frame has one outcome: the wrong one is named as such, once, and those behind it as such.
    let outcomes = &world.outcomes[outcomes_before as usize..];
    assert_eq!(outcomes.len() as u64, world.received() - sequenced_before, "{what}");
    let named = |cause| outcomes.iter().filter(|(_, found)| *found == Some(cause)).count();
    assert_eq!((named(0), named(1)), (1, 3), "{what}: {outcomes:?}");
    world.reopen();
    let state = world.state();
    assert_eq!((state["open"], state["refused_cause"], state["refused_psn"]), (1, 0, 0), "{what}");
    let before = world.delivered.len();
    world.peer.send(&of_peer(5, 10_000));
    world.until_peer_is_done(40_000);
    world.steps(2000);
    assert_eq!(world.delivered.len() - before, 3, "{what}: the QP is as new");
}

/// Every case, or every so many; the clock cycles that it took.
fn are_refused(device: Device, every: usize) -> u64 {
    let mut world = World::new(device, 3);
    let cases: Vec<_> = cases().into_iter().step_by(every).collect();
    for (what, wrong, cause) in &cases {
        refuses(&mut world, what, wrong, *cause);
    }
    println!("{} kinds of wrong requests are refused, {} clock cycles", cases.len(), world.now);
    world.now
}

#[test]
fn requests_that_are_not_legal_are_refused() {
    are_refused(model(), 1);
}

#[test]
fn the_verilog_refuses_them_in_the_same_cycles() {
    let every = if is_all() { 1 } else { 7 };
    assert_eq!(are_refused(model(), every), are_refused(verilog(), every));
}
