// SPDX-License-Identifier: MIT OR Apache-2.0
//! Peers that have no room (D37).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Command, Settings, Shape, ack, op};
use crate::transmit::packet_tracker::script::{Script, never};
use crate::transmit::packet_tracker::suite::Suite;

/// A code of a NACK for want of room.
const NO_ROOM: u64 = 0x07;
/// The syndrome of an RNR NAK with code 0.
const RNR: u64 = 0x20;
/// That of a NAK because of a gap.
const SEQUENCE_ERROR: u64 = 0x60;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("backoffs", "peers that have no room for a packet", shape, None);
        one_first(suite, shape);
        answers(suite, shape);
        long_scans(suite, shape);
        limits(suite, shape);
        together(suite, shape);
        go_back(suite, shape);
    }
    suite.group("waits", "for how long nothing is sent", shapes::ROCE, None);
    codes(suite, shapes::ROCE);
    doubling(suite, shapes::ROCE);
    commands(suite, shapes::ROCE);
}

/// A unit of time in a clock cycle, time-outs after 400 of them.
fn timed(shape: Shape, backoff: u64, backoff_limit: u64) -> Script {
    let settings = |s| Settings { tick: 65_535, rto: 400, retries: 9, backoff, backoff_limit, ..never(shape, s) };
    Script::with(shape, settings)
}

/// The peer has no room for this packet of PDC 0 behind its base: first the backoff, then the NACK.
fn refuse(script: &mut Script, offset: i64, reason: u64) {
    let nack = Ack { retx: true, ..script.nack_of(0, script.psn(0, offset), reason) };
    script.ack(Ack { kind: ack::BACKOFF, ..nack });
    script.ack(Ack { reason: NO_ROOM, ..nack });
}

/// Until the wait has begun and is over, with a few cycles more.
fn waited(script: &mut Script) {
    script.drain();
    script.step_while(|script| script.oracle().pdc(0).waits());
    script.drain();
}

/// A packet that is sent again and a new one, both if they may be.
fn tries(script: &mut Script) {
    script.again(0, 1);
    script.packets(0, 1);
}

/// Nothing while the PDC waits; then one packet; all with its ACK.
fn one_first(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 150, 31);
    script.open(0, 20);
    script.open(1, 20);
    script.packets(0, 6);
    refuse(&mut script, 2, NO_ROOM);
    refuse(&mut script, 4, 0x0B);
    tries(&mut script);
    script.packets(1, 2);
    script.read(0);
    // A late ACK of packets before it does not end the wait.
    script.seen(script.ack_of(0, 21));
    tries(&mut script);
    waited(&mut script);
    script.packets(0, 1);
    tries(&mut script);
    script.again(0, 0);
    script.read(0);
    script.seen(script.ack_of(0, 22));
    tries(&mut script);
    script.again(0, 0);
    script.drain();
    script.read(0);
    script.seen(script.ack_all(0));
    script.seen(script.ack_all(1));
    let rows = aim(&["Backoff", "Again", "Nack"], &["D6", "D7", "D10", "D14", "D18", "D26", "D37"]);
    suite.add("one-first", "nothing for a time, and then one packet first", rows, script);
}

/// Another one while the PDC waits, when it may try, and when it has tried; NACKs that cross the packet that is tried; the ACK of another packet; a time-out of the packet
/// that was tried, and one that is declared lost; an ACK of all.
fn answers(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 60, 31);
    script.open(0, 20);
    script.packets(0, 5);
    for _ in 0..2 {
        refuse(&mut script, 1, NO_ROOM);
        script.idle(20);
        refuse(&mut script, 1, NO_ROOM);
        refuse(&mut script, 3, 0x04);
        waited(&mut script);
        refuse(&mut script, 0, NO_ROOM);
        tries(&mut script);
    }
    // The one that was tried is lost.
    script.drain();
    script.again(0, 1);
    script.drain();
    let lost = script.outputs().counters.timeouts;
    script.step_while(|script| script.outputs().counters.timeouts == lost);
    script.drain();
    script.again(0, 1);
    script.lose(0, 0, true);
    script.drain();
    tries(&mut script);
    script.read(0);
    script.seen(script.sack_of(0, 2, 1));
    tries(&mut script);
    script.read(0);
    // An empty window has nothing to wait for.
    refuse(&mut script, 0, NO_ROOM);
    script.seen(script.ack_all(0));
    script.packets(0, 2);
    script.read(0);
    // Not of the window, and not open.
    let nack = script.nack_of(0, script.psn(0, 0), NO_ROOM);
    for (pdc, offset) in [(0, -1), (0, 2), (0, 64), (3, 0)] {
        script.ack(Ack { kind: ack::BACKOFF, pdc, psn: script.psn(0, offset), ..nack });
    }
    script.packets(0, 1);
    script.drain();
    script.read(0);
    script.seen(script.ack_all(0));
    let rows = aim(&["Backoff", "TimeOut", "Closed", "Void"], &["D9", "D14", "D22", "D23", "D25", "D31", "D37"]);
    suite.add("answers", "what comes to a PDC that backs off", rows, script);
}

