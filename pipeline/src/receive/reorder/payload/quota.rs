// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether an arrival may keep its cells (row R32). With memories of latency `l`, for an arrival:
//!
//! ```text
//!  0      its connection to the numbers of cells received, delivered and cleared
//!  1      free cells below the reserve?
//!  l      received less delivered; cells of the frame less those cleared
//!  l + 1  both together: what the connection would use
//!  l + 2  above the quota? not for the packet with the PSN of the base
//!  l + 5  new? its cells are added to those received, visible in step l + 8
//!  l + 10 counters
//! ```
//!
//! Cells that are returned count from the cycle on in which they are free.

use super::count::{Adding, CellCount};
use super::sizes::Sizes;
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::Upsets;
use crate::receive::reorder::pass::Pass;
use crate::receive::reorder::settings::InForce;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, Signal, bits, name_nets, select};

/// The pipeline of arrivals.
const ARRIVAL: Pipeline = Pipeline::new("arrival");

/// Clock cycles from the return of a cell to its entry into the numbers of cells.
const DELAY: u32 = 4;

/// The first reason to refuse an arrival for its cells; none, if all are 0.
#[derive(Bundle)]
#[shape]
struct Cause<L: Reading> {
    no_cells: Bits<L>,
    over_quota: Bits<L>,
    below_reserve: Bits<L>,
}

/// The frame of an arrival.
#[derive(Bundle)]
struct Needs<L: Reading> {
    /// Number of cells.
    cells: Bits<L>,
    /// It has been cut.
    cut: Bits<L>,
}

/// A cell of a connection is returned, by delivery or by `close`.
#[derive(Bundle)]
#[shape(sizes: Sizes)]
pub struct CellReturn<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(sizes.stage.connection())]
    pub connection: Bits<L>,
}

/// Cells of all connections, and the limits.
#[name_nets]
pub struct Quota<L: Logic> {
    sizes: Sizes,
    received: CellCount<L>,
    delivered: CellCount<L>,
    cleared: CellCount<L>,
    /// Steps 1 to 4 after the return of a cell.
    delivering: PipelineRegs<CellReturn<L>>,
    clearing: PipelineRegs<CellReturn<L>>,
    /// Steps 2 to `l` + 7 of an arrival.
    needs: PipelineRegs<Needs<L>>,
    /// Steps 2 to `l` + 2: free cells are below the reserve.
    scarce: PipelineRegs<Bits<L>>,
    /// Step `l` + 1.
    outstanding: Reg<Bits<L>>,
    wanted: Reg<Bits<L>>,
    /// Step `l` + 2: cells that the connection would use.
    used: Reg<Bits<L>>,
    /// The quota of the clock cycle before.
    quota: Reg<Bits<L>>,
    /// Steps `l` + 3 to `l` + 10.
    causes: PipelineRegs<Cause<L>>,
    no_cells: Counter<L>,
    over_quota: Counter<L>,
    below_reserve: Counter<L>,
}

#[name_nets]
impl<L: Logic> Quota<L> {
    pub fn new(sizes: Sizes) -> Self {
        let (flag, l, pool) = (bits(1), sizes.stage.ram_latency, sizes.pool);
        let returning = CellReturn::shape(sizes);
        let count = pool.count();
        Quota {
            sizes,
            received: CellCount::new(sizes),
            delivered: CellCount::new(sizes),
            cleared: CellCount::new(sizes),
            delivering: PipelineRegs::new(1..=DELAY, &returning).checked(ARRIVAL),
            clearing: PipelineRegs::new(1..=DELAY, &returning).checked(ARRIVAL),
            needs: PipelineRegs::new(2..=l + 7, &Needs { cells: pool.frame_count(), cut: flag }).checked(ARRIVAL),
            scarce: PipelineRegs::new(2..=l + 2, &flag).checked(ARRIVAL),
            outstanding: Reg::new(&count),
            wanted: Reg::new(&count),
            used: Reg::new(&count),
            quota: Reg::new(&count),
            causes: PipelineRegs::new(l + 3..=l + 10, &Cause::shape()).checked(ARRIVAL),
            no_cells: Counter::new(32),
            over_quota: Counter::new(32),
            below_reserve: Counter::new(32),
        }
    }

