// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coarse time for gaps and deadlines: units of 64 clock cycles (rows N3, P2 and T3).

use rtl_model::{Bits, Logic, Reg, bits, name_nets};

/// Clock cycles per unit, as a power of two.
const UNIT_BITS: u32 = 6;
/// Width of a time in bits; it wraps.
pub const TIME_WIDTH: u32 = 20;
/// Width of a duration until a deadline in bits: half of all time values.
pub const WAIT_WIDTH: u32 = TIME_WIDTH - 1;

/// Counts clock cycles since reset.
pub struct Timebase<L: Logic>(Reg<Bits<L>>);

#[name_nets]
impl<L: Logic> Timebase<L> {
    /// A time base that starts at 0.
    pub fn new() -> Self {
        Timebase(Reg::named("cycle", &bits(UNIT_BITS + TIME_WIDTH)).with_reset())
    }

    /// The time of this clock cycle.
    pub fn time(&self) -> Bits<L> {
        self.0.get().slice(UNIT_BITS, TIME_WIDTH)
    }

    /// The time of the next clock cycle, unless there is a reset: through an adder.
    pub fn next_time(&self) -> Bits<L> {
        (self.0.get() + 1).slice(UNIT_BITS, TIME_WIDTH)
    }

    /// Counts one clock cycle; call it once per clock edge.
    pub fn clock(&self) {
        self.0.set(self.0.get() + 1);
    }
}

/// 1 if a deadline has passed (row N3).
#[name_nets]
pub fn deadline_reached<L: Logic>(time: Bits<L>, deadline: Bits<L>) -> Bits<L> {
    !(time - deadline).bit(TIME_WIDTH - 1)
}