/// The packet that was tried is lost, and *again* comes between its examination and the end of the scan: it is refused, and the end has an
/// event. The same of a PDC that has failed, whose backoff ends all the same.
fn long_scans(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 60, 31);
    script.open(0, 20);
    script.packets(0, shape.window);
    refuse(&mut script, 0, NO_ROOM);
    waited(&mut script);
    script.again(0, 1);
    let lost = script.outputs().counters.timeouts;
    script.step_while(|script| script.outputs().counters.timeouts == lost);
    (0..6).for_each(|_| script.again(0, 0));
    script.drain();
    tries(&mut script);
    script.read(0);
    script.seen(script.ack_all(0));
    // One time-out, and it fails; then its peer has no room.
    script.set(|s| Settings { rto: 50, retries: 0, ..s });
    script.packets(0, 3);
    script.step_while(|script| !script.oracle().pdc(0).failed);
    script.drain();
    refuse(&mut script, 0, NO_ROOM);
    waited(&mut script);
    tries(&mut script);
    script.read(0);
    script.seen(script.ack_all(0));
    let rows = aim(&["Backoff", "TimeOut", "Failure"], &["D22", "D23", "D24", "D26", "D37"]);
    suite.add(
        "long-scans",
        "a scan in which the packet that was tried is lost; a failed PDC that backs off",
        rows,
        script,
    );
}

/// The last backoff, with the limit of the settings and with one of the PDC.
fn limits(suite: &mut Suite, shape: Shape) {
    for own in [None, Some(0), Some(2), Some(31)] {
        let mut script = timed(shape, 40, 1);
        script.open(0, 20);
        if let Some(backoff_limit) = own {
            let timer = Command { own_timer: true, rto: 500, retries: 3, backoff_limit, ..Command::default() };
            script.command(Command { op: op::CHANGE, pdc: 0, ..timer });
        }
        script.packets(0, 3);
        for _ in 0..4 {
            refuse(&mut script, 0, NO_ROOM);
            script.stall(true, true, false);
            script.step_while(|script| script.oracle().pdc(0).waits() && !script.oracle().pdc(0).failed);
            script.drain();
            tries(&mut script);
            script.read(0);
        }
        // After *change* all may be sent.
        script.command(Command { op: op::CHANGE, pdc: 0, ..Command::default() });
        tries(&mut script);
        script.seen(script.ack_all(0));
        script.read(0);
        let rows = aim(&["Backoff", "Failure"], &["D23", "D24", "D29", "D37"]);
        let name = own.map_or("limit".into(), |limit| format!("limit-{limit}"));
        suite.add(name, "a peer that has no room for too long", rows, script);
    }
}

/// A backoff at each distance from new packets, from *again*, from an ACK and from the end of the one before.
fn together(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 30, 31);
    script.open(0, 40);
    for distance in 0..2 * shape.ram_latency + 8 {
        script.packets(0, 4);
        let nack = script.nack_of(0, script.psn(0, 1), NO_ROOM);
        let backoff = Ack { kind: ack::BACKOFF, ..nack };
        script.offer_ack(backoff);
        script.offer_ack(nack);
        script.idle(distance);
        for _ in 0..3 {
            script.offer_send(script.new_of(0, 1000, 0));
        }
        script.accepted();
        waited(&mut script);
        script.idle(distance);
        script.again(0, 1);
        script.idle(distance);
        script.offer_ack(script.ack_of(0, script.psn(0, 1)));
        script.offer_send(script.new_of(0, 1000, 0));
        script.idle(distance);
        script.offer_ack(Ack { psn: script.psn(0, 3), ..backoff });
        script.accepted();
        script.drain();
        script.command(Command { op: op::CHANGE, pdc: 0, ..Command::default() });
        script.seen(script.ack_all(0));
    }
    let rows = aim(&["Backoff", "BackToBack"], &["D1", "D3", "D6", "D7", "D14", "D37"]);
    suite.add("together", "a backoff at each distance from what it must see", rows, script);
}

