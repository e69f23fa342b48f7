// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is counted, and what is refused (C4 to C11).

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Algorithms, Data, Event, Loss, Send, Settings, Shape, kind, op};
use crate::transmit::ccc_table::oracle::{Command, nack};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::USUAL.into_iter().chain([shapes::CREDIT[0], shapes::OTHERS[3]]) {
        suite.group("counts", "what waits and what is in flight, and what is refused", shape, None);
        acks(suite, shape);
        losses(suite, shape);
        sends(suite, shape);
        data(suite, shape);
        closed(suite, shape);
        states(suite, shape);
    }
}

fn ack(script: &Script, quanta: u64, packets: u64, rtx_packets: u64, rtx_bytes: u64) -> Event {
    let ack = script.ack_of(0, packets, quanta, 100);
    Event::Ack(Ack { timed: false, rtx_packets, rtx_bytes, ..ack })
}

/// C5: each count exactly reached, and exceeded by one; and the bound of *inflight*.
fn acks(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, |s| s);
    script.data(0, 1 << 20);
    script.send(0, 9, 1000);
    script.lose(0, 1000);
    script.lose(0, 1000);
    script.read(0);
    for (quanta, packets, rtx_packets, rtx_bytes) in [
        (4, 8, 0, 0),
        (4, 0, 3, 0),
        (4, 0, 0, 2001),
        (0, 0, 0, 0),
        (4, 1, 1, 1000),
        (4, 0, 2, 1000),
        (4, 0, 1, 1001),
        (4, 0, 0, 1000),
        (4, 0, 1, 0),
        (4, 0, 1, 0),
        (1, 7, 0, 0),
        (1, 4, 0, 0),
    ] {
        let event = ack(&script, quanta, packets, rtx_packets, rtx_bytes);
        script.seen(event);
    }
    let aim1 = aim(&["Refused"], &["C5", "C11", "U20", "U22", "U30", "U37"]);
    suite.add("acks", "an ACK for as many packets and bytes as there are, and for one more", aim1, script);

    // 10 x 4096 bytes in flight; rounding takes away more than has been sent, exactly to the bound, and beyond it.
    let mut script = Script::opened(shape, |s| s);
    script.data(0, 1 << 20);
    script.send(0, 10, 4096);
    for quanta in [160 + 256, 0, 1, 65_535] {
        let event = ack(&script, quanta, 1, 0, 0);
        script.seen(event);
    }
    // From the bound upwards, and beyond it again, from one byte above it too. The next grant has the limit that follows.
    for (size, quanta) in [(1, 1), (256, 1), (255, 1), (513, 2), (16_383, 64), (300, 0)] {
        script.send(0, 1, size);
        script.idle(1);
        script.read(0);
        let event = ack(&script, quanta, 1, 0, 0);
        script.seen(event);
        script.end_turn(0);
        script.idle(20);
    }
    // A penalty sees the bytes in flight too.
    script.seen(Event::Ack(Ack { timed: false, pend: 60, ..script.ack_of(0, 1, 300, 100) }));
    // The last packet leaves nothing.
    for packets in [1, 1, 6, 3] {
        let event = ack(&script, 3, packets, 0, 0);
        script.seen(event);
    }
    let aim2 = aim(&["Negative", "Refused"], &["C5", "C11", "C18", "C26", "U30", "U37"]);
    suite.add("rounding", "ACKs with bytes in flight at -65536 and above; 0 packets leave 0 bytes", aim2, script);

    // What is left above 0 goes with the last packet too.
    let mut script = Script::opened(shape, |s| s);
    script.data(0, 1 << 20);
    for packets in [1, 3] {
        script.send(0, packets, 9000);
        let event = ack(&script, 1, packets, 0, 0);
        script.seen(event);
    }
    let aim3 = aim(&["Negative"], &["C11", "U37"]);
    suite.add("rest", "bytes in flight above 0 without packets become 0", aim3, script);
}

