// SPDX-License-Identifier: MIT OR Apache-2.0
//! A FIFO memory that prefetches rows for its consumer, so that one can be taken in every clock cycle.
//!
//! ```text
//!  cycle n          a row may be read, and there is a place for it: address to the memory
//!        n + L      row in the memory's last register
//!        n + L + 1  row in the first free place; in `front`, if no earlier row waits
//! ```
//!
//! There are `L + 1` places. A row occupies its place from the clock cycle of its address on; the clock cycle in which
//! it is taken frees that place for another row.

use crate::blocks::secded::{RamKind, TableRam, Upsets};
use rtl_model::names::Scope;
use rtl_model::{Bits, Logic, RamShape, Reg, Signal, bits, clog2, name_nets, select, when};

/// The memory. Pointers have one bit more than addresses, so that a full memory differs from an empty one.
#[name_nets]
pub struct PrefetchFifo<L: Logic, T: Signal<Logic = L>> {
    address: u32,
    latency: usize,
    rows: TableRam<L, T>,
    /// The next row to be read.
    read: Reg<Bits<L>>,
    /// Rows being read from the memory; the next to arrive is in the highest bit.
    read_in_flight: Reg<Bits<L>>,
    /// Number of rows read and not taken.
    prefetch_count: Reg<Bits<L>>,
    /// One bit per place: it holds a row; contiguous from bit 0.
    valid: Reg<Bits<L>>,
    prefetched: Vec<Reg<T>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> PrefetchFifo<L, T> {
    /// An empty memory of `depth` rows, a power of two.
    pub fn new(depth: u64, kind: impl Into<RamKind>, row: &T::Shape) -> Self {
        let kind = kind.into();
        let latency = kind.latency;
        let address = clog2(depth);
        let pointer = |width| Reg::new(&bits(width)).with_reset();
        // A scope of its own for each place, or the rows of wide records would be one long block of the Verilog.
        let mut prefetched = Vec::new();
        for place in 0..=latency {
            let _scope = Scope::<L>::enter(&format!("prefetched_{place}"), "");
            prefetched.push(Reg::new(row));
        }
        PrefetchFifo {
            address,
            latency: latency as usize,
            // A row is not read in the clock cycle of its write: `until` changes after the write.
            rows: TableRam::new(kind, RamShape::new(depth).unused_on_collision(), row),
            read: pointer(address + 1),
            read_in_flight: pointer(latency),
            prefetch_count: pointer(clog2(u64::from(latency) + 2)),
            valid: pointer(latency + 1),
            prefetched,
        }
    }

    /// The next row to be read.
    pub fn read(&self) -> Bits<L> {
        self.read.get()
    }

    /// Number of rows ahead of `read` that are not taken: in places, or on the way there.
    pub fn prefetch_count(&self) -> Bits<L> {
        self.prefetch_count.get()
    }

    /// There is no room for a row at `write`.
    pub fn full(&self, write: Bits<L>) -> Bits<L> {
        let (read, low) = (self.read.get(), self.address);
        write.truncate(low).equals(read.truncate(low)) & write.bit(low).differs(read.bit(low))
    }

    /// There is a row to take.
    pub fn valid(&self) -> Bits<L> {
        self.valid.get().bit(0)
    }

    /// The row to take.
    pub fn front(&self) -> T {
        self.prefetched[0].get()
    }

    /// What was wrong with the row that arrived one clock cycle ago; none without check bits.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        self.rows.upsets()
    }

    /// Writes one row at the write pointer; the caller has checked `full`.
    pub fn write(&self, write: Bits<L>, row: T) {
        self.rows.write(write.truncate(self.address), row);
    }

    /// One clock edge: rows before `until` may be read; `ready` is that of the consumer.
    pub fn clock(&self, until: Bits<L>, ready: Bits<L>) {
        let (read, read_in_flight, ahead, valid) =
            (self.read.get(), self.read_in_flight.get(), self.prefetch_count.get(), self.valid.get());
        let taken = ready & valid.bit(0);
        let reads = read.differs(until) & (taken | ahead.less(self.latency as u64 + 1));
        when(reads, || {
            self.rows.read(read.truncate(self.address));
            self.read.set(read + 1);
        });
        self.prefetch_count.set(ahead + reads.extend(ahead.width()) - taken.extend(ahead.width()));
        let arrives = read_in_flight.bit(read_in_flight.width() - 1);
        self.rows.check(0, arrives);
        self.move_up(valid, taken, arrives);
        self.read_in_flight.set(match self.latency {
            1 => reads,
            latency => read_in_flight.truncate(latency as u32 - 1).concat(reads),
        });
        self.rows.clock();
    }

    /// Rows move to the front; an arriving row goes after the last one.
    fn move_up(&self, valid: Bits<L>, taken: Bits<L>, arrives: Bits<L>) {
        let left = select(taken, valid >> 1, valid);
        self.valid.set(select(arrives, left << 1 | 1, left));
        for i in 0..=self.latency {
            let at = i as u32;
            let first_free = if i == 0 { !left.bit(0) } else { !left.bit(at) & left.bit(at - 1) };
            let lands = arrives & first_free;
            let place = &self.prefetched[i];
            if i == self.latency {
                when(lands, || place.set(self.rows.data()));
            } else {
                when(taken & valid.bit(at + 1), || place.set(self.prefetched[i + 1].get()))
                    .or_when(lands, || place.set(self.rows.data()));
            }
        }
    }
}
