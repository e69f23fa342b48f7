// SPDX-License-Identifier: MIT OR Apache-2.0
//! A number of cells per connection, which one side adds to, and which arrivals read. With memories of latency `l`:
//!
//! ```text
//!  0      a connection to the table
//!  l + 1  cells are added
//!  l + 2  the sum to the copy that arrivals read
//! ```

use super::sizes::Sizes;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::Upsets;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, when};

/// Something that may add cells.
#[derive(Bundle)]
#[shape(sizes: Sizes)]
pub struct Adding<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    /// The row is swept.
    pub sweeps: Bits<L>,
    #[shape(sizes.stage.connection())]
    pub connection: Bits<L>,
}

/// Numbers of cells, modulo twice their number.
#[name_nets]
pub struct CellCount<L: Logic> {
    sums: RmwTable<L, Bits<L>>,
    view: WriteFirstRam<L, Bits<L>>,
    /// Steps 1 to `l` + 2.
    adding: PipelineRegs<Adding<L>>,
    latency: u32,
}

#[name_nets]
impl<L: Logic> CellCount<L> {
    pub fn new(sizes: Sizes) -> Self {
        let (connections, ram, count) = (sizes.stage.connections, sizes.stage.ram(), sizes.pool.count());
        let l = ram.latency;
        let adding = Adding::shape(sizes);
        CellCount {
            sums: RmwTable::new(connections, ram, &count).compared_early(),
            view: WriteFirstRam::new(connections, ram, 1, &count),
            adding: PipelineRegs::new(1..=l + 2, &adding),
            latency: l,
        }
    }

    /// The number that was read as many clock cycles ago as the latency.
    pub fn data(&self) -> Bits<L> {
        self.view.data(0)
    }

    /// What was wrong with rows that have been used: `sums`, `view`.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        [self.sums.upsets(), self.view.upsets()].concat()
    }

    /// One clock cycle: `entering` is in step 0, and that in step `l` + 1 adds this `amount`; the number of the connection
    /// `read` is read, and [`Self::data`] is `used`.
    pub fn clock(&self, entering: Adding<L>, amount: Bits<L>, read: Bits<L>, used: Bits<L>) {
        let (added, summed) = (self.adding.at(self.latency + 1), self.adding.last());
        let (sum, row) = (self.sums.modified(), self.sums.operand());
        self.view.check(0, used);
        self.view.clock(&[read], Access { valid: summed.valid, index: summed.connection }, sum);
        self.sums.clock(Access { valid: entering.valid, index: entering.connection }, Bits::lit(1, 1));
        when(added.valid, || {
            let sum = row + amount.extend(row.width());
            self.sums.modify(sum.gate(!added.sweeps));
        });
        self.adding.shift(entering);
    }
}
