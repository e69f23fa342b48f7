// SPDX-License-Identifier: MIT OR Apache-2.0
//! The epoch: a counter of round trips. A mark holds in the epoch in which it was made and in the next.

use super::EntropySelectorConfig;
use super::config::SHORTEST_RTT;
use rtl_model::{Bits, Logic, Reg, bits, select, when};

/// Counts cycles and epochs.
pub struct Epoch<L: Logic> {
    /// Cycles since the epoch advanced, this one included.
    cycle: Reg<Bits<L>>,
    epoch: Reg<Bits<L>>,
}

impl<L: Logic> Epoch<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        Epoch {
            cycle: Reg::starting_at("epoch_cycle", &bits(24), Bits::lit(24, 1)),
            epoch: Reg::new("epoch", &bits(config.epoch_bits())),
        }
    }

    #[inline(always)]
    pub fn get(&self) -> Bits<L> {
        self.epoch.get()
    }

    /// One cycle of an RTT of so many (row S9).
    #[inline(always)]
    pub fn clock(&self, rtt: Bits<L>) {
        let (cycle, epoch) = (self.cycle.get(), self.epoch.get());
        let long = rtt.slice(6, 18).any();
        let rtt = select(long, rtt, Bits::lit(24, SHORTEST_RTT)).named("rtt");
        self.cycle.set(cycle + 1);
        when(cycle.at_least(rtt), || {
            self.cycle.set(Bits::lit(24, 1));
            self.epoch.set(epoch + 1);
        });
    }

    pub fn reset(&self) {
        self.cycle.reset();
        self.epoch.reset();
    }
}

/// How old a row is that was last changed in epoch `tag`: of this epoch, and of this or the one before.
#[inline(always)]
pub fn age<L: Logic>(tag: Bits<L>, epoch: Bits<L>) -> (Bits<L>, Bits<L>) {
    let current = tag.equals(epoch);
    (current, current | (tag + 1).equals(epoch))
}

/// The bit in every place.
#[inline(always)]
pub fn fill<L: Logic>(bit: Bits<L>, width: u32) -> Bits<L> {
    bit.extend_signed(width)
}
