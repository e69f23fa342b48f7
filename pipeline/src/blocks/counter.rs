// SPDX-License-Identifier: MIT OR Apache-2.0
//! A counter of events, for software to read.

use rtl_model::{Bits, Logic, Reg, bits, when};

/// Counts events since reset; it wraps. Its register has the name of its field.
pub struct Counter<L: Logic>(Reg<Bits<L>>);

impl<L: Logic> Counter<L> {
    /// A counter of `width` bits, 1 to 64, that is 0 at power-up and after reset.
    #[track_caller]
    pub fn new(width: u32) -> Self {
        Counter(Reg::new(&bits(width)).with_reset())
    }

    /// The number of events before this clock cycle, modulo 2^`width`.
    #[track_caller]
    pub fn get(&self) -> Bits<L> {
        self.0.get()
    }

    /// One clock edge: there is an event if `condition` is 1. Called once per clock cycle.
    pub fn count(&self, condition: Bits<L>) {
        when(condition, || self.0.set(self.0.get() + 1));
    }
}
