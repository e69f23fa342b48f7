// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where keys are stored (C11 to C13), and what a command does to them (C6, C7).

use super::places::{Places, Rows, SUB_TABLES};
use super::{Command, Key, Op, Response, Shape};
use std::collections::VecDeque;

/// Keys that the stash holds at most.
pub const STASH: usize = 4;

/// Rounds of a placement that take another key's row, at most.
pub const MOVES: u64 = 64;

/// A stored key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    key: Key,
    index: u64,
    rows: Rows,
}

/// Where a stored key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In its row of this sub-table.
    SubTable(usize),
    /// In the stash, with so many in front of it.
    Stash(usize),
}

/// What a command did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// C7.
    pub response: Response,
    /// C12: rounds of the placement, 0 if there was none.
    pub rounds: u64,
    /// C12: the placement ended with (2), its key went back to the stash.
    pub gave_up: bool,
}

/// All places.
#[derive(Clone, Debug)]
pub struct Table {
    shape: Shape,
    places: Places,
    sub_tables: Vec<[Option<Entry>; SUB_TABLES]>,
    stash: VecDeque<Entry>,
    turn: usize,
}

impl Table {
    /// An empty one.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let rows = shape.rows();
        let sub_tables = vec![[None; SUB_TABLES]; rows as usize];
        Table { shape, places: Places::new(rows), sub_tables, stash: VecDeque::new(), turn: 0 }
    }

    /// C6, C7, C11, C12: a command, with the placement that follows it.
    pub fn command(&mut self, command: Command) -> Outcome {
        let Command { op, key, index } = command;
        let rows = self.places.of(key);
        let found = self.find(key, rows);
        let before = found.and_then(|place| self.at(rows, place));
        let mut response = Response {
            op: op.code(),
            present: before.is_some(),
            index: before.map_or(0, |entry| entry.index),
            ..Response::default()
        };
        if self.shape.includes(key.kind) {
            match (op, found) {
                (Op::Read, _) => response.done = true,
                (Op::Insert, None) => {
                    response.done = self.insert(Entry { key, index, rows });
                    response.full = !response.done;
                }
                (Op::Remove, Some(place)) => {
                    self.remove(rows, place);
                    response.done = true;
                }
                (Op::Insert, Some(_)) | (Op::Remove, None) | (Op::None, _) => {}
            }
        }
        let changed = response.done && op != Op::Read;
        let (rounds, gave_up) = if changed { self.placement() } else { (0, false) };
        Outcome { response, rounds, gave_up }
    }

    /// Where a key is, if it is anywhere.
    #[must_use]
    pub fn place(&self, key: Key) -> Option<Place> {
        self.find(key, self.places.of(key))
    }

    /// The rows of a key.
    #[must_use]
    pub fn rows(&self, key: Key) -> Rows {
        self.places.of(key)
    }

    /// The polynomials of the sub-tables, each as a number.
    #[must_use]
    pub const fn polynomials(&self) -> Rows {
        self.places.polynomials()
    }

    /// *turn*.
    #[must_use]
    pub const fn turn(&self) -> usize {
        self.turn
    }

    /// The same table with another *turn*.
    #[must_use]
    pub fn turned(mut self, turn: usize) -> Self {
        self.turn = turn;
        self
    }

    /// The keys in the stash, from the front on.
    pub fn stash(&self) -> impl Iterator<Item = Key> {
        self.stash.iter().map(|entry| entry.key)
    }

    /// All keys with their indices: the stash from the front on, then row by row.
    pub fn keys(&self) -> impl Iterator<Item = (Key, u64)> {
        let rows = self.sub_tables.iter().flatten().flatten();
        self.stash.iter().chain(rows).map(|entry| (entry.key, entry.index))
    }

    fn find(&self, key: Key, rows: Rows) -> Option<Place> {
        let here = |entry: &Entry| entry.key == key;
        let stashed = || self.stash.iter().position(here).map(Place::Stash);
        let sub_table = (0..SUB_TABLES).find(|&j| self.sub_tables[rows[j]][j].as_ref().is_some_and(here));
        sub_table.map(Place::SubTable).or_else(stashed)
    }

    fn at(&self, rows: Rows, place: Place) -> Option<Entry> {
        match place {
            Place::SubTable(j) => self.sub_tables[rows[j]][j],
            Place::Stash(n) => self.stash.get(n).copied(),
        }
    }

    /// C11: false if there is no place.
    fn insert(&mut self, entry: Entry) -> bool {
        let placed = self.fill(entry);
        let stashed = !placed && self.stash.len() < STASH;
        if stashed {
            self.stash.push_back(entry);
        }
        placed || stashed
    }

    /// C11.
    fn remove(&mut self, rows: Rows, place: Place) {
        match place {
            Place::SubTable(j) => self.sub_tables[rows[j]][j] = None,
            Place::Stash(n) => drop(self.stash.remove(n)),
        }
    }

    /// Puts an entry into an empty row, that of the sub-table with the lowest number; false if there is none.
    fn fill(&mut self, entry: Entry) -> bool {
        let empty = (0..SUB_TABLES).find(|&j| self.sub_tables[entry.rows[j]][j].is_none());
        if let Some(j) = empty {
            self.sub_tables[entry.rows[j]][j] = Some(entry);
        }
        empty.is_some()
    }

    /// C12: the number of rounds, and whether the last one ended with (2).
    fn placement(&mut self) -> (u64, bool) {
        let Some(mut x) = self.stash.pop_front() else {
            return (0, false);
        };
        for moves in 0..=MOVES {
            if self.fill(x) {
                return (moves + 1, false);
            }
            if moves < MOVES {
                let row = &mut self.sub_tables[x.rows[self.turn]][self.turn];
                if let Some(other) = row.replace(x) {
                    x = other;
                }
                // C13
                self.turn = (self.turn + 1) % SUB_TABLES;
            }
        }
        self.stash.push_back(x);
        (MOVES + 1, true)
    }
}
