// SPDX-License-Identifier: MIT OR Apache-2.0
//! A counter of flits for each other group (row LR2): a free-running one, so that entering and leaving flits never meet. With
//! memories of latency `l`:
//!
//! ```text
//!  0        the event: how many groups behind the own one? less 1, and negative for groups before it
//!  1        the row
//!  2        to the table               l + 3  sum               l + 4  to the copy that the sweep reads
//! ```

use super::config::LiaRouterConfig;
use super::ports::{FLITS_WIDTH, Flits};
use crate::blocks::bounds::exists;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// How far a group is behind another one, less 1, before it is known whether that is negative.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Distance<L: Reading> {
    #[shape(bits(config.group().bits() + 1))]
    pub less_one: Bits<L>,
}

#[name_nets]
impl<L: Logic> Distance<L> {
    /// From the own group.
    pub fn between(group: Bits<L>, own: Bits<L>) -> Self {
        let width = group.width() + 1;
        Distance { less_one: group.extend(width) - own.extend(width) - 1 }
    }

    /// Modulo the number of groups: the row of the group, and the last number but for the own group itself.
    pub fn row(self, config: LiaRouterConfig) -> Bits<L> {
        let (number, width) = (self.less_one, self.less_one.width());
        let groups = Bits::lit(width, config.groups());
        (number + groups.gate(number.bit(width - 1))).truncate(width - 1)
    }
}

/// An event for another group.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Arrival<L: Reading> {
    #[reset]
    valid: Bits<L>,
    distance: Distance<L>,
    #[width(FLITS_WIDTH)]
    flits: Bits<L>,
}

/// What happens to a row.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Change<L: Reading> {
    #[shape(Access::shape(config.rows()))]
    access: Access<L>,
    /// The row is cleared.
    #[reset]
    clears: Bits<L>,
    #[width(FLITS_WIDTH)]
    flits: Bits<L>,
}

/// The counters of one kind of event.
#[name_nets]
pub struct Flow<L: Logic> {
    config: LiaRouterConfig,
    arrival: Reg<Arrival<L>>,
    /// Steps 2 to `l` + 4.
    changes: PipelineRegs<Change<L>>,
    rows: RmwTable<L, Bits<L>>,
    copy: WriteFirstRam<L, Bits<L>>,
    /// There is no such group.
    unknown: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Flow<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        let (rows, l) = (config.rows(), config.ram_latency);
        Flow {
            config,
            arrival: Reg::new(&Arrival::shape(config)),
            changes: PipelineRegs::new(2..=l + 4, &Change::shape(config)),
            rows: RmwTable::new(rows, l, &config.load()).compared_early(),
            copy: WriteFirstRam::new(rows, l, 1, &config.load()),
            unknown: Reg::new(&bits(1)).with_reset(),
        }
    }

    /// The counter of the visit in step `l`.
    pub fn count(&self) -> Bits<L> {
        self.copy.data(0)
    }

    /// The event of the clock cycle before was for a group that does not exist.
    pub fn unknown(&self) -> Bits<L> {
        self.unknown.get()
    }

    /// One clock cycle: an event, unless there is none to be taken; a row that is cleared; the visit in step 0.
    pub fn clock(&self, event: Flits<L>, taken: Bits<L>, own: Bits<L>, clears: Access<L>, visited: Bits<L>) {
        let (config, l) = (self.config, self.config.ram_latency);
        let (arrival, sum, last) = (self.arrival.get(), self.changes.at(l + 3), self.changes.last());
        let counter = self.rows.operand();

        // l + 4
        self.copy.clock(&[visited], last.access, self.rows.modified());
        // 2 to l + 3
        self.rows.clock(self.changes.at(2).access, Bits::lit(1, 1));
        when(sum.access.valid, || {
            let flits = sum.flits;
            self.rows.modify((counter + super::links::resized(flits, counter.width())).gate(!sum.clears));
        });
        // 1
        let row = arrival.distance.row(config).truncate(config.row().bits());
        let index = select(clears.valid, clears.index, row);
        let access = Access { valid: arrival.valid | clears.valid, index };
        self.changes.shift(Change { access, clears: clears.valid, flits: arrival.flits });
        // 0
        let known = exists(event.group, config.groups());
        let counted = event.valid & taken & known & event.group.differs(own);
        let distance = Distance::between(event.group, own);
        self.arrival.set(Arrival { valid: counted, distance, flits: event.flits });
        self.unknown.set(event.valid & taken & !known);
    }
}
