// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of an ELAB scheduler, and the cycles between what goes in and what comes out.

use std::collections::BTreeMap;

/// So many times there are before they begin again with 0.
const TIMES: u64 = 1 << 20;

/// The size of a scheduler, its unit of time, and how long its memories take.
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

    /// The number of the VP with a port: its low bits.
    #[must_use]
    pub const fn number(self, port: u64) -> u64 {
        port % self.vps
    }

    /// The `time` of a cycle, in units and of 20 bits.
    #[must_use]
    pub const fn time(self, cycle: u64) -> u64 {
        cycle / self.unit % TIMES
    }

    /// From one time to another, as numbers that wrap tell it (V10, V13).
    #[must_use]
    pub const fn since(from: u64, to: u64) -> u64 {
        (to + TIMES - from) % TIMES
    }

    /// The first cycle behind the sweep (V18).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.pairs * self.vps + 32
    }

    /// Cycles from a request to its grant (V1).
    #[must_use]
    pub const fn grant(self) -> u64 {
        2 * self.ram_latency + 8
    }

    /// Cycles from a request to the length of a burst that is applied to it (V3).
    #[must_use]
    pub const fn burst(self) -> u64 {
        self.ram_latency + 6
    }

    /// Cycles from a report, or the effect of an operation, to the first request that sees it (V7, V14).
    #[must_use]
    pub const fn visibility_delay(self) -> u64 {
        self.ram_latency + 14
    }

    /// Cycles from a report, or the effect of an operation, to its time and window (V10).
    #[must_use]
    pub const fn window(self) -> u64 {
        self.ram_latency
    }

    /// Cycles from a report to its alpha (V11).
    #[must_use]
    pub const fn alpha(self) -> u64 {
        self.ram_latency + 8
    }

    /// Cycles from a report to its second time, and to how long a VP waits (V12, V13).
    #[must_use]
    pub const fn explore(self) -> u64 {
        self.ram_latency + 9
    }

    /// Cycles from an operation to its response (V14).
    #[must_use]
    pub const fn response(self) -> u64 {
        self.ram_latency + 14
    }

    /// Operations are at least so many cycles apart; `control_ready` is 1 again by then (V14).
    #[must_use]
    pub const fn operations(self) -> u64 {
        self.ram_latency + 14
    }

    /// Cycles from a report to the first effect of an operation whose response shows it (V15).
    #[must_use]
    pub const fn shown(self) -> u64 {
        self.ram_latency + 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_begin_again() {
        let shape = Shape::new(1, 2, 8);
        assert_eq!([7, 8, (TIMES - 1) * 8, TIMES * 8 + 17].map(|at| shape.time(at)), [0, 1, TIMES - 1, 2]);
        assert_eq!(
            [(5, 5), (5, 6), (TIMES - 1, 2), (1, 0)].map(|(from, to)| Shape::since(from, to)),
            [0, 1, 3, TIMES - 1]
        );
    }
}
