// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames that are held in a pool of cells (rows R30 to R40):
//!
//! ```text
//!  s_axis -> writer ---- beats ------------------> pool -> frame reader -> m_axis
//!            |  ^  +---- next ----------------------------^  ^     |
//!            |  |                          slots: first cell,|     |
//!            |  |                          beats             |     |
//!            |  +-- free cells <-- delivered ----------------|-----+
//!            |          ^  ^------ cleared <-- clearing <----+
//!            |          +--------- refused <-- walk <-- decisions
//!            +--> taken -------------------------^
//! ```
//!
//! Each file draws its own steps.

mod cells;
mod clearing;
pub(super) mod config;
mod count;
mod frame_reader;
mod next;
mod quota;
mod sizes;
mod walk;
mod writer;

pub use config::PayloadConfig;

use super::config::ReorderConfig;
use super::found::Found;
use super::pass::Pass;
use super::ports::outcome;
use super::settings::InForce;
use crate::blocks::secded::Upsets;
use cells::{FreeCells, Returned};
use clearing::Clearing;
pub use clearing::{Blocked, SlotRead};
use frame_reader::{FrameReader, Transfer};
use next::Next;
use quota::{CellReturn, Quota};
use rtl_model::stream::Axis;
use rtl_model::{Bits, Logic, Wide, constant, name_nets};
use sizes::Sizes;
use walk::Walk;
use writer::Writer;

/// The memories of the pool, each with its bit of `sram_faulty` behind those of [`super::SRAM_MEMORIES`] (row R40).
pub const MEMORIES: [&str; 15] = [
    "pool",
    "places",
    "next_delivery",
    "next_clearing",
    "refused",
    "delivered",
    "cleared",
    "taken",
    "decisions",
    "received_sums",
    "received_view",
    "delivered_sums",
    "delivered_view",
    "cleared_sums",
    "cleared_view",
];

/// What the other parts show of this clock cycle.
pub struct Around<'a, L: Logic> {
    /// The passes in all steps.
    pub passes: &'a [Pass<L>],
    /// A beat is accepted in this clock cycle.
    pub accepted: Bits<L>,
    pub s_axis: Axis<L>,
    pub in_force: InForce<L>,
    /// The arrival in step `l` + 2 is in the window, and it has the PSN of the base.
    pub place: (Bits<L>, Bits<L>),
    /// The arrivals in steps `l` + 5 and `l` + 7 are new.
    pub new: [Bits<L>; 2],
    /// PSNs that have not been received, of the pass in step `l` + 5.
    pub missing: Wide<L>,
    /// What has been found of the pass in step `l` + 10.
    pub deciding: Found<L>,
    /// A packet that has been read from its slot: connection, PSN and slot.
    pub packet: (Bits<L>, Bits<L>, Bits<L>),
    /// The frame reader takes it.
    pub takes: Bits<L>,
    /// The slot that was read for [`Payload::reads`].
    pub slot: Bits<L>,
    /// The receiver of beats is ready.
    pub ready: Bits<L>,
    /// The number of the row that is swept.
    pub sweep_row: Bits<L>,
    /// The rows are swept.
    pub sweeps: Bits<L>,
}

/// The pool of cells and all that serves it.
#[name_nets]
pub struct Payload<L: Logic> {
    sizes: Sizes,
    writer: Writer<L>,
    free_cells: FreeCells<L>,
    walk: Walk<L>,
    next: Next<L>,
    frames: FrameReader<L>,
    quota: Quota<L>,
    clearing: Clearing<L>,
}

#[name_nets]
impl<L: Logic> Payload<L> {
    pub fn new(stage: ReorderConfig, pool: PayloadConfig) -> Self {
        let sizes = Sizes { stage, pool };
        Payload {
            sizes,
            writer: Writer::new(sizes),
            free_cells: FreeCells::new(sizes),
            walk: Walk::new(sizes),
            next: Next::new(sizes),
            frames: FrameReader::new(sizes),
            quota: Quota::new(sizes),
            clearing: Clearing::new(sizes),
        }
    }

    /// The beat on `m_axis`, and connection and PSN of its frame.
    pub fn delivery(&self) -> (Axis<L>, Bits<L>, Bits<L>) {
        self.frames.delivery()
    }

