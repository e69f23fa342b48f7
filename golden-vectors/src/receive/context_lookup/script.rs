// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of a case while they are being added. The script knows the table, so that it can look for keys with which
//! something certain happens, and put commands into the first cycle in which they are accepted.

use super::oracle::{Command, ELAB, Event, Key, Op, Outcome, ROCEV2, SUB_TABLES, Shape, Table, UET};
use super::ports;
use crate::collect::timed::Draft;
use crate::rng::SplitMix64;
use crate::schema::timed::Row;

/// Keys that a search tries.
const TRIES: usize = 1 << 14;

/// The events of a case.
#[derive(Clone, Debug)]
pub struct Script {
    shape: Shape,
    table: Table,
    events: Vec<(u64, Event)>,
    /// Commands driven with `command_valid` in turns while `command_ready` is 0. None of them may have an effect.
    pub hammered: Vec<Command>,
    /// The first cycle in which the next command is accepted.
    pub free: u64,
    rng: SplitMix64,
}

impl Script {
    /// A script without events. The seed is that of its keys.
    pub fn new(shape: Shape, seed: u64) -> Self {
        let (table, rng) = (Table::new(shape), SplitMix64::new(seed));
        Script { shape, table, events: Vec::new(), hammered: Vec::new(), free: shape.rows(), rng }
    }

    /// The table behind the commands so far.
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// Adds look-ups, one per cycle from `at` on. Returns the cycle after the last one.
    pub fn lookups(&mut self, at: u64, keys: impl IntoIterator<Item = Key>) -> u64 {
        let mut next = at;
        for key in keys {
            self.events.push((next, Event::Lookup(key)));
            next += 1;
        }
        next
    }

    /// Adds a command in cycle `at` or, if that is later, the first one in which it is accepted. Returns its cycle.
    pub fn command_at(&mut self, at: u64, op: Op, key: Key, index: u64) -> (u64, Outcome) {
        let command = Command { op, key, index };
        let (at, outcome) = (at.max(self.free), self.table.command(command));
        self.events.push((at, Event::Command(command)));
        self.free = at + self.shape.unready(outcome.rounds) + 1;
        (at, outcome)
    }

    /// Adds a command in the first cycle in which it is accepted.
    pub fn command(&mut self, op: Op, key: Key, index: u64) -> Outcome {
        self.command_at(0, op, key, index).1
    }

    /// Inserts a key with an index that is told from those of the keys before.
    pub fn insert(&mut self, key: Key) -> Outcome {
        let index = self.next_index();
        self.command(Op::Insert, key, index)
    }

    /// Removes a key.
    pub fn remove(&mut self, key: Key) -> Outcome {
        let index = self.next_index();
        self.command(Op::Remove, key, index)
    }

    /// An index that differs from the last ones. All that fit are used, also those from `entries` on.
    pub fn next_index(&self) -> u64 {
        (37 * self.events.len() as u64 + 11) & ((1 << self.shape.index_bits()) - 1)
    }

    /// The first cycle in which look-ups see all commands so far, and every placement has ended.
    pub const fn settled(&self) -> u64 {
        self.free
    }

    /// Looks all of these keys up behind the commands so far.
    pub fn check(&mut self, keys: impl IntoIterator<Item = Key>) -> u64 {
        let end = self.lookups(self.settled(), keys);
        self.free = self.free.max(end);
        end
    }

    /// Looks all keys in the table up, in their order.
    pub fn check_all(&mut self) -> u64 {
        let mut keys = self.keys();
        keys.sort_unstable();
        self.check(keys)
    }

    /// The keys in the table.
    pub fn keys(&self) -> Vec<Key> {
        self.table.keys().map(|(key, _)| key).collect()
    }

    /// A random key of this kind. Only the bits that the kind uses are set.
    pub fn random(&mut self, kind: u64) -> Key {
        random(&mut self.rng, self.shape, kind)
    }

    /// A random key of an included kind.
    pub fn any(&mut self) -> Key {
        let kinds: Vec<_> = self.shape.kinds().collect();
        let kind = kinds[self.rng.below(kinds.len() as u64) as usize];
        self.random(kind)
    }

    /// A random key of an included kind that is not in the table, and for which something holds; one of many is tried.
    pub fn search(&mut self, mut holds: impl FnMut(&Table, Key) -> bool) -> Option<Key> {
        for _ in 0..TRIES {
            let key = self.any();
            if self.table.place(key).is_none() && holds(&self.table, key) {
                return Some(key);
            }
        }
        None
    }

