// SPDX-License-Identifier: MIT OR Apache-2.0
//! RQ7, RQ9, RQ10 and RQ1: what comes on a connection in error, on another one beside it, and on one that is opened anew.

use super::Case;
use crate::receive::request_check::oracle::{Packet, cause};
use crate::receive::request_check::packets::{Place, message, send, spoil, stream, write};
use crate::receive::request_check::script::Script;
use crate::receive::request_check::window::{PSNS, advance, back};

const MTU: u64 = 256;

/// The first PSN of most connections here.
const BEGIN: u64 = 0xFF_FFFE;

/// A packet that is always refused.
const BAD: Packet = send(Place::Only, MTU + 1);

/// One that is refused only while a message is open.
const GOOD: Packet = send(Place::Only, 1);

/// One arrival of every outcome and more, while two packets have not been delivered.
fn every_outcome(script: &mut Script, connection: u64, window: u64, packet: Packet) {
    // In order, and nothing is delivered yet.
    script.arrive(connection, script.psn(connection, 0), packet);
    script.arrive(connection, script.psn(connection, 0), packet);
    // Held, and the same again.
    script.arrive(connection, script.psn(connection, 2), packet);
    script.arrive(connection, script.psn(connection, 2), packet);
    // Below, down to the one furthest before.
    let expected = script.psn(connection, 0);
    for by in [1, 2, 3, 4, window, PSNS / 2] {
        script.arrive(connection, back(expected, by), packet);
    }
    // No buffer, above, up to the one furthest behind.
    for by in [window - 2, window - 1, window, window + 1, PSNS / 2 - 1] {
        script.arrive(connection, advance(expected, by), packet);
    }
    for psn in [expected, back(expected, 1), 0, BEGIN, 0x12_3456] {
        script.probe(connection, psn, packet);
        script.unknown(connection, psn, packet);
    }
    script.deliver(connection, usize::MAX);
    // The gap is filled.
    script.arrive(connection, expected, packet);
    script.deliver(connection, usize::MAX);
}

/// Every outcome on a connection that is in error, or not.
fn outcomes(window: u64, bad: Option<usize>, after: Packet) -> Case {
    let mut script = Script::new(window);
    script.open(0, BEGIN, MTU);
    let mut packets = vec![GOOD; 4];
    if let Some(bad) = bad {
        packets[bad] = BAD;
    }
    script.send(0, &packets);
    for _ in 0..2 {
        every_outcome(&mut script, 0, window, after);
    }
    let state = bad.map_or("no error".to_owned(), |bad| format!("an error in packet {bad}"));
    let kind = if after == BAD { "bad" } else { "good" };
    Case::new(format!("every outcome, {state}, {kind} packets"), &["RQ7", "RQ9", "RQ10", "RQ11", "RQ14"], script)
}

/// The NAK is lost, and lost again: the sender goes back to what it thinks, and is answered each time.
fn lost_naks(window: u64) -> Case {
    let mut script = Script::new(window);
    script.open(1, BEGIN, MTU);
    script.send(1, &[GOOD, GOOD, GOOD, BAD, GOOD, GOOD]);
    for _ in 0..5 {
        for psn in 0..6 {
            script.arrive(1, advance(BEGIN, psn), GOOD);
        }
    }
    Case::new("the NAK is lost five times", &["RQ7", "RQ9", "RQ13", "RQ14"], script)
}

/// The packet that is refused comes itself, or is found behind another one: one verdict or two.
fn one_or_two(window: u64) -> Case {
    let mut script = Script::new(window);
    for connection in [0, 1] {
        script.open(connection, 40, MTU);
    }
    script.send(0, &[BAD]);
    script.arrive(1, 41, BAD);
    script.arrive(1, 40, GOOD);
    // The same with the bad one in front.
    for connection in [0, 1] {
        script.open(connection, 50, MTU);
    }
    script.arrive(0, 51, GOOD);
    script.arrive(0, 50, BAD);
    script.arrive(1, 52, BAD);
    script.arrive(1, 51, BAD);
    script.arrive(1, 50, GOOD);
    Case::new("one verdict or two", &["RQ7", "RQ8", "RQ14"], script)
}

