// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time-outs: which packets, when, and what becomes of the timer (D20 to D24).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Command, Settings, Shape, op};
use crate::transmit::packet_tracker::script::{Script, never};
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("timeouts", "packets that are lost by time", shape, None);
        doubling(suite, shape);
        eighths(suite, shape);
        moves(suite, shape);
        void(suite, shape);
        several(suite, shape);
        failure(suite, shape);
        own(suite, shape);
    }
    for shape in [shapes::USUAL, shapes::OTHERS[0]] {
        suite.group("timers", "what starts a timer, and what its bounds are", shape, None);
        starts(suite, shape);
        bounds(suite, shape);
        changes(suite, shape);
        passed_over(suite, shape);
        pauses(suite, shape);
    }
}

/// D35: a pause before a time-out, about it, in a scan and behind it: timers stand still, `now` does not.
fn pauses(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 100, 9);
    script.open(0, 40);
    for (before, pause) in [(0, 50), (20, 300), (80, 30), (99, 7), (97, 1000), (105, 40), (130, 90)] {
        script.packets(0, 3);
        script.idle(before);
        script.pause(true);
        script.idle(pause);
        script.packets(0, 1);
        script.pause(false);
        script.idle(60);
        script.read(0);
        script.idle(100);
        script.drain();
        script.read(0);
        script.seen(script.ack_all(0));
    }
    let rows = aim(&["TimeOut", "Time"], &["D5", "D20", "D22", "D23", "D35"]);
    suite.add("pauses", "timers stand still in pauses", rows, script);
}

/// D29: PDCs with a time-out and a limit of their own beside one with those of the settings; *open* or *change* gives them, also
/// while the timer runs, and takes them.
fn own(suite: &mut Suite, shape: Shape) {
    let timer = |op, pdc, rto, retries| Command { op, pdc, own_timer: true, rto, retries, ..Command::default() };
    for late in [false, true] {
        let mut script = timed(shape, 200, 1);
        let timers = [timer(op::CHANGE, 0, 90, 2), timer(op::OPEN, 1, 310, 0), timer(op::OPEN, 2, 0, 0)];
        script.open(0, 4);
        if late {
            script.packets(0, 2);
        }
        for command in timers {
            script.command(command);
        }
        script.open(3, 9);
        for pdc in 0..4 {
            script.packets(pdc, 2);
        }
        for _ in 0..4 {
            script.idle(150);
            script.drain();
            for pdc in 0..4 {
                script.read(pdc);
            }
        }
        // Of PDC 2 nothing is lost by time, until it has the timer of the settings.
        script.command(Command { op: op::CHANGE, pdc: 2, ..Command::default() });
        script.idle(500);
        script.drain();
        script.command(timer(op::CHANGE, 3, (1 << 26) - 1, 31));
        for pdc in 0..4 {
            script.seen(script.ack_all(pdc));
            script.packets(pdc, 1);
        }
        script.idle(700);
        script.drain();
        (0..4).for_each(|pdc| script.seen(script.ack_all(pdc)));
        let rows = aim(&["TimeOut", "Failure", "Settings"], &["D20", "D21", "D22", "D23", "D29", "U24", "M73"]);
        suite.add(format!("own-{late}"), "PDCs with a time-out of their own", rows, script);
    }
}

/// A unit of time in a clock cycle.
fn timed(shape: Shape, rto: u64, retries: u64) -> Script {
    Script::with(shape, |s| Settings { tick: 65_535, rto, retries, ..never(shape, s) })
}

/// Every distance with one size, every second one with others.
fn step(shape: Shape) -> usize {
    if shape == shapes::USUAL { 1 } else { 2 }
}

fn losses(script: &Script) -> u64 {
    script.outputs().counters.timeouts
}

/// Until so many more packets are lost by time, and their events have left.
fn lost(script: &mut Script, more: u64) {
    let all = losses(script) + more;
    script.step_while(|script| losses(script) < all);
    script.drain();
}

/// D22, D23: each time-out doubles the next, up to the failure; then the base moves.
fn doubling(suite: &mut Suite, shape: Shape) {
    for retries in [0, 1, 4] {
        let mut script = timed(shape, 240, retries);
        script.open(0, 11);
        for _ in 0..2 {
            script.packets(0, 2);
            for _ in 0..retries {
                lost(&mut script, 2);
                script.read(0);
                for ev in 0..2 {
                    script.again(0, ev);
                }
            }
            script.step_while(|script| script.outputs().failure.is_none());
            script.idle(2);
            script.drain();
            // D24: nothing is lost by time any more, and all else goes on.
            script.idle(3000);
            script.ack(script.nack_of(0, script.psn(0, 1), 0x1A));
            script.again(0, 1);
            script.packets(0, 1);
            script.seen(script.sack_of(0, 2, 1));
            // The base moves by one packet; the timer of the others starts.
            script.seen(script.ack_of(0, script.psn(0, 0)));
            let before = losses(&script);
            script.step_while(|script| losses(script) == before && script.outputs().failure.is_none());
            script.drain();
            script.seen(script.ack_all(0));
        }
        let rows = aim(&["TimeOut", "Failure"], &["D14", "D20", "D21", "D22", "D23", "D24", "M73", "U24"]);
        suite.add(format!("doubling-{retries}"), "time-outs up to the failure of the PDC, and after it", rows, script);
    }
}

