// SPDX-License-Identifier: MIT OR Apache-2.0
//! The timers (rows D6, D14, D21 and D23). With memories of latency `l`:
//!
//! ```text
//!  2      PDC to `rows`
//!  l + 3  row; age of *since*, and the time-out       PDC to `suspicions` one step before
//!  l + 4  is the PDC overdue? is it behind?           row of `suspicions`
//!  l + 5  known
//! ```

use super::config::PacketTrackerConfig;
use super::pass::Pass;
use super::ports::{RETRIES_WIDTH, TIME_WIDTH};
use super::scan::{Scan, Verdict};
use super::serving::Serving;
use super::settings::InForce;
use super::timeout::{TIMEOUT_WIDTH, reached, timeout};
use super::window::Window;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// The timer of a PDC.
#[derive(Bundle)]
#[shape]
pub struct Timer<L: Reading> {
    #[width(TIME_WIDTH)]
    pub since: Bits<L>,
    #[width(RETRIES_WIDTH)]
    pub retries: Bits<L>,
    pub failed: Bits<L>,
}

/// The timers of all PDCs.
#[name_nets]
pub struct Timers<L: Logic> {
    config: PacketTrackerConfig,
    rows: RmwTable<L, Timer<L>>,
    /// Whether a PDC has been scanned by span since its base moved.
    suspicions: RmwTable<L, Bits<L>>,
    /// Step `l` + 4: the age of *since*, and the time-out.
    age: Reg<Bits<L>>,
    timeout: Reg<Bits<L>>,
    /// Step `l` + 4: the base moves, or the PDC is opened.
    clears: Reg<Bits<L>>,
    /// Step `l` + 5: the timer after the pass.
    after: Reg<Timer<L>>,
}

#[name_nets]
impl<L: Logic> Timers<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (flag, row, l) = (bits(1), Timer::shape(), config.ram_latency);
        Timers {
            config,
            rows: RmwTable::new(config.pdcs, l, &row).compared_early(),
            suspicions: RmwTable::new(config.pdcs, l, &flag).compared_early(),
            age: Reg::new(&row.since),
            timeout: Reg::new(&bits(TIMEOUT_WIDTH)),
            clears: Reg::new(&flag),
            after: Reg::new(&row),
        }
    }

    /// Step `l` + 4: the timer after the pass.
    pub fn timer(&self) -> Timer<L> {
        self.rows.modified()
    }

    /// Step `l` + 5: the timer after the pass, and whether the PDC is suspected.
    pub fn after(&self) -> (Timer<L>, Bits<L>) {
        (self.after.get(), self.suspicions.modified())
    }

    /// Step `l` + 4: what the head of a scan finds, with its settings, in this window.
    pub fn verdict(&self, window: Window<L>, open: Bits<L>, settings: InForce<L>) -> Verdict<L> {
        let Timer { retries, failed, .. } = self.rows.modified();
        let (age, timeout) = (self.age.get(), self.timeout.get());
        let may = open & window.length.any() & !failed;
        let by_time = may & settings.rto.any() & reached(age, timeout);
        let far = self.config.is_behind(window.top, settings.span);
        let by_span = may & far & !by_time & !self.suspicions.operand();
        Verdict { by_time, by_span, retries, timeout }
    }

    /// One clock cycle: the passes in all steps, and the time of that in step `l` + 3; whether its window is empty; the
    /// walk; the scan, its settings, and the head in step `l` + 4.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        (now, empty): (Bits<L>, Bits<L>),
        walk: Serving<L>,
        scan: &Scan<L>,
        settings: InForce<L>,
        by_span: Bits<L>,
    ) {
        let step = self.config.windows() as usize;

        // l + 4
        let suspected = self.suspicions.operand();
        self.suspicions.clock(passes[3].access(), Bits::lit(1, 1));
        let suspects = passes[step + 1].heads & by_span;
        when(passes[step + 1].access().valid, || {
            self.suspicions.modify((suspected | suspects) & !self.clears.get());
        });
        self.after.set(self.rows.modified());

        // l + 3
        let (pass, row) = (passes[step], self.rows.operand());
        let moves = pass.finishes & walk.moves;
        let opens = pass.finishes & walk.commands & walk.done & walk.opens;
        let result = scan.result();
        let completes = pass.completes & result.changes;
        let starts = pass.news & empty | moves;
        let resets = moves | opens;
        let since = select(starts, now, select(completes, select(result.has_oldest, result.oldest, now), row.since));
        let more = row.retries + (completes & result.doubles & !row.retries.all()).extend(RETRIES_WIDTH);
        let next = Timer {
            since: since.gate(!opens),
            retries: more.gate(!resets),
            failed: (row.failed | completes & result.fails) & !resets,
        };
        self.rows.clock(passes[2].access(), Bits::lit(1, 1));
        when(pass.access().valid, || self.rows.modify(next));
        self.clears.set(resets);
        self.age.set(now - row.since);
        self.timeout.set(timeout(settings.rto, row.retries));
    }
}

impl PacketTrackerConfig {
    /// The first PSN is more than *span* behind the highest acknowledged one.
    pub(super) fn is_behind<L: Logic>(self, top: Bits<L>, span: Bits<L>) -> Bits<L> {
        top.greater(span.extend(self.count_bits()) + 1)
    }
}
