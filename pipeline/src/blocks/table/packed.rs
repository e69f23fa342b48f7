// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of an [`RmwTable`](super::RmwTable): one row per index, or several indices packed into a row.

use rtl_model::{Bits, Logic, Ram, RamShape, Signal, Wide, name_nets, wide};

/// A memory with one read and one write per clock cycle.
pub trait Storage<L: Logic, T: Signal<Logic = L>> {
    /// The row of this index; `read` was called for it as many clock cycles ago as the latency.
    fn data(&self, index: Bits<L>) -> T;
    /// Reads the row of this index.
    fn read(&self, index: Bits<L>);
    /// Writes the row of this index.
    fn write(&self, index: Bits<L>, row: T);
    /// One clock cycle; call it after `read` and `write`.
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

/// Rows of a few bits, several of them packed into one row of the memory; the low bits of the index address the lane.
/// With one row per index the memory would be so deep that a multiplexer would select between blocks before their
/// output register; here the lane is selected after it.
#[name_nets]
pub struct PackedRam<L: Logic> {
    words: Ram<Wide<L>>,
    width: u32,
    /// Number of index bits that address the lane.
    lane_bits: u32,
}

#[name_nets]
impl<L: Logic> PackedRam<L> {
    /// A memory of this latency with `depth` rows; each packs 2^`lane_bits` table rows of `width` bits.
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
