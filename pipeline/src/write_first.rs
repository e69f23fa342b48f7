// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`WriteFirstRam`]: a memory of which a read gives the row that is written in the same clock. With a latency of 2:
//!
//! ```text
//!  clock n      read(port, key), write(key, row)
//!        n + 1  row in the read register; the row written meanwhile beside it
//!        n + 2  data(port): the row in the output register, or the one that was written in clock n
//! ```
//!
//! The row written stays beside the memory for as many clocks as a read takes. No logic stands directly behind the block
//! RAM from latency 2 on, and none ever before its enable.

use crate::rmw_table::Access;
use crate::shift_register::ShiftRegister;
use rtl_model::{Bits, Logic, Ram, RamShape, Reg, Signal, bits, name_nets, select, when};

/// A memory of which a read gives the row that is written in the same clock.
#[name_nets]
pub struct WriteFirstRam<L: Logic, T: Signal<Logic = L>> {
    rows: Ram<T>,
    /// The row written one clock ago, two and so on, if there was one.
    bypass: ShiftRegister<T>,
    /// There was one, one clock ago and so on, for all but the last.
    bypass_valid: ShiftRegister<Bits<L>>,
    /// Of each port: it was the row read then.
    collision: Vec<ShiftRegister<Bits<L>>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> WriteFirstRam<L, T> {
    /// A memory of `depth` rows of this latency with so many read ports.
    pub fn new(depth: u64, latency: u32, ports: usize, row: &T::Shape) -> Self {
        let steps = latency as usize;
        let collision =
            |port| ShiftRegister::new(steps, |i| Reg::named(&format!("collision_{port}_{}", i + 1), &bits(1)));
        WriteFirstRam {
            rows: Ram::new(RamShape::new(depth).unused_on_collision().latency(latency).reads(ports), row),
            bypass: ShiftRegister::new(steps, |i| Reg::numbered(i as u32 + 1, row)),
            bypass_valid: ShiftRegister::new(steps - 1, |i| Reg::numbered(i as u32 + 1, &bits(1))),
            collision: (0..ports).map(collision).collect(),
        }
    }

    /// The row that a port read as many clocks ago as the latency says.
    pub fn data(&self, port: usize) -> T {
        select(self.collision[port].last(), self.bypass.last(), self.rows.data_port(port))
    }

    /// One clock, with a read on every port.
    pub fn clock(&self, reads: &[Bits<L>], write: Access<L>, row: T) {
        for i in (1..self.bypass.len()).rev() {
            when(self.bypass_valid.get(i - 1), || self.bypass.set(i, self.bypass.get(i - 1)));
        }
        self.bypass_valid.shift(write.valid);
        for (port, &key) in reads.iter().enumerate() {
            self.collision[port].shift(write.valid & write.index.equals(key));
            self.rows.read_port(port, key);
        }
        when(write.valid, || {
            self.rows.write(write.index, row);
            self.bypass.set(0, row);
        });
        self.rows.clock();
    }
}
