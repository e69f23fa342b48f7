// SPDX-License-Identifier: MIT OR Apache-2.0
//! What changes when the expected PSN moves: packets held, age of the gap, which gaps have been reported, and whether the
//! connection becomes fresh (rows R4, R10, R13 and R15). With memories of latency `l`:
//!
//! ```text
//!  9       connection to `rows`
//!  l + 10  move: packets received, age; is the connection to be queued? gaps reported, horizons
//!  l + 11  packets held; the row to the visits
//! ```
//!
//! The PSNs of a row are in ascending order, with E the expected PSN: E, reported, older, newer, gap_end. Each is at most the
//! window ahead of E, and has no meaning when E or what is reported has passed it; a flag says so.
//!
//! ```text
//!      E   reported   older   newer   gap_end
//!      |......|.......|.......|.......|==========   . some missing  = all received
//!             |       |       |       +-- overtaken by `since_last`
//!             |       |       +-- by `since_newer`
//!             |       +-- by `since_older`
//!             +-- reported
//! ```

use super::config::ReorderConfig;
use super::found::Found;
use super::pass::Pass;
use super::ports::TIME_WIDTH;
use crate::blocks::secded::Upsets;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, name_nets, select, when};

/// Width of the number of repeated reports of a gap (row R14).
const REPEATS_WIDTH: u32 = 2;

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
    /// The expected PSN, the time at which it moved or the gap there was reported last, and how often that was repeated.
    #[width(config.count_bits())]
    pub expected: Bits<L>,
    #[width(TIME_WIDTH)]
    pub since_report: Bits<L>,
    #[width(REPEATS_WIDTH)]
    pub repeats: Bits<L>,
    /// The missing PSNs before this one have been reported. Not before the expected PSN.
    #[width(config.count_bits())]
    pub reported: Bits<L>,
    /// It is the expected PSN.
    pub at_expected: Bits<L>,
    /// The first PSN behind the last gap, and whether PSNs before it may be missing and not reported.
    #[width(config.count_bits())]
    pub gap_end: Bits<L>,
    pub pending: Bits<L>,
    /// When it came.
    #[width(TIME_WIDTH)]
    pub since_last: Bits<L>,
    /// The older horizon and its time; whether something before it may be missing and not reported.
    #[width(config.count_bits())]
    pub older: Bits<L>,
    pub has_older: Bits<L>,
    #[width(TIME_WIDTH)]
    pub since_older: Bits<L>,
    /// The same of the newer one.
    #[width(config.count_bits())]
    pub newer: Bits<L>,
    pub has_newer: Bits<L>,
    #[width(TIME_WIDTH)]
    pub since_newer: Bits<L>,
    /// No gap has begun behind it.
    pub newer_is_last: Bits<L>,
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
        let low = |psn: Bits<L>| psn.truncate(self.config.count_bits());
        let (expected, top) = (low(found.expected), self.config.slot_bits());
        // What is reported is not before the PSN from which on this is asked, and none is more than a window away.
        let passes_reported = self.rows.of_operand(|row| !(expected + !row.reported).bit(top));
        let reaches_reported = self.rows.of_operand(|row| row.reported.equals(expected));
        let from_expected = self.rows.of_operand(|row| row.expected.equals(low(pass.psn)));
        let reaches = |psn: fn(&Progress<L>) -> Bits<L>| self.rows.of_operand(|row| !(expected - psn(&row)).bit(top));
        let reaches_end = reaches(|row| row.gap_end);
        let reaches_older = reaches(|row| row.older);
        let reaches_newer = reaches(|row| row.newer);
        self.rows.clock(passes[9].access(), Bits::lit(1, 1));

        // l + 10
        let age = time - row.since;
        self.age.set(age.gate(found.moves & row.gap));
        let ends = pass.opens | pass.closes;
        let advances = found.moves | found.reports | found.seeks;
        let passes = advances & passes_reported;
        let reaches_expected = select(found.moves, passes | reaches_reported, row.at_expected & !passes);
        let begins = found.jumps & !row.pending;
        let renews = found.renews & row.pending & !row.has_older & !row.newer_is_last;
        let reports_expected = (found.reports & from_expected).named("reports_expected");
        let repeats = (row.repeats + (!row.at_expected).extend(REPEATS_WIDTH)).gate(!row.at_expected);
        let newest = select(found.jumps, low(pass.psn), row.gap_end);
        let next = Progress {
            waits: row.waits ^ fresh,
            received: select(pass.opens, expected, row.received + found.new.extend(row.received.width())),
            since: select(found.moves | found.new & !row.gap, time, row.since),
            gap: select(found.new, found.gap, row.gap & !ends),
            expected: select(pass.checks, row.expected, expected),
            since_report: select(found.moves | reports_expected, time, row.since_report),
            repeats: select(reports_expected, repeats, row.repeats.gate(!found.moves)),
            reported: select(pass.opens | passes, expected, row.reported),
            at_expected: pass.opens | reaches_expected,
            gap_end: newest,
            pending: found.jumps | row.pending & !ends & !(advances & reaches_end),
            older: select(renews, row.newer, row.older),
            has_older: select(renews, row.has_newer, row.has_older & !begins & !ends & !(advances & reaches_older)),
            newer: select(begins | renews, newest, row.newer),
            has_newer: begins | renews | row.has_newer & !ends & !(advances & reaches_newer),
            since_older: select(renews, row.since_newer, row.since_older),
            since_newer: select(begins, time, select(renews, row.since_last, row.since_newer)),
            since_last: select(found.jumps, time, row.since_last),
            newer_is_last: begins | renews | row.newer_is_last & !found.jumps,
        };
        when(pass.valid, || {
            self.rows.modify(next.gate(!pass.sweeps));
        });
    }
}
