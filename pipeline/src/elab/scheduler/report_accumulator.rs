// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports, commands and the sweep: one event per clock cycle, in order. Packets of a VP are accumulated here until its
//! next update (rows V8 to V10); what a report indicates goes on at once (V12). With memories of latency `l`:
//!
//! ```text
//!  step 0      VP to `reports` and `packets_view`
//!       l + 1  does the port match, is an update due, does it answer or deny; a loop of one clock cycle for one VP
//!       l + 2  result to `bandwidth_estimator`
//! ```

use super::ports::{Command, Report, op};
use super::records::PacketUpdate;
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use crate::elab::recent::Recent;
use crate::elab::{COUNT_WIDTH, ElabSizes, RATE_WIDTH, REPORTED_RATE_WIDTH, SPORT_WIDTH, TIME_WIDTH};
use rtl_model::{
    Bits, Bundle, Constant, Logic, Pipeline, Reading, Reg, Shape, Signal, bits, constant, name_nets, select, when,
};

/// The pipeline of reports.
const REPORT: Pipeline = Pipeline::new("report");

/// The event of a clock cycle: a report, a command or the sweep of a row.
#[derive(Bundle)]
struct Event<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// 1 if a row is swept.
    clears: Bits<L>,
    /// 1 if the event is the command of the command port.
    is_command: Bits<L>,
    pair: Bits<L>,
    vp: Bits<L>,
    /// 1 if the pair exists.
    index_valid: Bits<L>,
    /// UDP source port of the report or command.
    sport: Bits<L>,
    count: Bits<L>,
    /// 1 if the count is above 0.
    counts: Bits<L>,
    ecn: Bits<L>,
    probed: Bits<L>,
    rate: Bits<L>,
}

/// Port of a VP, and the packets reported since its last update.
#[derive(Bundle)]
struct AccumulatedReport<L: Reading> {
    present: Bits<L>,
    sport: Bits<L>,
    count: Bits<L>,
    /// Time of the last update, in units.
    from: Bits<L>,
    /// The bit of its packets that its last report answered.
    answered: Bits<L>,
    /// 1 if a report since then has denied that any has come.
    denied: Bits<L>,
}

/// What reports see of the packets of a VP: their bit, whether it is dead, and whether one has asked, unless it is answered.
#[derive(Bundle)]
#[shape]
struct Packets<L: Reading> {
    sent: Bits<L>,
    dead: Bits<L>,
    asks: Bits<L>,
}

/// What changes a VP, a command or the sweep of its row.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct VpEvent<L: Reading> {
    /// 1 if there is an update, an indication, a command or the sweep of a row.
    #[reset]
    pub valid: Bits<L>,
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
    #[shape(sizes.vp())]
    pub vp: Bits<L>,
    /// 1 if there is such a row: not for a command whose pair does not exist.
    pub has_row: Bits<L>,
    /// 1 if the rate of the VP is updated, with the packets of [`Span`].
    pub updates: Bits<L>,
    /// 1 if its report has E set.
    pub ecn: Bits<L>,
    /// 1 if its report has B set: a burst was measured.
    pub probed: Bits<L>,
    /// Rate of the burst: packets per unit, 16 fraction bits.
    #[width(RATE_WIDTH)]
    pub rate: Bits<L>,
    pub adds: Bits<L>,
    /// 1 if the VP is removed or its row is swept.
    pub clears: Bits<L>,
    /// 1 if the event is the command of the command port.
    pub is_command: Bits<L>,
    /// 1 if the command was done.
    pub done: Bits<L>,
    pub present: Bits<L>,
    #[width(SPORT_WIDTH)]
    pub sport: Bits<L>,
    /// 1 if the report is the first one after a packet that says of some packets.
    pub answers: Bits<L>,
    /// 1 if it is the first one after a packet that asks, and says of none.
    pub denies: Bits<L>,
    /// The bit of the packets that the last report answered, and whether one since then has denied.
    pub answered: Bits<L>,
    pub denied: Bits<L>,
    /// 1 if the VP is dead.
    pub dead: Bits<L>,
    /// 1 if it was dead and has returned.
    #[reset]
    pub returns: Bits<L>,
}

