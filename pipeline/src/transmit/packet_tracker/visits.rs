// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits: one PDC per clock cycle, to find those that are overdue or behind (row D20). With memories of latency `l`:
//!
//! ```text
//!  operation  l + 5      what visits see of its PDC
//!             2 l + 11   to `rows`
//!  visit      0          PDC to `rows`
//!             l + 1      age of *since*, and the time-out; how far is it behind?
//!             l + 2      compare
//!             l + 3      hit: visits stop
//!             l + 4      the scan waits
//! ```

use super::backoff::Wait;
use super::config::PacketTrackerConfig;
use super::pass::Pass;
use super::ports::{RTO_WIDTH, TIMER_WIDTH};
use super::settings::InForce;
use super::timeout::LONGEST;
use super::timers::Timer;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Delay, Logic, Pipeline, Reading, Reg, across, bits, name_nets, select, when};

/// The pipeline of visits.
const VISIT: Pipeline = Pipeline::new("visit");

/// What visits see of a PDC.
#[derive(Bundle)]
pub struct Sight<L: Reading> {
    /// It is open, has PSNs in its window, and has not failed, or backs off.
    pub may: Bits<L>,
    pub since: Bits<L>,
    /// Its time is doubled so often.
    pub doublings: Bits<L>,
    /// The tail of its window may be probed.
    pub may_probe: Bits<L>,
    /// It has a first time of its own, and that.
    pub own: Bits<L>,
    pub of_pdc: Bits<L>,
    /// It backs off, for this time.
    pub waits: Bits<L>,
    pub first: Bits<L>,
    /// PSNs up to and with the highest acknowledged one that have not been examined by span.
    pub unexamined: Bits<L>,
}

/// A visit in step `l` + 2.
#[derive(Bundle)]
#[shape]
struct Compared<L: Reading> {
    may: Bits<L>,
    timed: Bits<L>,
    /// Its age is the largest time-out; it is halved as often as the time-out would be doubled.
    oldest: Bits<L>,
    #[width(TIMER_WIDTH)]
    halved: Bits<L>,
    #[width(RTO_WIDTH)]
    first: Bits<L>,
    behind: Bits<L>,
}

/// The visits.
#[name_nets]
pub struct Visits<L: Logic> {
    config: PacketTrackerConfig,
    /// Steps `l` + 5 to 2 `l` + 11 of an operation.
    sights: Delay<Sight<L>>,
    rows: WriteFirstRam<L, Sight<L>>,
    visiting: Reg<Bits<L>>,
    /// The next PDC.
    next: Reg<Bits<L>>,
    /// Steps 1 to `l` + 3 of visits.
    visits: PipelineRegs<Access<L>>,
    /// Step `l` + 1.
    sight: Reg<Sight<L>>,
    compared: Reg<Compared<L>>,
    /// Step `l` + 3.
    hits: Reg<Bits<L>>,
    /// The scan that waits.
    waits: Reg<Access<L>>,
}

#[name_nets]
impl<L: Logic> Visits<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (flag, l, sight) = (bits(1), config.ram_latency, config.sight());
        let access = Access { valid: flag, index: config.pdc() };
        Visits {
            config,
            sights: Delay::new(&sight, l as usize + 6),
            rows: WriteFirstRam::new(config.pdcs, l, 1, &sight),
            visiting: Reg::starting_at(&flag, Bits::lit(1, 1)).with_reset(),
            next: Reg::new(&config.pdc()).with_reset(),
            visits: PipelineRegs::new(1..=l + 3, &access).checked(VISIT),
            sight: Reg::new(&sight),
            compared: Reg::new(&Compared::shape()),
            hits: Reg::new(&flag),
            waits: Reg::new(&access),
        }
    }

    /// The PDC that has been hit, if its scan has not begun.
    pub fn hit(&self) -> Access<L> {
        self.waits.get()
    }

    /// One clock cycle: the passes in all steps; what visits see of the PDC in step `l` + 5; its timer; no visits while
    /// `busy`; the settings; the head of the scan, or a *lose*, enters; scans are over.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        sight: Sight<L>,
        (time, settings): (Bits<L>, InForce<L>),
        busy: Bits<L>,
        (heads, loses): (Bits<L>, Bits<L>),
        over: Bits<L>,
    ) {
        let l = self.config.ram_latency;
        let (visiting, next, last, waits) =
            (self.visiting.get(), self.next.get(), self.visits.last(), self.waits.get());

        // 2 l + 11 of an operation
        let write = passes[self.config.effect() as usize + 1].any_access();

        // l + 3
        let hits = last.valid & self.hits.get();
        self.waits.set(Access { valid: hits | waits.valid & !heads, index: waits.index });
        when(!waits.valid, || self.waits.set(Access { valid: hits, index: last.index }));
        let visits = visiting & !busy;
        // While a scan waits its end is not that of another one.
        let goes_on = over & !waits.valid;
        self.visiting.set((visiting | goes_on) & !(hits | loses));
        let follows = next + visits.extend(next.width());
        self.next.set((last.index + 1).gate(hits) | follows.gate(!hits));

        // l + 2
        let Compared { may, timed, oldest, halved, first, behind } = self.compared.get();
        let reached = oldest | halved.at_least(first.extend(TIMER_WIDTH));
        self.hits.set(may & (timed & reached | behind));

        // l + 1
        let seen = self.sight.get();
        let first = select(seen.own, seen.of_pdc, settings.first(seen.may_probe));
        let wait = Wait { first: seen.first, doublings: seen.doublings }.time(settings);
        let age = time - seen.since;
        self.compared.set(Compared {
            may: seen.may,
            timed: seen.waits | first.any(),
            oldest: age.at_least(LONGEST),
            halved: age >> seen.doublings,
            first: select(seen.waits, wait, first),
            behind: seen.unexamined.greater(settings.span.extend(self.config.count_bits()) + 1),
        });

        // 0 to l; those behind the one that hits are without effect.
        let ends = across(hits);
        for step in (1..=l + 2).rev() {
            let visit = self.visits.at(step);
            self.visits.set(step + 1, Access { valid: visit.valid & !ends, ..visit });
        }
        self.visits.set(1, Access { valid: visits & !ends, index: next });
        self.sight.set(self.rows.data(0));
        let swept = passes[self.config.records() as usize + 1].sweeps;
        let written = self.sights.get();
        self.rows.clock(&[next], write, written);
        self.sights.shift(Sight { may: sight.may & !swept, ..sight });
    }
}

impl PacketTrackerConfig {
    fn sight(self) -> Sight<rtl_model::Shape> {
        let (flag, Timer { since, .. }, Wait { first, doublings }) = (bits(1), Timer::shape(), Wait::shape());
        let (of_pdc, unexamined) = (bits(RTO_WIDTH), self.count());
        Sight { may: flag, since, doublings, may_probe: flag, own: flag, of_pdc, waits: flag, first, unexamined }
    }
}