/// Arrivals that are of no connection: of one that is open, in error, or has never been opened.
fn unknown(window: u64) -> Case {
    let mut script = Script::new(window);
    script.unknown(0, 7, BAD);
    script.open(0, 7, MTU);
    script.unknown(0, 7, BAD);
    script.unknown(1, 7, BAD);
    script.send(0, &[GOOD, BAD]);
    for psn in [7, 8, 9] {
        script.unknown(0, psn, GOOD);
        script.arrive(0, psn, GOOD);
    }
    Case::new("arrivals of no connection", &["RQ7", "RQ9", "RQ10"], script)
}

/// Two connections by turns with the same PSNs. One is in error, or both for different causes.
fn two(window: u64, both: bool) -> Case {
    let mut script = Script::new(window);
    let (good, mut bad) = (stream(false, MTU, 24), stream(false, MTU, 24));
    let mut other = good.clone();
    spoil(&mut bad, 7, MTU, cause::ORDER);
    if both {
        spoil(&mut other, 9, MTU, cause::SIZE);
    }
    for connection in [0, 1] {
        script.open(connection, BEGIN, MTU);
    }
    // Pairs of packets are overtaken, and nothing is delivered for a while.
    for n in (0..24).map(|n| n ^ 1) {
        for (connection, packets) in [(0, &bad), (1, &other)] {
            script.arrive(connection, advance(BEGIN, n as u64), packets[n]);
        }
        if n % 5 == 0 {
            script.settle();
        }
    }
    for psn in [5, 7, 9, 20] {
        for (connection, packets) in [(0, &bad), (1, &other)] {
            script.arrive(connection, advance(BEGIN, psn as u64), packets[psn]);
        }
    }
    let name = if both { "two connections in error" } else { "a connection beside one in error" };
    Case::new(name, &["RQ7", "RQ8", "RQ9", "RQ10", "RQ11", "RQ13", "RQ14"], script)
}

/// A connection is opened anew: what was open, held, in error or announced is forgotten.
fn anew(window: u64) -> Case {
    let mut script = Script::new(window);
    let first = write(Place::First, MTU, 2 * MTU);
    // In error for each cause, each time at another PSN, with packets held behind a gap.
    let bad = [vec![BAD], vec![first, first], vec![first, write(Place::Last, 1, 0)], vec![send(Place::Last, 1)]];
    for (n, packets) in (0..).zip(bad) {
        script.open(0, advance(BEGIN, n), MTU);
        script.send(0, &packets);
        for more in [1, 2, 5] {
            script.arrive(0, script.psn(0, more), BAD);
        }
    }
    // From where it was refused, further, and back.
    for psn in [BEGIN, BEGIN + 1, 0, 1000, BEGIN - 3] {
        script.open(0, psn, MTU);
        script.send(0, &stream(false, MTU, 5));
        script.send(0, &[BAD, GOOD]);
    }
    Case::new("opened anew behind errors", &["RQ1", "RQ8", "RQ13", "RQ14"], script)
}

/// The same without an error, in the midst of messages.
fn anew_in_a_message(window: u64) -> Case {
    let mut script = Script::new(window);
    for (mtu, begun) in [(256, true), (512, false), (0, true), (1024, true), (256, false)] {
        script.open(1, 300, mtu);
        let full = if mtu == 0 { 700 } else { mtu };
        // This is legal in the new connection alone, and so is its length.
        script.send(1, &message(true, full, 2 * full + 1));
        // What is held is of the old connection when the next one begins.
        script.arrive(1, script.psn(1, 2), BAD);
        script.send(1, &message(begun, full, 3 * full)[..2]);
    }
    script.open(1, 300, 256);
    script.send(1, &[write(Place::Last, 1, 0)]);
    Case::new("opened anew in a message", &["RQ1", "RQ3", "RQ4", "RQ6"], script)
}

pub fn cases(window: u64) -> Vec<Case> {
    let mut cases = vec![lost_naks(window), one_or_two(window), unknown(window)];
    cases.extend([false, true].map(|both| two(window, both)));
    cases.extend([anew(window), anew_in_a_message(window)]);
    cases.push(outcomes(window, None, GOOD));
    for bad in 0..4 {
        cases.extend([GOOD, BAD].map(|after| outcomes(window, Some(bad), after)));
    }
    cases
}