#[name_nets]
impl<L: Logic> VpEvent<L> {
    /// 1 if requests see a change of the VP.
    pub fn changes(&self) -> Bits<L> {
        self.updates | self.ecn | self.probed | self.answers | self.denies | self.adds | self.clears
    }
}

/// Accumulated packets, and the time in which they came.
#[derive(Bundle)]
#[shape]
pub struct Span<L: Reading> {
    #[width(COUNT_WIDTH)]
    pub count: Bits<L>,
    #[width(TIME_WIDTH)]
    pub units: Bits<L>,
}

/// Shapes of an event and its span.
pub fn vp_event(sizes: ElabSizes) -> (VpEvent<Shape>, Span<Shape>) {
    (VpEvent::shape(sizes), Span::shape())
}

/// The report pipeline: accumulates the reports of each VP until its next update.
#[name_nets]
pub struct ReportAccumulator<L: Logic> {
    sizes: ElabSizes,
    reports: RmwTable<L, AccumulatedReport<L>>,
    /// Packets of each VP, as the request side has them.
    packets_view: WriteFirstRam<L, Packets<L>>,
    /// Those of the event in step `l` + 1.
    packets: Reg<Packets<L>>,
    /// Steps 1 to `l` + 1, in which the row is there.
    event: PipelineRegs<Event<L>>,
    /// Times of the last update for which the next one is not due.
    update_window: Reg<Recent<L>>,
    /// The event in step `l` + 2: what happens to the VP.
    vp_event: Reg<VpEvent<L>>,
    span: Reg<Span<L>>,
    refused: Counter<L>,
    absent: Counter<L>,
    returns: Counter<L>,
}

