// SPDX-License-Identifier: MIT OR Apache-2.0
//! Probes of the tail: the last packet is sent again when no ACK comes (D38).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Command, Send, Settings, Shape, ack, op, send};
use crate::transmit::packet_tracker::script::{Script, never};
use crate::transmit::packet_tracker::suite::Suite;

/// Units up to a probe, and up to a time-out.
const PROBE: u64 = 120;
const RTO: u64 = 500;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("tail-probes", "the last packet is sent again when no ACK comes", shape, None);
        once(suite, shape);
        not_late(suite, shape);
        asked(suite, shape);
        moves(suite, shape);
        own(suite, shape);
    }
    suite.group("probes", "probes of the tail beside what else happens", shapes::ROCE, None);
    commands(suite, shapes::ROCE);
    backoffs(suite, shapes::ROCE);
    spans(suite, shapes::ROCE);
}

/// A unit of time in a clock cycle.
fn timed(shape: Shape) -> Script {
    Script::with(shape, |s| Settings { tick: 65_535, rto: RTO, retries: 3, tail_probe: PROBE, ..never(shape, s) })
}

fn inferred(script: &Script) -> u64 {
    script.outputs().counters.inferred_losses
}

/// Until the tail has been probed, and a few cycles more.
fn probed(script: &mut Script) {
    let before = inferred(script);
    script.step_while(|script| inferred(script) == before);
    script.drain();
}

/// One probe, and then time-outs, until the base moves; of windows of one packet, of some, and of all that there may be, also about the wrap of PSNs.
fn once(suite: &mut Suite, shape: Shape) {
    for (name, packets) in [("one", 1), ("some", 5), ("window", shape.window - 1)] {
        let mut script = timed(shape);
        script.open(0, (1 << shape.psn_bits) - 3);
        script.packets(0, 1 + packets);
        script.seen(script.ack_of(0, script.psn(0, 0)));
        probed(&mut script);
        script.read(0);
        script.again(0, 1);
        // The probe is lost, too: a time-out.
        let before = script.outputs().counters.timeouts;
        script.step_while(|script| script.outputs().counters.timeouts == before);
        script.drain();
        script.read(0);
        script.again(0, 2);
        script.idle(2 * PROBE);
        script.drain();
        script.read(0);
        script.seen(script.ack_of(0, script.psn(0, 0)));
        if packets == 1 {
            script.packets(0, 2);
        }
        probed(&mut script);
        script.again(0, 3);
        script.seen(script.ack_all(0));
        script.read(0);
        let rows = aim(&["TimeOut", "TailProbe"], &["D14", "D20", "D21", "D22", "D23", "D38"]);
        suite.add(format!("once-{name}"), "one probe, then time-outs, until the base moves", rows, script);
    }
}

/// The last packet was sent not long ago: it is probed when it is old. It is acknowledged or marked already: there is no other probe up to the next move of
/// the base.
fn not_late(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape);
    script.open(0, 40);
    for pause in [2, 8, 15, 60, PROBE - 10] {
        script.packets(0, 3);
        script.idle(pause);
        script.packets(0, 1);
        script.idle(2 * PROBE);
        script.drain();
        script.read(0);
        script.seen(script.ack_all(0));
    }
    for kind in ["sack", "nack"] {
        script.packets(0, 4);
        match kind {
            "sack" => script.ack(script.sack_of(0, 4, 1)),
            _ => script.ack(script.nack_of(0, script.psn(0, 3), 0x1A)),
        }
        script.idle(2 * PROBE);
        script.drain();
        script.read(0);
        script.seen(script.ack_all(0));
    }
    // With one setting there is a probe at once, with the other one never.
    for tail_probe in [1, 0, (1 << 16) - 1] {
        script.set(|s| Settings { tail_probe, ..s });
        script.packets(0, 2);
        script.idle(PROBE);
        script.drain();
        script.read(0);
        script.seen(script.ack_all(0));
    }
    let rows = aim(&["TailProbe", "Settings"], &["D20", "D21", "D22", "D32", "D38"]);
    suite.add("not-late", "a tail that needs no probe", rows, script);
}

/// Only a packet that asks for an ACK is probed, or one that fills the window. What is sent again does not change that.
fn asked(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape);
    script.open(0, 70);
    for asks in [[false, true], [true, false], [false, false], [true, true]] {
        for (n, asks) in asks.into_iter().enumerate() {
            script.send(Send { asks, ..script.new_of(0, 90, n as u64) });
        }
        script.idle(PROBE + 20);
        script.drain();
        script.read(0);
        // The second one is marked, and sent again.
        script.ack(script.nack_of(0, script.psn(0, 1), 0x1A));
        script.send(Send { op: send::AGAIN, asks: !asks[1], ..Send::default() });
        script.idle(PROBE + 20);
        script.drain();
        script.read(0);
        script.seen(script.ack_all(0));
    }
    for packets in [2, 3, 4] {
        let command = Command { op: op::CHANGE, pdc: 0, window: 3, ..Command::default() };
        script.command(command);
        for n in 0..packets {
            script.send(Send { asks: false, ..script.new_of(0, 80, n) });
        }
        script.idle(PROBE + 20);
        script.drain();
        script.read(0);
        script.seen(script.ack_all(0));
    }
    let rows = aim(&["TailProbe", "Full"], &["D6", "D20", "D21", "D38"]);
    suite.add("asked", "a tail that asks for an ACK, and one that does not", rows, script);
}

