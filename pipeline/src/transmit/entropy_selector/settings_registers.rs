// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings: registers that the ports `settings_*` write and reset puts back (rule S24).

use super::ports::Settings;
use super::ring_drain::EXPLORE_WIDTH;
use super::settings::{EntropySelectorSettings, RTTS_WIDTH, SATURATION_WIDTH, SEED_WIDTH};
use crate::blocks::timebase::TIME_WIDTH;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, name_nets, when};

/// The settings in force; the fields are those of [`Settings`].
#[derive(Bundle)]
#[shape]
pub struct SettingsInForce<L: Reading> {
    #[reset]
    #[width(24)]
    pub rtt: Bits<L>,
    #[reset]
    #[width(SATURATION_WIDTH)]
    pub saturation: Bits<L>,
    #[reset]
    #[width(SEED_WIDTH)]
    pub seed: Bits<L>,
    #[reset]
    #[width(EXPLORE_WIDTH)]
    pub explore: Bits<L>,
    #[reset]
    #[width(TIME_WIDTH)]
    pub freeze: Bits<L>,
    #[reset]
    #[width(RTTS_WIDTH)]
    pub idle: Bits<L>,
    #[reset]
    #[width(RTTS_WIDTH)]
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
        let shape = SettingsInForce::shape();
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
