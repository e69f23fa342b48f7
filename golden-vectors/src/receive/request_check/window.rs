// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receive window of a connection: what `reorder` would answer to each arrival, and what it would deliver.
//!
//! The outcomes are those of its row R2. A slot is free as soon as its packet is delivered here; the stage itself reads
//! it a little earlier. So *no buffer* comes in all places where it may.

use std::collections::{BTreeMap, VecDeque};

/// PSNs are modulo this.
pub const PSNS: u64 = 1 << 24;

/// Codes of outcomes.
pub mod outcome {
    /// In order.
    pub const IN_ORDER: u64 = 0;
    /// Received behind a gap.
    pub const HELD: u64 = 1;
    /// Received before, and held.
    pub const DUPLICATE: u64 = 2;
    /// Before the expected PSN.
    pub const BELOW: u64 = 3;
    /// Behind the window.
    pub const ABOVE: u64 = 4;
    /// Its slot is occupied.
    pub const NO_BUFFER: u64 = 5;
    /// Of no open connection.
    pub const UNKNOWN: u64 = 6;
    /// A probe.
    pub const PROBE: u64 = 7;
}

/// The PSN so much behind this one.
#[must_use]
pub const fn advance(psn: u64, by: u64) -> u64 {
    psn.wrapping_add(by) % PSNS
}

/// The PSN so much before this one.
#[must_use]
pub const fn back(psn: u64, by: u64) -> u64 {
    psn.wrapping_sub(by) % PSNS
}

/// How far a PSN is behind another one, modulo 2^24.
#[must_use]
pub const fn distance(psn: u64, from: u64) -> u64 {
    psn.wrapping_sub(from) % PSNS
}

/// PSN *a* is before *b*.
#[must_use]
pub const fn is_before(a: u64, b: u64) -> bool {
    distance(a, b) >= PSNS / 2
}

/// The receive window of one connection.
#[derive(Clone, Debug)]
pub struct Window {
    size: u64,
    expected: u64,
    /// Handles of the packets behind the expected PSN.
    held: BTreeMap<u64, u64>,
    /// PSNs and handles that are to be delivered.
    released: VecDeque<(u64, u64)>,
}

impl Window {
    /// A window of so many packets that begins with this PSN.
    #[must_use]
    pub const fn new(size: u64, psn: u64) -> Self {
        Window { size, expected: psn, held: BTreeMap::new(), released: VecDeque::new() }
    }

    /// A packet comes. Returns its outcome.
    pub fn arrive(&mut self, psn: u64, handle: u64) -> u64 {
        let base = self.released.front().map_or(self.expected, |&(psn, _)| psn);
        if is_before(psn, self.expected) {
            return outcome::BELOW;
        }
        if self.held.contains_key(&psn) {
            return outcome::DUPLICATE;
        }
        if distance(psn, self.expected) >= self.size {
            return outcome::ABOVE;
        }
        if distance(psn, base) >= self.size {
            return outcome::NO_BUFFER;
        }
        self.held.insert(psn, handle);
        if psn != self.expected {
            return outcome::HELD;
        }
        while let Some(handle) = self.held.remove(&self.expected) {
            self.released.push_back((self.expected, handle));
            self.expected = advance(self.expected, 1);
        }
        outcome::IN_ORDER
    }

    /// The expected PSN: the first one that has not been received.
    #[must_use]
    pub const fn expected(&self) -> u64 {
        self.expected
    }

    /// PSNs that are held behind the expected one, in no order that matters.
    pub fn held(&self) -> impl ExactSizeIterator<Item = u64> {
        self.held.keys().copied()
    }

    /// Packets that are to be delivered.
    #[must_use]
    pub fn released(&self) -> usize {
        self.released.len()
    }

    /// Delivers the next packet: its PSN and its handle.
    pub fn deliver(&mut self) -> Option<(u64, u64)> {
        self.released.pop_front()
    }
}
