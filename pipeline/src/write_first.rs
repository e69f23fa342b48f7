// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`WriteFirst`]: a memory of which a read gives the row that is written in the same clock. With a latency of 2:
//!
//! ```text
//!  clock n      read(port, key), write(key, row)
//!        n + 1  row in the read register; the row written meanwhile beside it
//!        n + 2  data(port): the row in the output register, or the one that was written in clock n
//! ```
//!
//! The row written stays beside the memory for as many clocks as a read takes. No logic stands directly behind the block
//! RAM from latency 2 on, and none ever before its enable.

use crate::row::Row;
use crate::update::Ask;
use rtl_model::{Bits, Logic, Ram, RamShape, Reg, Signal, bits, name_nets, select, when};

/// A memory of which a read gives the row that is written in the same clock.
#[name_nets]
pub struct WriteFirst<L: Logic, T: Signal<Logic = L>> {
    rows: Ram<T>,
    /// The row written one clock ago, two and so on, if there was one.
    written: Row<T>,
    /// There was one, one clock ago and so on, for all but the last.
    wrote: Row<Bits<L>>,
    /// Of each port: it was the row read then.
    caught: Vec<Row<Bits<L>>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> WriteFirst<L, T> {
    /// A memory of `depth` rows of this latency with so many read ports.
    pub fn new(depth: u64, latency: u32, ports: usize, row: &T::Shape) -> Self {
        let steps = latency as usize;
        let caught = |port| Row::new(steps, |i| Reg::named(&format!("caught_{port}_{}", i + 1), &bits(1)));
        WriteFirst {
            rows: Ram::new(RamShape::new(depth).unused_on_collision().latency(latency).reads(ports), row),
            written: Row::new(steps, |i| Reg::numbered(i as u32 + 1, row)),
            wrote: Row::new(steps - 1, |i| Reg::numbered(i as u32 + 1, &bits(1))),
            caught: (0..ports).map(caught).collect(),
        }
    }

    /// The row that a port read as many clocks ago as the latency says.
    pub fn data(&self, port: usize) -> T {
        select(self.caught[port].last(), self.written.last(), self.rows.data_port(port))
    }

    /// One clock, with a read on every port.
    pub fn clock(&self, reads: &[Bits<L>], write: Ask<L>, row: T) {
        for i in (1..self.written.len()).rev() {
            when(self.wrote.get(i - 1), || self.written.set(i, self.written.get(i - 1)));
        }
        self.wrote.shift(write.valid);
        for (port, &key) in reads.iter().enumerate() {
            self.caught[port].shift(write.valid & write.key.equals(key));
            self.rows.read_port(port, key);
        }
        when(write.valid, || {
            self.rows.write(write.key, row);
            self.written.set(0, row);
        });
        self.rows.clock();
    }
}
