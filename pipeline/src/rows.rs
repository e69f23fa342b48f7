// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of an [`Update`](crate::update::Update): one with a row for each key, or one with several to a row.

use rtl_model::{Bits, Logic, Ram, RamShape, Signal, Wide, name_nets, wide};

/// Rows that are read, and written, one a clock.
pub trait Rows<L: Logic, T: Signal<Logic = L>> {
    /// The row of this key, which was read as many clocks ago as the latency says.
    fn data(&self, key: Bits<L>) -> T;
    /// Asks for the row of this key.
    fn read(&self, key: Bits<L>);
    /// Writes the row of this key.
    fn write(&self, key: Bits<L>, row: T);
    /// One clock, behind reads and writes.
    fn clock(&self);
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> Rows<L, T> for Ram<T> {
    fn data(&self, _key: Bits<L>) -> T {
        Ram::data(self)
    }

    fn read(&self, key: Bits<L>) {
        Ram::read(self, key);
    }

    fn write(&self, key: Bits<L>, row: T) {
        Ram::write(self, key, row);
    }

    fn clock(&self) {
        Ram::clock(self);
    }
}

/// Rows of a few bits, several of them side by side in a row of the memory, the one of the lowest bits of the key. One row a
/// key would be so deep that blocks are chosen from between them and their output register; here it is behind that.
#[name_nets]
pub struct Lanes<L: Logic> {
    words: Ram<Wide<L>>,
    width: u32,
    /// Bits of the key that say which.
    lane: u32,
}

#[name_nets]
impl<L: Logic> Lanes<L> {
    /// `depth` rows of the memory, of 2^`lane` rows of `width` bits each, in a memory of this latency.
    pub fn new(depth: u64, lane: u32, width: u32, latency: u32) -> Self {
        let shape = RamShape::new(depth).unused_on_collision().latency(latency).lanes(1 << lane);
        Lanes { words: Ram::new(shape, &wide(width << lane)), width, lane }
    }

    /// The row of the memory, and the lane in it.
    fn place(&self, key: Bits<L>) -> (Bits<L>, Bits<L>) {
        let row = match key.width() > self.lane {
            true => key.slice(self.lane, key.width() - self.lane),
            false => Bits::lit(1, 0),
        };
        (row, key.slice(0, self.lane))
    }
}

#[name_nets]
impl<L: Logic> Rows<L, Bits<L>> for Lanes<L> {
    fn data(&self, key: Bits<L>) -> Bits<L> {
        self.words.data().lane(self.place(key).1, self.width)
    }

    fn read(&self, key: Bits<L>) {
        self.words.read(self.place(key).0);
    }

    fn write(&self, key: Bits<L>, row: Bits<L>) {
        let (place, lane) = self.place(key);
        self.words.write_lane(place, lane, row);
    }

    fn clock(&self) {
        self.words.clock();
    }
}
