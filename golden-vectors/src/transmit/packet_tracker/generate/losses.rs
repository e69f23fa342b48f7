// SPDX-License-Identifier: MIT OR Apache-2.0
//! Losses that are inferred, and losses that are declared (D21, D22, D25).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Command, Settings, Shape, op};
use crate::transmit::packet_tracker::script::{SIZE, Script, never};
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES.into_iter().chain([shapes::ROCE]) {
        suite.group("losses", "packets that are lost by span, or declared lost", shape, None);
        spans(suite, shape);
        once(suite, shape);
        highest(suite, shape);
        both(suite, shape);
        failed(suite, shape);
        lose(suite, shape);
        dead(suite, shape);
        stays_failed(suite, shape);
        not_done(suite, shape);
        refused(suite, shape);
        if shape != shapes::ROCE {
            under_way(suite, shape);
        }
    }
}

/// Losses are inferred with this span; nothing is lost by time.
fn spanned(shape: Shape, span: u64) -> Script {
    let mut script = Script::with(shape, |s| Settings { span, ..never(shape, s) });
    script.open(0, 61);
    script.packets(0, 30);
    script.drain();
    script
}

/// D20, D22: the highest acknowledged PSN is just as far behind the base as it may be, and one further.
fn spans(suite: &mut Suite, shape: Shape) {
    for span in [0, 1, 4, 11, shape.window / 2, shape.window - 1] {
        let mut script = spanned(shape, span);
        for n in [1, 3, 5, 6, 13, 14, 29] {
            script.ack(script.sack_of(0, n, 1));
            script.idle(2 * shape.pdcs + 60);
            script.drain();
            script.read(0);
        }
        script.again(0, 1);
        script.seen(script.ack_of(0, script.psn(0, 8)));
        script.idle(2 * shape.pdcs + 60);
        let rows = aim(&["Inferred"], &["D14", "D20", "D21", "D22", "U24"]);
        suite.add(format!("span-{span}"), "packets so far behind the highest one, and one further", rows, script);
    }
}

/// D21: each PSN is examined once; packets that were sent again, acknowledged or marked are passed over.
fn once(suite: &mut Suite, shape: Shape) {
    let mut script = spanned(shape, 3);
    script.ack(script.nack_of(0, 62, 1));
    script.again(0, 1);
    script.ack(script.nack_of(0, 63, 1));
    script.ack(script.sack_of(0, 4, 1));
    script.ack(script.sack_of(0, 9, 1));
    script.drain();
    script.read(0);
    for n in [15, 25] {
        script.ack(script.sack_of(0, n, 1));
        script.idle(2 * shape.pdcs + 60);
        script.drain();
        script.read(0);
    }
    for _ in 0..4 {
        script.again(0, 1);
    }
    for n in [1, 0, 8] {
        script.seen(script.ack_of(0, script.psn(0, n)));
        script.idle(2 * shape.pdcs + 60);
        script.drain();
        script.read(0);
    }
    let rows = aim(&["Inferred", "Again"], &["D14", "D20", "D21", "D22"]);
    suite.add("once", "one examination of each PSN", rows, script);
}

/// D14, D21: the highest acknowledged PSN behind moves of the base, and a scan that is void or looks at a window that has moved.
fn highest(suite: &mut Suite, shape: Shape) {
    let mut script = spanned(shape, 6);
    let step = 2 * shape.pdcs + 3 * shape.effect();
    for distance in (0..step).step_by(if shape.pdcs > 2 { 3 } else { 2 }) {
        let length = script.oracle().pdc(0).length;
        script.packets(0, 20 - length.min(20));
        script.drain();
        script.ack(script.sack_of(0, 8, 1));
        script.idle(distance);
        // Behind it, nothing is so far behind the highest one; or all is.
        let far = if distance % 2 == 0 { 1 } else { 8 };
        script.ack(script.ack_of(0, script.psn(0, far)));
        script.idle(step);
        script.drain();
        script.read(0);
    }
    let rows = aim(&["Inferred", "Visible", "Void"], &["D14", "D20", "D21", "D22", "D23"]);
    suite.add("highest", "the base moves at each distance from what makes it late", rows, script);
}

