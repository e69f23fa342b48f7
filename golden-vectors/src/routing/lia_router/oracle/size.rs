// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of the stage, and the clock cycles of its table on the page.

use super::{Settings, Shape};
use std::collections::BTreeMap;

/// The size of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// The network.
    pub shape: Shape,
    /// Latency *l* of the memories in clock cycles: 1, 2 or 3.
    pub ram_latency: u64,
    /// The settings in force after reset.
    pub reset: Settings,
}

impl Size {
    /// With memories of latency 2 and the default settings for an interval of 1000 clock cycles or a few more.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        let none = Settings::found(shape, 1, 1000);
        Size { shape, ram_latency: 2, reset: none }.ram_latency(2)
    }

    /// The same size with memories of this latency, and the default settings for that.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        let size = Size { ram_latency, ..self };
        let interval = 1000_u64.div_ceil(size.sweep());
        Size { reset: Settings::found(self.shape, interval, interval * size.sweep()), ..size }
    }

    /// The same size with these settings after reset.
    #[must_use]
    pub const fn reset(self, reset: Settings) -> Self {
        Size { reset, ..self }
    }

    /// The size as the parameters of a group of vectors.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let mut size = self.shape.configuration();
        size.insert("ram_latency".to_owned(), self.ram_latency);
        size
    }

    /// Cycles from a sweep to the next one (LR3).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.shape.groups() - 1 + self.ram_latency + 13
    }

    /// Cycles in which the tables are cleared (LR8).
    #[must_use]
    pub const fn cleared(self) -> u64 {
        let (rows, ports) = (self.shape.groups() - 1, self.shape.ports());
        let longer = if rows > ports { rows } else { ports };
        if longer > 16 { longer } else { 16 }
    }

    /// Cycles until what is in the pipelines has come to its end (LR8).
    #[must_use]
    pub const fn drained(self) -> u64 {
        32
    }

    /// The first cycle after reset in which it is not busy (LR8).
    #[must_use]
    pub const fn ready(self) -> u64 {
        self.cleared() + self.sweep()
    }

    /// Cycles from an event to the first visit that counts it (LR2).
    #[must_use]
    pub const fn counted(self) -> u64 {
        self.ram_latency + 4
    }

    /// Cycles from a visit to the answer of a command that reads it (LR8).
    #[must_use]
    pub const fn read(self) -> u64 {
        self.ram_latency + 6
    }

    /// Cycles from a request to the occupancies that it reads, and from an occupancy to when it is there (LR7).
    #[must_use]
    pub const fn weighed(self) -> (u64, u64) {
        (self.ram_latency + 11, 2)
    }

    /// Cycles from a request to its response (LR6).
    #[must_use]
    pub const fn responds(self) -> u64 {
        self.ram_latency + 16
    }
}
