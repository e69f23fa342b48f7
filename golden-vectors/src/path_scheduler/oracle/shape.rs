// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of a path scheduler, and the clock cycles between its inputs and outputs.

use super::Settings;
use std::collections::BTreeMap;

/// The size of a scheduler and the latency of its memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of QPs.
    pub qps: u64,
    /// Number of sub-paths per QP.
    pub paths: u64,
    /// Latency *l* of the memories in clock cycles: 1, 2 or 3.
    pub ram_latency: u64,
    /// The settings in force after reset.
    pub reset: Settings,
}

impl Shape {
    /// With memories of latency 2.
    #[must_use]
    pub const fn new(qps: u64, paths: u64) -> Self {
        Shape { qps, paths, ram_latency: 2, reset: Settings::DEFAULT }
    }

    /// The same size with memories of this latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// The same size with these settings after reset.
    #[must_use]
    pub const fn reset(self, reset: Settings) -> Self {
        Shape { reset, ..self }
    }

    /// The size as the parameters of a group of vectors.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { qps, paths, ram_latency, .. } = self;
        [("qps", qps), ("paths", paths), ("ram_latency", ram_latency)].map(|(name, x)| (name.to_owned(), x)).into()
    }

    /// The first cycle after the sweep (T18).
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

    /// Cycles from a feedback, or the effect of a command, to the first request that sees it (T12, T16).
    #[must_use]
    pub const fn visibility_delay(self) -> u64 {
        self.ram_latency + 3
    }

    /// Cycles from a feedback to the settings that are applied to it (T14).
    #[must_use]
    pub const fn settings(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a command to its response (T16).
    #[must_use]
    pub const fn response(self) -> u64 {
        self.ram_latency + 4
    }

    /// Minimum cycles from one command to the next; `command_ready` is 1 again by then (T16).
    #[must_use]
    pub const fn operations(self) -> u64 {
        3 * self.ram_latency + 8
    }
}
