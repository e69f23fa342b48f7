// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits to all pairs in turn: which of them need a report of their own (rows W12 to W14). With memories of latency
//! `l`:
//!
//! ```text
//!  cycle v          visit    a pair to `pair_view`, `answered_view` and `seen`; in v + 1 to `waiting`
//!        v + l      read     both views to registers
//!        v + l + 1  compare  the views with `seen`, which is as they are from then on
//!        v + l + 2  decide   reports the pair waits for, since when, whether it is due
//!        v + l + 3           a pair that is due is output
//! ```
//!
//! Compare and decide are loops of one clock cycle each, because a single pair is visited in every clock cycle. A visit
//! sees the queries of cycle v - `l` - 2, but only the arrivals of cycle v - 2 `l` - 3, so that every query it has not
//! seen could report them (W5). Arrivals and answered queries are counted
//! modulo more than `pairs`, the most that come from one visit of a pair to the next. The sweep enters as visits, which
//! take over the counts and clear the rest.

use super::ports::Due;
use super::records::{PairView, VisitView, answered};
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable};
use crate::elab::recent::Recent;
use crate::elab::{ElabSizes, TIME_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, Signal, bits, name_nets, select, when};

/// The pipeline of visits.
const VISIT: Pipeline = Pipeline::new("visit");

/// A visit, or the sweep of a pair.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
struct Visit<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// 1 if the pair is swept.
    clears: Bits<L>,
    #[shape(sizes.pair())]
    pair: Bits<L>,
}

/// Counts of a pair at its last visit.
#[derive(Bundle)]
struct Seen<L: Reading> {
    arrived: Bits<L>,
    answered: Bits<L>,
}

/// What has come since the last visit.
#[derive(Bundle)]
struct Change<L: Reading> {
    /// Number of known VPs now.
    known: Bits<L>,
    /// 1 if there was an arrival.
    arrived: Bits<L>,
    /// Number of answered queries, at most that of VPs.
    answered: Bits<L>,
}

/// The state of a pair (row W13).
#[derive(Bundle)]
struct Waiting<L: Reading> {
    /// Number of reports for which it waits.
    reports: Bits<L>,
    /// Clock cycle from which it waits, modulo 2^24.
    since: Bits<L>,
    due: Bits<L>,
}

/// Finds the pairs for which a packet is to be sent for the report alone.
#[name_nets]
pub struct Visits<L: Logic> {
    sizes: ElabSizes,
    /// The next pair.
    next: Reg<Bits<L>>,
    /// Steps 1 to `l` + 2.
    visit: PipelineRegs<Visit<L>>,
    /// Clock cycle of the visit in step `l` + 1, modulo 2^24.
    time: Reg<Bits<L>>,
    view: Reg<VisitView<L>>,
    seen: RmwTable<L, Seen<L>>,
    /// Step `l` + 2.
    change: Reg<Change<L>>,
    recent: Reg<Recent<L>>,
    /// 1 if reports of their own are wanted.
    enabled: Reg<Bits<L>>,
    waiting: RmwTable<L, Waiting<L>>,
    due: Reg<Due<L>>,
}

