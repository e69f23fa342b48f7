// SPDX-License-Identifier: MIT OR Apache-2.0
//! A FIFO: first in, first out, with the rows in a block RAM.
//!
//! ```text
//!  cycle n          push: the row to the memory
//!        n + 1      its address to the read port, if there is a place for it ahead of the consumer
//!        n + 1 + L  row in the memory's last register (L: its latency)
//!        n + 2 + L  row in `front`, if no earlier row waits
//! ```
//!
//! A row is pushed and a row is popped in every clock cycle, also when the FIFO is nearly empty or nearly full. The
//! memory has room for `depth` rows; `L + 1` more are ahead of it in registers, where the consumer takes them
//! ([`PrefetchFifo`]). So `ready` is 0 when `depth` rows are in the memory, and the FIFO holds at most `depth + L + 1`.
//!
//! There is no second kind with a few rows in registers: [`SkidBuffer`](super::skid_buffer::SkidBuffer) has two, and synthesis
//! makes a memory of few rows from lookup tables in any case.

use super::prefetch_fifo::PrefetchFifo;
use super::secded::{RamKind, Upsets};
use rtl_model::{Bits, Logic, Reg, Signal, bits, clog2, name_nets, when};

/// A FIFO in a block RAM: no row is lost or repeated, and the order is kept.
#[name_nets]
pub struct Fifo<L: Logic, T: Signal<Logic = L>> {
    depth: u64,
    latency: u32,
    rows: PrefetchFifo<L, T>,
    /// Row of the next push. It has one bit more than an address, so that a full memory differs from an empty one.
    write: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> Fifo<L, T> {
    /// A FIFO that is empty, at power-up and after reset. `depth`: rows of the memory, a power of two from 2 on;
    /// `kind`: clock cycles from address to row, 1 to 3, and whether there are check bits.
    #[track_caller]
    pub fn new(depth: u64, kind: impl Into<RamKind>, row: &T::Shape) -> Self {
        let kind = kind.into();
        let latency = kind.latency;
        assert!(depth.is_power_of_two() && depth >= 2, "a FIFO has 2, 4, 8 .. rows, not {depth}");
        assert!((1..=3).contains(&latency), "a memory has latency 1, 2 or 3, not {latency}");
        // Not in the field of the struct: names say the field of the FIFO alone, as in `queue_read`.
        let rows = PrefetchFifo::new(depth, kind, row);
        Fifo { depth, latency, rows, write: Reg::new(&bits(clog2(depth) + 1)).with_reset() }
    }

    /// Most rows that a FIFO of this size holds: those in the memory, and those ahead of it.
    pub const fn capacity(depth: u64, latency: u32) -> u64 {
        depth + latency as u64 + 1
    }

    /// There is room: a push at this edge is accepted. From registers.
    #[track_caller]
    pub fn ready(&self) -> Bits<L> {
        !self.rows.full(self.write.get())
    }

    /// There is a row to pop. A register.
    #[track_caller]
    pub fn valid(&self) -> Bits<L> {
        self.rows.valid()
    }

    /// The row to pop; valid while [`Self::valid`] is 1. A register.
    #[track_caller]
    pub fn front(&self) -> T {
        self.rows.front()
    }

    /// What was wrong with the row that the memory gave one clock cycle ago; none without check bits.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        self.rows.upsets()
    }

    /// Rows pushed and not popped, from 0 to [`Self::capacity`]: from registers, through a subtracter and an adder.
    #[track_caller]
    pub fn level(&self) -> Bits<L> {
        let width = clog2(Self::capacity(self.depth, self.latency) + 1);
        let in_memory = self.write.get() - self.rows.read();
        in_memory.extend(width) + self.rows.prefetch_count().extend(width)
    }

    /// One clock edge: `push` offers `value` (taken only while `ready`), `pop` is the consumer's ready (it takes a row
    /// only while `valid`). `value` is called where its result is stored.
    #[track_caller]
    pub fn clock(&self, push: Bits<L>, value: impl Fn() -> T, pop: Bits<L>) {
        let write = self.write.get();
        when(push & self.ready(), || {
            self.rows.write(write, value());
            self.write.set(write + 1);
        });
        // The row that is pushed now is read from the next clock cycle on.
        self.rows.clock(write, pop);
    }
}
