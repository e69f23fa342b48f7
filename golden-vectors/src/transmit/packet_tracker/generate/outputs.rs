// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outputs that are stalled, and what may be open (D4, D13, D26, D27, D33).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Command, Send, Settings, Shape, op};
use crate::transmit::packet_tracker::script::{Script, never};
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("outputs", "outputs that are stalled, and what is open", shape, None);
        events(suite, shape);
        without_event(suite, shape);
        outcomes(suite, shape);
        reads(suite, shape);
        short(suite, shape);
        lost(suite, shape);
        quiet(suite, shape);
    }
}

/// So many events and outcomes are open.
fn open(script: &Script) -> (usize, usize) {
    script.oracle().open()
}

/// D4: 32 events, one more, and one less; then one transfer at a time.
fn events(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 1);
    script.hammer_ack(&Ack { psn: 5, ..Ack::default() });
    script.hammer_send(&Send { op: 1, size: 77, ev: 1, ..Send::default() });
    script.hammer_command(&Command { op: op::CLOSE, force: true, ..Command::default() });
    script.stall(false, true, true);
    script.packets(0, 31);
    script.idle(40);
    script.packets(0, 1);
    script.idle(40);
    // It waits, as those behind it do.
    for n in 0..3 {
        script.offer_send(script.new_of(0, 900 + n, 1));
        script.offer_ack(script.ack_of(0, 3 + n));
    }
    script.idle(20);
    script.issue(Command { op: op::READ, ..Command::default() });
    script.idle(10);
    for pause in [0, 30, 1, 60, 2] {
        script.stall(true, true, true);
        script.idle(1);
        script.stall(false, true, true);
        script.idle(pause);
    }
    script.drain();
    script.read(0);
    let rows = aim(&["Open", "Stall", "Unready"], &["D2", "D4", "D26", "D28"]);
    suite.add("events", "32 events are open: nothing enters", rows, script);
}

/// D4: operations without an event are open up to *x*.
fn without_event(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 1);
    script.stall(false, true, true);
    script.packets(0, 20);
    script.idle(40);
    // Void NACKs, ends, operations of closed PDCs, ACKs that are outside.
    for n in 0..14 {
        script.offer_ack(script.nack_of(n % 2, 700, 1));
        script.offer_send(Send { pdc: n % 2, ..Send::default() });
    }
    script.offer_ack(script.ack_of(0, 700));
    script.offer_ack(script.ack_of(1, 700));
    for n in 0..3 {
        script.offer_send(Send { pdc: n % 2, op: 2, ..Send::default() });
    }
    script.accepted();
    script.idle(60);
    script.drain();
    let rows = aim(&["Open", "Stall", "Void", "Closed"], &["D4", "D9", "D11", "D18", "D26"]);
    suite.add("without-event", "operations without an event, of which few fit beside those that wait", rows, script);
}

/// D4, D27: outcomes of NACKs, with and without one.
fn outcomes(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 1);
    script.stall(true, false, true);
    script.packets(0, 50);
    for n in 0..24 {
        script.ack(script.nack_of(0, 1 + n, 1));
    }
    script.idle(60);
    for n in 0..20 {
        script.offer_ack(script.nack_of(0, 16 + n, 1));
        script.offer_send(script.new_of(0, 99 + n, 1));
    }
    script.idle(80);
    for pause in [0, 1, 40, 2] {
        script.stall(true, true, true);
        script.idle(1);
        script.stall(true, false, true);
        script.idle(pause);
    }
    script.drain();
    script.read(0);
    let rows = aim(&["Open", "Stall", "Nack", "Void"], &["D4", "D18", "D27"]);
    suite.add("outcomes", "32 outcomes are open: nothing enters", rows, script);
}

