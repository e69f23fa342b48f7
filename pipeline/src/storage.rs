// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of an [`RmwTable`](crate::update::Update): one with a row for each index, or one with several to a row.

use rtl_model::{Bits, Logic, Ram, RamShape, Signal, Wide, name_nets, wide};

/// Rows that are read, and written, one a clock.
pub trait Storage<L: Logic, T: Signal<Logic = L>> {
    /// The row of this index, which was read as many clocks ago as the latency says.
    fn data(&self, index: Bits<L>) -> T;
    /// Asks for the row of this index.
    fn read(&self, index: Bits<L>);
    /// Writes the row of this index.
    fn write(&self, index: Bits<L>, row: T);
    /// One clock, behind reads and writes.
    fn clock(&self);
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> Storage<L, T> for Ram<T> {
    fn data(&self, _key: Bits<L>) -> T {
        Ram::data(self)
    }

    fn read(&self, index: Bits<L>) {
        Ram::read(self, index);
    }

    fn write(&self, index: Bits<L>, row: T) {
        Ram::write(self, index, row);
    }

    fn clock(&self) {
        Ram::clock(self);
    }
}

/// Rows of a few bits, several of them side by side in a row of the memory, the one of the lowest bits of the index. One row a
/// index would be so deep that blocks are chosen from between them and their output register; here it is behind that.
#[name_nets]
pub struct PackedRam<L: Logic> {
    words: Ram<Wide<L>>,
    width: u32,
    /// Bits of the index that say which.
    lane_bits: u32,
}

#[name_nets]
impl<L: Logic> PackedRam<L> {
    /// `depth` rows of the memory, of 2^`lane_bits` rows of `width` bits each, in a memory of this latency.
    pub fn new(depth: u64, lane_bits: u32, width: u32, latency: u32) -> Self {
        let shape = RamShape::new(depth).unused_on_collision().latency(latency).lanes(1 << lane_bits);
        PackedRam { words: Ram::new(shape, &wide(width << lane_bits)), width, lane_bits }
    }

    /// The row of the memory, and the lane in it.
    fn address(&self, index: Bits<L>) -> (Bits<L>, Bits<L>) {
        let row = match index.width() > self.lane_bits {
            true => index.slice(self.lane_bits, index.width() - self.lane_bits),
            false => Bits::lit(1, 0),
        };
        (row, index.slice(0, self.lane_bits))
    }
}

#[name_nets]
impl<L: Logic> Storage<L, Bits<L>> for PackedRam<L> {
    fn data(&self, index: Bits<L>) -> Bits<L> {
        self.words.data().lane(self.address(index).1, self.width)
    }

    fn read(&self, index: Bits<L>) {
        self.words.read(self.address(index).0);
    }

    fn write(&self, index: Bits<L>, row: Bits<L>) {
        let (address, lane) = self.address(index);
        self.words.write_lane(address, lane, row);
    }

    fn clock(&self) {
        self.words.clock();
    }
}
