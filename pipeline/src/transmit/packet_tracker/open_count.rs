// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many events, or outcomes, are open (row D4): from when one may come until it has gone, or will not come.

use super::config::OPEN;
use rtl_model::{Bits, Logic, Reg, bits, clog2, name_nets, select};

/// Width of the number: its highest bit is 1 if as many are open as may be.
const WIDTH: u32 = clog2(OPEN) + 1;

/// The number of those that are open.
#[name_nets]
pub struct OpenCount<L: Logic> {
    count: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> OpenCount<L> {
    pub fn new() -> Self {
        OpenCount { count: Reg::new(&bits(WIDTH)).with_reset() }
    }

    /// As many are open as may be.
    pub fn full(&self) -> Bits<L> {
        self.count.get().bit(WIDTH - 1)
    }

    /// Some are open.
    pub fn any(&self) -> Bits<L> {
        self.count.get().any()
    }

    /// One clock cycle: one may come; one has gone; one will not come.
    pub fn clock(&self, opens: Bits<L>, goes: Bits<L>, fails: Bits<L>) {
        let count = self.count.get();
        // What enters is found late, so that it chooses between two sums: of 1 less those that go, and of 0 less them.
        let (one, two) = (goes ^ fails, goes & fails);
        let more = count + two.extend_signed(WIDTH - 1).concat(!one);
        let less = count + (one | two).extend_signed(WIDTH - 1).concat(one);
        self.count.set(select(opens, more, less));
    }
}
