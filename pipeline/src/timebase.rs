// SPDX-License-Identifier: MIT OR Apache-2.0
//! The time that rests and deadlines are counted in: units of 64 cycles (rows N3, P2 and T3).

use rtl_model::{Bits, Logic, Reg, bits, name_nets};

/// Cycles of a unit, as a power of two.
const UNIT_BITS: u32 = 6;
/// Width of a time; it wraps.
pub const TIME_WIDTH: u32 = 20;
/// Width of what lies ahead: half of the times.
pub const WAIT_WIDTH: u32 = TIME_WIDTH - 1;

/// Counts cycles since reset.
pub struct Timebase<L: Logic>(Reg<Bits<L>>);

#[name_nets]
impl<L: Logic> Timebase<L> {
    pub fn new() -> Self {
        Timebase(Reg::named("cycle", &bits(UNIT_BITS + TIME_WIDTH)).with_reset())
    }

    /// The time of this cycle.
    pub fn time(&self) -> Bits<L> {
        self.0.get().slice(UNIT_BITS, TIME_WIDTH)
    }

    /// Counts one clock cycle; call it once per clock edge.
    pub fn clock(&self) {
        self.0.set(self.0.get() + 1);
    }
}

/// Whether a deadline has come.
#[name_nets]
pub fn deadline_reached<L: Logic>(time: Bits<L>, deadline: Bits<L>) -> Bits<L> {
    !(time - deadline).bit(TIME_WIDTH - 1)
}
