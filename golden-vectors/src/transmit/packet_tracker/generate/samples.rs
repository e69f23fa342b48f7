// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an ACK counts, and the times of its trigger (D15 to D17, D27).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Settings, Shape};
use crate::transmit::packet_tracker::script::{Script, never};
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [shapes::USUAL, shapes::ROCE] {
        suite.group("samples", "bytes received, and the times of triggers", shape, None);
        totals(suite, shape);
        ages(suite, shape);
        counts(suite, shape);
        triggers(suite, shape);
        passed(suite, shape);
    }
}

/// D15: differences around 65535 and 2^23, and around the wrap of rcvd_bytes.
fn totals(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 1);
    script.packets(0, 30);
    let mut total = 0;
    for (n, more) in [0, 1, 65_535, 65_536, 0, 5, 200_000, 0, 1 << 22, (1 << 23) - 1, 1 << 23, (1 << 24) - 1, 7]
        .into_iter()
        .enumerate()
    {
        total = (total + more) % (1 << 24);
        // Not there, there, and with an ACK that moves nothing.
        let ack = script.ack_of(0, script.psn(0, if n % 3 == 0 { -1 } else { 0 }));
        script.ack(Ack { rcvd_bytes: total, ..ack });
        script.ack(Ack { counted: true, rcvd_bytes: total, ..ack });
    }
    // What is left comes with the next ones, also around 0.
    for rcvd_bytes in [(1 << 24) - 1, (1 << 24) - 1, 3, 2, 3] {
        for _ in 0..3 {
            script.ack(Ack { counted: true, rcvd_bytes, ..script.ack_of(0, script.psn(0, -1)) });
        }
    }
    // Outside: nothing is counted.
    script.ack(Ack { counted: true, rcvd_bytes: 900, ..script.ack_of(0, script.psn(0, 40)) });
    script.seen(Ack { counted: true, rcvd_bytes: 901, ..script.ack_of(0, script.psn(0, 0)) });
    // Another PDC, and another life of this one, begin with 0.
    script.open(1, 9);
    script.seen(Ack { counted: true, rcvd_bytes: 44, ..script.ack_of(1, 8) });
    script.close(0, true);
    script.open(0, 50);
    script.seen(Ack { counted: true, rcvd_bytes: 45, ..script.ack_of(0, 49) });
    let rows = aim(&["Total", "Outside"], &["D11", "D15", "D17", "D31"]);
    suite.add("totals", "numbers of received bytes, new and old", rows, script);
}

/// D16: ages around 0 and 2^19, of ACKs and NACKs; of a packet that was sent around the wrap of the time.
fn ages(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, ..never(shape, s) });
    script.open(0, 70);
    for n in 0_u64..14 {
        script.packets(0, 2);
        script.drain();
        let stamp = script.oracle().pdc(0).packet(0).stamp;
        let later = [0, 1, (1 << 19) - 1, 1 << 19, (1 << 19) + 1, (1 << 20) - 1, 77][n as usize % 7];
        let arrived = (stamp + later) % (1 << 20);
        let (retx, marked) = (n % 4 == 3, n % 2 == 1);
        if n >= 7 {
            script.ack(Ack { retx, marked, arrived, ..script.nack_of(0, script.psn(0, 0), 3) });
        }
        script.seen(Ack { retx, marked, arrived, trigger_offset: -1, ..script.ack_of(0, script.psn(0, 1)) });
    }
    let rows = aim(&["Trigger", "BadTime"], &["D16", "D17", "D18", "D27", "D31", "U33"]);
    suite.add("ages", "ages around 0 and half of the range", rows, script);
}

/// D27: each count of transmissions with each value of `retx`.
fn counts(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 1000);
    for count in 0..5 {
        for retx in [false, true] {
            script.packets(0, 2);
            for n in 0..count {
                script.ack(Ack { retx: true, ..script.nack_of(0, script.psn(0, 0), 1) });
                script.again(0, n % 2);
            }
            script.drain();
            // The second one is refused with this count too, if the codes are such that it marks.
            script.ack(Ack { retx, ..script.nack_of(0, script.psn(0, 0), if retx { 2 } else { 0x1A }) });
            script.seen(Ack { retx, trigger_offset: -1, ..script.ack_of(0, script.psn(0, 1)) });
            script.packets(0, 1);
            script.seen(Ack { retx, ..script.ack_of(0, script.psn(0, 0)) });
        }
    }
    let rows = aim(&["Trigger", "Again"], &["D8", "D16", "D17", "D18", "D27", "U33"]);
    suite.add("counts", "packets that were sent once and more often, with and without retx", rows, script);
}

/// D16: triggers that are released, were released before, are marked, or are not there.
fn triggers(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 55);
    script.packets(0, 40);
    script.ack(script.nack_of(0, 57, 1));
    script.ack(script.nack_of(0, 70, 1));
    script.drain();
    let ack = |script: &Script, psn: u64, trigger: i16, first: i16, sack: u64| {
        let (trigger_offset, sack_offset) = (trigger - psn as i16, first - psn as i16);
        Ack { trigger_offset, sack_offset, sack, marked: true, ..script.ack_of(0, psn) }
    };
    for (psn, trigger, first, sack) in [
        (55, 55, 0, 0),
        (56, 55, 0, 0),
        (57, 57, 60, 1),
        (57, 60, 60, 0b11),
        (57, 61, 60, 0b11),
        (57, 62, 70, 1),
        (57, 70, 70, 0b11),
        (59, 71, 70, 0b11),
        (62, 94, 0, 0),
        (62, 72, 72, 0b111),
    ] {
        script.ack(ack(&script, psn, trigger, first, sack));
        script.ack(Ack { triggered: false, ..ack(&script, psn + 1, psn as i16 + 1, first, sack) });
        script.drain();
    }
    let rows = aim(&["Trigger", "Late"], &["D16", "D17", "D27"]);
    suite.add("triggers", "packets that made the peer answer, and such that cannot be used", rows, script);
}

/// D17, D18: each bit of what is passed on, with ACKs that release nothing too.
fn passed(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 7);
    script.packets(0, 30);
    for bit in 0..24 {
        let psn = script.psn(0, if bit % 2 == 0 { 0 } else { -1 });
        let one = |width: u64| if bit < width { 1 << bit } else { 0 };
        let ack =
            Ack { triggered: bit % 3 == 0, ev: one(16), arrived: one(20), service: one(16), ..script.ack_of(0, psn) };
        let flags = Ack { pend: one(7), marked: bit == 7, retx: bit == 8, restore: bit == 9, ..ack };
        script.ack(Ack { reason: one(8), credit: one(24), ..flags });
        let nack = script.nack_of(0, script.psn(0, 0), bit % 12);
        let nack = Ack { ev: one(16), arrived: one(20), service: one(16), ..nack };
        script.ack(Ack { marked: bit == 7, retx: bit != 8, ..nack });
        script.ack(script.credit_of(0, one(24)));
        script.ack(Ack { kind: 3, ..script.credit_of(0, !one(24) & 0xFF_FFFF) });
    }
    let rows = aim(&["Passed", "BackToBack"], &["D17", "D18", "D19", "D26", "U34"]);
    suite.add("passed", "each bit of what an event passes on", rows, script);
}
