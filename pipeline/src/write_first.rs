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

use crate::update::Ask;
use rtl_model::{Bits, Logic, Ram, RamShape, Reg, Signal, bits, join, select, when};

/// The memory.
pub struct WriteFirst<L: Logic, T: Signal<Logic = L>> {
    rows: Ram<T>,
    /// The row written one clock ago, two and so on, if there was one.
    written: Vec<Reg<T>>,
    /// There was one, one clock ago and so on, for all but the last.
    wrote: Vec<Reg<Bits<L>>>,
    /// Of each port: it was the row read then.
    caught: Vec<Vec<Reg<Bits<L>>>>,
}

impl<L: Logic, T: Signal<Logic = L>> WriteFirst<L, T> {
    /// A memory of `depth` rows of this latency with so many read ports.
    pub fn new(name: &str, depth: u64, latency: u32, ports: usize, row: &T::Shape) -> Self {
        let caught = |port: usize, i: u32| Reg::new(&join(name, &format!("caught_{port}_{i}")), &bits(1));
        let wrote =
            |i: u32| Reg::new(&join(name, &if i == 1 { "wrote".to_owned() } else { format!("wrote_{i}") }), &bits(1));
        WriteFirst {
            rows: Ram::new(name, RamShape::new(depth).unused_on_collision().latency(latency).reads(ports), row),
            written: (1..=latency).map(|i| Reg::new(&join(name, &format!("written_{i}")), row)).collect(),
            wrote: (1..latency).map(wrote).collect(),
            caught: (0..ports).map(|port| (1..=latency).map(|i| caught(port, i)).collect()).collect(),
        }
    }

    /// The row that a port read as many clocks ago as the latency says.
    #[inline(always)]
    pub fn data(&self, port: usize) -> T {
        let last = self.written.len() - 1;
        select(self.caught[port][last].get(), self.written[last].get(), self.rows.data_port(port))
    }

    /// One clock, with a read on every port.
    #[inline(always)]
    pub fn clock<const PORTS: usize>(&self, reads: [Bits<L>; PORTS], write: Ask<L>, row: T) {
        for step in (1..self.written.len()).rev() {
            let (wrote, written) = (self.wrote[step - 1].get(), self.written[step - 1].get());
            when(wrote, || self.written[step].set(written));
        }
        Reg::shift(&self.wrote, write.valid);
        for (port, key) in reads.into_iter().enumerate() {
            Reg::shift(&self.caught[port], write.valid & write.key.equals(key));
            self.rows.read_port(port, key);
        }
        when(write.valid, || {
            self.rows.write(write.key, row);
            self.written[0].set(row);
        });
        self.rows.clock();
    }
}
