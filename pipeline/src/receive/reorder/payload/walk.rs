// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk over the cells in the order in which they were taken (row R33). With memories of latency `l`, for an arrival:
//!
//! ```text
//!  l + 5    its number of cells to `decisions`, and whether they are to be returned
//!  2 l + 7  the decision at the front, if the walk is behind no other one
//!  2 l + 8  its first cell leaves `taken`
//!  2 l + 9  to the free cells, if the arrival has been refused
//!  2 l + 10 counted as returned
//! ```
//!
//! The walk does one cell per clock cycle, and a frame has at least as many beats as cells. So it is behind by at most the
//! cells of one longest frame.

use super::cells::Returned;
use super::sizes::Sizes;
use crate::blocks::fifo::Fifo;
use crate::blocks::secded::Upsets;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, when};

/// What becomes of the cells of an arrival.
#[derive(Bundle)]
#[shape(sizes: Sizes)]
struct Decision<L: Reading> {
    refused: Bits<L>,
    #[shape(sizes.pool.frame_count())]
    cells: Bits<L>,
}

/// The arrival whose cells are visited.
#[derive(Bundle)]
#[shape(sizes: Sizes)]
struct Visit<L: Reading> {
    #[reset]
    valid: Bits<L>,
    refused: Bits<L>,
    /// Cells after this one.
    #[shape(sizes.pool.frame_count())]
    more: Bits<L>,
    /// There are none.
    last: Bits<L>,
}

/// The walk, and what it has not visited.
#[name_nets]
pub struct Walk<L: Logic> {
    taken: Fifo<L, Bits<L>>,
    decisions: Fifo<L, Decision<L>>,
    visit: Reg<Visit<L>>,
    returned: Reg<Returned<L>>,
    /// It counts in this clock cycle.
    counts: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Walk<L> {
    pub fn new(sizes: Sizes) -> Self {
        let (flag, pool, ram) = (bits(1), sizes.pool, sizes.stage.ram());
        let (most, cells) = (pool.frame_cells(), pool.frame_count());
        Walk {
            taken: Fifo::new((3 * most + 64).next_power_of_two(), ram, &pool.cell()),
            decisions: Fifo::new((most + 64).next_power_of_two(), ram, &Decision::shape(sizes)),
            visit: Reg::new(&Visit::shape(sizes)),
            returned: Reg::new(&Returned::shape(sizes)),
            counts: Reg::new(&flag).with_reset(),
        }
    }

    /// A cell that goes to the free ones, and whether one is returned in this clock cycle.
    pub fn returned(&self) -> (Returned<L>, Bits<L>) {
        (self.returned.get(), self.counts.get())
    }

    /// What was wrong with rows that have been used: `taken`, `decisions`.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        [self.taken.upsets(), self.decisions.upsets()].concat()
    }

    /// One clock cycle: a cell is `taken`; the arrival in step `l` + 5 has this number of `cells` and is `refused` or not.
    pub fn clock(&self, (takes, cell): (Bits<L>, Bits<L>), arrives: Bits<L>, cells: Bits<L>, refused: Bits<L>) {
        let Visit { valid, refused: returns, more, last } = self.visit.get();
        self.counts.set(self.returned.get().valid);
        self.returned.set(Returned { valid: valid & returns, cell: self.taken.front() });
        self.taken.clock(takes, || cell, valid);

        let has_decision = self.decisions.valid();
        let next = self.decisions.front();
        let begins = has_decision & (!valid | last);
        when(begins, || {
            let (refused, more) = (next.refused, next.cells - 1);
            self.visit.set(Visit { valid: Bits::lit(1, 1), refused, more, last: next.cells.equals(1) });
        })
        .or_when(valid, || {
            let visit = Visit { valid: !last, refused: returns, more: more - 1, last: more.equals(1) };
            self.visit.set(visit);
        });
        self.decisions.clock(arrives & cells.any(), || Decision { refused, cells }, begins);
    }
}