    /// Arrivals without cells, above the quota, and below the reserve, since reset.
    pub fn refused(&self) -> [Bits<L>; 3] {
        [self.no_cells.get(), self.over_quota.get(), self.below_reserve.get()]
    }

    /// What was wrong with rows that have been used: of cells received, delivered, cleared.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        [self.received.upsets(), self.delivered.upsets(), self.cleared.upsets()].concat()
    }

    /// Number of cells of the arrival in step `l` + 5.
    pub fn cells(&self) -> Bits<L> {
        self.needs.at(self.sizes.stage.ram_latency + 5).cells
    }

    /// Why the arrival in step `l` + 2 gets no cells; `at_base` if it has the PSN of the base.
    fn cause(&self, at_base: Bits<L>) -> Cause<L> {
        let l = self.sizes.stage.ram_latency;
        let no_cells = self.needs.at(l + 2).cut;
        let limited = !no_cells & !at_base;
        let over_quota = limited & self.used.get().greater(self.quota.get());
        Cause { no_cells, over_quota, below_reserve: limited & !over_quota & self.scarce.last() }
    }

    /// 1 if the arrival in step `l` + 2 gets no cells.
    pub fn denies(&self, at_base: Bits<L>) -> Bits<L> {
        let Cause { no_cells, over_quota, below_reserve } = self.cause(at_base);
        no_cells | over_quota | below_reserve
    }

    /// One clock cycle: the passes in all steps; number of cells of the arrival in step 1, and whether it has been cut; the
    /// number of `free` cells. The arrival in step `l` + 2 is in the window and `at_base` or not, that in step `l` + 7 is
    /// `new`, and that in step `l` + 10 has no buffer. Cells are returned by delivery and by `close`.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        (cells, cut): (Bits<L>, Bits<L>),
        free: Bits<L>,
        limits: InForce<L>,
        (in_window, at_base): (Bits<L>, Bits<L>),
        new: Bits<L>,
        no_buffer: Bits<L>,
        [delivered, cleared]: [CellReturn<L>; 2],
    ) {
        let l = self.sizes.stage.ram_latency;
        let (Some(quota), Some(reserve)) = (limits.quota, limits.reserve) else { unreachable!("with the settings") };
        let cause = self.cause(at_base).gate(in_window);

        // l + 10
        let counted = self.causes.last().gate(no_buffer);
        self.no_cells.count(counted.no_cells);
        self.over_quota.count(counted.over_quota);
        self.below_reserve.count(counted.below_reserve);

        // l to l + 2
        self.causes.shift(cause);
        self.used.set(self.outstanding.get() + self.wanted.get());
        self.quota.set(quota);
        let width = self.sizes.pool.cell_bits() + 1;
        let its_cells = if l == 1 { cells } else { self.needs.at(l).cells };
        self.outstanding.set(self.received.data() - self.delivered.data());
        self.wanted.set(its_cells.extend(width) - self.cleared.data());

        // Sums. Those of arrivals are in their step 6 when they enter, and all sweeps go the same way.
        let (entering, used) = (passes[0].connection, passes[l as usize].arrives);
        let received = passes[6];
        let adding = Adding { valid: received.valid, sweeps: received.sweeps, connection: received.connection };
        self.received.clock(adding, self.needs.last().cells.gate(new), entering, used);
        let swept = passes[1];
        let returns = |event: CellReturn<L>| Adding {
            valid: event.valid | swept.sweeps,
            sweeps: swept.sweeps,
            connection: select(swept.sweeps, swept.connection, event.connection),
        };
        let one = Bits::lit(1, 1);
        self.delivered.clock(returns(self.delivering.last()), one, entering, used);
        self.cleared.clock(returns(self.clearing.last()), one, entering, used);
        self.delivering.shift(delivered);
        self.clearing.shift(cleared);

        // 1
        self.scarce.shift(free.less(reserve));
        self.needs.shift(Needs { cells, cut });
    }
}