/// C6: NACKs and losses.
fn losses(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, |s| s);
    script.data(0, 1 << 20);
    script.lose(0, 100);
    script.send(0, 5, 3000);
    for (n, size) in [3000, 16_383, 0, 3000, 1, 77].into_iter().enumerate() {
        let nack = script.nack_of(0, [nack::TRIMMED, nack::TRIMMED_LASTHOP, 4][n % 3], size, 100);
        let event = if n % 2 == 0 { Event::Loss(Loss { ccc: 0, size }) } else { Event::Ack(nack) };
        script.seen(event);
    }
    let rows = aim(&["Refused", "Negative"], &["C6", "C11", "U23", "U24"]);
    suite.add("losses", "packets lost, until none is in flight", rows, script);

    // 24 bytes in flight, of which 4096 are lost again and again: down to one byte above the bound, to it, and beyond it.
    for (id, nacks) in [("lowest", [false, true]), ("lowest-loss", [false; 2]), ("lowest-nack", [true; 2])] {
        let mut script = Script::opened(shape, |s| s);
        script.data(0, 1 << 20);
        script.send(0, 28, 1);
        for n in 0..24 {
            let size = match n {
                16 => 27,
                17 => 1,
                18 => 0,
                19 => 1,
                _ => 4096,
            };
            let nack = script.nack_of(0, 9, size, 100);
            script.event(if nacks[n % 2] { Event::Ack(nack) } else { Event::Loss(Loss { ccc: 0, size }) });
            script.idle(2);
            script.read(0);
            if n == 21 {
                // The bound holds, and nothing below it is remembered.
                script.send(0, 1, 5000);
                script.end_turn(0);
                script.idle(30);
                script.read(0);
            }
        }
        let rows = aim(&["Negative"], &["C6", "C11", "C26", "U24"]);
        suite.add(id, "bytes in flight down to -65536 by losses and NACKs", rows, script);
    }
}

/// C7, C8: packets that are sent, with counts that are too low.
fn sends(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, |s| s);
    script.data(0, 10_000);
    let send = |size, retransmission| Event::Send(Send { size, packet: true, retransmission, ..Send::default() });
    script.seen(send(6000, false));
    script.seen(send(3999, false));
    script.seen(send(1, false));
    script.seen(send(1, false));
    script.seen(send(1, true));
    script.lose(0, 3000);
    script.lose(0, 1000);
    script.seen(send(3000, true));
    script.seen(send(1001, true));
    script.lose(0, 1000);
    script.seen(send(999, true));
    script.seen(send(1, true));
    script.seen(send(0, true));
    script.seen(send(0, false));
    script.lose(0, 1);
    script.data(0, 16_383);
    script.seen(send(16_383, false));
    script.seen(Event::Send(Send { size: 5000, retransmission: true, last: true, ..Send::default() }));
    script.seen(Event::Send(Send { size: 5000, ..Send::default() }));
    let rows = aim(&["Short"], &["C7", "C8", "C11", "U21", "U25"]);
    suite.add("sends", "packets and retransmissions, exactly as many as wait and more", rows, script);
}

/// C9: up to 2^40 - 1 bytes.
fn data(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, |s| s);
    for bytes in [0, (1 << 40) - 1, 1, (1 << 40) - 1, 0] {
        script.seen(Event::Data(Data { ccc: 0, bytes }));
    }
    script.send(0, 1, 100);
    for bytes in [101, 100, 1, 1 << 39] {
        script.seen(Event::Data(Data { ccc: 0, bytes }));
    }
    suite.add("data", "new data up to 2^40 - 1 bytes", aim(&["Refused"], &["C9", "C11", "U26"]), script);
}

