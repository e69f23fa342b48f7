// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of an ELAB feedback stage, and the clock cycles between its inputs and outputs.

use super::Settings;
use crate::collect::ports::named;
use std::collections::BTreeMap;

/// The size, the unit of time of rates and the latency of the memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of pairs of hosts.
    pub pairs: u64,
    /// Number of VPs per pair, a power of two.
    pub vps: u64,
    /// Clock cycles per unit of time.
    pub unit: u64,
    /// Latency *l* of the memories in clock cycles: 1, 2 or 3.
    pub ram_latency: u64,
    /// The settings after reset (W11).
    pub settings: Settings,
}

impl Shape {
    /// With memories of latency 2.
    #[must_use]
    pub const fn new(pairs: u64, vps: u64, unit: u64) -> Self {
        Shape { pairs, vps, unit, ram_latency: 2, settings: Settings::RESET }
    }

    /// The same size with memories of this latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// The same size with other settings after reset.
    #[must_use]
    pub const fn reset_to(self, settings: Settings) -> Self {
        Shape { settings, ..self }
    }

    /// The size as the parameters of a group of vectors.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { pairs, vps, unit, ram_latency, .. } = self;
        let pairs = [("pairs", pairs), ("vps", vps), ("unit", unit), ("ram_latency", ram_latency)];
        named(pairs)
    }

    /// The number of the VP with a port: its low bits (W1).
    #[must_use]
    pub const fn number(self, port: u64) -> u64 {
        port % self.vps
    }

    /// The first cycle after the sweep (W9).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.pairs * self.vps + 32
    }

    /// Cycles from an arrival to its `now` and `settings_burst` (W3).
    #[must_use]
    pub const fn timing(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a query to its report (W4).
    #[must_use]
    pub const fn report(self) -> u64 {
        2 * self.ram_latency + 11
    }

    /// Cycles from an arrival, or the effect of *clear*, to the first query that sees it (W5, W8).
    #[must_use]
    pub const fn visibility_delay(self) -> u64 {
        self.ram_latency + 2
    }

    /// Cycles from an arrival, or the effect of *clear*, to the first visit that sees it (W12).
    #[must_use]
    pub const fn arrival_to_visit(self) -> u64 {
        2 * self.ram_latency + 3
    }

    /// Cycles from a query to the first visit that sees it (W12).
    #[must_use]
    pub const fn query_to_visit(self) -> u64 {
        self.ram_latency + 2
    }

    /// Cycles from a visit to the cycle whose `settings_report_time` it reads (W12).
    #[must_use]
    pub const fn visit_to_setting(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a visit to the cycle whose `due_ready` it reads. `due_valid` follows in the next one (W14).
    #[must_use]
    pub const fn visit_to_ready(self) -> u64 {
        self.ram_latency + 2
    }

    /// Minimum cycles from one command to the next; `command_ready` is 1 again by then (W8).
    #[must_use]
    pub const fn commands(self) -> u64 {
        2
    }
}
