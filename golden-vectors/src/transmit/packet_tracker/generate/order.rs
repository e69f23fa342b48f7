// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which operation enters, and what one finds of those before it (D1 to D3).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Command, Send, Settings, Shape, op};
use crate::transmit::packet_tracker::script::{Script, never};
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("order", "which operation enters, and what it finds", shape, None);
        turns(suite, shape);
        scans(suite, shape);
        distances(suite, shape);
        walks(suite, shape);
    }
}

/// D3: both streams wait, and a command; after each of them.
fn turns(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 10);
    script.hammer_ack(&script.ack_of(0, 10));
    script.hammer_send(&Send { op: 1, size: 5, ..Send::default() });
    // After reset `ack` is the first.
    script.offer_ack(script.nack_of(0, 10, 1));
    script.offer_send(script.new_of(0, 100, 1));
    script.accepted();
    script.drain();
    for n in 0..24_u64 {
        // Single ones, which alternate, and walks among them.
        for k in 0..4 {
            script.offer_ack(match (n + k) % 5 {
                0 => script.ack_of(0, script.psn(0, 0)),
                1 => script.credit_of(0, n),
                _ => script.nack_of(0, script.psn(0, (k % 3) as i64), 1),
            });
            script.offer_send(match (n * k) % 6 {
                0 => Send { op: 2, ev: n, ..Send::default() },
                1 => Send { op: 0, last: true, ..Send::default() },
                _ => script.new_of(0, 200 + n, k),
            });
        }
        if n % 3 == 0 {
            script.idle(n / 3);
            script.issue(Command { op: op::READ, ..Command::default() });
        }
        script.accepted();
        if n % 4 == 0 {
            script.drain();
        }
    }
    script.drain();
    script.read(0);
    let rows = aim(&["Order", "FullLoad", "Unready"], &["D1", "D2", "D3", "D28"]);
    suite.add("turns", "both streams wait, and commands", rows, script);
}

/// D3: a scan and both streams take turns.
fn scans(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, rto: 200, ..never(shape, s) });
    script.open(0, 10);
    for streams in 1..4 {
        script.packets(0, 16);
        script.drain();
        script.step_while(|script| script.outputs().quiet);
        for n in 0..50_u64 {
            if streams & 1 != 0 {
                let ack = script.nack_of(0, script.psn(0, (n * 7 % 20) as i64), 1);
                script.offer_ack(if n % 9 == 4 { script.sack_of(0, (n % 12) as i16, 1) } else { ack });
            }
            if streams & 2 != 0 {
                script.offer_send(if n % 9 == 7 {
                    Send { op: 2, ..Send::default() }
                } else {
                    Send { last: n % 2 == 0, ..Send::default() }
                });
            }
        }
        script.issue(Command { op: op::READ, ..Command::default() });
        script.accepted();
        script.drain();
        script.seen(script.ack_all(0));
    }
    let rows = aim(&["Order", "TimeOut", "FullLoad"], &["D2", "D3", "D21", "D22", "D23"]);
    suite.add("scans", "a scan between the operations of both streams", rows, script);
}

/// D1: two operations of one PDC at each distance, with operations of other PDCs between them.
fn distances(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 10);
    script.open(1, 20);
    script.open(2, 30);
    for distance in (0..2 * shape.ram_latency + 12).step_by(if shape == shapes::USUAL { 1 } else { 2 }) {
        script.packets(0, 1);
        for n in 0..distance {
            script.send(script.new_of(1 + n % 2, 300 + n, n % 2));
        }
        script.packets(0, 1);
        for n in 0..distance {
            script.ack(script.nack_of(1 + n % 2, script.psn(1 + n % 2, (n / 2) as i64), 1));
        }
        script.ack(script.nack_of(0, script.psn(0, 0), 1));
        script.ack(script.nack_of(0, script.psn(0, 1), 1));
        script.ack(script.credit_of(0, distance));
        script.drain();
        for pdc in 0..3 {
            script.ack(script.ack_all(pdc));
        }
        script.packets(0, 1);
        script.drain();
    }
    let rows = aim(&["BackToBack", "FullLoad"], &["D1", "D6", "D18", "D19", "D26"]);
    suite.add("distances", "two operations of one PDC at each distance", rows, script);
}

/// D1: walks one behind the other, of one PDC and of others; each sees all of those before it.
fn walks(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 10);
    script.open(1, 62);
    script.packets(0, 30);
    script.packets(1, 30);
    script.drain();
    for n in 0..12_u64 {
        let pdc = n % 2;
        script.offer_ack(script.ack_of(pdc, script.psn(pdc, 0)));
        script.offer_ack(script.nack_of(pdc, script.psn(pdc, 3), 0x1A));
        script.offer_send(Send { pdc, op: 2, ev: n, ..Send::default() });
        script.offer_send(script.new_of(pdc, 400 + n, 1));
        let named = script.psn(pdc, 1);
        script.offer_ack(Ack { sack_offset: 2, sack: 0b101, ..script.ack_of(pdc, named) });
        script.accepted();
        if n % 3 == 2 {
            script.drain();
        }
    }
    script.drain();
    script.read(0);
    script.read(1);
    let rows = aim(&["BackToBack", "Again", "Bitmap"], &["D1", "D3", "D7", "D11", "D13", "D14"]);
    suite.add("walks", "walks one behind the other", rows, script);
}
