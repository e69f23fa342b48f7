// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage, its settings from reset on, the steps of its pipeline, and the widths derived from them.

use crate::blocks::command_port::CommandPortShape;
use rtl_model::{Bits, Shape, bits, index_width};

/// The settings from reset on, in the units of the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditPacerSettings {
    /// The credit per clock cycle, in 1 / 65536 quanta.
    pub rate: u64,
    /// The largest grant, in quanta.
    pub quota: u64,
    /// What may be granted at once after a pause, in quanta.
    pub burst: u64,
    /// Credit that a source may hold beyond its demand, in quanta.
    pub advance: u64,
}

impl CreditPacerSettings {
    /// Those for 100 Gb/s, an RTT of 12 us and an MTU of 4096, at 322.265625 MHz.
    pub const fn new() -> Self {
        CreditPacerSettings { rate: 9830, quota: 64, burst: 64, advance: 879 }
    }
}

impl Default for CreditPacerSettings {
    fn default() -> Self {
        CreditPacerSettings::new()
    }
}

/// Size of the stage `credit_pacer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditPacerConfig {
    /// Number of sources, 1 to 16384.
    pub sources: u64,
    /// Latency of the memories in clock cycles, 1 to 3.
    pub ram_latency: u32,
    /// The settings from reset on.
    pub settings: CreditPacerSettings,
}

impl CreditPacerConfig {
    /// A stage with memories of latency 2 and the default settings.
    pub const fn new(sources: u64) -> Self {
        CreditPacerConfig { sources, ram_latency: 2, settings: CreditPacerSettings::new() }
    }

    /// The step of the targets.
    pub(super) const fn targets(self) -> u32 {
        self.ram_latency + 2
    }

    /// The step of the credits.
    pub(super) const fn credits(self) -> u32 {
        self.ram_latency + 3
    }

    /// The step in which a pass has its effect (row PC1).
    pub(super) const fn effect(self) -> u32 {
        self.ram_latency + 4
    }

    /// The step of a pass in which a table of this step is read.
    pub(super) const fn access(self, step: u32) -> u32 {
        step - self.ram_latency - 1
    }

    /// Clock cycles from a take to the next one (row PC6).
    pub(super) const fn take_interval(self) -> u64 {
        2 * self.ram_latency as u64 + 16
    }

    /// Shape of the number of a source.
    pub(super) const fn source(self) -> Bits<Shape> {
        bits(index_width(self.sources))
    }

    /// The command port: a command is accepted after the response to the one before (row PC9), and `busy` is 1 for 64 clock
    /// cycles after the sweep (row PC12).
    pub(super) const fn command_port(self) -> CommandPortShape {
        CommandPortShape {
            rows: self.sources,
            low_bits: 0,
            high_bits: index_width(self.sources),
            drain_cycles: 64,
            command_interval: self.ram_latency as u64 + 7,
        }
    }
}
