// SPDX-License-Identifier: MIT OR Apache-2.0
//! The level (row PC5): how much may be granted, a signed number in 1 / 65536 quanta.

use super::ports::{QUANTA_WIDTH, RATE_WIDTH};
use super::settings::InForce;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select, when};

/// Fraction bits of the level.
const FRACTION: u32 = 16;
/// Width of the level: from less than the largest burst down to more than the largest grant below 0.
const WIDTH: u32 = FRACTION + QUANTA_WIDTH + 1;
/// Width of its whole quanta, with a carry.
const QUANTA: u32 = QUANTA_WIDTH + 2;

/// The level.
#[name_nets]
pub struct Level<L: Logic> {
    level: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Level<L> {
    pub fn new() -> Self {
        Level { level: Reg::new(&bits(WIDTH)).with_reset() }
    }

    /// It is above 0.
    pub fn is_positive(&self) -> Bits<L> {
        let level = self.level.get();
        !level.bit(WIDTH - 1) & level.truncate(WIDTH - 1).any()
    }

    /// One clock cycle: so many quanta are granted; no growth while `busy`.
    pub fn clock(&self, quanta: Bits<L>, settings: InForce<L>, busy: Bits<L>) {
        let InForce { rate, burst, .. } = settings;
        const { assert!(RATE_WIDTH < WIDTH) };
        let grown = self.level.get().extend_signed(WIDTH + 1) + rate.extend(WIDTH + 1);
        let (whole, burst) = (grown.slice(FRACTION, QUANTA), burst.extend(QUANTA));
        let is_full = !grown.bit(WIDTH) & whole.at_least(burst);
        let quanta = quanta.extend(QUANTA);
        let left = select(is_full, burst - quanta, whole - quanta);
        let part = grown.truncate(FRACTION).gate(!is_full);
        when(!busy, || self.level.set(left.concat(part).truncate(WIDTH)));
    }
}
