// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic: packets of several connections that overtake each other, some lost and some twice, with commands,
//! settings and stalls. A connection gets no packet in order before what it had is delivered, unless it is the only one
//! that is delivered; so the contract allows one order only.

use super::{shapes, tolerance};
use crate::collect::aim;
use crate::receive::reorder::oracle::{Arrival, Shape, op};
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;
use crate::rng::SplitMix64;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in shapes::all() {
        traffic(suite, shape, rng, if shape == shapes::USUAL { 2 } else { 1 });
    }
}

/// Groups for a stage of any size.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    tolerance::of_shape(suite, shape);
    traffic(suite, shape, rng, 4);
}

fn traffic(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64, cases: u64) {
    suite.group("load", "random traffic", shape, None);
    let rows =
        ["R1", "R2", "R4", "R5", "R6", "R8", "R10", "R11", "R12", "R14", "R16", "R17", "R19", "R21", "M82", "M83"];
    for n in 0..cases {
        let mut traffic = Traffic { script: Script::new(shape), shape, rng, used: shape.connections.min(6) };
        traffic.begin();
        traffic.spread(90);
        traffic.alone(0);
        traffic.spread(60);
        traffic.alone(traffic.used - 1);
        traffic.end();
        let aim = aim(&["FullLoad", "BackToBack", "Connections"], &rows);
        suite.add(format!("load-{n}"), "packets that overtake each other, commands and stalls", aim, traffic.script);
    }
}

struct Traffic<'a> {
    script: Script,
    shape: Shape,
    rng: &'a mut SplitMix64,
    /// Number of connections that are used, the last ones among them.
    used: u64,
}

impl Traffic<'_> {
    /// The first half of the connections in use, and the last ones there are.
    const fn number(&self, n: u64) -> u64 {
        if n < self.used / 2 { n } else { self.shape.connections - self.used + n }
    }

    fn begin(&mut self) {
        for n in 0..self.used {
            let psn = self.rng.next_u64() % self.shape.psns();
            let psn = if n % 2 == 0 { self.shape.psns() - 1 - psn % 50 } else { psn };
            self.script.open(self.number(n), psn);
        }
        self.script.set(self.rng.below(8), 2 + self.rng.below(3));
    }

    /// A packet somewhere ahead of the expected one, or, seldom, anywhere else. The end of the window moves when packets
    /// are read; only a connection that is calm gets one there.
    fn packet(&mut self, connection: u64, calm: bool) -> Arrival {
        let ahead = match self.rng.below(24) {
            0 if calm => self.shape.window - 1,
            1 => self.shape.window + self.rng.below(3),
            2 => self.shape.psns() - 1 - self.rng.below(3),
            3 => self.rng.next_u64(),
            _ => 1 + self.rng.below(9),
        };
        let psn = self.script.expected(connection).wrapping_add(ahead);
        let packet = self.script.packet(connection, psn);
        let found = self.rng.below(40) != 0;
        let path = self.rng.below(self.shape.past_paths() + 1);
        let flags = self.rng.next_u64() & 0xFB | u64::from(self.rng.below(20) == 0) << 2;
        Arrival { found, path, flags, ..packet }
    }

    /// Packets of all connections. One in order comes if all others of its connection have been delivered.
    fn spread(&mut self, packets: u64) {
        self.script.answered();
        let mut free = vec![0; self.used as usize];
        for _ in 0..packets {
            let n = self.rng.below(self.used);
            let connection = self.number(n);
            let calm = self.script.cycle() >= free[n as usize] && self.script.is_delivered(connection);
            if calm && self.rng.below(2) == 0 {
                let psn = self.script.expected(connection);
                let packet = self.script.packet(connection, psn);
                self.script.arrive(Arrival { path: self.rng.below(self.shape.paths), ..packet });
                // Every other connection may have 16 packets before it.
                free[n as usize] = self.script.cycle() + self.shape.delivery() + 16 * self.used;
            } else {
                let packet = self.packet(connection, calm);
                if packet.psn != self.script.expected(connection) {
                    self.script.arrive(packet);
                }
            }
            match self.rng.below(50) {
                0 => {
                    self.script.drain();
                    self.script.issue(op::READ, connection, self.rng.below(self.shape.paths), 0);
                    // Until then, nothing of it is delivered.
                    free[n as usize] = self.script.cycle() + self.shape.response();
                }
                1 => self.script.set(self.rng.below(10), self.rng.below(4)),
                2 => self.script.stall_events(true),
                3..=5 => self.script.stall_events(false),
                6..=9 => self.script.idle(self.rng.below(40)),
                _ => {}
            }
        }
        self.script.stall_events(false);
        self.script.answered();
        self.script.drain();
    }

    /// Many packets of one connection in consecutive cycles. They fit in the window, which cannot move while delivery is stalled.
    fn alone(&mut self, n: u64) {
        let connection = self.number(n);
        for _ in 0..2 {
            for _ in 0..9 {
                let first = self.script.expected(connection);
                let mut ahead: Vec<u64> = (0..2 + self.rng.below(3)).collect();
                for at in (1..ahead.len()).rev() {
                    ahead.swap(at, self.rng.below(at as u64 + 1) as usize);
                }
                ahead.into_iter().for_each(|ahead| self.script.send(connection, first + ahead));
            }
            self.script.drain();
        }
    }

    /// What is left, and how it is closed.
    fn end(&mut self) {
        for n in 0..self.used {
            let connection = self.number(n);
            self.script.read(connection, self.rng.below(self.shape.paths));
            self.script.close(connection);
            self.script.read(connection, 0);
        }
    }
}
