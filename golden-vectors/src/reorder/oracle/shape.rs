// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of the stage, and the clock cycles that the contract states.

use super::Settings;
use std::collections::BTreeMap;

/// The size of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of connections.
    pub connections: u64,
    /// PSNs in the window of a connection, *W*.
    pub window: u64,
    /// Number of sub-paths of a connection.
    pub paths: u64,
    /// Width *n* of a PSN.
    pub psn_bits: u32,
    /// Width of a handle.
    pub handle_bits: u32,
    /// Latency *l* of the memories in clock cycles: 1, 2 or 3.
    pub ram_latency: u64,
    /// The settings in force after reset.
    pub reset: Settings,
}

impl Shape {
    /// With 4 sub-paths, PSNs of 24 bits, handles of 16 bits, memories of latency 2, and the default settings.
    #[must_use]
    pub const fn new(connections: u64, window: u64) -> Self {
        let reset = Settings { span: window / 2, time: 61 };
        Shape { connections, window, paths: 4, psn_bits: 24, handle_bits: 16, ram_latency: 2, reset }
    }

    /// The same size with memories of this latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// The same size with so many sub-paths.
    #[must_use]
    pub const fn paths(self, paths: u64) -> Self {
        Shape { paths, ..self }
    }

    /// The same size with PSNs of this width.
    #[must_use]
    pub const fn psn_bits(self, psn_bits: u32) -> Self {
        Shape { psn_bits, ..self }
    }

    /// The same size with handles of this width.
    #[must_use]
    pub const fn handle_bits(self, handle_bits: u32) -> Self {
        Shape { handle_bits, ..self }
    }

    /// The same size with these settings after reset.
    #[must_use]
    pub const fn reset(self, reset: Settings) -> Self {
        Shape { reset, ..self }
    }

    /// The size as the parameters of a group of vectors.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { connections, window, paths, psn_bits, handle_bits, ram_latency, .. } = self;
        let size = [("connections", connections), ("window", window), ("paths", paths), ("ram_latency", ram_latency)];
        let widths = [("psn_bits", psn_bits.into()), ("handle_bits", handle_bits.into())];
        size.into_iter().chain(widths).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Number of PSNs, 2 to the *n*.
    #[must_use]
    pub const fn psns(self) -> u64 {
        1 << self.psn_bits
    }

    /// The first cycle after the sweep (R20).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.connections * self.paths + self.ram_latency + 12
    }

    /// Cycles from an arrival to its answer (R4).
    #[must_use]
    pub const fn answer(self) -> u64 {
        self.ram_latency + 12
    }

    /// Cycles from an arrival to the time of its sub-path (R6).
    #[must_use]
    pub const fn path_time(self) -> u64 {
        2 * self.ram_latency + 5
    }

    /// Cycles from an arrival in order to its delivery, if the stage is idle (R11).
    #[must_use]
    pub const fn delivery(self) -> u64 {
        4 * self.ram_latency + 21
    }

    /// Cycles from an arrival to the time of its gap (R13).
    #[must_use]
    pub const fn gap_time(self) -> u64 {
        self.ram_latency + 10
    }

    /// Cycles from an arrival, a command or a check to the first visit that sees it (R14).
    #[must_use]
    pub const fn visible(self) -> u64 {
        self.ram_latency + 11
    }

    /// Cycles from a visit to its comparison with the tolerance (R14).
    #[must_use]
    pub const fn compare(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a check to its event (R16).
    #[must_use]
    pub const fn event(self) -> u64 {
        self.ram_latency + 11
    }

    /// Cycles from a command to its effect (R17).
    #[must_use]
    pub const fn effect(self) -> u64 {
        self.ram_latency + 12
    }

    /// Cycles from a command to its response (R17). The next one is accepted one cycle later.
    #[must_use]
    pub const fn response(self) -> u64 {
        2 * self.ram_latency + 25
    }
}
