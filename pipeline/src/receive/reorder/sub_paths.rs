// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of each sub-path of a connection (rows M44, M55 and R6). With memories of latency `l`:
//!
//! ```text
//!  l + 4    sub-path to `rows`
//!  2 l + 5  count
//! ```
//!
//! *Open* increments the generation of the connection, so the rows of its sub-paths become stale. It also clears the row
//! whose number is the new generation: in as many openings as there are generations all rows have been cleared, so none is
//! stale for so long that its generation comes again.

use super::config::ReorderConfig;
use super::pass::{PASS, Pass};
use super::ports::{COUNT_WIDTH, TIME_WIDTH};
use super::window::Row;
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::Upsets;
use crate::blocks::table::{Access, RmwTable};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, index_width, name_nets, select, when};

/// The row of a sub-path.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct SubPath<L: Reading> {
    /// A packet has come, in this generation.
    present: Bits<L>,
    #[width(config.path_bits())]
    generation: Bits<L>,
    #[width(COUNT_WIDTH)]
    packets: Bits<L>,
    /// Time of the last packet.
    #[width(TIME_WIDTH)]
    time: Bits<L>,
}

/// A pass in steps `l` + 5 to 2 `l` + 5.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Use<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// An arrival is counted.
    counts: Bits<L>,
    /// The row is cleared.
    clears: Bits<L>,
    /// A command reads it.
    reads: Bits<L>,
    #[width(config.path_bits())]
    generation: Bits<L>,
}

/// What a command reads.
#[derive(Bundle)]
#[shape]
pub struct PathState<L: Reading> {
    #[width(COUNT_WIDTH)]
    pub packets: Bits<L>,
    #[width(TIME_WIDTH)]
    pub time: Bits<L>,
}

/// State of all sub-paths.
#[name_nets]
pub struct SubPaths<L: Logic> {
    config: ReorderConfig,
    rows: RmwTable<L, SubPath<L>>,
    uses: PipelineRegs<Use<L>>,
    state: Reg<PathState<L>>,
    /// The row that it is of was known.
    state_known: Reg<Bits<L>>,
    unknown: Counter<L>,
}

#[name_nets]
impl<L: Logic> SubPaths<L> {
    pub fn new(config: ReorderConfig) -> Self {
        let (flag, generation, l) = (bits(1), bits(config.path_bits()), config.ram_latency);
        let (packets, time) = (bits(COUNT_WIDTH), bits(TIME_WIDTH));
        SubPaths {
            config,
            rows: RmwTable::new(config.sub_paths(), config.ram(), &SubPath::shape(config)).compared_early(),
            uses: PipelineRegs::new(l + 5..=2 * l + 5, &Use::shape(config)).checked(PASS),
            state: Reg::new(&PathState::shape()),
            state_known: Reg::new(&flag),
            unknown: Counter::new(32),
        }
    }

    /// What the last command has read.
    pub fn state(&self) -> PathState<L> {
        self.state.get().gate(self.state_known.get())
    }

    /// Counter of arrivals on a sub-path that no connection has.
    pub fn unknown(&self) -> Bits<L> {
        self.unknown.get()
    }

    /// What was wrong with rows that have been used.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        self.rows.upsets()
    }

    /// One clock cycle: the pass in step `l` + 4 with the row of its connection, and whether that is open.
    pub fn clock(&self, pass: Pass<L>, (open, row): (Bits<L>, Row<L>), time: Bits<L>) {
        let (at, sub_path) = (self.uses.last(), self.rows.operand());
        let (path_bits, width) = (self.config.path_bits(), pass.path.width());
        let is_known = |row: SubPath<L>| row.present & row.generation.equals(at.generation) & !at.clears;
        let known = self.rows.of_operand(is_known);

        // l + 4
        let in_range = match width > path_bits {
            true => !pass.path.slice(path_bits, width - path_bits).any(),
            false => Bits::lit(1, 1),
        };
        let arrives = pass.arrives & pass.found & open;
        self.unknown.count(arrives & !in_range);
        let path = select(pass.opens, row.generation, pass.path.truncate(path_bits));
        let index = pass.connection.concat(path).truncate(index_width(self.config.sub_paths()));
        let uses = in_range & (arrives | pass.applies) | pass.opens | pass.sweeps;
        self.rows.clock(Access { valid: uses, index }, Bits::lit(1, 1));

        // 2 l + 5
        let one = at.counts.extend(COUNT_WIDTH);
        when(at.valid, || {
            self.rows.modify(SubPath {
                present: at.counts | known,
                generation: at.generation,
                // The sum does not wait for what tells whether the row is known, and this not for a reset of flip-flops.
                packets: (sub_path.packets + one).gate(known) | one.gate(!known),
                time: select(at.counts, time, sub_path.time),
            });
        });
        when(at.reads, || {
            self.state.set(PathState { packets: sub_path.packets, time: sub_path.time });
            self.state_known.set(at.valid & known);
        });

        self.uses.shift(Use {
            valid: uses,
            counts: arrives,
            clears: pass.opens | pass.sweeps,
            reads: pass.applies,
            generation: row.generation,
        });
    }
}