/// D22: packets that were sent in the eighth of *T* after the oldest one, and those that were sent just behind it.
fn eighths(suite: &mut Suite, shape: Shape) {
    for rto in [1, 7, 8, 15, 16, 100, 203] {
        let mut script = timed(shape, rto, 15);
        script.open(0, 60);
        // Packets one to some units apart: some are late when the scan comes, others are not.
        for pause in [0, 2, rto / 8, 0, 1, rto / 16, 3, rto / 8, 1] {
            script.packets(0, 1);
            script.idle(pause);
        }
        for _ in 0..2 {
            script.again(0, 1);
            script.again(0, 0);
            let before = losses(&script);
            script.step_while(|script| losses(script) == before);
            // With the shortest time-outs there is always a scan.
            script.idle(60);
            script.read(0);
        }
        let rows = aim(&["TimeOut", "Deadline"], &["D20", "D22", "D23"]);
        suite.add(format!("eighths-{rto}"), "packets sent about an eighth of the time-out apart", rows, script);
    }
}

/// D22, D23: while a scan is under way, the base moves, a packet is acknowledged, refused, sent again, and new ones are sent.
fn moves(suite: &mut Suite, shape: Shape) {
    for kind in ["ack", "sack", "nack", "again", "new"] {
        let mut script = timed(shape, 50, 3);
        script.open(0, 500);
        for distance in (0..shape.ram_latency + 24).step_by(step(shape)) {
            script.packets(0, 7);
            if kind == "again" {
                script.ack(script.nack_of(0, script.psn(0, 6), 0x1A));
            }
            script.drain();
            let start = script.oracle().pdc(0).since;
            script.step_while(|script| script.time().wrapping_sub(start) % (1 << 20) < 50);
            script.idle(distance);
            match kind {
                "ack" => script.ack(script.ack_of(0, script.psn(0, 2))),
                "sack" => script.ack(script.sack_of(0, 4, 0b11)),
                "nack" => script.ack(script.nack_of(0, script.psn(0, 5), 0x1A)),
                "again" => script.again(0, 1),
                _ => script.packets(0, 1),
            }
            script.drain();
            script.read(0);
            script.seen(script.ack_all(0));
        }
        let rows = aim(&["TimeOut", "Visible"], &["D3", "D14", "D20", "D21", "D22", "D23", "D27"]);
        suite.add(format!("moves-{kind}"), "something at each distance from the beginning of a scan", rows, script);
    }
}

/// D21: the head finds that the base has moved since the visit.
fn void(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 90, 3);
    script.open(2, 9);
    for distance in (0..3 * shape.effect() + 14).step_by(step(shape)) {
        script.packets(2, 2);
        script.drain();
        let start = script.oracle().pdc(2).since;
        script.step_while(|script| script.time().wrapping_sub(start) % (1 << 20) < 90 - 3 * shape.effect());
        script.idle(distance);
        script.ack(script.ack_of(2, script.psn(2, 0)));
        script.idle(9);
        script.drain();
        script.seen(script.ack_of(2, script.psn(2, 0)));
    }
    let rows = aim(&["TimeOut", "Visible", "Void"], &["D20", "D21", "D23"]);
    suite.add("void", "the base moves shortly before the time-out and after it", rows, script);
}

/// D20: all PDCs are overdue: one after the other, in the order of visits. A *lose* and a command come in between.
fn several(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 120, 2);
    for pdc in 0..shape.pdcs {
        script.open(pdc, 100 * pdc);
    }
    for round in 0..4 {
        for pdc in 0..shape.pdcs {
            script.packets((pdc * 3 + round) % shape.pdcs, 2);
        }
        let before = losses(&script);
        script.step_while(|script| losses(script) == before);
        match round {
            1 => script.lose(0, 0, true),
            2 => script.read(1),
            3 => script.packets(0, 5),
            _ => {}
        }
        script.step_while(|script| !script.outputs().quiet);
        script.idle(40);
        script.drain();
        for pdc in 0..shape.pdcs {
            script.read(pdc);
            script.close(pdc, true);
            script.open(pdc, 100 * pdc);
        }
    }
    let rows = aim(&["TimeOut", "Order"], &["D3", "D20", "D21", "D23", "D25", "D28"]);
    suite.add("several", "PDCs that are overdue at once", rows, script);
}

