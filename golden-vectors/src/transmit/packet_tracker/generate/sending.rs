// SPDX-License-Identifier: MIT OR Apache-2.0
//! New packets, ends of turns, and packets that are sent again (D2, D6 to D10).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Command, Send, Shape, op, send};
use crate::transmit::packet_tracker::script::{SIZE, Script, never};
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES.into_iter().chain([shapes::ROCE]) {
        suite.group("sending", "new packets, packets that are sent again, and ends of turns", shape, None);
        new(suite, shape);
        full(suite, shape);
        ends(suite, shape);
        again(suite, shape);
        counts(suite, shape);
        upper(suite, shape);
    }
    for shape in [shapes::ROCE, shapes::FOUR_BLOCKS] {
        suite.group(
            "blocks",
            "windows of several blocks: how long it takes to find a packet, and what the peer states",
            shape,
            None,
        );
        blocks(suite, shape);
        stated(suite, shape);
    }
}

/// D6: packets of one PDC in consecutive clock cycles, and of several in turn; sizes of every kind.
fn new(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0x00FF_FFF0);
    for pdc in 1..shape.pdcs {
        script.open(pdc, 40 * pdc);
    }
    script.packets(0, 20);
    for n in 0..24 {
        let (size, ev) = ([0, 1, 16_383, 8192][n as usize % 4], n * 11 % 64);
        script.send(Send { last: n % 5 == 0, ..script.new_of(n * n % shape.pdcs, size, ev) });
    }
    script.drain();
    // With pauses.
    for n in 0..6 {
        script.packets(n % 2, 1);
        script.idle(n + 1);
    }
    script.drain();
    for pdc in 0..shape.pdcs {
        script.read(pdc);
        script.seen(script.ack_of(pdc, script.psn(pdc, 1)));
    }
    let rows = aim(&["BackToBack", "FullLoad"], &["D1", "D2", "D6", "D9", "D10", "D26"]);
    suite.add("new", "new packets in every clock cycle, of one PDC and of several", rows, script);
}

/// D6: the window is full; it is a smaller one, and it becomes larger or smaller than what is in it.
fn full(suite: &mut Suite, shape: Shape) {
    for window in [0, 1, 5, shape.window - 1, shape.window, 2 * shape.window - 1] {
        let mut script = Script::with(shape, |s| never(shape, s));
        script.command(Command { op: op::OPEN, pdc: 1, psn: 7, ccc: 1, window, ..Command::default() });
        let most = if window == 0 { shape.window } else { window.min(shape.window) };
        for n in 0..most + 3 {
            script.send(Send { last: n + 1 >= most, ..script.new_of(1, SIZE + n, n & 1) });
        }
        script.drain();
        for change in [most - most / 2, most + 1, 2] {
            script.command(Command {
                op: op::CHANGE,
                pdc: 1,
                window: change % (2 * shape.window),
                ..Command::default()
            });
            script.packets(1, 2);
            script.drain();
        }
        script.seen(script.ack_of(1, script.psn(1, (most / 2) as i64)));
        script.packets(1, 3);
        let rows = aim(&["Full", "Refused"], &["D6", "D9", "D10", "D29"]);
        suite.add(format!("full-{window}"), "new packets until the window is full, and beyond", rows, script);
    }
}

/// D6, D14: the peer states how many packets it takes.
fn stated(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| never(shape, s));
    for (pdc, first) in [(0, 0), (1, 1), (0, 255)] {
        script.command(Command { op: op::OPEN, pdc, psn: 50, mpr: first, ..Command::default() });
        script.packets(pdc, 5);
        // Only an ACK that moves the base changes it, and only if it says something.
        for (mpr, psn) in [(2, -1), (0, 0), (1, 1), (255, 1), (2, 2)] {
            script.seen(Ack { mpr, ..script.ack_of(pdc, script.psn(pdc, psn)) });
            script.packets(pdc, 3);
        }
        for packets in [if first == 1 { shape.window } else { 9 }, 3] {
            script.packets(pdc, packets);
            script.drain();
            script.seen(Ack { mpr: 1, ..script.ack_of(pdc, script.psn(pdc, 1)) });
        }
        script.close(0, true);
    }
    let rows = aim(&["Full", "Refused"], &["D6", "D10", "D14"]);
    suite.add("stated", "windows that the peer states, of less and of more than the own one", rows, script);
}

