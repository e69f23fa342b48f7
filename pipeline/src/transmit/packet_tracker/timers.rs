// SPDX-License-Identifier: MIT OR Apache-2.0
//! The timers (rows D6, D14, D21, D23, D37 and D38). With memories of latency `l`:
//!
//! ```text
//!  2      PDC to `rows`
//!  l + 3  row; age of *since*, and the time-out       PDC to `examined` one step before
//!  l + 4  is the PDC overdue? is it behind?           row of `examined`
//!  l + 5  known
//! ```

use super::config::PacketTrackerConfig;
use super::context::Limits;
use super::pass::Pass;
use super::ports::{RETRIES_WIDTH, TIME_WIDTH, TIMER_WIDTH};
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
    #[width(TIMER_WIDTH)]
    pub since: Bits<L>,
    #[width(RETRIES_WIDTH)]
    pub retries: Bits<L>,
    pub failed: Bits<L>,
    /// The tail has been probed, or there was a time-out, since the base has moved.
    pub probed: Bits<L>,
}

/// The timers of all PDCs.
#[name_nets]
pub struct Timers<L: Logic> {
    config: PacketTrackerConfig,
    rows: RmwTable<L, Timer<L>>,
    /// How many PSNs from the base on scans by span have examined.
    examined: RmwTable<L, Bits<L>>,
    /// Step `l` + 4: the age of *since*; the time-out, if there is one, and whether it is the time up to a probe of the tail.
    age: Reg<Bits<L>>,
    timeout: Reg<Bits<L>>,
    timed: Reg<Bits<L>>,
    probes: Reg<Bits<L>>,
    /// Step `l` + 4: the PDC is opened; by how much the base moves.
    opened: Reg<Bits<L>>,
    moved: Reg<Bits<L>>,
    /// Step `l` + 3 of the end of a scan: the age of the oldest packet in flight.
    oldest_age: Reg<Bits<L>>,
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
            examined: RmwTable::new(config.pdcs, l, &config.count()).compared_early(),
            age: Reg::new(&row.since),
            timeout: Reg::new(&bits(TIMEOUT_WIDTH)),
            timed: Reg::new(&flag),
            probes: Reg::new(&flag),
            opened: Reg::new(&flag),
            moved: Reg::new(&config.count()),
            oldest_age: Reg::new(&bits(TIME_WIDTH)),
            after: Reg::new(&row),
        }
    }

    /// Step `l` + 4: the timer after the pass.
    pub fn timer(&self) -> Timer<L> {
        self.rows.modified()
    }

    /// Step `l` + 5: the timer after the pass, and how many PSNs have been examined by span.
    pub fn after(&self) -> (Timer<L>, Bits<L>) {
        (self.after.get(), self.examined.modified())
    }

    /// Step `l` + 4: what the head of a scan finds, with its settings, in this window.
    pub fn verdict(&self, window: Window<L>, open: Bits<L>, limits: Limits<L>, settings: InForce<L>) -> Verdict<L> {
        let Timer { retries, failed, .. } = self.rows.modified();
        let (age, timeout, waits) = (self.age.get(), self.timeout.get(), limits.waits());
        let limit = limits.timer.settings(settings).retries;
        let some = open & window.length.any();
        let (may, is_last) = (some & !failed, limits.backoff.is_last);
        let is_over = reached(age, timeout);
        let by_backoff = some & waits & !(failed & is_last) & is_over;
        let (runs, probes) = (may & !waits & self.timed.get(), self.probes.get());
        let (by_time, by_tail) = (runs & !probes & is_over, runs & probes & is_over);
        let examined = self.examined.operand();
        let by_span =
            self.config.is_behind(window.top, examined, settings.span) & (may & !(by_time | by_tail | by_backoff));
        Verdict { by_time, by_span, by_tail, by_backoff, is_last, retries, limit, timeout, examined }
    }

    /// One clock cycle: the passes in all steps; the time of that in step `l` + 2, and the time of timers of that in step `l` + 3;
    /// whether the window of that is empty and its last new packet asks for an ACK, its limits after the pass, and whether a backoff begins; the walk; the scan, its settings, and
    /// the head in step `l` + 4: by span, with so many PSNs that are far enough behind.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        (time, now): (Bits<L>, Bits<L>),
        (empty, asks): (Bits<L>, Bits<L>),
        (limits, backs_off): (Limits<L>, Bits<L>),
        walk: Serving<L>,
        scan: &Scan<L>,
        settings: InForce<L>,
        (by_span, behind): (Bits<L>, Bits<L>),
    ) {
        let step = self.config.windows() as usize;

        // l + 4
        let (examined, moved) = (self.examined.operand(), self.moved.get());
        self.examined.clock(passes[3].access(), Bits::lit(1, 1));
        let examines = passes[step + 1].heads & by_span;
        let left = (examined - moved).gate(!examined.less(moved) & !self.opened.get());
        when(passes[step + 1].access().valid, || self.examined.modify(select(examines, behind, left)));
        self.after.set(self.rows.modified());

        // l + 3
        let (pass, row) = (passes[step], self.rows.operand());
        let moves = pass.finishes & walk.moves;
        let opens = pass.finishes & walk.commands & walk.done & walk.opens;
        // What was lost with a path goes over others: their time-outs are counted from here on.
        let loses = pass.finishes & walk.commands & walk.done & walk.loses;
        let result = scan.result();
        // While the PDC waits for the peer to have room, its timer is that of the wait.
        let runs = !limits.waits();
        let completes = pass.completes & result.restarts & runs;
        let resumes = pass.completes & result.is_backoff;
        let starts = pass.news & empty | (moves | loses) & runs | backs_off | resumes;
        let resets = moves | opens | loses;
        let oldest = now - self.oldest_age.get().extend(TIMER_WIDTH);
        let since = select(starts, now, select(completes, select(result.has_oldest, oldest, now), row.since));
        let more =
            row.retries + (pass.completes & result.changes & result.doubles & !row.retries.all()).extend(RETRIES_WIDTH);
        let next = Timer {
            since: since.gate(!opens),
            retries: more.gate(!resets),
            failed: (row.failed | pass.completes & result.fails) & !(moves | opens | loses & walk.revives),
            probed: (row.probed | pass.completes & (result.probes | result.changes)) & !resets,
        };
        self.rows.clock(passes[2].access(), Bits::lit(1, 1));
        when(pass.access().valid, || self.rows.modify(next));
        self.opened.set(opens);
        self.moved.set(walk.cumulative.gate(moves));
        self.oldest_age.set(time - result.oldest);
        self.age.set(now - row.since);
        let own = limits.timer.settings(settings);
        let may_probe = asks & !row.probed;
        let (probes, first) = (own.probes & may_probe, own.first(may_probe));
        self.timeout.set(timeout(limits.first(first, settings), limits.doublings(row.retries)));
        self.timed.set(first.any());
        self.probes.set(probes);
    }
}

impl PacketTrackerConfig {
    /// The first PSN that has not been `examined` is more than *span* behind the highest acknowledged one.
    pub(super) fn is_behind<L: Logic>(self, top: Bits<L>, examined: Bits<L>, span: Bits<L>) -> Bits<L> {
        (top - examined).greater(span.extend(self.count_bits()) + 1)
    }
}
