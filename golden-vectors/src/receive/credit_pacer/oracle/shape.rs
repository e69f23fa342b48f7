// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of the stage, its settings, and the clock cycles that the contract states.

use crate::collect::ports::named;
use std::collections::BTreeMap;

/// The settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// Quanta per clock cycle, with 16 fraction bits.
    pub rate: u64,
    /// The most quanta of a grant; 0 counts as 1.
    pub quota: u64,
    /// The most quanta for which *level* stands.
    pub burst: u64,
    /// Quanta that a source may hold unused.
    pub advance: u64,
}

impl Settings {
    /// The defaults at 322.265625 MHz and 100 Gb/s, with an MTU of 4096 and an RTT of 12 us.
    pub const DEFAULT: Settings = Settings { rate: 9830, quota: 64, burst: 64, advance: 879 };

    /// The quota (PC11).
    #[must_use]
    pub const fn share(&self) -> u64 {
        if self.quota == 0 { 1 } else { self.quota }
    }
}

/// The size of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of sources.
    pub sources: u64,
    /// Latency *l* of the memories in clock cycles: 1, 2 or 3.
    pub ram_latency: u64,
    /// The settings in force after reset.
    pub reset: Settings,
}

impl Shape {
    /// With memories of latency 2 and the default settings.
    #[must_use]
    pub const fn new(sources: u64) -> Self {
        Shape { sources, ram_latency: 2, reset: Settings::DEFAULT }
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
        let size = [("sources", self.sources), ("ram_latency", self.ram_latency)];
        named(size)
    }

    /// How many numbers of a source fit in a port: 2^*i*.
    #[must_use]
    pub const fn numbers(self) -> u64 {
        if self.sources <= 2 { 2 } else { self.sources.next_power_of_two() }
    }

    /// The first cycle after the sweep (PC12).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.sources + 64
    }

    /// Cycles from where a pass enters to its effect, *x* - *p* (PC1).
    #[must_use]
    pub const fn effect(self) -> u64 {
        self.ram_latency + 4
    }

    /// Cycles from where a pass enters to the settings that it has (PC11).
    #[must_use]
    pub const fn judged(self) -> u64 {
        self.ram_latency + 2
    }

    /// Cycles from where a pass enters to the first in which its source is there in a queue (PC4).
    #[must_use]
    pub const fn there(self) -> u64 {
        self.effect() + self.ram_latency + 3
    }

    /// Cycles from a take to the next one, at least (PC6).
    #[must_use]
    pub const fn apart(self) -> u64 {
        2 * self.ram_latency + 16
    }
}
