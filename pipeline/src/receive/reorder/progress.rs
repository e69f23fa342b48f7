// SPDX-License-Identifier: MIT OR Apache-2.0
//! What changes when the expected PSN moves: packets held, age of the gap, whether it has been reported, and whether the
//! connection becomes fresh (rows R4, R10, R13 and R15). With memories of latency `l`:
//!
//! ```text
//!  9       connection to `rows`
//!  l + 10  move: packets received, age; is the connection to be queued?
//!  l + 11  packets held; the row to the visits
//! ```

use super::config::ReorderConfig;
use super::found::Found;
use super::pass::Pass;
use super::ports::TIME_WIDTH;
use crate::blocks::secded::Upsets;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, name_nets, select, when};

/// The row of a connection.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Progress<L: Reading> {
    /// Differs from the bit of the turns while the connection waits for one.
    pub waits: Bits<L>,
    /// The first PSN plus the number of packets received.
    #[width(config.count_bits())]
    pub received: Bits<L>,
    /// Time at which the expected PSN moved last, or the gap began.
    #[width(TIME_WIDTH)]
    pub since: Bits<L>,
    /// Packets are held, and the connection is open.
    pub gap: Bits<L>,
    /// The expected PSN is in a gap that has been reported.
    pub reported: Bits<L>,
    /// The first PSN behind this gap.
    #[width(config.count_bits())]
    pub reported_end: Bits<L>,
}

/// Progress of all connections.
#[name_nets]
pub struct ProgressTable<L: Logic> {
    config: ReorderConfig,
    rows: RmwTable<L, Progress<L>>,
    /// Step `l` + 11: age of the gap of which the first packet has come, or 0.
    age: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> ProgressTable<L> {
    pub fn new(config: ReorderConfig) -> Self {
        let (flag, count, time) = (bits(1), bits(config.count_bits()), bits(TIME_WIDTH));
        let row = Progress::shape(config);
        ProgressTable {
            config,
            rows: RmwTable::new(config.connections, config.ram(), &row).compared_early(),
            age: Reg::new(&time),
        }
    }

    /// 1 if the pass in step `l` + 10 makes its connection wait for a turn; `turn_waits` is the bit of the turns.
    pub fn becomes_fresh(&self, found: Found<L>, turn_waits: Bits<L>) -> Bits<L> {
        found.moves & self.rows.operand().waits.equals(turn_waits)
    }

    /// The row of the pass in step `l` + 11.
    pub fn row(&self) -> Progress<L> {
        self.rows.modified()
    }

    /// Age of the gap of which the pass in step `l` + 11 is the first packet, or 0.
    pub fn age(&self) -> Bits<L> {
        self.age.get()
    }

    /// What was wrong with rows that have been used.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        self.rows.upsets()
    }

    /// One clock cycle: the passes in all steps, and what has been found of that in step `l` + 10; `fresh` is
    /// [`Self::becomes_fresh`].
    pub fn clock(&self, passes: &[Pass<L>], found: Found<L>, fresh: Bits<L>, time: Bits<L>) {
        let (pass, row) = (passes[self.config.move_step() as usize], self.rows.operand());
        let expected = found.expected.truncate(self.config.count_bits());
        // The end of the gap is at most a window ahead of the expected PSN, or behind it.
        let is_passed = self.rows.of_operand(|row| (row.reported_end + !expected).bit(self.config.slot_bits()));
        self.rows.clock(passes[9].access(), Bits::lit(1, 1));

        // l + 10
        let age = time - row.since;
        self.age.set(age.gate(found.moves & row.gap));
        let passed = found.moves & is_passed;
        let restarts = found.moves | !row.gap;
        let arrival = Progress {
            waits: row.waits ^ fresh,
            received: row.received + 1,
            since: select(restarts, time, row.since),
            gap: found.gap,
            reported: row.reported & !passed,
            reported_end: row.reported_end,
        };
        let other = Progress {
            received: select(pass.opens, expected, row.received),
            gap: row.gap & !pass.opens & !pass.closes,
            reported: (row.reported & !pass.opens & !pass.closes) | found.confirms,
            reported_end: select(found.confirms, expected, row.reported_end),
            ..row
        };
        let next = select(found.new, arrival, other);
        when(pass.valid, || {
            self.rows.modify(next.gate(!pass.sweeps));
        });
    }
}
