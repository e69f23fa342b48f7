// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waits until what `ccc_table` has accepted has entered there.

use rtl_model::{Bits, Logic, Reg, bits, clog2, name_nets, when};

/// Clock cycles of a pause of the settings of `ccc_table`.
const PAUSE: u64 = 160;

/// Waits until the events that `ccc_table` has accepted have entered: for so many clock cycles without a pause of its
/// settings, in which none enters (row C33 there).
#[name_nets]
pub struct Entered<L: Logic> {
    cycles: u64,
    pause: Reg<Bits<L>>,
    left: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Entered<L> {
    /// Events enter within so many clock cycles, whatever others wait.
    pub fn new(cycles: u64) -> Self {
        let pause = Reg::new(&bits(clog2(PAUSE + 1))).with_reset();
        Entered { cycles, pause, left: Reg::new(&bits(clog2(cycles + 1))) }
    }

    /// They have entered.
    pub fn over(&self) -> Bits<L> {
        !self.left.get().any()
    }

    /// One clock cycle: the wait begins; settings come.
    pub fn clock(&self, begins: Bits<L>, settings: Bits<L>) {
        let (pause, left, over) = (self.pause.get(), self.left.get(), self.over());
        let paused = pause.any() | settings;
        let restarts = begins | !over & paused;
        when(restarts, || self.left.set(Bits::lit(left.width(), self.cycles)))
            .or_when(!over, || self.left.set(left - 1));
        when(settings, || self.pause.set(Bits::lit(pause.width(), PAUSE)))
            .or_when(pause.any(), || self.pause.set(pause - 1));
    }
}