/// D21: a PDC is overdue and behind in the same clock cycle: the scan is by time, and one by span follows. Some packets are behind
/// and not late, others late and sent again.
fn both(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, retries: 9, ..never(shape, s) });
    script.open(0, 61);
    script.packets(0, 5);
    script.ack(script.nack_of(0, 62, 1));
    script.again(0, 1);
    script.pass(300);
    script.packets(0, 8);
    script.ack(script.sack_of(0, 11, 1));
    script.drain();
    script.set(|s| Settings { rto: 250, span: 2, ..s });
    script.idle(2 * shape.pdcs + 150);
    script.drain();
    script.read(0);
    let rows = aim(&["Inferred", "TimeOut", "Again"], &["D20", "D21", "D22", "D23"]);
    suite.add("both", "a PDC that is overdue and behind", rows, script);
}

/// D20, D24: nothing is inferred of a PDC that has failed, until its base moves.
fn failed(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, rto: 60, retries: 0, ..never(shape, s) });
    script.open(0, 61);
    script.packets(0, 12);
    script.step_while(|script| script.outputs().failure.is_none());
    script.drain();
    script.ack(script.sack_of(0, 9, 1));
    script.drain();
    script.set(|s| Settings { rto: 0, span: 3, ..s });
    script.idle(2 * shape.pdcs + 80);
    script.read(0);
    script.ack(script.ack_of(0, 61));
    script.idle(2 * shape.pdcs + 80);
    script.drain();
    script.read(0);
    let rows = aim(&["Inferred", "Failure"], &["D14", "D20", "D21", "D24"]);
    suite.add("failed", "a PDC that has failed and is behind", rows, script);
}

/// D25: packets of an EV, of the low bits of one, and all; what is marked or acknowledged is passed over.
fn lose(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 50);
    let low = |ev: u64| ev & ((1 << shape.ev_bits) - 1);
    for n in 0..24 {
        script.send(script.new_of(0, SIZE - n, 0x4100 + n % 5));
    }
    script.ack(script.nack_of(0, 52, 0x1A));
    script.ack(script.sack_of(0, 7, 1));
    script.drain();
    for (ev, all) in [(0x4103, false), (0x4102, false), (0x0002, false), (low(0x4104), false), (9, false)] {
        script.lose(0, ev, all);
        script.drain();
        script.read(0);
    }
    for ev in 0..3 {
        script.again(0, 0x4100 + ev);
    }
    script.drain();
    script.lose(0, 0x4101, true);
    script.drain();
    script.lose(0, 0, true);
    script.drain();
    script.read(0);
    script.seen(script.ack_of(0, 70));
    let rows = aim(&["Declared"], &["D22", "D25", "D29", "D31", "M73", "M62"]);
    suite.add("lose", "packets of an EV and all packets are declared lost", rows, script);
}

/// D25: the last path is dead: the PDC fails with the end of the scan. Time-outs before it are forgotten; a *lose* without force
/// starts them anew.
fn dead(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, rto: 200, retries: 2, ..never(shape, s) });
    script.open(0, 50);
    for round in 0..4 {
        script.packets(0, 6);
        let before = script.outputs().counters.timeouts;
        script.step_while(|script| script.outputs().counters.timeouts == before);
        script.drain();
        script.read(0);
        (0..3).for_each(|ev| script.again(0, ev));
        script.drain();
        let (all, force) = (round != 1, round % 2 == 1);
        script.stall(true, true, round < 2);
        script.issue(Command { op: op::LOSE, pdc: 0, ev: 1, all, force, ..Command::default() });
        script.issue(Command { op: op::READ, pdc: 0, ..Command::default() });
        script.idle(400);
        script.stall(true, true, true);
        script.answered();
        script.drain();
        // A PDC that has failed has no time-outs until its base moves, or what is lost starts them anew.
        script.idle(500);
        if round == 1 {
            script.lose(0, 0, true);
        }
        script.again(0, 0);
        script.seen(script.ack_all(0));
    }
    let rows = aim(&["Declared", "Failure", "TimeOut"], &["D23", "D24", "D25", "M73", "M75"]);
    suite.add("dead", "losses of a dead path, which is the last one or not", rows, script);
}

