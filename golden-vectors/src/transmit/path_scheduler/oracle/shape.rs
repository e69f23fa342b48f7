// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of a path scheduler, and the clock cycles between its inputs and outputs.

use super::Settings;
use crate::collect::ports::named;
use std::collections::BTreeMap;

/// Where the entropy of a sub-path comes from (T7), in the order of the codes in the parameters of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entropy {
    /// That of the QP XOR the sub-path.
    Xor,
    /// Each sub-path has one of its own.
    Table,
}

/// The size of a scheduler and the latency of its memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of QPs.
    pub qps: u64,
    /// Number of sub-paths per QP.
    pub paths: u64,
    /// Latency *l* of the memories in clock cycles: 1, 2 or 3.
    pub ram_latency: u64,
    /// Width *b* of a weight: 4 to 8.
    pub weight_bits: u64,
    /// Width *n* of a number of packets in flight: 8 to 24.
    pub in_flight_bits: u64,
    /// Where the entropy of a sub-path comes from.
    pub entropy: Entropy,
    /// The settings in force after reset.
    pub reset: Settings,
}

impl Shape {
    /// With memories of latency 2 and the defaults of all that is not said.
    #[must_use]
    pub const fn new(qps: u64, paths: u64) -> Self {
        let (weight_bits, in_flight_bits, reset) = (8, 16, Settings::DEFAULT);
        Shape { qps, paths, ram_latency: 2, weight_bits, in_flight_bits, entropy: Entropy::Table, reset }
    }

    /// The same size with memories of this latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// The same size with weights of this width.
    #[must_use]
    pub const fn weight_bits(self, weight_bits: u64) -> Self {
        Shape { weight_bits, ..self }
    }

    /// The same size with numbers in flight of this width.
    #[must_use]
    pub const fn in_flight_bits(self, in_flight_bits: u64) -> Self {
        Shape { in_flight_bits, ..self }
    }

    /// The same size with entropies from here.
    #[must_use]
    pub const fn entropy(self, entropy: Entropy) -> Self {
        Shape { entropy, ..self }
    }

    /// The same size with these settings after reset.
    #[must_use]
    pub const fn reset(self, reset: Settings) -> Self {
        Shape { reset, ..self }
    }

    /// The size as the parameters of a group of vectors.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { qps, paths, ram_latency, weight_bits, in_flight_bits, entropy, .. } = self;
        let size = [("qps", qps), ("paths", paths), ("ram_latency", ram_latency)];
        let options = [("weight_bits", weight_bits), ("in_flight_bits", in_flight_bits), ("entropy", entropy as u64)];
        named(size.into_iter().chain(options))
    }

    /// The greatest weight (T4).
    #[must_use]
    pub const fn most(self) -> u64 {
        (1 << self.weight_bits) - 1
    }

    /// The window that is meant by a value of `settings_window` (T20).
    #[must_use]
    pub const fn window(self, value: u64) -> u64 {
        let half = 1 << (self.in_flight_bits - 1);
        let value = if value < half { value } else { half - 1 };
        let value = if value >= half - 32 { value - 32 } else { value };
        if value == 0 { 1 } else { value }
    }

    /// Width of a window that follows marks, in packets (T31).
    #[must_use]
    pub const fn initial_bits(self) -> u64 {
        if self.in_flight_bits < 12 { self.in_flight_bits - 2 } else { 10 }
    }

    /// The first cycle after the sweep (T18).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.qps * self.paths
    }

    /// Cycles from a request to its grant (T1).
    #[must_use]
    pub const fn grant(self) -> u64 {
        match self.entropy {
            Entropy::Table => 2 * self.ram_latency + 6,
            Entropy::Xor => self.ram_latency + 6,
        }
    }

    /// Cycles from a request to the time of its gap (T3).
    #[must_use]
    pub const fn timing(self) -> u64 {
        self.ram_latency + 3
    }

    /// Cycles from a request to the first feedback, command or request that counts its packet (T11, T20).
    #[must_use]
    pub const fn counted(self) -> u64 {
        2 * self.ram_latency + 7
    }

    /// Cycles from a request to the window that is applied to its packet (T20).
    #[must_use]
    pub const fn filling(self) -> u64 {
        2 * self.ram_latency + 5
    }

    /// Cycles from a feedback, or the effect of a command, to the first request that sees it (T12, T16).
    #[must_use]
    pub const fn visibility_delay(self) -> u64 {
        self.ram_latency + 3
    }

    /// Cycles from a feedback to its time, and to the settings that are applied to it (T14, T23).
    #[must_use]
    pub const fn settings(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a feedback to the row of causes (T26).
    #[must_use]
    pub const fn cause(self) -> u64 {
        self.ram_latency + 3
    }

    /// Cycles from a cause to the first possible fetch (T26).
    #[must_use]
    pub const fn queued(self) -> u64 {
        2 * self.ram_latency + 3
    }

    /// Cycles from a fetch to the event (T26).
    #[must_use]
    pub const fn fetch(self) -> u64 {
        self.ram_latency + 2
    }

    /// Cycles from a command to its response (T16).
    #[must_use]
    pub const fn response(self) -> u64 {
        self.ram_latency + 4
    }

    /// Minimum cycles from one command to the next; `command_ready` is 1 again by then (T16).
    #[must_use]
    pub const fn operations(self) -> u64 {
        3 * self.ram_latency + 9
    }
}
