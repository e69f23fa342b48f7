// SPDX-License-Identifier: MIT OR Apache-2.0
//! A FIFO memory that reads rows ahead of its consumer, so that one can be taken in every clock cycle.
//!
//! ```text
//!             +--------+   l - 1 registers   +-------+
//!  address -> | memory | ---> output -> .. ->| front | -> consumer
//!             +--------+                     +-------+
//!
//!  cycle n          a row may be read, and there is room behind the memory: address to the memory
//!        n + 1      row in the memory's register
//!        n + l      row in the last register before the front, if it did not wait
//!        n + l + 1  row in `front`, if no earlier row waits
//! ```
//!
//! An elastic pipeline of `l` + 1 places, the memory's register among them: a row moves on if the place ahead of it is empty or
//! becomes empty in this clock cycle. There is no multiplexer on the way, so that wide rows cost `l` registers and nothing else.
//! With check bits a row is corrected on its way into the front.

use crate::blocks::secded::{RamKind, StoredReg, StoredRow, TableRam, Upsets};
use rtl_model::names::Scope;
use rtl_model::{Bits, Logic, RamShape, Reg, Signal, bits, clog2, name_nets, when};

/// The memory. Pointers have one bit more than addresses, so that a full memory differs from an empty one.
#[name_nets]
pub struct PrefetchFifo<L: Logic, T: Signal<Logic = L>> {
    address: u32,
    /// It has latency 1: its output registers are here.
    rows: TableRam<L, T>,
    /// The next row to be read.
    read: Reg<Bits<L>>,
    /// One bit per place: it holds a row. Bit 0 is the front, bit `l` the memory's register.
    valid: Reg<Bits<L>>,
    front: Reg<T>,
    /// The places between, the one next to the front first.
    output: Vec<StoredReg<L, T>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> PrefetchFifo<L, T> {
    /// An empty memory of `depth` rows, a power of two.
    pub fn new(depth: u64, kind: impl Into<RamKind>, row: &T::Shape) -> Self {
        let kind = kind.into();
        let address = clog2(depth);
        let pointer = |width| Reg::new(&bits(width)).with_reset();
        // A scope of its own for each place, or the rows of wide records would be one long block of the Verilog.
        let mut output = Vec::new();
        for place in 1..kind.latency {
            let _scope = Scope::<L>::enter(&format!("output_{place}"), "");
            output.push(StoredReg::new(kind.protection, row));
        }
        PrefetchFifo {
            address,
            // A row is not read in the clock cycle of its write: `until` changes after the write.
            rows: TableRam::new(kind.latency(1), RamShape::new(depth).unused_on_collision(), row),
            read: pointer(address + 1),
            valid: pointer(kind.latency + 1),
            front: Reg::new(row),
            output,
        }
    }

    /// The next row to be read.
    pub fn read(&self) -> Bits<L> {
        self.read.get()
    }

    /// Number of rows ahead of `read` that are not taken.
    pub fn prefetch_count(&self) -> Bits<L> {
        let valid = self.valid.get();
        let width = clog2(u64::from(valid.width()) + 1);
        let places = (0..valid.width()).map(|place| valid.bit(place).extend(width));
        places.reduce(|sum, place| sum + place).expect("there is a place")
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
        self.front.get()
    }

    /// What was wrong with the row that came to the front; none without check bits.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        self.rows.upsets()
    }

    /// Writes one row at the write pointer; the caller has checked `full`.
    pub fn write(&self, write: Bits<L>, row: T) {
        self.rows.write(write.truncate(self.address), row);
    }

    /// The row in the place behind this one.
    fn behind(&self, place: u32) -> StoredRow<L, T> {
        self.output.get(place as usize).map_or_else(|| self.rows.stored(), StoredReg::get)
    }

    /// One clock edge: rows before `until` may be read; `ready` is that of the consumer.
    pub fn clock(&self, until: Bits<L>, ready: Bits<L>) {
        let (read, valid) = (self.read.get(), self.valid.get());
        let memory = valid.width() - 1;
        // There is room in a place if it is empty, or its row moves on.
        let mut room = ready | !valid.bit(0);
        let arrives = room & valid.bit(1);
        when(arrives, || self.front.set(self.rows.corrected(&self.behind(0))));
        self.rows.check_row(|| self.behind(0), arrives);
        let mut next = !room | arrives;
        for (place, output) in (1..memory).zip(&self.output) {
            room = room | !valid.bit(place);
            let moves = room & valid.bit(place + 1);
            when(moves, || output.set(self.behind(place)));
            next = (!room | moves).concat(next);
        }
        room = room | !valid.bit(memory);
        let reads = read.differs(until) & room;
        when(reads, || {
            self.rows.read(read.truncate(self.address));
            self.read.set(read + 1);
        });
        self.valid.set((!room | reads).concat(next));
        self.rows.clock();
    }
}
