// SPDX-License-Identifier: MIT OR Apache-2.0
//! RQ11 and RQ12: deliveries before, at and behind the packet that was refused, early and late.

use super::Case;
use crate::receive::request_check::oracle::{Packet, cause};
use crate::receive::request_check::packets::{Place, send, spoil, stream};
use crate::receive::request_check::script::Script;
use crate::receive::request_check::window::advance;

const MTU: u64 = 2048;

/// A packet that is always refused.
const BAD: Packet = send(Place::Only, MTU + 1);

/// The fifth of ten packets is bad. So many of them are delivered as soon as they may be, and the others at the end.
fn late(window: u64, early: usize, held: bool) -> Case {
    let mut script = Script::new(window);
    for psn in [0, 0x7F_FFFC, 0xFF_FFFC] {
        let mut packets = stream(false, MTU, 10);
        spoil(&mut packets, 4, MTU, cause::SIZE);
        script.open(0, psn, MTU);
        let mut left = early;
        let order: Vec<_> = if held { vec![0, 1, 3, 4, 5, 2, 6, 8, 9, 7] } else { (0..10).collect() };
        for n in order {
            script.arrive(0, advance(psn, n as u64), packets[n]);
            let count = left.min(script.window(0).released());
            script.deliver(0, count);
            left -= count;
        }
    }
    let how = if held { "runs" } else { "in order" };
    Case::new(format!("{early} of ten delivered early, {how}"), &["RQ8", "RQ11", "RQ12"], script)
}

/// Deliveries lag behind the arrivals by so many, and go on long after the error.
fn lag(window: u64, by: usize) -> Case {
    let mut script = Script::new(window);
    let mut packets = stream(false, MTU, 3 * window as usize);
    spoil(&mut packets, window as usize, MTU, cause::ORDER);
    script.open(1, 0xFF_FFF0, MTU);
    for packet in packets {
        script.arrive(1, script.psn(1, 0), packet);
        let released = script.window(1).released();
        script.deliver(1, released.saturating_sub(by));
    }
    Case::new(format!("deliveries lag by {by}"), &["RQ8", "RQ10", "RQ11", "RQ12"], script)
}

/// A whole window is released at once, with a bad packet in it, and delivered one by one between other arrivals.
fn between(window: u64, bad: u64) -> Case {
    let mut script = Script::new(window);
    script.open(0, 600, MTU);
    script.open(1, 600, MTU);
    let good = send(Place::Only, 3);
    for n in (0..window).rev() {
        script.arrive(0, 600 + n, if n == bad { BAD } else { good });
    }
    for n in 0..window {
        // In order on the other connection; on this one what comes again, or finds no buffer.
        script.arrive(1, script.psn(1, 0), good);
        script.arrive(0, 600 + n, good);
        if n % 3 == 0 {
            script.arrive(0, 600 + window + n, good);
        }
        script.deliver(0, 1);
        script.deliver(1, (n % 2) as usize);
    }
    Case::new(format!("a window with packet {bad} bad, delivered one by one"), &["RQ8", "RQ9", "RQ11", "RQ12"], script)
}

/// Deliveries of two connections by turns, the PSNs of one before and those of the other behind the bad packets.
fn turns(window: u64) -> Case {
    let mut script = Script::new(window);
    for (connection, bad) in [(0, 2), (1, 6)] {
        script.open(connection, 0, MTU);
        for n in 0..8 {
            let packet = if n == bad { BAD } else { send(Place::Only, n) };
            script.arrive(connection, n, packet);
        }
    }
    for _ in 0..8 {
        script.deliver(0, 1);
        script.deliver(1, 1);
    }
    Case::new("deliveries of two connections by turns", &["RQ8", "RQ11"], script)
}

pub fn cases(window: u64) -> Vec<Case> {
    let mut cases = vec![turns(window)];
    for early in 0..=10 {
        cases.extend([false, true].map(|held| late(window, early, held)));
    }
    cases.extend([0, 1, 2, 5, 16, window as usize - 1].map(|by| lag(window, by)));
    cases.extend([0, 1, window / 2, window - 2, window - 1].map(|bad| between(window, bad)));
    cases
}
