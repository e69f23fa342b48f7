// SPDX-License-Identifier: MIT OR Apache-2.0
//! The four sub-tables. One write at a time, of the same row to the sub-tables that are chosen, and two read ports:
//!
//! ```text
//!  cycle n      look_up(rows), read(rows), write
//!        n + l  looked_up(): a row that was written in cycle n counts as empty
//!               entries(): they stay until the next read; rows are not written while they are read
//! ```
//!
//! A look-up that collides with a write does not need the row: whoever writes it still holds the new key where look-ups
//! see it one clock cycle longer, and already holds the key that was there.

use super::config::{ContextLookupConfig, SUB_TABLES};
use super::records::Entry;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Logic, Ram, RamShape, Reg, bits, name_nets, select, when};

/// Port of look-ups.
const LOOK_UP: usize = 0;
/// Port of commands and placements.
const COMMAND: usize = 1;

/// A write to the sub-tables.
#[derive(Clone, Copy)]
pub struct RowWrite<L: Logic> {
    /// One bit per sub-table: it is written.
    pub tables: Bits<L>,
    /// The row in each sub-table.
    pub rows: [Bits<L>; SUB_TABLES],
    /// What is written.
    pub entry: Entry<L>,
}

/// Memories of the four sub-tables.
#[name_nets]
pub struct SubTables<L: Logic> {
    rows: Vec<Ram<Entry<L>>>,
    /// For each sub-table: 1 if the row of a look-up was written in the same clock cycle.
    collision: Vec<PipelineRegs<Bits<L>>>,
}

#[name_nets]
impl<L: Logic> SubTables<L> {
    pub fn new(config: ContextLookupConfig) -> Self {
        let ContextLookupConfig { ram_latency: l, .. } = config;
        let shape = RamShape::new(config.rows()).unused_on_collision().latency(l).reads(2);
        let collision =
            |table: usize| PipelineRegs::of(1..=l, |step| Reg::named(&format!("collision_{table}_{step}"), &bits(1)));
        SubTables {
            rows: (0..SUB_TABLES as u32).map(|table| Ram::numbered(table, shape, &Entry::shape(config))).collect(),
            collision: (0..SUB_TABLES).map(collision).collect(),
        }
    }

    /// The rows that were looked up `l` clock cycles ago.
    pub fn looked_up(&self) -> [Entry<L>; SUB_TABLES] {
        std::array::from_fn(|table| {
            let entry = self.rows[table].data_port(LOOK_UP);
            Entry { valid: entry.valid & !self.collision[table].last(), ..entry }
        })
    }

    /// The rows that were read last, from `l` clock cycles after that on.
    pub fn entries(&self) -> [Entry<L>; SUB_TABLES] {
        std::array::from_fn(|table| self.rows[table].data_port(COMMAND))
    }

    /// One clock cycle. `read` are the rows of the key that a command or placement works on, read if `reads` is 1.
    pub fn clock(
        &self,
        look_up: [Bits<L>; SUB_TABLES],
        reads: Bits<L>,
        read: [Bits<L>; SUB_TABLES],
        write: RowWrite<L>,
    ) {
        for table in 0..SUB_TABLES {
            let (memory, writes) = (&self.rows[table], write.tables.bit(table as u32));
            self.collision[table].shift(writes & write.rows[table].equals(look_up[table]));
            memory.read_port(LOOK_UP, look_up[table]);
            when(reads, || memory.read_port(COMMAND, read[table]));
            when(writes, || memory.write(write.rows[table], write.entry));
            memory.clock();
        }
    }
}

/// One bit per item of a list, the first one lowest.
#[name_nets]
pub fn each<L: Logic>(bits: &[Bits<L>]) -> Bits<L> {
    bits[1..].iter().fold(bits[0], |low, bit| bit.concat(low))
}

/// The value that is chosen by one bit each, of which at most one is 1; 0 if none is.
#[name_nets]
pub fn chosen<L: Logic>(choice: Bits<L>, values: &[Bits<L>]) -> Bits<L> {
    let gated = |at: usize| values[at].gate(choice.bit(at as u32));
    (1..values.len()).fold(gated(0), |sum, at| sum | gated(at))
}

/// The lowest bit alone.
#[name_nets]
pub fn lowest<L: Logic>(bits: Bits<L>) -> Bits<L> {
    let alone: Vec<_> = (0..bits.width())
        .map(|at| if at == 0 { bits.bit(0) } else { bits.bit(at) & !bits.truncate(at).any() })
        .collect();
    each(&alone)
}

/// The row of a sub-table by its number.
#[name_nets]
pub fn entry_of<L: Logic>(table: Bits<L>, entries: [Entry<L>; SUB_TABLES]) -> Entry<L> {
    let [a, b, c, d] = entries;
    select(table.bit(1), select(table.bit(0), d, c), select(table.bit(0), b, a))
}
