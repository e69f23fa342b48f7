// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random frames of several connections in every cycle, with limits that change, commands and stalls. *E* moves while
//! nothing else is to be delivered; so the contract allows one order only.

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::{Arrival, PROBE, Shape, op};
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;
use crate::rng::SplitMix64;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in shapes::LATENCIES.into_iter().chain(shapes::SMALL).chain([shapes::WIDE]) {
        traffic(suite, shape, rng, if shape.connections == 2 { 1 } else { 3 });
    }
}

/// Groups for a stage of any size.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    traffic(suite, shape, rng, 2);
}

fn traffic(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64, cases: u64) {
    suite.group("load", "random frames", shape, None);
    for n in 0..cases {
        let used = shape.connections.min(4);
        let mut script = Script::new(shape);
        script.free_running = true;
        let mut traffic = Traffic { script, shape, rng, used };
        traffic.begin();
        (0..14).for_each(|_| traffic.round());
        traffic.end();
        let rows =
            ["R1", "R2", "R4", "R30", "R31", "R32", "R33", "R34", "R35", "R36", "R38", "R39", "R40", "M82", "M101"];
        let aim = aim(&["FullLoad", "BackToBack", "Connections"], &rows);
        suite.add(
            format!("load-{n}"),
            "frames that overtake each other, limits, commands and stalls",
            aim,
            traffic.script,
        );
    }
}

struct Traffic<'a> {
    script: Script,
    shape: Shape,
    rng: &'a mut SplitMix64,
    /// Number of connections that are used.
    used: u64,
}

impl Traffic<'_> {
    /// The first half of the connections in use, and the last ones there are.
    const fn number(&self, n: u64) -> u64 {
        if n < self.used / 2 { n } else { self.shape.connections - self.used + n }
    }

    /// Any connection in use.
    fn any(&mut self) -> u64 {
        let n = self.rng.below(self.used);
        self.number(n)
    }

    fn begin(&mut self) {
        for n in 0..self.used {
            let psn = self.rng.next_u64() % self.shape.psns();
            let psn = if n % 2 == 0 { self.shape.psns() - 1 - psn % 30 } else { psn };
            self.script.open(self.number(n), psn);
        }
    }

    /// Beats of a frame: mostly a few cells, seldom more than there are.
    fn beats(&mut self) -> u64 {
        let (cell, cells) = (self.script.pool().cell_beats(), self.script.pool().cells.min(40));
        match self.rng.below(24) {
            0 => cells * cell / 2 + self.rng.below(cell),
            1..8 => 1,
            8..12 => cell * (1 + self.rng.below(3)),
            12..16 => cell * (1 + self.rng.below(2)) + 1,
            _ => 1 + self.rng.below(3 * cell),
        }
    }

    /// A frame that does not move *E*: a little ahead of the expected PSN or, seldom, anywhere else.
    fn other(&mut self) {
        let connection = self.any();
        let expected = self.script.expected(connection);
        let psn = match self.rng.below(16) {
            0 => expected + self.shape.window + self.rng.below(3),
            1 | 2 => expected.wrapping_sub(1 + self.rng.below(3)),
            _ => expected + 1 + self.rng.below(9),
        };
        let packet = self.script.packet(connection, psn);
        let found = self.rng.below(30) != 0;
        let flags = self.rng.next_u64() & 0xFB | (u64::from(self.rng.below(20) == 0) * PROBE);
        let path = self.rng.below(self.shape.past_paths() + 1);
        let beats = self.beats();
        self.script.frame(Arrival { found, flags, path, ..packet }, beats);
    }

    /// Frames that do not move *E*, then one that does, and more of the others while what it releases leaves.
    fn round(&mut self) {
        let cells = self.script.pool().cells;
        match self.rng.below(4) {
            0 => self.script.limit(cells, 0),
            1 => self.script.limit(self.rng.below(cells), 0),
            2 => self.script.limit(cells, self.rng.below(cells)),
            _ => self.script.limit(cells / 4 + self.rng.below(cells), self.rng.below(cells / 4)),
        }
        for _ in 0..2 + self.rng.below(5) {
            self.other();
            if self.rng.below(4) == 0 {
                self.script.idle(self.rng.below(2 * self.shape.walk()));
            }
        }
        let connection = self.any();
        if self.rng.below(5) == 0 {
            self.script.answered();
            self.script.issue(op::CLOSE, connection, 0, 0);
            (0..3).for_each(|_| self.other());
            self.script.answered();
            self.script.drain();
            self.script.close_and_clear(connection);
            self.script.open(connection, self.rng.next_u64());
            return;
        }
        let stalls = self.rng.below(3) == 0;
        let expected = self.script.expected(connection);
        let beats = if self.script.shown().free == cells { self.beats() } else { 1 };
        self.script.send_frame(connection, expected, beats);
        if stalls {
            self.script.stall(true);
        }
        for _ in 0..self.rng.below(4) {
            self.other();
        }
        if stalls {
            self.script.settle();
            for _ in 0..self.rng.below(30) {
                self.script.stall(self.rng.below(2) == 0);
                self.script.idle(1 + self.rng.below(2));
            }
            self.script.stall(false);
        }
        self.script.drain();
        if self.rng.below(3) == 0 {
            self.script.read(connection, self.rng.below(self.shape.paths));
        }
    }

    /// What is held is discarded; all cells are free again.
    fn end(&mut self) {
        for n in 0..self.used {
            let connection = self.number(n);
            self.script.read(connection, self.rng.below(self.shape.paths));
            self.script.close_and_clear(connection);
        }
        self.script.drain();
        assert_eq!(self.script.shown().free, self.script.pool().cells, "nothing is held");
    }
}