    /// A key as [`search`](Self::search) finds it.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn find(&mut self, holds: impl FnMut(&Table, Key) -> bool) -> Key {
        let found = self.search(holds);
        found.expect("there is such a key")
    }

    /// A key that is not in the table, with what its insertion would do.
    pub fn search_insert(&mut self, mut holds: impl FnMut(&Table, Outcome) -> bool) -> Option<Key> {
        self.search(|table, key| {
            let mut behind = table.clone();
            let outcome = behind.command(Command { op: Op::Insert, key, index: 0 });
            holds(&behind, outcome)
        })
    }

    /// What the insertion of each key that [`search`](Self::search) tries would do, `None` for those in the table: for many
    /// searches from one state.
    pub fn tried_inserts(&self) -> Vec<Option<Outcome>> {
        let mut from_here = self.clone();
        let tried = (0..TRIES).map(|_| {
            let key = from_here.any();
            let is_new = from_here.table.place(key).is_none();
            is_new.then(|| from_here.table.clone().command(Command { op: Op::Insert, key, index: 0 }))
        });
        tried.collect()
    }

    /// The key that [`search`](Self::search) would try after `before` others.
    pub fn tried(&mut self, before: usize) -> Key {
        (0..before).for_each(|_| _ = self.any());
        self.any()
    }

    /// The same, where there must be one.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn find_insert(&mut self, holds: impl FnMut(&Table, Outcome) -> bool) -> Key {
        let found = self.search_insert(holds);
        found.expect("there is such a key")
    }

    /// Inserts random keys until so many are in the table.
    pub fn fill(&mut self, keys: u64) {
        let mut stored = self.table.keys().count() as u64;
        while stored < keys {
            let key = self.find(|_, _| true);
            stored += u64::from(self.insert(key).response.done);
        }
    }

    /// Keys that all have the rows of this one, which is the first of them.
    ///
    /// # Panics
    /// If a kind has not so many.
    pub fn clashing(&self, key: Key, count: u64) -> Vec<Key> {
        // Two keys have equal rows if they differ in a common multiple of all polynomials. One is their product.
        let factors = Table::new(self.shape).polynomials();
        let times = |a: u64, b: u64| (0..20).filter(|&i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ a << i);
        let product = factors.iter().fold(1, |product, &factor| times(product, factor as u64));
        let keys: Vec<_> = (0..count).map(|n| with_low(key, key.words[0] ^ times(product, n))).collect();
        let fits = keys.iter().all(|&key| self.shape.carries(key) && self.table.rows(key) == self.table.rows(keys[0]));
        assert!(fits, "{:?}: no {count} keys with equal rows", self.shape);
        keys
    }

    /// How many keys [`clashing`](Self::clashing) finds.
    pub fn clashes(&self) -> u64 {
        let bits = SUB_TABLES as u32 * self.shape.rows().ilog2();
        1 << self.shape.key_bits().saturating_sub(bits).min(10)
    }
}

const fn with_low(mut key: Key, low: u64) -> Key {
    key.words[0] = low;
    key
}

/// A random key of this kind, of which only the bits that the kind uses are set. Those of ELAB are pairs of IPv6 hosts,
/// and more often of IPv4 hosts.
pub fn random(rng: &mut SplitMix64, shape: Shape, kind: u64) -> Key {
    let low = rng.next_u64() & ((1 << shape.key_bits().min(24)) - 1);
    match kind {
        UET => Key::new(UET, low & 0x1_FFFF),
        ELAB if rng.below(4) == 0 => Key::hosts(rng.next_u128(), rng.next_u128()),
        ELAB => {
            let mut host = || 0xFFFF_0A00_0000 | u128::from(rng.below(1 << 12));
            Key::hosts(host(), host())
        }
        ROCEV2 => Key::new(ROCEV2, low),
        // A kind that is not included.
        other => Key::new(other, low),
    }
}

impl Draft for Script {
    type Event = Event;

    fn unready(&self) -> Vec<(&'static str, Row)> {
        self.hammered.iter().map(|command| ports::command(self.shape).row(command)).collect()
    }

    fn into_events(mut self) -> Vec<(u64, Event)> {
        self.events.sort_by_key(|&(cycle, event)| (cycle, matches!(event, Event::Command(_))));
        self.events
    }
}
