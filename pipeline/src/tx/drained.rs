// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waits until what a stream had under way has left. A stream has at most so many transfers under way when the wait begins,
//! and then none for so many clock cycles only if nothing is under way any more. So one of the two ends the wait, however
//! busy the stream is with others.

use rtl_model::{Bits, Logic, Reg, bits, clog2, name_nets, select, when};

/// The wait for a stream.
#[name_nets]
pub struct Drained<L: Logic> {
    transfers: u64,
    cycles: u64,
    left: Reg<Bits<L>>,
    quiet: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Drained<L> {
    /// The wait ends after so many transfers, or so many clock cycles in a row without anything.
    pub fn new(transfers: u64, cycles: u64) -> Self {
        Drained {
            transfers,
            cycles,
            left: Reg::new(&bits(clog2(transfers + 1))),
            quiet: Reg::new(&bits(clog2(cycles + 1))),
        }
    }

    /// All that was under way has left.
    pub fn over(&self) -> Bits<L> {
        !self.left.get().any() | !self.quiet.get().any()
    }

    /// One clock cycle: the wait begins; the stream has something, and that is transferred.
    pub fn clock(&self, begins: Bits<L>, active: Bits<L>, transfers: Bits<L>) {
        let (left, quiet, over) = (self.left.get(), self.quiet.get(), self.over());
        let begin = |value: u64, width: u32| Bits::lit(width, value);
        when(begins, || {
            self.left.set(begin(self.transfers, left.width()));
            self.quiet.set(begin(self.cycles, quiet.width()));
        })
        .or_when(!over, || {
            self.left.set(select(transfers, left - 1, left));
            self.quiet.set(select(active, begin(self.cycles, quiet.width()), quiet - 1));
        });
    }
}

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
