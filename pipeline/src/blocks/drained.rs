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
