// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`Periods`]: time in quarters of `settings_silence` (row V21).

use super::ports::SILENCE_WIDTH;
use crate::elab::PERIOD_WIDTH;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select, when};

/// Counts periods since reset.
#[name_nets]
pub struct Periods<L: Logic> {
    /// Units of the period that are left behind this one.
    left: Reg<Bits<L>>,
    period: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Periods<L> {
    pub fn new() -> Self {
        Periods {
            left: Reg::new(&bits(SILENCE_WIDTH - 2)).with_reset(),
            period: Reg::new(&bits(PERIOD_WIDTH)).with_reset(),
        }
    }

    /// The number of the period of this clock cycle.
    pub fn period(&self) -> Bits<L> {
        self.period.get()
    }

    /// One clock cycle, the last one of a unit if `unit_ends`; the next period has one unit more than `rest`.
    pub fn clock(&self, unit_ends: Bits<L>, rest: Bits<L>) {
        let (left, period) = (self.left.get(), self.period.get());
        when(unit_ends, || {
            self.left.set(select(left.any(), left - 1, rest));
            when(!left.any(), || self.period.set(period + 1));
        });
    }
}