#[name_nets]
impl<L: Logic> ReportAccumulator<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (vp_event, span) = vp_event(sizes);
        let (flag, sport) = (bits(1), bits(SPORT_WIDTH));
        let event = Event {
            valid: flag,
            clears: flag,
            is_command: flag,
            pair: sizes.pair(),
            vp: sizes.vp(),
            index_valid: flag,
            sport,
            count: span.count,
            counts: flag,
            ecn: flag,
            probed: flag,
            rate: vp_event.rate,
        };
        let row = AccumulatedReport {
            present: flag,
            sport,
            count: span.count,
            from: span.units,
            answered: flag,
            denied: flag,
        };
        let latency = sizes.ram_latency;
        ReportAccumulator {
            sizes,
            reports: RmwTable::new(sizes.rows(), latency, &row),
            packets_view: WriteFirstRam::new(sizes.rows(), latency, 1, &Packets::shape()),
            packets: Reg::new(&Packets::shape()),
            event: PipelineRegs::new(1..=latency + 1, &event).checked(REPORT),
            update_window: Reg::new(&Recent::shape()),
            vp_event: Reg::new(&vp_event),
            span: Reg::new(&span),
            refused: Counter::new(32),
            absent: Counter::new(32),
            returns: Counter::new(32),
        }
    }

    /// The event that entered `l` + 2 clock cycles ago, and the packets of an update.
    pub fn vp_event(&self) -> (VpEvent<L>, Span<L>) {
        (self.vp_event.get(), self.span.get())
    }

    /// Counters of reports for pairs that do not exist, of VPs that are not present, and of dead VPs that have returned.
    pub fn counters(&self) -> [Bits<L>; 3] {
        [self.refused.get(), self.absent.get(), self.returns.get()]
    }

    /// One clock cycle: the sweep of a row if `sweeps`, else the command if `is_command`, else a report.
    pub fn clock(
        &self,
        report: Report<L>,
        sweeps: (Bits<L>, (Bits<L>, Bits<L>)),
        is_command: Bits<L>,
        operation: &Command<L>,
        (time, window): (Bits<L>, Bits<L>),
        packet_update: PacketUpdate<L>,
    ) {
        let (sweeps, swept) = sweeps;
        let (event, row) = (self.event.last(), self.reports.operand());

        // 0, and the table's own steps
        let sport = select(is_command, operation.sport, report.vp);
        let pair = select(sweeps, swept.0, select(is_command, operation.pair, report.pair));
        let vp = select(sweeps, swept.1, sport.truncate(self.sizes.vp_bits()));
        let (rate, more) = (report.rate.truncate(RATE_WIDTH), REPORTED_RATE_WIDTH - RATE_WIDTH);
        let entering = Event {
            valid: sweeps | is_command | report.valid,
            clears: sweeps,
            is_command,
            pair,
            vp,
            index_valid: self.sizes.index_valid(pair),
            sport,
            count: report.count,
            counts: report.count.any(),
            ecn: report.ecn,
            probed: report.probed,
            rate: rate | report.rate.slice(RATE_WIDTH, more).any().extend_signed(RATE_WIDTH),
        };
        let asks = Access { valid: entering.valid & entering.index_valid, index: self.sizes.row(pair, vp) };
        self.reports.clock(asks, Bits::lit(1, 1));

        // l + 1
        self.decide(event, row, operation);

        // l, and the steps of the view
        self.packets.set(self.packets_view.data(0));
        let PacketUpdate { valid, pair, vp, sent, dead, asks: asked } = packet_update;
        let write = Access { valid, index: self.sizes.row(pair, vp) };
        self.packets_view.clock(&[asks.index], write, Packets { sent, dead, asks: asked });
        self.update_window.set(Recent::of(time, window));
        self.event.shift(entering);
    }

    /// Step `l` + 1: the new row, and whether an update is due.
    fn decide(&self, event: Event<L>, row: AccumulatedReport<L>, command: &Command<L>) {
        let update_window = self.update_window.get();
        let vp_matches = (event.index_valid & row.present & row.sport.equals(event.sport)).named("vp_matches");
        let reports = event.valid & !event.clears & !event.is_command;
        self.refused.count(reports & !event.index_valid);
        self.absent.count(reports & event.index_valid & !vp_matches);

        let sum = row.count.extend(COUNT_WIDTH + 1) + event.count.extend(COUNT_WIDTH + 1);
        let count = sum.truncate(COUNT_WIDTH) | sum.bit(COUNT_WIDTH).extend_signed(COUNT_WIDTH);
        let due = (!update_window.has(row.from)).named("due");
        let updates = reports & vp_matches & due;

        let is = |code: Constant| event.is_command & event.index_valid & command.op.equals(code);
        let adds = is(constant!(op::ADD)) & !row.present & command.bandwidth.any();
        let removes = is(constant!(op::REMOVE)) & vp_matches;
        let begins = updates | adds;
        let reported = reports & vp_matches;
        let after = AccumulatedReport {
            present: row.present | adds,
            sport: select(adds, event.sport, row.sport),
            count: select(reported, count, row.count).gate(!begins),
            from: select(begins, update_window.time, row.from),
            ..row
        };
        let clears = event.clears | removes;
        let packets = self.packets.get();
        let unanswered = (packets.sent ^ row.answered).named("unanswered");
        let says = (event.counts & unanswered).named("says");
        let says_none = (!event.counts & unanswered & packets.asks & !row.denied).named("says_none");
        let (answers, denies) = (reported & says, reported & says_none);
        let ends = answers | adds;
        let after = AccumulatedReport {
            answered: select(ends, packets.sent, row.answered),
            denied: (row.denied | denies).gate(!ends),
            ..after
        };
        let returns = (answers & packets.dead).named("returns");
        self.returns.count(returns);
        when(event.valid & event.index_valid, || {
            self.reports.modify(after.gate(!clears));
        });
        self.span.set(Span { count, units: update_window.time - row.from });
        let (ecn, probed) = (reported & event.ecn, reported & event.probed);
        self.vp_event.set(VpEvent {
            valid: event.valid & (event.clears | event.is_command)
                | reported & (due | event.ecn | event.probed | says | says_none),
            pair: event.pair,
            vp: event.vp,
            has_row: event.index_valid,
            updates,
            ecn,
            probed,
            rate: event.rate,
            adds,
            clears,
            is_command: event.is_command,
            done: adds | removes | is(constant!(op::READ)),
            present: event.index_valid & after.present & !clears,
            sport: after.sport,
            answers,
            denies,
            answered: after.answered.gate(!clears),
            denied: after.denied.gate(!clears),
            dead: packets.dead & (packets.sent ^ after.answered),
            returns,
        });
    }
}
