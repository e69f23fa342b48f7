// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of the settings: what the registers hold after reset (rule S24).

/// Width of `settings_saturation`, which is in parts of 256.
pub const SATURATION_WIDTH: u32 = 9;
/// Width of `settings_seed`.
pub const SEED_WIDTH: u32 = 32;
/// Width of a number of RTTs.
pub const RTTS_WIDTH: u32 = 8;

/// Values of the settings, one for each port, in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntropySelectorSettings {
    /// RTT of class 0 in clock cycles.
    pub rtt: u64,
    /// Fraction of an EV space that may be marked, in parts of 256.
    pub saturation: u64,
    /// Seed of the device.
    pub seed: u64,
    /// Packets for which REPS explores.
    pub explore: u64,
    /// Time that REPS stays frozen, in units of 64 clock cycles.
    pub freeze: u64,
    /// Time until a single path is idle, in RTTs.
    pub idle: u64,
    /// Time until a single path moves without being idle, in RTTs.
    pub reroute: u64,
}

impl EntropySelectorSettings {
    /// What the sources say, at 322.265625 MHz, 100 Gb/s and an RTT of 12 us.
    pub const DEFAULT: Self = EntropySelectorSettings {
        // 12 us.
        rtt: 3867,
        // U12: 50 %.
        saturation: 128,
        // U08: any number; every device should have its own.
        seed: 0x9e37_79b9,
        // U13, uet.md 4.2: one bandwidth-delay product, in packets of 4 KiB and headers.
        explore: 36,
        // uet.md 4.2: 10 ms.
        freeze: 50_354,
        // U06: after one RTT without a packet nothing is in flight.
        idle: 1,
        // U06.
        reroute: 10,
    };
}

impl Default for EntropySelectorSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}