/// D36: the peer refuses: nothing is examined, nothing new is sent, nothing is late, until *change* and *lose*.
fn refused(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, rto: 300, retries: 3, ..never(shape, s) });
    script.open(0, 12);
    let fail = |pdc, code| Command { op: op::FAIL, pdc, code, all: true, ev: 3, ..Command::default() };
    for round in 0..3 {
        script.packets(0, 3 * round);
        if round == 1 {
            script.ack(script.nack_of(0, script.psn(0, 1), 0x04));
        }
        script.stall(true, true, round != 1);
        script.issue(fail(0, 0x61 + round));
        script.issue(fail(1, 0x0E));
        script.issue(Command { op: op::READ, pdc: 0, ..Command::default() });
        script.idle(200);
        script.stall(true, true, true);
        script.answered();
        script.drain();
        // Without room.
        script.packets(0, 1);
        script.idle(1500);
        script.seen(script.ack_all(0));
        script.command(Command { op: op::CHANGE, pdc: 0, ..Command::default() });
        script.read(0);
    }
    let rows = aim(&["Failure", "TimeOut"], &["D6", "D24", "D25", "D29", "D36", "M73", "U23"]);
    suite.add("refused", "the peer refuses", rows, script);
}

/// D25: a PDC that has failed stays so with one kind of *lose*, and has time-outs again after the other one.
fn stays_failed(suite: &mut Suite, shape: Shape) {
    let mut script =
        Script::with(shape, |s| Settings { tick: 65_535, rto: 50, retries: 0, tail_probe: 30, ..never(shape, s) });
    script.open(0, 60);
    script.packets(0, 4);
    script.step_while(|script| !script.oracle().pdc(0).failed);
    script.drain();
    for stays_failed in [true, false, true] {
        script.command(Command { op: op::LOSE, pdc: 0, all: true, stays_failed, ..Command::default() });
        script.drain();
        script.read(0);
        (0..2).for_each(|ev| script.again(0, ev));
        script.idle(300);
        script.drain();
        script.read(0);
    }
    script.seen(script.ack_all(0));
    script.read(0);
    let rows = aim(&["Declared", "Failure", "Command"], &["D23", "D24", "D25", "D38"]);
    suite.add("stays-failed", "a failed PDC whose packets are declared lost", rows, script);
}

/// D25: of a closed PDC, of an empty window, one after the other.
fn not_done(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 50);
    script.lose(1, 0, true);
    script.lose(0, 0, true);
    script.packets(0, 3);
    script.drain();
    for pdc in [0, 1, 0, 1] {
        script.issue(Command { op: op::LOSE, pdc, all: pdc == 0, ..Command::default() });
        script.issue(Command { op: op::READ, pdc, ..Command::default() });
    }
    script.answered();
    script.drain();
    let rows = aim(&["Declared", "Command"], &["D25", "D28", "D29"]);
    suite.add("not-done", "losses of closed PDCs and of empty windows", rows, script);
}

/// D3, D20, D25: around the declaration PDCs become overdue; packets are sent, acknowledged and refused; commands wait.
fn under_way(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, rto: 100, retries: 15, ..never(shape, s) });
    script.open(0, 50);
    script.open(1, 60);
    for distance in 0..3 * shape.ram_latency + 25 {
        script.packets(0, 4);
        script.packets(1, 2);
        script.drain();
        let start = script.oracle().pdc(0).since;
        script.step_while(|script| script.time().wrapping_sub(start) % (1 << 20) < 80);
        script.idle(distance);
        script.issue(Command { op: op::LOSE, pdc: 0, ev: 1, all: distance % 2 == 0, ..Command::default() });
        script.issue(Command { op: op::READ, pdc: 0, ..Command::default() });
        script.accepted();
        script.idle(20);
        match distance % 4 {
            0 => script.packets(0, 2),
            1 => script.ack(script.ack_of(0, script.psn(0, 1))),
            2 => script.ack(script.nack_of(0, script.psn(0, 2), 0x1A)),
            _ => script.again(0, 1),
        }
        script.idle(60);
        script.drain();
        for pdc in [0, 1] {
            script.read(pdc);
            script.ack(script.ack_all(pdc));
        }
        script.drain();
    }
    let rows = aim(&["Declared", "TimeOut", "Order"], &["D3", "D20", "D21", "D22", "D23", "D25", "D28"]);
    suite.add("under-way", "losses that are declared about when a scan begins", rows, script);
}
