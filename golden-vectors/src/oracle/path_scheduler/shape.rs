// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of a path scheduler, and the cycles between what goes in and what comes out.

use std::collections::BTreeMap;

/// The size of a scheduler, and how long its memories take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of QPs.
    pub qps: u64,
    /// Number of sub-paths of a QP.
    pub paths: u64,
    /// Cycles from address to row of the memories: 1, 2 or 3. The rows call it *l*.
    pub ram_latency: u64,
}

impl Shape {
    /// With memories of latency 2.
    #[must_use]
    pub const fn new(qps: u64, paths: u64) -> Self {
        Shape { qps, paths, ram_latency: 2 }
    }

    /// The same with memories of another latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// As groups of vectors give it.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { qps, paths, ram_latency } = self;
        [("qps", qps), ("paths", paths), ("ram_latency", ram_latency)].map(|(name, x)| (name.to_owned(), x)).into()
    }

    /// The first cycle behind the sweep (T18).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.qps * self.paths
    }

    /// Cycles from a request to its grant (T1).
    #[must_use]
    pub const fn grant(self) -> u64 {
        self.ram_latency + 5
    }

    /// Cycles from a request to its time and to the settings that are applied to it (T3).
    #[must_use]
    pub const fn timing(self) -> u64 {
        self.ram_latency + 2
    }

    /// Cycles from a request to the first feedback that counts its packet (T11).
    #[must_use]
    pub const fn counted(self) -> u64 {
        2 * self.ram_latency + 6
    }

    /// Cycles from a feedback, or the effect of an operation, to the first request that sees it (T12, T16).
    #[must_use]
    pub const fn visibility_delay(self) -> u64 {
        self.ram_latency + 3
    }

    /// Cycles from a feedback to the settings that are applied to it (T14).
    #[must_use]
    pub const fn settings(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from an operation to its response (T16).
    #[must_use]
    pub const fn response(self) -> u64 {
        self.ram_latency + 4
    }

    /// Operations are at least so many cycles apart; `control_ready` is 1 again by then (T16).
    #[must_use]
    pub const fn operations(self) -> u64 {
        3 * self.ram_latency + 8
    }
}