/// While a scan of the tail is under way the base moves, the last packet is acknowledged or refused, and new ones are sent.
fn moves(suite: &mut Suite, shape: Shape) {
    for kind in ["ack", "all", "sack", "nack", "new"] {
        let mut script = timed(shape);
        script.open(0, 500);
        for distance in (0..3 * shape.ram_latency + 20).step_by(2) {
            script.packets(0, 4);
            script.drain();
            let start = script.oracle().pdc(0).since;
            script.step_while(|script| script.time().wrapping_sub(start) % (1 << 20) < PROBE);
            script.idle(distance);
            match kind {
                "ack" => script.ack(script.ack_of(0, script.psn(0, 2))),
                "all" => script.ack(script.ack_all(0)),
                "sack" => script.ack(script.sack_of(0, 4, 1)),
                "nack" => script.ack(script.nack_of(0, script.psn(0, 3), 0x1A)),
                _ => script.packets(0, 1),
            }
            script.idle(PROBE);
            script.drain();
            script.read(0);
            script.seen(script.ack_all(0));
        }
        let rows = aim(&["TailProbe", "Visible"], &["D14", "D20", "D21", "D22", "D23", "D38"]);
        suite.add(format!("moves-{kind}"), "the window changes while its tail is probed", rows, script);
    }
}

/// PDCs with a time of their own, and one without probes, beside one with that of the settings.
fn own(suite: &mut Suite, shape: Shape) {
    let timer = |op, pdc, rto, tail_probe| {
        let retries = 16;
        Command { op, pdc, own_timer: true, rto, retries, tail_probe, ..Command::default() }
    };
    let mut script = timed(shape);
    script.open(0, 4);
    script.open(3, 9);
    script.packets(0, 2);
    // Without time-outs there are probes all the same. A time-out that is shorter than the probe waits for it.
    for command in [timer(op::CHANGE, 0, 0, 140), timer(op::OPEN, 1, 200, 0), timer(op::OPEN, 2, 20, 100)] {
        script.command(command);
    }
    for pdc in 0..4 {
        script.packets(pdc, 2);
    }
    for _ in 0..6 {
        script.idle(60);
        script.drain();
        for pdc in 0..4 {
            script.read(pdc);
        }
    }
    (0..4).for_each(|pdc| script.seen(script.ack_all(pdc)));
    let rows = aim(&["TailProbe", "Settings"], &["D20", "D21", "D29", "D38"]);
    suite.add("own", "PDCs with a time up to the probe of their own", rows, script);
}

/// *Lose*, *fail* and *open* allow another one; a pause lasts for no time.
fn commands(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape);
    script.set(|s| Settings { rto: 2000, tail_probe: 600, ..s });
    script.open(0, 20);
    script.packets(0, 4);
    probed(&mut script);
    script.again(0, 0x1F);
    script.lose(0, 0x1F, false);
    script.again(0, 2);
    probed(&mut script);
    script.command(Command { op: op::FAIL, pdc: 0, psn: script.psn(0, 0), code: 0x63, ..Command::default() });
    script.idle(2 * PROBE);
    script.drain();
    script.read(0);
    script.close(0, true);
    script.open(0, 900);
    script.packets(0, 2);
    script.pause(true);
    script.idle(2 * PROBE);
    script.pause(false);
    probed(&mut script);
    script.read(0);
    script.seen(script.ack_all(0));
    let rows = aim(&["TailProbe", "Command"], &["D25", "D29", "D35", "D36", "D38"]);
    suite.add("commands", "commands on a PDC whose tail is probed", rows, script);
}

/// None while the PDC waits for its peer to have room; the packet that is tried is the last one.
fn backoffs(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape);
    script.set(|s| Settings { backoff: 150, ..s });
    script.open(0, 20);
    for packets in [1, 4] {
        script.packets(0, packets);
        let nack = Ack { retx: true, ..script.nack_of(0, script.psn(0, 0), 0x07) };
        script.ack(Ack { kind: ack::BACKOFF, ..nack });
        script.ack(nack);
        script.idle(100);
        script.read(0);
        script.step_while(|script| script.oracle().pdc(0).waits());
        script.drain();
        script.again(0, 1);
        script.idle(2 * PROBE);
        script.drain();
        script.again(0, 2);
        script.read(0);
        script.seen(script.ack_all(0));
    }
    let rows = aim(&["TailProbe", "Backoff"], &["D22", "D37", "D38"]);
    suite.add("backoffs", "a peer without room, and probes of the tail", rows, script);
}

/// The tail is probed when the PDC is also behind: first the probe, then the packets by span.
fn spans(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape);
    script.set(|s| Settings { span: 3, ..s });
    script.open(0, 20);
    for pause in [0, 60, 80, 90, PROBE] {
        script.packets(0, 12);
        script.drain();
        script.idle(pause);
        script.ack(script.sack_of(0, 8, 0b101));
        script.idle(2 * PROBE);
        script.drain();
        script.read(0);
        script.seen(script.ack_all(0));
    }
    let rows = aim(&["TailProbe", "Inferred"], &["D20", "D21", "D22", "D38"]);
    suite.add("spans", "losses by span about the time of a probe", rows, script);
}
