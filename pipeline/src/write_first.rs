// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`WriteFirst`]: a memory of which a read gives the row that is written in the same clock.
//!
//! ```text
//!  clock n      read(port, key), write(key, row)
//!        n + 1  row in the read register; the row written meanwhile beside it
//!        n + 2  data(port): the row in the output register, or the one that was written in clock n
//! ```
//!
//! No logic stands behind the block RAM but behind its output register, and none before its enable.

use crate::update::Ask;
use rtl_model::{Bits, Logic, Ram, RamShape, Reg, Signal, bits, join, select, when};

/// The memory.
pub struct WriteFirst<L: Logic, T: Signal<Logic = L>> {
    rows: Ram<T>,
    /// The row written one and two clocks ago, if there was one.
    written: [Reg<T>; 2],
    wrote: Reg<Bits<L>>,
    /// Of each port: it was the row read then.
    caught: Vec<[Reg<Bits<L>>; 2]>,
}

impl<L: Logic, T: Signal<Logic = L>> WriteFirst<L, T> {
    /// A memory of `depth` rows with so many read ports.
    pub fn new(name: &str, depth: u64, ports: usize, row: &T::Shape) -> Self {
        let caught = |port: usize| [1, 2].map(|i| Reg::new(&join(name, &format!("caught_{port}_{i}")), &bits(1)));
        WriteFirst {
            rows: Ram::new(name, RamShape::new(depth).unused_on_collision().reads(ports), row),
            written: [1, 2].map(|i| Reg::new(&join(name, &format!("written_{i}")), row)),
            wrote: Reg::new(&join(name, "wrote"), &bits(1)),
            caught: (0..ports).map(caught).collect(),
        }
    }

    /// The row that a port read two clocks ago.
    #[inline(always)]
    pub fn data(&self, port: usize) -> T {
        select(self.caught[port][1].get(), self.written[1].get(), self.rows.data_port(port))
    }

    /// One clock, with a read on every port.
    #[inline(always)]
    pub fn clock<const PORTS: usize>(&self, reads: [Bits<L>; PORTS], write: Ask<L>, row: T) {
        let written = self.written[0].get();
        when(self.wrote.get(), || self.written[1].set(written));
        self.wrote.set(write.valid);
        for (port, key) in reads.into_iter().enumerate() {
            let caught = &self.caught[port];
            caught[1].set(caught[0].get());
            caught[0].set(write.valid & write.key.equals(key));
            self.rows.read_port(port, key);
        }
        when(write.valid, || {
            self.rows.write(write.key, row);
            self.written[0].set(row);
        });
        self.rows.clock();
    }
}
