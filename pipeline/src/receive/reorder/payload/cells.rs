// SPDX-License-Identifier: MIT OR Apache-2.0
//! The free cells (rows R36 and R39). With memories of latency `l`:
//!
//! ```text
//!  cycle r          a cell is returned: by the walk, by delivery, by `close`
//!        r + 1      its number to the list of this source; the number of cells returned in cycle r
//!        r + l + 3  its number at the front of the list, if no other one waits there
//!        r + l + 6  counted in `free`: the writer may take a cell, and does so one clock cycle later
//! ```
//!
//! Each source has a list with room for all cells, so that nobody waits. The writer takes the front of any that has one. A
//! cell is counted later than it is on offer, so that there is one whenever the count is not 0.

use super::sizes::Sizes;
use crate::blocks::fifo::Fifo;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::Upsets;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// A cell that has been returned in the clock cycle before.
#[derive(Bundle)]
#[shape(sizes: Sizes)]
pub struct Returned<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(sizes.pool.cell())]
    pub cell: Bits<L>,
}

/// The lists of free cells, and their number.
#[name_nets]
pub struct FreeCells<L: Logic> {
    refused: Fifo<L, Bits<L>>,
    delivered: Fifo<L, Bits<L>>,
    cleared: Fifo<L, Bits<L>>,
    /// Steps 1 to `l` + 5: number of cells that were returned in the same clock cycle.
    returned: PipelineRegs<Bits<L>>,
    free: Reg<Bits<L>>,
    /// There is none.
    none: Reg<Bits<L>>,
    /// `free` in the clock cycle before.
    free_before: Reg<Bits<L>>,
    low_water: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> FreeCells<L> {
    pub fn new(sizes: Sizes) -> Self {
        let (pool, ram) = (sizes.pool, sizes.stage.ram());
        let (cell, count) = (pool.cell(), pool.count());
        let all = Bits::lit(pool.cell_bits() + 1, pool.cells);
        FreeCells {
            refused: Fifo::new(pool.cells, ram, &cell),
            delivered: Fifo::new(pool.cells, ram, &cell),
            cleared: Fifo::new(pool.cells, ram, &cell),
            returned: PipelineRegs::new(1..=ram.latency + 5, &bits(2)).with_reset(),
            free: Reg::starting_at(&count, all).with_reset(),
            none: Reg::new(&bits(1)).with_reset(),
            free_before: Reg::starting_at(&count, all).with_reset(),
            low_water: Reg::starting_at(&count, all).with_reset(),
        }
    }

    /// What was wrong with rows that have been used, list by list.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        [self.refused.upsets(), self.delivered.upsets(), self.cleared.upsets()].concat()
    }

    /// The number of free cells. A register.
    pub fn free(&self) -> Bits<L> {
        self.free.get()
    }

    /// There is none. A register.
    pub fn none(&self) -> Bits<L> {
        self.none.get()
    }

    /// The fewest free cells since reset.
    pub fn low_water(&self) -> Bits<L> {
        self.low_water.get()
    }

    /// The free cell on offer.
    pub fn front(&self) -> Bits<L> {
        let other = select(self.cleared.valid(), self.cleared.front(), self.delivered.front());
        select(self.refused.valid(), self.refused.front(), other)
    }

    /// One clock cycle: `takes` counts a cell as taken, and `pops` removes the one on offer, one clock cycle later. The
    /// `counts` are of cells that are returned now, by each of the three sources, and `cells` those of one clock cycle
    /// before; the sweep fills a list with all of them.
    pub fn clock(
        &self,
        takes: Bits<L>,
        pops: Bits<L>,
        counts: [Bits<L>; 3],
        cells: [Returned<L>; 3],
        swept: Returned<L>,
    ) {
        let (free, none, free_before, low_water) =
            (self.free.get(), self.none.get(), self.free_before.get(), self.low_water.get());
        let added = self.returned.last();
        self.free.set(free + added.extend(free.width()) - takes.extend(free.width()));
        // Not from the sum: the adder would be ahead of the comparison.
        self.none.set(!added.any() & (none | free.equals(1) & takes));
        self.free_before.set(free);
        when(free_before.less(low_water), || self.low_water.set(free_before));
        let [by_walk, by_delivery, by_clearing] = counts.map(|count| count.extend(2));
        self.returned.shift(by_walk + by_delivery + by_clearing);

        let [refused, delivered, cleared] = cells;
        let from_refused = self.refused.valid();
        let from_cleared = !from_refused & self.cleared.valid();
        let from_delivered = !from_refused & !self.cleared.valid();
        let filled = select(swept.valid, swept.cell, refused.cell);
        self.refused.clock(refused.valid | swept.valid, || filled, pops & from_refused);
        self.cleared.clock(cleared.valid, || cleared.cell, pops & from_cleared);
        self.delivered.clock(delivered.valid, || delivered.cell, pops & from_delivered);
    }
}
