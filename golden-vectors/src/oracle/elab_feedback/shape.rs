// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of an ELAB feedback, and the cycles between what goes in and what comes out.

use std::collections::BTreeMap;

/// The size, the unit of time that rates are in, and how long the memories take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of pairs of hosts.
    pub pairs: u64,
    /// Number of VPs of a pair, a power of two.
    pub vps: u64,
    /// Cycles of a unit of time.
    pub unit: u64,
    /// Cycles from address to row of the memories: 1, 2 or 3. The rows call it *l*.
    pub ram_latency: u64,
}

impl Shape {
    /// With memories of latency 2.
    #[must_use]
    pub const fn new(pairs: u64, vps: u64, unit: u64) -> Self {
        Shape { pairs, vps, unit, ram_latency: 2 }
    }

    /// The same with memories of another latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// As groups of vectors give it.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { pairs, vps, unit, ram_latency } = self;
        let pairs = [("pairs", pairs), ("vps", vps), ("unit", unit), ("ram_latency", ram_latency)];
        pairs.map(|(name, x)| (name.to_owned(), x)).into()
    }

    /// The number of the VP with a port: its low bits (W1).
    #[must_use]
    pub const fn number(self, port: u64) -> u64 {
        port % self.vps
    }

    /// The first cycle behind the sweep (W9).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.pairs * self.vps + 32
    }

    /// Cycles from an arrival to its time and to the length of a burst (W3).
    #[must_use]
    pub const fn timing(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from an query to its report (W4).
    #[must_use]
    pub const fn report(self) -> u64 {
        2 * self.ram_latency + 10
    }

    /// Cycles from an arrival, or the effect of forgetting, to the first query that knows of it (W5, W8).
    #[must_use]
    pub const fn visibility_delay(self) -> u64 {
        self.ram_latency + 2
    }

    /// Operations are at least so many cycles apart; `control_ready` is 1 again by then (W8).
    #[must_use]
    pub const fn operations(self) -> u64 {
        2
    }
}
