// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of an ELAB scheduler, and the clock cycles between its inputs and outputs.

use super::Settings;
use crate::collect::ports::named;
use std::collections::BTreeMap;

/// Times wrap to 0 at this value.
const TIMES: u64 = 1 << 24;

/// The size of a scheduler, its unit of time and the latency of its memories.
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
    /// The settings after reset (V20).
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

    /// The number of the VP with a port: its low bits.
    #[must_use]
    pub const fn number(self, port: u64) -> u64 {
        port % self.vps
    }

    /// The `time` of a cycle: 24 bits, in units.
    #[must_use]
    pub const fn time(self, cycle: u64) -> u64 {
        cycle / self.unit % TIMES
    }

    /// Time from one value to another, modulo 2^24 (V10, V13).
    #[must_use]
    pub const fn since(from: u64, to: u64) -> u64 {
        (to + TIMES - from) % TIMES
    }

    /// The first cycle after the sweep (V18).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.pairs * self.vps + 32
    }

    /// Cycles from a request to its grant (V1).
    #[must_use]
    pub const fn grant(self) -> u64 {
        2 * self.ram_latency + 8
    }

    /// Cycles from a request to the `settings_burst` that is applied to it (V3).
    #[must_use]
    pub const fn burst(self) -> u64 {
        self.ram_latency + 6
    }

    /// Cycles from a report, or the effect of a command, to the first request that sees it (V7, V14).
    #[must_use]
    pub const fn visibility_delay(self) -> u64 {
        self.ram_latency + 14
    }

    /// Cycles from a report, or the effect of a command, to its `time` and `settings_window` (V10).
    #[must_use]
    pub const fn window(self) -> u64 {
        self.ram_latency
    }

    /// Cycles from a report to its `settings_alpha` (V11).
    #[must_use]
    pub const fn alpha(self) -> u64 {
        self.ram_latency + 8
    }

    /// Cycles from a report to its second `time` and its `settings_explore` (V12, V13).
    #[must_use]
    pub const fn explore(self) -> u64 {
        self.ram_latency + 9
    }

    /// Cycles from a request to the period by which it sees which VPs are due for a try (V24).
    #[must_use]
    pub const fn tries(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a request to the period of its packet, and to its `settings_silence` (V22).
    #[must_use]
    pub const fn sent(self) -> u64 {
        2 * self.ram_latency + 8
    }

    /// Cycles from a request to the first request or report that sees what its packet makes of its VP (V22), and to the
    /// notice of its death (V25).
    #[must_use]
    pub const fn packet(self) -> u64 {
        2 * self.ram_latency + 9
    }

    /// Cycles from a report to the notice that its VP has returned (V25).
    #[must_use]
    pub const fn returned(self) -> u64 {
        self.ram_latency + 14
    }

    /// Cycles from a command to its response (V14).
    #[must_use]
    pub const fn response(self) -> u64 {
        self.ram_latency + 14
    }

    /// Minimum cycles from one command to the next; `command_ready` is 1 again by then (V14).
    #[must_use]
    pub const fn commands(self) -> u64 {
        self.ram_latency + 14
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
