// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings: registers that the ports `settings_*` write and reset puts back (rule S24).

use super::ports::Settings;
use super::ring_drain::EXPLORE_WIDTH;
use crate::blocks::timebase::TIME_WIDTH;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, name_nets, when};

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

/// The settings in force; the fields are those of [`Settings`].
#[derive(Bundle)]
pub struct SettingsInForce<L: Reading> {
    #[reset]
    pub rtt: Bits<L>,
    #[reset]
    pub saturation: Bits<L>,
    #[reset]
    pub seed: Bits<L>,
    #[reset]
    pub explore: Bits<L>,
    #[reset]
    pub freeze: Bits<L>,
    #[reset]
    pub idle: Bits<L>,
    #[reset]
    pub reroute: Bits<L>,
}

/// Registers of the settings.
#[name_nets]
pub struct SettingsRegisters<L: Logic> {
    registers: Reg<SettingsInForce<L>>,
}

#[name_nets]
impl<L: Logic> SettingsRegisters<L> {
    /// Registers that reset puts to these values.
    pub fn new(reset_values: EntropySelectorSettings) -> Self {
        let shape = SettingsInForce {
            rtt: bits(24),
            saturation: bits(SATURATION_WIDTH),
            seed: bits(SEED_WIDTH),
            explore: bits(EXPLORE_WIDTH),
            freeze: bits(TIME_WIDTH),
            idle: bits(RTTS_WIDTH),
            reroute: bits(RTTS_WIDTH),
        };
        let EntropySelectorSettings { rtt, saturation, seed, explore, freeze, idle, reroute } = reset_values;
        let lit = |shape: Bits<Shape>, value| Bits::lit(shape.bits(), value);
        let values = SettingsInForce {
            rtt: lit(shape.rtt, rtt),
            saturation: lit(shape.saturation, saturation),
            seed: lit(shape.seed, seed),
            explore: lit(shape.explore, explore),
            freeze: lit(shape.freeze, freeze),
            idle: lit(shape.idle, idle),
            reroute: lit(shape.reroute, reroute),
        };
        SettingsRegisters { registers: Reg::starting_at(&shape, values).with_reset() }
    }

    /// The settings in force.
    pub fn get(&self) -> SettingsInForce<L> {
        self.registers.get()
    }

    /// One cycle; `settings` are the ports.
    pub fn clock(&self, settings: Settings<L>) {
        let Settings { valid, rtt, saturation, seed, explore, freeze, idle, reroute } = settings;
        // Not every configuration reads these.
        for unread in [explore, freeze, idle, reroute] {
            unread.ignore();
        }
        when(valid, || {
            self.registers.set(SettingsInForce { rtt, saturation, seed, explore, freeze, idle, reroute });
        });
    }
}