#[name_nets]
impl<L: Logic> Visits<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (flag, latency, pair) = (bits(1), sizes.ram_latency, sizes.pair());
        let (PairView { known, arrived }, answered) = (PairView::shape(sizes), answered(sizes));
        let waiting = Waiting { reports: known, since: bits(TIME_WIDTH), due: flag };
        // -(l + 1)
        let start = Bits::lit(TIME_WIDTH, (1 << TIME_WIDTH) - u64::from(latency + 1));
        Visits {
            sizes,
            next: Reg::new(&pair).with_reset(),
            visit: PipelineRegs::new(1..=latency + 2, &Visit::shape(sizes)).checked(VISIT),
            time: Reg::starting_at(&bits(TIME_WIDTH), start).with_reset(),
            view: Reg::new(&VisitView { pair: PairView::shape(sizes), answered }),
            seen: RmwTable::new(sizes.pairs, latency, &Seen { arrived, answered }),
            change: Reg::new(&Change { known, arrived: flag, answered: known }),
            recent: Reg::new(&Recent::shape()),
            enabled: Reg::new(&flag),
            waiting: RmwTable::new(sizes.pairs, latency, &waiting),
            due: Reg::new(&Due::shape(sizes)),
        }
    }

    /// The pair for which a packet is to be sent.
    pub fn due(&self) -> Due<L> {
        self.due.get()
    }

    /// The pair that is visited in this clock cycle, or swept if `sweeps`.
    pub fn pair(&self, sweeps: (Bits<L>, (Bits<L>, Bits<L>))) -> Bits<L> {
        let (sweeps, (swept, _)) = sweeps;
        select(sweeps, swept, self.next.get())
    }

    /// One clock cycle: `busy` is 1 in the sweep, in which `sweeps` may clear a row; `view` was read `l` clock cycles
    /// ago; `ready` is that of the output.
    pub fn clock(
        &self,
        busy: Bits<L>,
        sweeps: (Bits<L>, (Bits<L>, Bits<L>)),
        view: VisitView<L>,
        report_time: Bits<L>,
        ready: Bits<L>,
    ) {
        let (pair, next, latency) = (self.pair(sweeps), self.next.get(), self.sizes.ram_latency);
        let (time, yes) = (self.time.get(), Bits::lit(1, 1));
        let (entered, compared, decided) = (self.visit.at(1), self.visit.at(latency + 1), self.visit.last());
        let (seen, waiting) = (self.seen.operand(), self.waiting.operand());

        // 1, and the table's own steps
        self.waiting.clock(Access { valid: entered.valid, index: entered.pair }, yes);

        // l + 2
        self.decide(decided, self.change.get(), waiting, ready);

        // 0, and the table's own steps
        let entering = Visit { valid: sweeps.0 | !busy, clears: sweeps.0, pair };
        self.seen.clock(Access { valid: entering.valid, index: pair }, yes);

        // l + 1
        self.compare(compared, seen);
        self.recent.set(Recent::of(time, report_time));
        self.enabled.set(report_time.any());

        // l
        self.view.set(view);

        // 0 to l + 1
        self.visit.shift(entering);
        self.next.set((next + 1).gate(!(busy | next.equals(self.sizes.pairs - 1))));
        self.time.set(time + 1);
    }

    /// Step `l` + 1: what has come since the last visit.
    fn compare(&self, visit: Visit<L>, seen: Seen<L>) {
        let VisitView { pair: PairView { known, arrived }, answered } = self.view.get();
        let ElabSizes { pairs, vps, .. } = self.sizes;
        let more = answered - seen.answered;
        // No pair waits for more reports than it has VPs.
        let limited = match pairs > vps {
            true => select(more.at_least(vps), Bits::lit(more.width(), vps), more).truncate(known.width()),
            false => more.extend(known.width()),
        };
        when(visit.valid, || self.seen.modify(Seen { arrived, answered }));
        self.change.set(Change { known, arrived: arrived.differs(seen.arrived), answered: limited });
    }

    /// Step `l` + 2: the steps (1) to (4) of row W13, and the output (row W14).
    fn decide(&self, visit: Visit<L>, change: Change<L>, waiting: Waiting<L>, ready: Bits<L>) {
        let (recent, due) = (self.recent.get(), self.due.get());
        let answered = change.answered.any();
        // From comparisons, which do not wait for the difference.
        let more = waiting.reports.greater(change.answered).named("reports_missing");
        let waits = change.known.any() & (change.arrived | more);
        let left = (waiting.reports - change.answered).gate(more);
        let reports = select(change.arrived, change.known, left).gate(change.known.any());
        let starts = answered | change.arrived & !more;
        let elapsed = !starts & !recent.has(waiting.since);
        let is_due = (waiting.due & !answered | elapsed) & waits & self.enabled.get();
        let outputs = (visit.valid & !visit.clears & is_due & (!due.valid | ready)).named("outputs_pair");
        when(visit.valid, || {
            let since = select(starts | outputs, recent.time, waiting.since);
            let row = Waiting { reports, since, due: is_due & !outputs };
            self.waiting.modify(row.gate(!visit.clears));
        });
        when(outputs, || self.due.set(Due { valid: Bits::lit(1, 1), pair: visit.pair }))
            .or_when(ready, || self.due.set(Due { valid: Bits::lit(1, 0), ..due }));
    }
}
