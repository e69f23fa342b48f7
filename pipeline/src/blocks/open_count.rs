// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many items are open: from when one may come until it has gone, or it is known that none comes. What may come enters only while
//! not as many are open as there is room for, so nothing is lost behind a pipeline that cannot stall.

use rtl_model::{Bits, Logic, Reg, bits, clog2, name_nets, select};

/// The number of those that are open.
#[name_nets]
pub struct OpenCount<L: Logic> {
    /// Its highest bit is 1 if as many are open as may be.
    count: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> OpenCount<L> {
    /// At most so many may be open, a power of two.
    pub fn new(most: u64) -> Self {
        assert!(most.is_power_of_two(), "2, 4, 8 .. may be open, not {most}");
        OpenCount { count: Reg::new(&bits(clog2(most) + 1)).with_reset() }
    }

    /// As many are open as may be.
    pub fn full(&self) -> Bits<L> {
        let count = self.count.get();
        count.bit(count.width() - 1)
    }

    /// Some are open.
    pub fn any(&self) -> Bits<L> {
        self.count.get().any()
    }

    /// One clock cycle: one may come; one has gone; one will not come.
    pub fn clock(&self, opens: Bits<L>, goes: Bits<L>, fails: Bits<L>) {
        let count = self.count.get();
        let high = count.width() - 1;
        // What enters is found late, so that it chooses between two sums: of 1 less those that go, and of 0 less them.
        let (one, two) = (goes ^ fails, goes & fails);
        let more = count + two.extend_signed(high).concat(!one);
        let less = count + (one | two).extend_signed(high).concat(one);
        self.count.set(select(opens, more, less));
    }
}