/// D13: reads wait while 32 outcomes are open, and so does *t*.
fn reads(suite: &mut Suite, shape: Shape) {
    for taken in [1, 2, 7, 40] {
        let mut script = Script::opened(shape, 50);
        script.packets(0, 60);
        script.drain();
        script.stall(true, false, true);
        script.ack(Ack { sack_offset: 1, sack: 0x3FF0, ..script.ack_of(0, 90) });
        script.step_while(|script| open(script).1 < 32);
        script.offer_ack(script.ack_of(0, 95));
        script.offer_send(script.new_of(0, 123, 1));
        script.idle(30);
        for _ in 0..30 / taken {
            script.stall(true, true, true);
            script.idle(taken);
            script.stall(true, false, true);
            script.idle(1 + taken % 3);
        }
        script.drain();
        script.seen(script.ack_of(0, script.psn(0, 3)));
        let rows = aim(&["Open", "Stall", "Bitmap"], &["D4", "D13", "D17", "D27"]);
        suite.add(format!("reads-{taken}"), "an ACK of more packets than outcomes may be open", rows, script);
    }
    // A close waits as well.
    let mut script = Script::opened(shape, 50);
    script.packets(0, 60);
    script.stall(true, false, true);
    script.issue(Command { op: op::CLOSE, force: true, ..Command::default() });
    script.idle(150);
    script.packets(1, 2);
    script.drain();
    script.read(0);
    let rows = aim(&["Open", "Stall", "Command"], &["D4", "D13", "D28", "D30"]);
    suite.add("reads-close", "a close of more packets than outcomes may be open", rows, script);
}

/// Short stalls of both in turn, of different lengths.
fn short(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 50);
    for n in 0..40_u64 {
        script.offer_send(script.new_of(0, 100 + n, n % 2));
        if n % 3 == 0 {
            script.offer_ack(script.nack_of(0, script.psn(0, (n / 4) as i64), 3));
        } else {
            script.offer_ack(script.ack_of(0, script.psn(0, (n % 7) as i64 - 1)));
        }
        script.stall(n * n % 5 > 1, n * n % 7 > 2, true);
        script.idle(n % 9);
    }
    script.drain();
    script.read(0);
    let rows = aim(&["Stall"], &["D13", "D26", "D27"]);
    suite.add("short", "stalls of some cycles", rows, script);
}

/// D4, D22: examinations wait, as every operation does.
fn lost(suite: &mut Suite, shape: Shape) {
    for (event, outcome) in [(false, true), (true, false)] {
        let mut script = Script::with(shape, |s| Settings { tick: 65_535, rto: 100, ..never(shape, s) });
        script.open(0, 50);
        script.packets(0, 45);
        script.drain();
        script.stall(event, outcome, true);
        script.step_while(|script| open(script).0.max(open(script).1) < 32);
        script.idle(50);
        script.stall(!event, !outcome, true);
        script.idle(30);
        script.drain();
        script.read(0);
        let rows = aim(&["Open", "Stall", "TimeOut"], &["D4", "D22", "D23", "D27"]);
        suite.add(format!("lost-{}", u8::from(event)), "a scan that finds more than may be open", rows, script);
    }
}

/// D33: `quiet` behind each kind of operation.
fn quiet(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 50);
    script.drain();
    script.packets(0, 1);
    script.drain();
    script.ack(script.nack_of(0, 50, 1));
    script.drain();
    script.again(0, 1);
    script.drain();
    script.ack(script.nack_of(1, 50, 1));
    script.drain();
    script.send(Send::default());
    script.drain();
    script.send(Send { last: true, ..Send::default() });
    script.drain();
    script.ack(script.ack_of(0, 50));
    script.drain();
    script.ack(script.ack_of(0, 70));
    script.drain();
    script.ack(script.credit_of(0, 4));
    script.drain();
    for op in 0..6 {
        script.command(Command { op, pdc: 2, ..Command::default() });
        script.drain();
    }
    // Something that is not taken.
    script.stall(false, true, true);
    script.packets(0, 1);
    script.idle(60);
    script.stall(true, false, true);
    script.ack(script.ack_of(0, 51));
    script.idle(60);
    let rows = aim(&["Quiet", "Stall"], &["D33"]);
    suite.add("quiet", "quiet behind each operation", rows, script);
}
