// SPDX-License-Identifier: MIT OR Apache-2.0
//! The query pipeline. With memories of latency `l`:
//!
//! ```text
//!  step 0        arrive      pair to `last_reported` and `known_view`
//!       l + 1    select      the next known VP, round robin, or the last one of a turn again; a loop of one clock cycle for one
//!                            pair
//!       l + 2    fetch       VP to `reported` and `received_view`; number of answers to `answered_view` for visits
//!       2 l + 3  difference  counts since the last report; a loop of one clock cycle for one VP
//!       2 l + 4  divide      packets of a burst divided by time, seven steps
//!       2 l + 11             report is output
//! ```

use super::ports::{Query, Report};
use super::records::{LastReported, Place, ReceivedView, Reported, answered};
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use crate::elab::rate::Rate;
use crate::elab::sizes::{COUNT_WIDTH, SPORT_WIDTH};
use crate::elab::{BURST_WIDTH, ElabSizes, REPORTED_RATE_WIDTH};
use rtl_model::{Bits, Bundle, Delay, Logic, Pipeline, Reading, Reg, Signal, bits, name_nets, select, when};

/// The pipeline of queries.
const QUERY: Pipeline = Pipeline::new("query");

/// A query up to step `l` + 1, and while its VP is fetched.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
struct QueryStep<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(sizes.pair())]
    pair: Bits<L>,
    /// 1 if the pair exists; while the VP is fetched: 1 if there is a report.
    #[reset]
    ok: Bits<L>,
}

/// A report without its rate, after step 2 `l` + 3.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
struct PartialReport<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(sizes.pair())]
    pair: Bits<L>,
    ok: Bits<L>,
    #[width(SPORT_WIDTH)]
    vp: Bits<L>,
    #[width(COUNT_WIDTH)]
    count: Bits<L>,
    ecn: Bits<L>,
    probed: Bits<L>,
}

/// The query pipeline: reports one VP of a pair, round robin.
#[name_nets]
pub struct Queries<L: Logic> {
    sizes: ElabSizes,
    last_reported: RmwTable<L, LastReported<L>>,
    answered_view: WriteFirstRam<L, Bits<L>>,
    reported: RmwTable<L, Reported<L>>,
    /// Steps 1 to `l` + 1.
    query: PipelineRegs<QueryStep<L>>,
    known_view: Reg<Bits<L>>,
    /// 1 if a row is swept, up to step `l` + 1 of the tables.
    clearing: Delay<Bits<L>>,
    /// Step `l` + 2 to 2 `l` + 3.
    selected: Reg<Place<L>>,
    has_report: Reg<Bits<L>>,
    fetching: Delay<QueryStep<L>>,
    received_view: Reg<ReceivedView<L>>,
    partial_report: Reg<PartialReport<L>>,
    /// Packets of the burst after its first one.
    more_packets: Reg<Bits<L>>,
    span: Reg<Bits<L>>,
    report_delay: Delay<PartialReport<L>>,
    rate: Rate<L>,
    refused: Counter<L>,
    empty: Counter<L>,
}

