// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random look-ups and commands, while the table fills up.

use super::shapes;
use crate::collect::aim;
use crate::receive::context_lookup::oracle::{Command, Key, Op, SUB_TABLES, Shape};
use crate::receive::context_lookup::script::{Script, random};
use crate::receive::context_lookup::suite::Suite;
use crate::rng::SplitMix64;

/// How full the rows are, in percent.
const LOADS: [u64; 5] = [50, 75, 85, 92, 97];

/// The most keys that a case puts in. Larger tables are filled less.
const MOST_KEYS: u64 = 1000;

/// Look-ups come in nearly every cycle for so long behind a command, then less often.
const DENSE: u64 = 14;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in shapes::all() {
        of_shape(suite, shape, rng, if shape.elab { 1 } else { 2 }, 9);
    }
}

/// The group of a stage of any size, with so many cases, and commands at each load.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64, cases: u64, commands: u64) {
    suite.group("load", "random look-ups and commands", shape, ());
    let rows = ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C9", "C11", "C12", "C13"];
    for n in 0..cases {
        let mut traffic = Traffic { script: Script::new(shape, rng.next_u64()), shape, rng, last: Key::default() };
        for load in LOADS {
            traffic.at_load(load, commands);
        }
        let end = traffic.script.free;
        traffic.lookups(end, end + 40);
        let comment = "random traffic at 50 to 97 % of the rows";
        suite.add(format!("load-{n}"), comment, aim(&["FullLoad", "BackToBack"], &rows), traffic.script);
    }
}

struct Traffic<'a> {
    shape: Shape,
    script: Script,
    rng: &'a mut SplitMix64,
    /// The key of the last command.
    last: Key,
}

impl Traffic<'_> {
    /// Fills up to the load, and keeps it for some time.
    fn at_load(&mut self, load: u64, commands: u64) {
        let rows = SUB_TABLES as u64 * self.shape.rows();
        let wanted = (rows * load / 100).min(MOST_KEYS * load / 100);
        self.script.fill(wanted.saturating_sub(4));
        let stored = self.script.keys();
        let hammer = |op, key| Command { op, key, index: 0 };
        self.script.hammered = vec![hammer(Op::Remove, stored[0]), hammer(Op::Insert, Key { kind: 3, ..stored[0] })];
        for _ in 0..commands {
            let (op, key) = self.next(wanted);
            let late = [0, 0, 0, 1, 2, 7][self.rng.below(6) as usize];
            let (at, index) = (self.script.free + late, self.script.next_index());
            let before = self.last;
            self.last = key;
            let (at, _) = self.script.command_at(at, op, key, index);
            self.lookups(at, self.script.free);
            self.last = if self.rng.below(8) == 0 { before } else { key };
        }
    }

    /// A command that leaves about as many keys.
    fn next(&mut self, wanted: u64) -> (Op, Key) {
        let stored = self.script.keys();
        let some = stored[self.rng.below(stored.len() as u64) as usize];
        let absent = self.script.find(|_, _| true);
        let more = (stored.len() as u64) < wanted + self.rng.below(3);
        match self.rng.below(16) {
            0 => (Op::Read, some),
            1 => (Op::Insert, some),
            2 => (Op::Remove, absent),
            3 => (Op::ALL[self.rng.below(4) as usize], Key { kind: 3, ..some }),
            4 => (Op::None, some),
            5 => (Op::Read, absent),
            // The key of the last command again, wherever it is.
            6 | 7 if self.script.table().place(self.last).is_some() => (Op::Remove, self.last),
            6 | 7 if self.shape.includes(self.last.kind) && more => (Op::Insert, self.last),
            _ if more => (Op::Insert, absent),
            _ => (Op::Remove, some),
        }
    }

    /// Look-ups from a command on until the next one.
    fn lookups(&mut self, from: u64, to: u64) {
        let stored = self.script.keys();
        for at in from..to {
            let busy = if at < from + DENSE || at + 4 >= to { 95 } else { 3 };
            if self.rng.below(100) < busy {
                let key = match self.rng.below(16) {
                    0 => Key { kind: self.rng.below(4), ..self.last },
                    1..=4 => self.last,
                    5 => random(self.rng, self.shape, 3),
                    6 => self.script.any(),
                    _ => stored[self.rng.below(stored.len() as u64) as usize],
                };
                self.script.lookups(at, [key]);
            }
        }
    }
}
