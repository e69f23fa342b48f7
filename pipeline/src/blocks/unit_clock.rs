// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time in units of 128 ns, which are no whole number of clock cycles: a sum with fraction bits.

use rtl_model::{Bits, Logic, Reg, bits, name_nets};

/// Width of the fraction.
const FRACTION: u32 = 16;

/// The sum of the units of all clock cycles since reset.
#[name_nets]
pub struct UnitClock<L: Logic> {
    sum: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> UnitClock<L> {
    /// A clock that starts at 0, with times of this width.
    pub fn new(width: u32) -> Self {
        UnitClock { sum: Reg::new(&bits(FRACTION + width)).with_reset() }
    }

    /// The time of this clock cycle.
    pub fn time(&self) -> Bits<L> {
        let sum = self.sum.get();
        sum.slice(FRACTION, sum.width() - FRACTION)
    }

    /// One clock cycle, which has `tick` units in 65536 parts.
    pub fn clock(&self, tick: Bits<L>) {
        let sum = self.sum.get();
        self.sum.set(sum + tick.extend(sum.width()));
    }
}
