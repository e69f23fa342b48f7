// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the look-up of contexts must do: the contract row by row.
//!
//! "Cn" is row n of `docs/stages/context_lookup.md`. Where keys are stored ([`Table`]) decides what fits and how long a
//! command takes. Look-ups do not see it: they are answered from the list of keys that the commands have left.

mod places;
mod shape;
mod table;

pub use places::{Places, Rows, SUB_TABLES};
pub use shape::Shape;
use std::collections::{BTreeMap, VecDeque};
pub use table::{MOVES, Outcome, Place, STASH, Table};

/// The kind of keys of RoCEv2.
pub const ROCEV2: u64 = 0;
/// The kind of keys of UET.
pub const UET: u64 = 1;
/// The kind of keys of ELAB.
pub const ELAB: u64 = 2;

/// A key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Its kind, 2 bits.
    pub kind: u64,
    /// Its bits, from bits 63..0 on.
    pub words: [u64; 4],
}

impl Key {
    /// A key of at most 64 bits.
    #[must_use]
    pub const fn new(kind: u64, bits: u64) -> Self {
        Key { kind, words: [bits, 0, 0, 0] }
    }

    /// The key of a pair of hosts.
    #[must_use]
    pub const fn hosts(source: u128, destination: u128) -> Self {
        let words = [destination as u64, (destination >> 64) as u64, source as u64, (source >> 64) as u64];
        Key { kind: ELAB, words }
    }

    /// The key that differs in this bit only.
    #[must_use]
    pub const fn flip(mut self, bit: usize) -> Self {
        self.words[bit / 64] ^= 1 << (bit % 64);
        self
    }
}

/// C6: what a command is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Tells whether the key is there.
    Read,
    /// Puts the key in.
    Insert,
    /// Takes the key out.
    Remove,
    /// Code 3.
    None,
}

impl Op {
    /// Of all codes.
    pub const ALL: [Op; 4] = [Op::Read, Op::Insert, Op::Remove, Op::None];

    /// The code.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}

/// C5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// What to do.
    pub op: Op,
    /// The key.
    pub key: Key,
    /// The index that is inserted.
    pub index: u64,
}

/// An event in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A look-up.
    Lookup(Key),
    /// A command; it is accepted if `command_ready` is 1.
    Command(Command),
}

/// C7: the fields of a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The code of the command.
    pub op: u64,
    /// The key was in the table before.
    pub present: bool,
    /// Its index then.
    pub index: u64,
    /// The command has done what it is to do.
    pub done: bool,
    /// There is no place for the key.
    pub full: bool,
}

/// The outputs of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// C1, C2: the cycle of each answer, and the index that was found.
    pub answers: Vec<(u64, Option<u64>)>,
    /// C5, C7: the cycle of each response, and its fields.
    pub responses: Vec<(u64, Response)>,
    /// C9: the cycle of each accepted command, and in how many cycles behind it no command is accepted.
    pub accepted: Vec<(u64, u64)>,
    /// C4: look-ups of each kind that found nothing, by kind; those of kinds that are not included are the fourth.
    pub unknown: [u64; 4],
}

/// The outputs for these events, which are in the order of their cycles.
#[must_use]
pub fn run(shape: Shape, events: &[(u64, Event)]) -> Answer {
    let mut answer = Answer::default();
    let mut table = Table::new(shape);
    // What look-ups find, and the commands that they do not see yet, each with the cycle of its effect.
    let mut keys: BTreeMap<Key, u64> = BTreeMap::new();
    let mut unseen: VecDeque<(u64, Command)> = VecDeque::new();
    // C10
    let mut ready = shape.rows();
    for &(cycle, event) in events {
        match event {
            Event::Command(command) if cycle >= ready => {
                let outcome = table.command(command);
                answer.responses.push((cycle + shape.steps() + 1, outcome.response));
                answer.accepted.push((cycle, shape.unready(outcome.rounds)));
                ready = cycle + shape.unready(outcome.rounds) + 1;
                if outcome.response.done {
                    unseen.push_back((cycle + shape.steps(), command));
                }
            }
            Event::Command(_) => {}
            Event::Lookup(key) => {
                // C3, C5
                let seen = unseen.partition_point(|&(effect, _)| effect <= cycle);
                for (_, Command { op, key, index }) in unseen.drain(..seen) {
                    if op == Op::Insert {
                        keys.insert(key, index);
                    } else if op == Op::Remove {
                        keys.remove(&key);
                    }
                }
                let index = keys.get(&key).copied();
                answer.answers.push((cycle + shape.steps(), index));
                // C4
                if index.is_none() {
                    let counter = if shape.includes(key.kind) { key.kind } else { 3 };
                    let count = &mut answer.unknown[counter as usize];
                    *count = (*count + 1) % (1 << 32);
                }
            }
        }
    }
    answer
}