#[name_nets]
impl<L: Logic> Queries<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (flag, latency) = (bits(1), sizes.ram_latency);
        let (place, Report { vp, count, .. }) = (Place::shape(sizes), Report::shape(sizes));
        let query = QueryStep::shape(sizes);
        let partial_report = PartialReport::shape(sizes);
        let more_packets = bits(BURST_WIDTH);
        let span = ReceivedView::shape().span;
        Queries {
            sizes,
            last_reported: RmwTable::new(sizes.pairs, latency, &LastReported::shape(sizes)),
            answered_view: WriteFirstRam::new(sizes.pairs, latency, 1, &answered(sizes)),
            reported: RmwTable::new(sizes.rows(), latency, &Reported::shape()),
            query: PipelineRegs::new(1..=latency + 1, &query).checked(QUERY),
            known_view: Reg::new(&sizes.each()),
            clearing: Delay::new(&flag, latency as usize + 1).with_reset(),
            selected: Reg::new(&place),
            has_report: Reg::new(&flag).with_reset(),
            fetching: Delay::new(&query, latency as usize + 1),
            received_view: Reg::new(&ReceivedView::shape()),
            partial_report: Reg::new(&partial_report),
            more_packets: Reg::new(&more_packets),
            span: Reg::new(&span),
            report_delay: Delay::new(&partial_report, 7),
            rate: Rate::new(more_packets, sizes.unit, REPORTED_RATE_WIDTH),
            refused: Counter::new(32),
            empty: Counter::new(32),
        }
    }

    /// The report for the query of 2 `l` + 11 clock cycles ago.
    pub fn report(&self) -> Report<L> {
        let PartialReport { valid, pair, ok, vp, count, ecn, probed } = self.report_delay.get();
        Report { valid, pair, ok, vp, count, ecn, probed, rate: self.rate.rate() }
    }

    /// Counters of refused queries, for pairs that do not exist, and of queries without a known VP.
    pub fn refused(&self) -> [Bits<L>; 2] {
        [self.refused.get(), self.empty.get()]
    }

    /// The number of answered queries of the pair that was visited `l` clock cycles ago.
    pub fn answered_view(&self) -> Bits<L> {
        self.answered_view.data(0)
    }

    /// What queries read from the tables of the arrivals: the known VPs of a pair, and the row of a VP.
    pub fn reads(&self, query: Query<L>) -> (Bits<L>, Bits<L>) {
        let Place { pair, vp, .. } = self.selected.get();
        (query.pair, self.sizes.row(pair, vp))
    }

    /// One clock cycle: `busy` is 1 in the sweep, in which `sweeps` may clear a row; `known_view` and `received_view`
    /// were read `l` clock cycles ago; `visited` is the pair that is visited.
    pub fn clock(
        &self,
        query: Query<L>,
        busy: Bits<L>,
        sweeps: (Bits<L>, (Bits<L>, Bits<L>)),
        known_view: Bits<L>,
        received_view: ReceivedView<L>,
        visited: Bits<L>,
    ) {
        let (sweeps, swept) = sweeps;
        let (fetched_query, selected, cleared) = (self.query.last(), self.selected.get(), self.clearing.get());
        let (partial_report, yes) = (self.partial_report.get(), Bits::lit(1, 1));
        let (told, last) = (self.last_reported.operand(), self.reported.operand());

        // 2 l + 4 on
        self.report_delay.shift(partial_report);
        self.rate.clock(partial_report.valid, self.more_packets.get(), self.span.get());

        // 2 l + 3, and the table's own steps
        let index = select(sweeps, self.sizes.row(swept.0, swept.1), self.sizes.row(selected.pair, selected.vp));
        self.reported.clock(Access { valid: sweeps | self.has_report.get(), index }, yes);
        self.make_report(self.fetching.get(), self.received_view.get(), last);
        when(cleared, || self.reported.modify(Reported::zero(&Reported::shape())));

        // l + 2
        let answer = Access { valid: self.has_report.get(), index: selected.pair };
        self.answered_view.clock(&[visited], answer, self.last_reported.modified().answered);

        // l + 2 to 2 l + 2
        self.received_view.set(received_view);
        self.fetching.shift(QueryStep { valid: selected.valid, pair: selected.pair, ok: self.has_report.get() });

        // l + 1
        let asks = query.valid & !busy & self.sizes.index_valid(query.pair);
        let index = select(sweeps, swept.0, query.pair);
        self.last_reported.clock(Access { valid: sweeps | asks, index }, yes);
        let known = self.known_view.get();
        let width = told.vp.width();
        let all = if known.width() == 64 { !0 } else { (1 << known.width()) - 1 };
        let above = known & Bits::lit(known.width(), all & !1) << told.vp;
        let found = |each: Bits<L>| each.first_set().truncate(width);
        let lowest = found(known);
        // The end of a turn. A turn of one report more than there are VPs does not keep step with packets that go round robin over
        // as many paths: with one of them dead, all reports of a VP would be lost.
        let ends = (!above.any() & known.slice_at(told.vp, 1) & lowest.differs(told.vp)).named("turn_ends");
        let twice = (ends & !told.twice).named("reports_twice");
        let next = select(above.any(), found(above), select(twice, told.vp, lowest));
        when(fetched_query.ok, || {
            let any = known.any();
            let answered = told.answered + (any & !twice).extend(told.answered.width());
            let (vp, twice) = (select(any, next, told.vp), select(any, twice, told.twice));
            self.last_reported.modify(LastReported { vp, twice, answered });
        });
        when(cleared, || {
            let (vp, twice) = (Bits::lit(width, 0), Bits::lit(1, 0));
            self.last_reported.modify(LastReported { vp, twice, ..told });
        });
        self.refused.count(fetched_query.valid & !fetched_query.ok);
        self.empty.count(fetched_query.ok & !known.any());
        self.selected.set(Place { valid: fetched_query.valid, pair: fetched_query.pair, vp: next });
        self.has_report.set(fetched_query.ok & known.any());

        // l
        self.known_view.set(known_view);

        // 0 to l
        self.clearing.shift(sweeps);
        self.query.shift(QueryStep { valid: query.valid, pair: query.pair, ok: asks });
    }

    /// Step 2 `l` + 3: the report as a difference of counts.
    fn make_report(&self, at: QueryStep<L>, received_view: ReceivedView<L>, last: Reported<L>) {
        let same = last.generation.equals(received_view.generation).named("same_generation");
        let before = |x: Bits<L>| x & same.extend_signed(x.width());
        let probed = (at.ok & received_view.done & received_view.result_count.differs(before(last.result_count)))
            .named("probed");
        when(at.ok, || {
            let ReceivedView { generation, packets, marked, result_count, .. } = received_view;
            self.reported.modify(Reported { generation, packets, marked, result_count });
        });
        self.partial_report.set(PartialReport {
            valid: at.valid,
            pair: at.pair,
            ok: at.ok,
            vp: received_view.sport.gate(at.ok),
            count: (received_view.packets - before(last.packets)).gate(at.ok),
            ecn: at.ok & received_view.marked.differs(before(last.marked)),
            probed,
        });
        self.more_packets.set((received_view.burst_packets - 1).gate(probed));
        let span = received_view.span;
        self.span.set(span | (!span.any()).extend(span.width()));
    }
}
