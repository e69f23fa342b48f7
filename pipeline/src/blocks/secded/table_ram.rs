// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`TableRam`]: the memory of tables and FIFOs, with or without check bits.

use super::kind::{Protection, RamKind};
use super::ram::{SecdedRam, Upsets};
use super::stored::StoredRow;
use rtl_model::{Bits, Logic, Ram, RamShape, Signal};

/// A memory as a [`Ram`], whose rows have check bits if the configuration says so.
pub enum TableRam<L: Logic, T: Signal<Logic = L>> {
    /// Without check bits.
    Plain(Ram<T>),
    /// With check bits.
    Secded(Box<SecdedRam<L, T>>),
}

impl<L: Logic, T: Signal<Logic = L>> TableRam<L, T> {
    /// A memory of this shape but for the latency, which `kind` has.
    #[track_caller]
    pub fn new(kind: RamKind, ram: RamShape, row: &T::Shape) -> Self {
        let ram = ram.latency(kind.latency);
        match kind.protection {
            Protection::None => TableRam::Plain(Ram::new(ram, row)),
            Protection::Secded => TableRam::Secded(Box::new(SecdedRam::new(ram, row))),
        }
    }

    /// Reads a row on a port.
    #[track_caller]
    pub fn read_port(&self, port: usize, address: Bits<L>) {
        match self {
            TableRam::Plain(ram) => ram.read_port(port, address),
            TableRam::Secded(ram) => ram.read(port, address),
        }
    }

    /// Reads a row on port 0.
    #[track_caller]
    pub fn read(&self, address: Bits<L>) {
        self.read_port(0, address);
    }

    /// Writes a row.
    #[track_caller]
    pub fn write(&self, address: Bits<L>, row: T) {
        match self {
            TableRam::Plain(ram) => ram.write(address, row),
            TableRam::Secded(ram) => ram.write(address, row),
        }
    }

    /// The row that a port read as many clock cycles ago as the latency.
    #[track_caller]
    pub fn data_port(&self, port: usize) -> T {
        match self {
            TableRam::Plain(ram) => ram.data_port(port),
            TableRam::Secded(ram) => ram.data(port),
        }
    }

    /// The same of port 0.
    #[track_caller]
    pub fn data(&self) -> T {
        self.data_port(0)
    }

    /// The row that port 0 has read, as it is stored: of a memory with latency 1.
    #[track_caller]
    pub fn stored(&self) -> StoredRow<L, T> {
        match self {
            TableRam::Plain(ram) => StoredRow::Plain(ram.data()),
            TableRam::Secded(ram) => StoredRow::Secded(ram.stored(0)),
        }
    }

    /// Such a row, corrected.
    #[track_caller]
    pub fn corrected(&self, row: &StoredRow<L, T>) -> T {
        match (self, row) {
            (_, StoredRow::Plain(row)) => *row,
            (TableRam::Secded(ram), StoredRow::Secded(words)) => ram.decode_words(words).0,
            (TableRam::Plain(_), StoredRow::Secded(_)) => unreachable!("a memory without check bits"),
        }
    }

    /// Says whether such a row is used in this clock cycle, in place of [`Self::check`].
    #[track_caller]
    pub fn check_row(&self, row: impl Fn() -> StoredRow<L, T>, used: Bits<L>) {
        if let TableRam::Secded(ram) = self
            && let StoredRow::Secded(words) = row()
        {
            ram.check_words(0, &words, used);
        }
    }

    /// Says whether the data of a port are used in this clock cycle (see [`SecdedRam::check`]); nothing without check bits.
    #[track_caller]
    pub fn check(&self, port: usize, used: Bits<L>) {
        if let TableRam::Secded(ram) = self {
            ram.check(port, used);
        }
    }

    /// For each read port, what was wrong with the row used one clock cycle ago; none without check bits.
    #[track_caller]
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        match self {
            TableRam::Plain(_) => Vec::new(),
            TableRam::Secded(ram) => ram.upsets(),
        }
    }

    /// One clock cycle.
    #[track_caller]
    pub fn clock(&self) {
        match self {
            TableRam::Plain(ram) => ram.clock(),
            TableRam::Secded(ram) => ram.clock(),
        }
    }
}