/// C4: events of closed CCCs, and such that are of no kind.
fn closed(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| s);
    let all = |script: &mut Script, ccc: u64| {
        script.offer(Event::Data(Data { ccc, bytes: 5000 }));
        script.offer(Event::Send(Send { ccc, size: 100, packet: true, last: true, ..Send::default() }));
        script.offer(Event::Loss(Loss { ccc, size: 50 }));
        for code in [kind::ACK, kind::NACK, kind::CREDIT, kind::NONE] {
            let ack = script.ack_of(ccc, 0, 9, 50);
            script.offer(Event::Ack(Ack { kind: code, reason: 1, size: 50, credit: 100, ..ack }));
        }
        script.accepted();
        script.idle(20);
    };
    all(&mut script, 0);
    script.read(0);
    script.open_as(0, true, false, 0, 1);
    // The number 3 is above those of a stage of three CCCs.
    for ccc in [1, 2, shape.cccs.next_power_of_two() - 1] {
        all(&mut script, ccc);
        script.read(ccc);
    }
    all(&mut script, 0);
    script.read(0);
    script.close(0, true);
    all(&mut script, 0);
    script.read(0);
    let rows = aim(&["Closed", "Refused"], &["C4", "C10", "C31", "C32"]);
    suite.add("closed", "events of CCCs that are closed or do not exist, and of no kind", rows, script);
}

/// U27: every state, and what leads there.
fn states(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, |s| Settings { config_wnd: 8192, ..s });
    script.read(0);
    script.data(0, 9000);
    script.read(0);
    script.send(0, 2, 4096);
    script.read(0);
    script.lose(0, 4096);
    script.read(0);
    script.event(Event::Send(Send { size: 4096, packet: true, retransmission: true, ..Send::default() }));
    script.read(0);
    script.send(0, 1, 808);
    script.read(0);
    let event = ack(&script, 16, 1, 0, 0);
    script.seen(event);
    let event = ack(&script, 18, 2, 0, 0);
    script.seen(event);
    script.command(Command { op: op::CLOSE, ..Command::default() });
    script.read(0);
    // With a turn that is not over, also if nothing else is left.
    script.end_turn(0);
    script.idle(2);
    script.close(0, false);
    script.read(0);
    let nscc = matches!(shape.algorithms, Algorithms::Nscc | Algorithms::Both);
    let rows = if nscc { ["C26", "C32", "U27", "U30"] } else { ["C26", "C32", "U27", "U26"] };
    suite.add("states", "IDLE, READY, ACTIVE, PENDING", aim(&["State"], &rows), script);
}

/// Counts at the limits of their widths: too long for the committed file.
pub fn wide(suite: &mut Suite, shape: Shape) {
    // inflight_pkts and waiting_rtx up to 65535.
    let mut script = Script::opened(shape, |s| s);
    script.data(0, u32::MAX.into());
    script.send(0, 65_534, 1);
    script.read(0);
    script.send(0, 1, 1);
    script.read(0);
    script.seen(Event::Send(Send { size: 1, packet: true, last: true, ..Send::default() }));
    for n in 0..65_535 {
        script.lose(0, 1 + n / 65_530);
    }
    script.read(0);
    script.send(0, 2, 1);
    script.lose(0, 1);
    let nack = script.nack_of(0, 1, 1, 9);
    script.seen(Event::Ack(nack));
    suite.add("packets", "65535 packets in flight, and to be sent again", aim(&["Wrap"], &["C6", "C7"]), script);
    // inflight and rtx_backlog up to 2^28.
    let mut script = Script::opened(shape, |s| s);
    script.data(0, u32::MAX.into());
    script.send(0, 16_384, 16_383);
    script.read(0);
    for size in [16_383, 1, 0] {
        script.seen(Event::Send(Send { size, packet: true, ..Send::default() }));
    }
    script.event(Event::Ack(script.ack_of(0, 1, 65_535, 100)));
    script.send(0, 1000, 16_383);
    for _ in 0..16_384 {
        script.lose(0, 16_383);
    }
    script.read(0);
    script.lose(0, 16_383);
    let nack = script.nack_of(0, 1, 16_384 - 1, 9);
    script.seen(Event::Ack(nack));
    suite.add("bytes", "2^28 bytes in flight, and to be sent again", aim(&["Wrap"], &["C6", "C7"]), script);
}