/// D9: ends, and operations that send nothing, with and without `last`; of closed PDCs too.
fn ends(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| never(shape, s));
    script.command(Command { op: op::OPEN, pdc: 0, psn: 7, window: 2, ccc: 2, ..Command::default() });
    for pdc in [0, 1, 0] {
        for op in [send::END, send::NEW, send::AGAIN, 3] {
            for last in [false, true] {
                script.send(Send { pdc, op, size: 100, ev: 3, asks: false, last });
                script.send(Send { pdc, op, size: 200, ev: 5, asks: true, last: !last });
            }
        }
        script.drain();
        script.read(pdc);
    }
    let rows = aim(&["Closed", "Empty", "Refused"], &["D6", "D7", "D9", "D10", "D31"]);
    suite.add("ends", "ends of turns, and operations that send nothing", rows, script);
}

/// D7, D8: the lowest marked packet, whatever the order in which they were marked.
fn again(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    script.packets(0, 12);
    for psn in [7, 3, 9, 4, 11, 0] {
        script.ack(script.nack_of(0, psn, 0x1A));
    }
    script.again(0, 1);
    script.again(0, 0);
    script.idle(60);
    // One below those that have been taken, and one between them.
    for psn in [1, 5] {
        script.ack(script.nack_of(0, psn, 0x1A));
    }
    for n in 0..8 {
        script.again(0, n & 1);
        script.packets(0, 1);
    }
    script.drain();
    script.read(0);
    for psn in [4, 2, 30] {
        script.seen(script.ack_of(0, psn));
    }
    script.seen(script.ack_of(0, 12));
    let rows = aim(&["Again", "Empty"], &["D7", "D8", "D9", "D10", "D18"]);
    suite.add("again", "the lowest marked packet is sent again", rows, script);
}

/// D8: a packet is sent again and again; its count stays 3.
fn counts(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 900);
    script.packets(0, 2);
    for n in 0..6 {
        script.ack(Ack { retx: n % 2 == 1, ..script.nack_of(0, 900, 0x1A) });
        script.again(0, n % 2);
        script.drain();
    }
    script.seen(script.ack_of(0, 901));
    let rows = aim(&["Again"], &["D8", "D10", "D17", "D27"]);
    suite.add("counts", "a packet that is sent again six times", rows, script);
}

/// The upper bits of an EV are those of the last packet that was sent, new or again.
fn upper(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 30);
    for ev in [0xA5C3, 0xA5FF, 0x5A00] {
        script.send(script.new_of(0, 500, ev));
        script.ack(script.nack_of(0, script.oracle().pdc(0).base, 5));
        script.drain();
    }
    script.ack(script.nack_of(0, 31, 4));
    script.again(0, 0xFFFF);
    script.ack(script.nack_of(0, 32, 4));
    script.again(0, 0x0000);
    script.drain();
    script.seen(script.ack_of(0, 32));
    let rows = aim(&["Again"], &["D6", "D8", "D27"]);
    suite.add("upper", "EVs of all bits", rows, script);
}

/// D7: from the block of *first*, which is what ACKs, NACKs and *again* have made it, to that of the packet.
fn blocks(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Again", "Blocks"], &["D7", "D8", "D14", "D18"]);
    for start in [0, 63, 30] {
        let mut script = Script::opened(shape, start);
        script.packets(0, shape.window);
        let last = shape.window as i64 - 1;
        // The first one is acknowledged while it is marked: *first* stays where it is.
        for far in [last, last - 64, 64, 63, 1] {
            script.ack(script.nack_of(0, script.psn(0, far), 0x1A));
            script.ack(script.nack_of(0, script.psn(0, 0), 0x1A));
            script.drain();
            script.seen(script.sack_of(0, 0, 1));
            script.again(0, 2);
            script.drain();
            // The base moves, below *first* and above it.
            script.seen(script.ack_of(0, script.psn(0, 0)));
            script.packets(0, 1);
        }
        // Each is found from where the one before it was.
        for far in [2, 66, 67, last] {
            script.ack(script.nack_of(0, script.psn(0, far), 0x1A));
        }
        script.drain();
        for _ in 0..5 {
            script.again(0, 3);
        }
        script.drain();
        suite.add(format!("blocks-{start}"), "packets that are one block away and more", rows, script);
    }
}
