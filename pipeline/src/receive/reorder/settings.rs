// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings: registers that start at values of the configuration.

use super::config::{ReorderConfig, ReorderSettings};
use super::payload::config::PayloadConfig;
use super::ports::{Settings, TIME_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, name_nets, select, when};

/// The settings in force.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct InForce<L: Reading> {
    #[reset]
    #[width(config.slot_bits())]
    pub span: Bits<L>,
    #[reset]
    #[width(TIME_WIDTH)]
    pub time: Bits<L>,
    #[reset]
    #[shape(config.pool().map(PayloadConfig::count))]
    pub quota: Option<Bits<L>>,
    #[reset]
    #[shape(config.pool().map(PayloadConfig::count))]
    pub reserve: Option<Bits<L>>,
}

/// The registers of the settings.
#[name_nets]
pub struct SettingsRegs<L: Logic> {
    in_force: Reg<InForce<L>>,
}

#[name_nets]
impl<L: Logic> SettingsRegs<L> {
    pub fn new(config: ReorderConfig) -> Self {
        // What does not fit is the largest value.
        let literal = |width: u32, value: u64| Bits::lit(width, value.min((1 << width) - 1));
        let ReorderSettings { span, time } = config.settings;
        let pool = config.pool();
        let cells = |value: Option<u64>| value.zip(pool).map(|(value, pool)| literal(pool.count().bits(), value));
        let initial = InForce {
            span: literal(config.slot_bits(), span),
            time: literal(TIME_WIDTH, time),
            quota: cells(pool.map(|pool| pool.quota)),
            reserve: cells(pool.map(|pool| pool.reserve)),
        };
        let count = pool.map(PayloadConfig::count);
        let shape = InForce::shape(config);
        SettingsRegs { in_force: Reg::starting_at(&shape, initial) }
    }

    /// The settings in force.
    pub fn in_force(&self) -> InForce<L> {
        self.in_force.get()
    }

    /// Those that will be in force in the next clock cycle.
    pub fn next(&self, settings: Settings<L>) -> InForce<L> {
        let Settings { valid, span, time, quota, reserve } = settings;
        select(valid, InForce { span, time, quota, reserve }, self.in_force.get())
    }

    /// One clock cycle.
    pub fn clock(&self, settings: Settings<L>) {
        let Settings { valid, span, time, quota, reserve } = settings;
        when(valid, || self.in_force.set(InForce { span, time, quota, reserve }));
    }
}