    /// The number of free cells, and the fewest since reset.
    pub fn free(&self) -> (Bits<L>, Bits<L>) {
        (self.free_cells.free(), self.free_cells.low_water())
    }

    /// Arrivals without cells, above the quota, and below the reserve, since reset.
    pub fn refused(&self) -> [Bits<L>; 3] {
        self.quota.refused()
    }

    /// Step 2: the slot of the frame of the arrival.
    pub fn slot(&self) -> Bits<L> {
        self.writer.slot()
    }

    /// 1 if the arrival in step `l` + 2 gets no cells; `at_base` if it has the PSN of the base.
    pub fn denies(&self, at_base: Bits<L>) -> Bits<L> {
        self.quota.denies(at_base)
    }

    /// A slot that is read for `close` in this clock cycle.
    pub fn reads(&self) -> SlotRead<L> {
        self.clearing.reads()
    }

    /// 1 if the frame reader takes the next packet.
    pub fn takes(&self, available: Bits<L>) -> Bits<L> {
        self.frames.takes(available)
    }

    /// 1 if the last beat of a frame is transferred.
    pub fn ends_frame(&self, ready: Bits<L>) -> Bits<L> {
        self.frames.transfer(ready).ends_frame
    }

    /// What the last command met when it looked at its connection, and whether that was being cleared as it took effect.
    pub fn cleared(&self) -> (Blocked<L>, Bits<L>) {
        (self.clearing.blocked(), self.clearing.drains())
    }

    /// What was wrong with rows that have been used, memory by memory as [`MEMORIES`] has them.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        [self.frames.upsets(), self.next.upsets(), self.free_cells.upsets(), self.walk.upsets(), self.quota.upsets()]
            .concat()
    }

    /// One clock cycle.
    pub fn clock(&self, around: &Around<'_, L>) {
        let Around { passes, accepted, s_axis, in_force, place, ready, .. } = *around;
        let step = |after: u32| passes[(self.sizes.stage.ram_latency + after) as usize];

        // What the parts show of their registers, before any of them is clocked.
        let (free, none, front) = (self.free_cells.free(), self.free_cells.none(), self.free_cells.front());
        let (takes_cell, pops) = (self.writer.takes(accepted, none).named("takes_cell"), self.writer.pops());
        let (frame, store, taken, link) =
            (self.writer.frame(), self.writer.store(), self.writer.taken(), self.writer.link());
        let (walked, walk_counts) = self.walk.returned();
        let (transfer, delivered) = (self.frames.transfer(ready), self.frames.returned());
        let (clears, cleared) = (self.clearing.returns(), self.clearing.returned());
        let follows = [self.frames.follows(), self.clearing.follows()];
        let [next_delivered, next_cleared] = self.next.data();
        let used = [self.frames.fetched(), self.clearing.fetched()];
        let cells = self.quota.cells();

        let decided = step(10);
        let no_buffer = decided.arrives & around.deciding.outcome.equals(constant!(outcome::NO_BUFFER));
        let Transfer { ends_cell, connection, .. } = transfer;
        let returns = [CellReturn { valid: ends_cell, connection }, clears];
        let [new, stored] = around.new;
        self.quota.clock(passes, (frame.cells, frame.cut), free, in_force, place, stored, no_buffer, returns);
        self.clearing.clock(passes, around.missing, around.deciding, around.slot, next_cleared);
        self.frames.clock(store, around.takes, around.packet, next_delivered, transfer, ready);
        self.next.clock(link, taken.1, follows, used);
        self.walk.clock(taken, step(5).arrives, cells, !new);
        let fills = self.fills(around.sweeps, around.sweep_row);
        let counts = [walk_counts, ends_cell, clears.valid];
        self.free_cells.clock(takes_cell, pops, counts, [walked, delivered, cleared], fills);
        self.writer.clock(accepted, takes_cell, none, s_axis, front);
    }

    /// The sweep puts each cell into a list, once.
    fn fills(&self, sweeps: Bits<L>, row: Bits<L>) -> Returned<L> {
        let cell_bits = self.sizes.pool.cell_bits();
        let beyond = match row.width() > cell_bits {
            true => row.slice(cell_bits, row.width() - cell_bits).any(),
            false => Bits::lit(1, 0),
        };
        Returned { valid: sweeps & !beyond, cell: row.truncate(cell_bits) }
    }
}
