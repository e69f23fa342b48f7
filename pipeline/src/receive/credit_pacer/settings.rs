// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings: registers that start at values of the configuration (row PC11).

use super::config::CreditPacerConfig;
use super::ports::{CREDIT_WIDTH, QUANTA_WIDTH, RATE_WIDTH, Settings};
use crate::blocks::bounds::at_least_1;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, name_nets, when};

/// The settings in force.
#[derive(Bundle)]
#[shape]
pub struct InForce<L: Reading> {
    #[reset]
    #[width(RATE_WIDTH)]
    pub rate: Bits<L>,
    #[reset]
    #[width(QUANTA_WIDTH)]
    pub quota: Bits<L>,
    #[reset]
    #[width(QUANTA_WIDTH)]
    pub burst: Bits<L>,
    #[reset]
    #[width(CREDIT_WIDTH)]
    pub advance: Bits<L>,
    /// `advance` less `quota`, so that passes do not wait for it.
    #[reset]
    #[width(CREDIT_WIDTH)]
    pub beyond_quota: Bits<L>,
}

/// The registers of the settings.
#[name_nets]
pub struct SettingsRegs<L: Logic> {
    in_force: Reg<InForce<L>>,
}

#[name_nets]
impl<L: Logic> SettingsRegs<L> {
    pub fn new(config: CreditPacerConfig) -> Self {
        let (shape, reset) = (InForce::shape(), config.settings);
        // What does not fit is the largest value.
        let fits = |shape: Bits<Shape>, value: u64| value.min((1 << shape.bits()) - 1);
        let (quota, advance) = (fits(shape.quota, reset.quota.max(1)), fits(shape.advance, reset.advance));
        let literal = |shape: Bits<Shape>, value: u64| Bits::lit(shape.bits(), fits(shape, value));
        let initial = InForce {
            rate: literal(shape.rate, reset.rate),
            quota: literal(shape.quota, quota),
            burst: literal(shape.burst, reset.burst),
            advance: literal(shape.advance, advance),
            beyond_quota: Bits::lit(CREDIT_WIDTH, advance.wrapping_sub(quota) & ((1 << CREDIT_WIDTH) - 1)),
        };
        SettingsRegs { in_force: Reg::starting_at(&shape, initial) }
    }

    /// The settings in force.
    pub fn in_force(&self) -> InForce<L> {
        self.in_force.get()
    }

    /// One clock cycle.
    pub fn clock(&self, settings: Settings<L>) {
        let Settings { valid, rate, burst, advance, .. } = settings;
        let quota = at_least_1(settings.quota);
        let beyond_quota = advance - quota.extend(CREDIT_WIDTH);
        when(valid, || self.in_force.set(InForce { rate, quota, burst, advance, beyond_quota }));
    }
}
