// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands (D28 to D30).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Command, Shape, op};
use crate::transmit::packet_tracker::script::{SIZE, Script, never};
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("commands", "commands, also such that cannot be done", shape, None);
        codes(suite, shape);
        open(suite, shape);
        close(suite, shape);
        between(suite, shape);
    }
    suite.group("commands", "commands, also such that cannot be done", shapes::FOUR_BLOCKS, None);
    open(suite, shapes::FOUR_BLOCKS);
    close_window(suite, shapes::FOUR_BLOCKS);
    for shape in shapes::all() {
        suite.group("numbers", "each PDC and each CCC", shape, None);
        numbers(suite, shape);
    }
}

/// Each code, of a PDC that is closed, open, with packets, and with marked ones.
fn codes(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| never(shape, s));
    let all = |script: &mut Script| {
        for op in [0, 2, 3, 4, 5, 6, 7, 1] {
            script.issue(Command { op, pdc: 1, psn: 77, ccc: 2, window: 9, mpr: 1, ev: 3, ..Command::default() });
            script.read(1);
        }
    };
    all(&mut script);
    // It is open.
    all(&mut script);
    script.packets(1, 5);
    all(&mut script);
    script.ack(script.nack_of(1, 79, 5));
    script.ack(script.nack_of(1, 77, 5));
    all(&mut script);
    script.seen(script.ack_of(1, 77));
    script.seen(script.ack_of(1, 81));
    all(&mut script);
    script.close(1, false);
    let rows = aim(&["Command", "Closed"], &["D25", "D28", "D29", "D30"]);
    suite.add("codes", "each code, of a PDC in each state", rows, script);
}

/// D29: nothing of the former life is left, wherever the new PSN is.
fn open(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| never(shape, s));
    let top = shape.psn(u64::MAX);
    for (n, psn) in [0, 1, shape.window, shape.window - 1, 63, 64, top, top - shape.window / 2, 5 * shape.window + 70]
        .into_iter()
        .enumerate()
    {
        let window = [0, 40, shape.window][n % 3];
        script.command(Command { op: op::OPEN, pdc: 2, psn, ccc: n as u64, window, ..Command::default() });
        script.packets(2, 30);
        script.ack(script.nack_of(2, script.psn(2, 3), 1));
        script.ack(Ack { counted: true, rcvd_bytes: 1000 + n as u64, ..script.sack_of(2, 5, 0x9) });
        script.again(2, 1);
        script.ack(script.nack_of(2, script.psn(2, 9), 1));
        script.drain();
        script.read(2);
        script.seen(script.ack_of(2, script.psn(2, 6)));
        script.close(2, true);
        script.drain();
        script.seen(script.ack_of(2, psn));
    }
    let rows = aim(&["Reopened", "Closed"], &["D11", "D12", "D15", "D29", "D30"]);
    suite.add("open", "a PDC that is opened again and again", rows, script);
}

/// D30: with nothing in the window, with packets in each state, with all of them acknowledged behind the base.
fn close(suite: &mut Suite, shape: Shape) {
    for (n, (packets, acknowledged, marked)) in [
        (0, 0..0, 0..0),
        (1, 0..0, 0..0),
        (1, 0..1, 0..0),
        (1, 0..0, 0..1),
        (9, 0..9, 0..0),
        (9, 2..5, 0..0),
        (9, 1..2, 5..8),
        (64, 10..20, 30..35),
        (64, 0..0, 0..64),
    ]
    .into_iter()
    .enumerate()
    {
        let mut script = Script::opened(shape, 60);
        for force in [false, true] {
            for size in 0..packets {
                script.send(script.new_of(0, if n % 2 == 0 { 16_383 - size } else { SIZE }, size % 2));
            }
            script.drain();
            for offset in marked.clone() {
                script.ack(script.nack_of(0, script.psn(0, offset), 1));
            }
            let bits = acknowledged.clone().fold(0, |bits, offset| bits | 1 << offset);
            script.ack(script.sack_of(0, 0, bits));
            script.drain();
            // It is accepted while something is on its way.
            script.packets(1, 1);
            script.close(0, force);
            script.drain();
            script.read(0);
            script.close(0, true);
            script.drain();
            script.open(0, shape.psn(0_u64.wrapping_sub(5)));
        }
        let rows = aim(&["Command", "Discarded"], &["D13", "D26", "D27", "D28", "D30"]);
        let comment = "a close, with and without force, of packets in each state";
        suite.add(format!("close-{n}"), comment, rows, script);
    }
}

/// D30: more blocks than one, and as many bytes as there can be.
fn close_window(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 60);
    for n in 0..shape.window {
        script.send(script.new_of(0, 16_383, n % 256));
    }
    script.drain();
    script.ack(script.nack_of(0, 70, 1));
    script.ack(script.sack_of(0, 100, u64::MAX));
    script.drain();
    script.close(0, true);
    let rows = aim(&["Discarded", "Blocks"], &["D12", "D13", "D30"]);
    suite.add("close-window", "a close of a whole window", rows, script);
}

/// D1, D3, D28: a command at each distance from what comes before it and behind it.
fn between(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 60);
    for distance in 0..2 * shape.ram_latency + 14 {
        script.packets(0, 1);
        script.idle(distance);
        script.issue(Command { op: op::READ, ..Command::default() });
        script.packets(0, 1);
        script.idle(distance);
        script.issue(Command { op: op::CLOSE, force: distance % 3 == 0, ..Command::default() });
        script.offer_ack(script.ack_of(0, script.psn(0, 0)));
        script.packets(0, 1);
        script.answered();
        script.issue(Command { op: op::OPEN, psn: 100 + distance, ..Command::default() });
        script.packets(0, 1);
        script.accepted();
        script.packets(0, 1);
    }
    script.drain();
    script.read(0);
    let rows = aim(&["Command", "Visible", "Closed"], &["D1", "D3", "D28", "D29", "D30"]);
    suite.add("between", "commands at each distance from other operations", rows, script);
}

/// Every number of a PDC and of a CCC, as far as there are not too many.
fn numbers(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| never(shape, s));
    let cccs = shape.cccs.next_power_of_two().max(2);
    let some = |n: u64| n < 4 || n + 4 > shape.pdcs || n.is_power_of_two();
    for pdc in (0..shape.pdcs).filter(|&n| some(n)) {
        script.command(Command { op: op::OPEN, pdc, psn: pdc << 9, ccc: pdc * 5 % cccs, ..Command::default() });
    }
    for pdc in (0..shape.pdcs).filter(|&n| some(n)) {
        script.packets(pdc, 1 + pdc % 3);
    }
    for pdc in (0..shape.pdcs).rev().filter(|&n| some(n)) {
        script.ack(script.ack_of(pdc, pdc << 9));
    }
    script.drain();
    for pdc in (0..shape.pdcs).filter(|&n| some(n)) {
        script.read(pdc);
    }
    suite.add("numbers", "PDCs with all numbers", aim(&["Command", "BackToBack"], &["D6", "D26", "D29"]), script);
}