/// A peer that discards all behind a gap: nothing is sent until what is in flight is marked, then all of it, in order. Another gap while
/// this goes on, when packets have been sent again, and after a backoff, whose count and limit it leaves alone.
fn go_back(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 40, 1);
    let gap = |script: &mut Script, offset: i64| {
        let nack = Ack { retx: true, ..script.nack_of(0, script.psn(0, offset), 0) };
        script.offer_ack(Ack { kind: ack::BACKOFF, reason: SEQUENCE_ERROR, ..nack });
        script.offer_ack(nack);
    };
    script.open(0, 20);
    script.open(1, 20);
    for distance in 0..2 * shape.ram_latency + 8 {
        script.packets(0, 5);
        script.packets(1, 1);
        gap(&mut script, 2);
        script.idle(distance);
        for _ in 0..3 {
            script.offer_send(script.new_of(0, 1000, 0));
        }
        script.accepted();
        gap(&mut script, 1);
        script.accepted();
        waited(&mut script);
        script.again(0, 4);
        script.idle(distance);
        script.offer_ack(script.ack_of(0, script.psn(0, 2)));
        gap(&mut script, 0);
        script.accepted();
        waited(&mut script);
        tries(&mut script);
        script.again(0, 1);
        script.read(0);
        script.seen(script.ack_all(0));
    }
    // Behind a backoff that has tried, and with the limit of backoffs reached.
    script.packets(0, 4);
    refuse(&mut script, 1, NO_ROOM);
    waited(&mut script);
    gap(&mut script, 2);
    script.again(0, 1);
    gap(&mut script, 2);
    script.accepted();
    waited(&mut script);
    tries(&mut script);
    script.read(0);
    refuse(&mut script, 1, NO_ROOM);
    script.stall(true, true, false);
    script.step_while(|script| script.oracle().pdc(0).waits() && !script.oracle().pdc(0).failed);
    script.drain();
    script.read(0);
    gap(&mut script, 0);
    script.accepted();
    script.drain();
    script.read(0);
    script.command(Command { op: op::CHANGE, pdc: 0, ..Command::default() });
    // Of an empty window, and not open.
    script.seen(script.ack_all(0));
    gap(&mut script, 0);
    let nack = script.nack_of(0, script.psn(0, 0), SEQUENCE_ERROR);
    script.ack(Ack { kind: ack::BACKOFF, pdc: 3, ..nack });
    script.packets(0, 1);
    script.drain();
    script.read(0);
    let rows = aim(&["Backoff", "Again", "Nack", "BackToBack"], &["D6", "D7", "D18", "D22", "D37", "D39", "M07"]);
    suite.add("go-back", "a peer that discards what is behind a gap", rows, script);
}

/// The times of RNR NAKs.
fn codes(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 0, 31);
    script.open(0, 20);
    for code in (1..12).chain([0x13]) {
        script.packets(0, 1);
        refuse(&mut script, 0, RNR + code);
        if code > 12 {
            // Longer than the case: only the sum tells.
            script.pass(3000);
            script.read(0);
        } else {
            waited(&mut script);
        }
        script.seen(script.ack_all(0));
    }
    suite.add("codes", "RNR NAKs with most of their codes", aim(&["Backoff"], &["D37", "M12"]), script);
}

/// The times of NACKs double up to an ACK; also none at all.
fn doubling(suite: &mut Suite, shape: Shape) {
    for backoff in [0, 13] {
        let mut script = timed(shape, backoff, 31);
        script.open(0, 20);
        script.packets(0, 3);
        for _ in 0..2 {
            for _ in 0..6 {
                refuse(&mut script, 0, NO_ROOM);
                waited(&mut script);
                tries(&mut script);
            }
            script.seen(script.ack_of(0, script.psn(0, 0)));
        }
        let rows = aim(&["Backoff", "Settings"], &["D32", "D37", "M12", "U23"]);
        suite.add(format!("doubling-{backoff}"), "each backoff in a row takes twice as long", rows, script);
    }
}

/// Commands while a PDC backs off: *change* ends it, *lose* and *fail* do not; *close* and *open* leave nothing of it.
fn commands(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 700, 31);
    script.open(0, 20);
    script.packets(0, 4);
    refuse(&mut script, 1, NO_ROOM);
    script.command(Command { op: op::CHANGE, pdc: 0, ..Command::default() });
    tries(&mut script);
    refuse(&mut script, 2, NO_ROOM);
    script.lose(0, 0, true);
    tries(&mut script);
    script.pass(500);
    script.read(0);
    waited(&mut script);
    tries(&mut script);
    refuse(&mut script, 0, NO_ROOM);
    script.command(Command { op: op::FAIL, pdc: 0, psn: script.psn(0, 0), code: 0x63, ..Command::default() });
    script.drain();
    script.read(0);
    script.close(0, true);
    script.open(0, 900);
    script.packets(0, 2);
    script.pass(300);
    script.read(0);
    script.seen(script.ack_all(0));
    let rows = aim(&["Backoff", "Command", "Failure"], &["D25", "D29", "D30", "D36", "D37"]);
    suite.add("commands", "commands on a PDC that backs off", rows, script);
}
