// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much was reordered on each connection (rows M85 and R19): an access in step 11 of a pass, the row in step `l` + 12.

use super::config::ReorderConfig;
use super::pass::Pass;
use super::ports::{COUNT_WIDTH, TIME_WIDTH};
use crate::blocks::secded::Upsets;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, name_nets, select, when};

/// Statistics of a connection.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Statistics<L: Reading> {
    /// Packets that have been overtaken.
    #[width(COUNT_WIDTH)]
    pub reordered: Bits<L>,
    /// The largest number of packets held.
    #[width(config.count_bits())]
    pub depth: Bits<L>,
    /// The largest age of a gap.
    #[width(TIME_WIDTH)]
    pub duration: Bits<L>,
}

/// Statistics of all connections.
#[name_nets]
pub struct StatisticsTable<L: Logic> {
    config: ReorderConfig,
    rows: RmwTable<L, Statistics<L>>,
    /// Step `l` + 12: what the pass adds.
    late: Reg<Bits<L>>,
    age: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> StatisticsTable<L> {
    pub fn new(config: ReorderConfig) -> Self {
        let (count, time) = (bits(config.count_bits()), bits(TIME_WIDTH));
        let row = Statistics::shape(config);
        StatisticsTable {
            config,
            rows: RmwTable::new(config.connections, config.ram(), &row).compared_early(),
            late: Reg::new(&bits(1)),
            age: Reg::new(&time),
        }
    }

    /// The row of the pass in step `l` + 12, as it was before.
    pub fn row(&self) -> Statistics<L> {
        self.rows.operand()
    }

    /// What was wrong with rows that have been used.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        self.rows.upsets()
    }

    /// One clock cycle: the passes in all steps; in step `l` + 11 whether the packet is `late`, and the `age` of the gap that
    /// it ends; in step `l` + 12 the number of packets `held`.
    pub fn clock(&self, passes: &[Pass<L>], late: Bits<L>, age: Bits<L>, held: Bits<L>) {
        let (pass, row) = (passes[self.config.last_step() as usize], self.rows.operand());
        let ended = self.age.get();
        let deeper = self.rows.of_operand(|row| held.greater(row.depth));
        let longer = self.rows.of_operand(|row| ended.greater(row.duration));
        self.rows.clock(passes[11].access(), Bits::lit(1, 1));
        let next = Statistics {
            reordered: row.reordered + self.late.get().extend(COUNT_WIDTH),
            depth: select(deeper, held, row.depth),
            duration: select(longer, ended, row.duration),
        };
        when(pass.valid, || {
            self.rows.modify(next.gate(!pass.starts()));
        });
        self.late.set(late);
        self.age.set(age);
    }
}
