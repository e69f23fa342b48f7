// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of the stage, and what its ports are for it.

use super::{ELAB, Key, ROCEV2, UET};
use crate::collect::ports::{index_width, named};
use std::collections::BTreeMap;

/// The size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of contexts.
    pub entries: u64,
    /// The configuration has RoCEv2.
    pub rocev2: bool,
    /// The configuration has UET.
    pub uet: bool,
    /// The configuration has ELAB.
    pub elab: bool,
    /// Clock cycles from address to row of the memories. The rows call it *l*.
    pub ram_latency: u64,
}

impl Shape {
    /// A stage for RoCEv2 alone.
    #[must_use]
    pub const fn new(entries: u64, ram_latency: u64) -> Self {
        Shape { entries, rocev2: true, uet: false, elab: false, ram_latency }
    }

    /// The same with these protocols.
    #[must_use]
    pub const fn protocols(self, rocev2: bool, uet: bool, elab: bool) -> Self {
        Shape { rocev2, uet, elab, ..self }
    }

    /// The size as the parameters of a group of vectors.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { entries, rocev2, uet, elab, ram_latency } = self;
        let protocols = [("rocev2", rocev2.into()), ("uet", uet.into()), ("elab", elab.into())];
        let parameters = [("entries", entries), ("ram_latency", ram_latency)].into_iter().chain(protocols);
        named(parameters)
    }

    /// Rows of a sub-table: *R*.
    #[must_use]
    pub const fn rows(self) -> u64 {
        let mut rows = 8;
        while 18 * rows < 5 * self.entries {
            rows *= 2;
        }
        rows
    }

    /// Whether keys of this kind are included.
    #[must_use]
    pub const fn includes(self, kind: u64) -> bool {
        match kind {
            ROCEV2 => self.rocev2 || !self.uet && !self.elab,
            UET => self.uet,
            ELAB => self.elab,
            _ => false,
        }
    }

    /// The included kinds.
    pub fn kinds(self) -> impl Iterator<Item = u64> + Clone {
        [ROCEV2, UET, ELAB].into_iter().filter(move |&kind| self.includes(kind))
    }

    /// Bits of a key: *K*.
    #[must_use]
    pub const fn key_bits(self) -> u32 {
        if self.elab {
            256
        } else if self.includes(ROCEV2) {
            24
        } else {
            17
        }
    }

    /// Bits of an index.
    #[must_use]
    pub const fn index_bits(self) -> u32 {
        index_width(self.entries)
    }

    /// C1, C5: cycles from a look-up to its answer, and from a command to its effect.
    #[must_use]
    pub const fn steps(self) -> u64 {
        self.ram_latency + 3
    }

    /// C9: cycles in which no command is accepted behind one whose placement has so many rounds.
    #[must_use]
    pub const fn unready(self, rounds: u64) -> u64 {
        (1 + rounds) * (self.ram_latency + 5)
    }

    /// Whether the ports can carry this key.
    #[must_use]
    pub const fn carries(self, key: Key) -> bool {
        let [low, others @ ..] = key.words;
        self.elab || low >> self.key_bits() == 0 && others[0] == 0 && others[1] == 0 && others[2] == 0
    }
}
