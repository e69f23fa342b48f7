// SPDX-License-Identifier: MIT OR Apache-2.0
//! The examples of the page, with its numbers.

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Command, Send, Settings, op, send};
use crate::transmit::packet_tracker::script::{SIZE, Script, never};
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite) {
    suite.group("examples", "the examples of the page", shapes::FOUR_BLOCKS, None);
    in_order(suite);
    sack(suite);
    timeouts(suite);
    bad_acks(suite);
    suite.group("examples", "the examples of the page", shapes::USUAL, None);
    wrap(suite);
}

/// PDC 3 of CCC 7 is open.
fn opened(psn: u64, change: impl Fn(Settings) -> Settings) -> Script {
    let mut script = Script::with(shapes::FOUR_BLOCKS, change);
    script.command(Command { op: op::OPEN, pdc: 3, psn, ccc: 7, ..Command::default() });
    script
}

fn new(script: &mut Script, pdc: u64, packets: u64) {
    for _ in 0..packets {
        script.send(script.new_of(pdc, SIZE, 17));
    }
}

fn never_lost(s: Settings) -> Settings {
    never(shapes::FOUR_BLOCKS, s)
}

fn again(script: &mut Script) {
    script.send(Send { pdc: 3, op: send::AGAIN, ev: 18, last: true, ..Send::default() });
    script.drain();
}

fn in_order(suite: &mut Suite) {
    let mut script = opened(100, never_lost);
    script.until(1000);
    new(&mut script, 3, 4);
    script.until(5000);
    script.ack(Ack { counted: true, rcvd_bytes: 65, ..script.ack_of(3, 103) });
    // The next operation.
    script.ack(script.credit_of(3, 9));
    let rows = aim(&["Example", "Cycles"], &["D1", "D2", "D6", "D10", "D11", "D13", "D14", "D15", "D16", "D26", "D27"]);
    suite.add("in-order", "four packets, and one ACK of all", rows, script);
}

/// PSN 104 to 109 are in flight; a NACK, a bitmap, the same again, and then 105 comes after all: before or after it is sent again.
fn sack(suite: &mut Suite) {
    for sent_again in [false, true] {
        let mut script = opened(100, never_lost);
        new(&mut script, 3, 4);
        script.seen(Ack { counted: true, rcvd_bytes: 65, ..script.ack_of(3, 103) });
        new(&mut script, 3, 6);
        script.drain();
        script.seen(script.nack_of(3, 105, 0x1A));
        script.seen(script.nack_of(3, 105, 0x1A));
        let bits = ((1 << 41) - 1) | (1 << 42) | (1 << 43);
        let bitmap = Ack { sack_offset: -40, sack: bits, ..script.ack_of(3, 104) };
        script.seen(bitmap);
        script.seen(bitmap);
        if sent_again {
            again(&mut script);
        }
        script.seen(Ack { trigger_offset: -2, ..script.ack_of(3, 107) });
        again(&mut script);
        let rows = aim(&["Example", "Late"], &["D7", "D8", "D9", "D11", "D12", "D14", "D17", "D18", "D27"]);
        let id = if sent_again { "sack-again" } else { "sack" };
        suite.add(id, "a NACK, a bitmap, and a packet that comes after all", rows, script);
    }
}

/// With a unit of time in a clock cycle: the times are those of the page, or one more.
fn timeouts(suite: &mut Suite) {
    let mut script = opened(107, |s| Settings { tick: 65_535, rto: 7813, span: 255, tail_probe: 0, ..s });
    script.step_while(|script| script.time() < 998);
    new(&mut script, 3, 3);
    script.step_while(|script| script.time() < 997);
    script.ack(script.ack_of(3, 107));
    for lost in [2, 4] {
        script.step_while(|script| script.outputs().counters.timeouts < lost);
        script.drain();
        script.read(3);
        script.step_while(|script| script.time() < 8899);
        again(&mut script);
        again(&mut script);
    }
    script.seen(script.ack_of(3, 108));
    let rows = aim(&["Example", "TimeOut"], &["D20", "D21", "D22", "D23"]);
    suite.add("time-outs", "two packets that time out together, with twice the time-out the second time", rows, script);
}

fn bad_acks(suite: &mut Suite) {
    let mut script = opened(108, never_lost);
    new(&mut script, 3, 2);
    script.seen(script.ack_of(3, 110));
    let bit = |script: &Script, psn: u64, named: i16| {
        Ack { triggered: false, sack_offset: named, sack: 1, ..script.ack_of(3, psn) } //
    };
    script.seen(bit(&script, 107, 3));
    script.seen(script.ack_of(3, 0xFFFF_0000));
    script.seen(bit(&script, 50, 59));
    let rows = aim(&["Example", "Outside"], &["D11"]);
    suite.add("bad-acks", "three ACKs that are outside, and one that is old", rows, script);
}

fn wrap(suite: &mut Suite) {
    let mut script = Script::opened(shapes::USUAL, 0xFFFF_FFFE);
    new(&mut script, 0, 3);
    script.drain();
    script.seen(script.ack_of(0, 0));
    let rows = aim(&["Example", "PsnWrap"], &["D11", "D12"]);
    suite.add("wrap", "an ACK around PSN 0, with two blocks in the same row", rows, script);
}
