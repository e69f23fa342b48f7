// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic: demands of each kind, commands, settings and stalls.

use super::shapes;
use crate::collect::aim;
use crate::receive::credit_pacer::oracle::{CREDITS, Settings, Shape, op};
use crate::receive::credit_pacer::script::Script;
use crate::receive::credit_pacer::suite::Suite;
use crate::rng::SplitMix64;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in shapes::all() {
        of_shape(suite, shape, rng, if shape == shapes::USUAL { 4 } else { 2 });
    }
}

/// A group for a stage of any size.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64, cases: u64) {
    suite.group("load", "random traffic", shape, None);
    for n in 0..cases {
        let mut traffic = Traffic::new(shape, rng);
        // At most so many idle cycles between demands.
        for pause in [1, 4, 30, 90, 12] {
            traffic.phase(pause, 700);
        }
        let rows = ["PC1", "PC2", "PC3", "PC4", "PC5", "PC6", "PC7", "PC8", "PC9", "PC10", "PC11", "PC12"];
        let aim = aim(&["FullLoad", "BackToBack", "Stall"], &rows);
        suite.add(format!("load-{n}"), "several sources, with everything else", aim, traffic.script);
    }
}

struct Traffic<'a> {
    script: Script,
    shape: Shape,
    rng: &'a mut SplitMix64,
    /// The sources that are used, the last one among them.
    used: Vec<u64>,
}

impl<'a> Traffic<'a> {
    fn new(shape: Shape, rng: &'a mut SplitMix64) -> Self {
        let used = shape.sources.min(6);
        let used = (0..used).map(|n| if n + 1 < used { n } else { shape.sources - 1 }).collect();
        let mut script = Script::from_reset(shape);
        script.until(shape.sweep());
        let mut traffic = Traffic { script, shape, rng, used };
        for source in traffic.used.clone() {
            traffic.open(source);
        }
        traffic
    }

    /// One in so many.
    fn one_in(&mut self, many: u64) -> bool {
        self.rng.below(many) == 0
    }

    /// A number of a source that is used, now and then any other one.
    fn number(&mut self) -> u64 {
        if self.one_in(24) {
            self.rng.below(self.shape.numbers())
        } else {
            self.used[self.rng.below(self.used.len() as u64) as usize]
        }
    }

    fn open(&mut self, source: u64) {
        let near = if self.one_in(2) { CREDITS - 1 - self.rng.below(200) } else { self.rng.below(CREDITS) };
        self.script.issue(op::OPEN, source, near);
    }

    /// Such that takes are as fast as they may be, that they wait for *level*, or that there are none.
    fn settings(&mut self) {
        let rate = [0, 1 << 12, 1 << 15, 1 << 17, 1 << 18, 1 << 20, (1 << 24) - 1][self.rng.below(7) as usize];
        let rate = (rate + self.rng.below(1 << 12)).min((1 << 24) - 1);
        let quota = if self.one_in(16) { self.rng.below(1 << 12) } else { self.rng.below(40) };
        let burst = if self.one_in(6) { self.rng.below(1 << 12) } else { self.rng.below(60) };
        let advance = match self.rng.below(6) {
            0 | 1 => 0,
            2 => self.rng.below(CREDITS),
            _ => self.rng.below(120),
        };
        self.script.set_beside(|_| Settings { rate, quota, burst, advance });
    }

    /// A demand. Most of them are new; some are old, the same again, or far ahead. Some of each kind have `repeat`.
    fn demand(&mut self) {
        let source = self.number();
        let by = match self.rng.below(400) {
            0..30 => 0,
            30..60 => -1 - self.rng.below(40) as i64,
            60 => (1 << 23) - 2 + self.rng.below(4) as i64,
            61 => self.rng.below(CREDITS) as i64,
            62..140 => 40 + self.rng.below(200) as i64,
            _ => 1 + self.rng.below(30) as i64,
        };
        if self.one_in(5) {
            self.script.offer_repeat(source, by);
        } else {
            self.script.offer_more(source, by);
        }
    }

    fn command(&mut self) {
        let source = self.number();
        match self.rng.below(8) {
            0 | 1 => self.script.issue(op::CLOSE, source, self.rng.below(CREDITS)),
            2 => self.script.issue(self.rng.below(4), source, self.rng.below(CREDITS)),
            3 | 4 => self.open(source),
            _ => self.script.issue(op::READ, source, self.rng.below(CREDITS)),
        }
        // Closed ones are opened again.
        for source in self.used.clone() {
            if !self.script.source(source).open && self.one_in(2) {
                self.open(source);
            }
        }
    }

    /// So many cycles. Demands come with pauses up to this.
    fn phase(&mut self, pause: u64, cycles: u64) {
        self.settings();
        let end = self.script.cycle() + cycles;
        let mut quiet = 0;
        while self.script.cycle() < end {
            if quiet > 0 {
                quiet -= 1;
            } else if self.script.offered() < 4 {
                self.demand();
                quiet = self.rng.below(pause);
            }
            if self.script.offered() < 4 && self.one_in(20) {
                self.command();
            }
            if self.one_in(170) {
                self.settings();
            }
            if self.one_in(50) {
                let ready = !self.one_in(4);
                self.script.stall(ready);
            }
            self.script.step();
        }
    }
}