/// D23: the failure is stalled: no command enters and no visit is made, all else goes on.
fn failure(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 40, 0);
    script.open(0, 11);
    script.open(1, 11);
    script.packets(0, 2);
    script.packets(1, 2);
    script.stall(true, true, false);
    script.step_while(|script| script.outputs().failure.is_none());
    script.issue(Command { op: op::READ, pdc: 0, ..Command::default() });
    script.idle(60);
    script.packets(1, 2);
    script.ack(script.ack_of(0, 11));
    script.idle(60);
    script.stall(true, true, true);
    script.idle(1);
    // The next one, which waits at once.
    script.stall(true, true, false);
    script.idle(120);
    script.drain();
    script.idle(200);
    script.drain();
    script.read(0);
    script.read(1);
    let rows = aim(&["Failure", "Stall"], &["D20", "D23", "D24", "D28", "D33"]);
    suite.add("failure", "a failure that is not taken", rows, script);
}

/// D6, D14: the timer starts with a packet of an empty window and with each move of the base, and with nothing else.
fn starts(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 150, 9);
    script.open(0, 11);
    script.idle(300);
    script.packets(0, 1);
    script.idle(100);
    script.packets(0, 3);
    lost(&mut script, 1);
    script.again(0, 1);
    script.idle(60);
    script.seen(script.sack_of(0, 1, 1));
    script.pass(60);
    script.seen(script.ack_of(0, script.psn(0, 0)));
    script.pass(70);
    script.packets(0, 1);
    script.ack(Ack { mpr: 2, ..script.ack_of(0, script.psn(0, -1)) });
    lost(&mut script, 1);
    script.read(0);
    // Marked packets alone: the timer runs, and nothing is lost.
    script.ack(script.nack_of(0, script.psn(0, 2), 0x1A));
    script.pass(900);
    script.drain();
    script.read(0);
    script.seen(script.ack_all(0));
    script.pass(400);
    let rows = aim(&["TimeOut"], &["D6", "D14", "D20", "D23"]);
    suite.add("starts", "what starts the timer, and what does not", rows, script);
}

/// *T* at its bounds: none, and the largest one; ages beyond half of the range.
fn bounds(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 0, 3);
    script.open(0, 11);
    script.packets(0, 2);
    script.pass(2000);
    // The settings of the head are those of its cycle: both packets have been late for long.
    script.set(|s| Settings { rto: 1000, ..s });
    lost(&mut script, 2);
    script.read(0);
    script.again(0, 1);
    script.set(|s| Settings { rto: (1 << 18) - 1, ..s });
    script.pass(2500);
    script.drain();
    script.read(0);
    script.set(|s| Settings { rto: 1, retries: 1, ..s });
    script.idle(200);
    script.drain();
    script.read(0);
    let rows = aim(&["TimeOut", "Settings"], &["D5", "D20", "D21", "D32"]);
    suite.add("bounds", "no time-out, and time-outs that change", rows, script);
}

/// D5, D20, D21: settings change at each distance around the visit, the head and the examinations.
fn changes(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 70, 3);
    script.open(1, 11);
    for distance in (0..40).step_by(step(shape)) {
        script.packets(1, 4);
        script.drain();
        let start = script.oracle().pdc(1).since;
        script.step_while(|script| script.time().wrapping_sub(start) % (1 << 20) < 66);
        script.idle(distance);
        script.set(|s| Settings { rto: 300, retries: 0, ..s });
        script.idle(50);
        script.drain();
        script.read(1);
        script.set(|s| Settings { rto: 70, retries: 3, ..s });
        script.seen(script.ack_all(1));
    }
    let rows = aim(&["TimeOut", "Settings", "Visible"], &["D5", "D20", "D21", "D22", "D32"]);
    suite.add("changes", "settings that change around a scan", rows, script);
}

/// D22, D23: packets in each state; the oldest of those that are not late starts the timer, and ties.
fn passed_over(suite: &mut Suite, shape: Shape) {
    let mut script = timed(shape, 200, 3);
    script.open(0, 40);
    script.packets(0, 10);
    script.ack(script.sack_of(0, 1, 0b101));
    for psn in [42, 45, 47] {
        script.ack(script.nack_of(0, psn, 0x1A));
    }
    script.pass(60);
    script.again(0, 1);
    script.again(0, 0);
    script.idle(1);
    script.packets(0, 2);
    script.drain();
    for _ in 0..3 {
        let before = losses(&script);
        script.step_while(|script| losses(script) == before);
        script.drain();
        script.read(0);
        script.again(0, 1);
        script.again(0, 0);
    }
    let rows = aim(&["TimeOut", "Again"], &["D22", "D23"]);
    suite.add("passed-over", "packets in each state when a scan comes", rows, script);
}
