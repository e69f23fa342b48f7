// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports, commands and the sweep: one event per clock cycle, in order. Reports of a VP are accumulated here until its
//! next update (rows V8 to V10). With memories of latency `l`:
//!
//! ```text
//!  step 0      VP to `reports`
//!       l + 1  does the port match, is an update due; a loop of one clock cycle for one VP
//!       l + 2  result to `bandwidth_estimator`
//! ```

use super::ports::{Control, Report, op};
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable};
use crate::elab::{COUNT_WIDTH, ElabSizes, RATE_WIDTH, REPORTED_RATE_WIDTH, SPORT_WIDTH, TIME_WIDTH};
use rtl_model::{Bits, Bundle, Constant, Logic, Reading, Reg, Shape, Signal, bits, constant, name_nets, select, when};

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
    ecn: Bits<L>,
    probed: Bits<L>,
    rate: Bits<L>,
}

/// Port of a VP, and its reports accumulated since the last update.
#[derive(Bundle)]
struct AccumulatedReport<L: Reading> {
    present: Bits<L>,
    sport: Bits<L>,
    count: Bits<L>,
    /// Time of the last update, in units.
    from: Bits<L>,
    indication: Indication<L>,
}

/// The last indication of a VP; at most one of the two flags is 1.
#[derive(Bundle)]
pub struct Indication<L: Reading> {
    /// The last report with an indication had E set.
    pub ecn: Bits<L>,
    /// The last report with an indication had B set: a burst was measured.
    pub probed: Bits<L>,
    /// Rate of the measured burst: packets per unit, 16 fraction bits; valid if `probed`.
    pub rate: Bits<L>,
}

/// An update, command or sweep of one VP.
#[derive(Bundle)]
pub struct VpEvent<L: Reading> {
    /// 1 if there is an update, a command or the sweep of a row.
    #[reset]
    pub valid: Bits<L>,
    pub pair: Bits<L>,
    pub vp: Bits<L>,
    /// 1 if the VP is updated, with the packets of [`Span`].
    pub updates: Bits<L>,
    pub indication: Indication<L>,
    pub adds: Bits<L>,
    /// 1 if the VP is removed or its row is swept.
    pub clears: Bits<L>,
    /// 1 if the event is the command of the command port.
    pub is_command: Bits<L>,
    /// 1 if the command was done.
    pub done: Bits<L>,
    pub present: Bits<L>,
    pub sport: Bits<L>,
}

#[name_nets]
impl<L: Logic> VpEvent<L> {
    /// 1 if the row of the VP changes. A *read* must not write: its row may lack an update that comes before it.
    pub fn writes(&self) -> Bits<L> {
        self.updates | self.adds | self.clears
    }
}

/// Accumulated packets, and the time in which they came.
#[derive(Bundle)]
pub struct Span<L: Reading> {
    pub count: Bits<L>,
    pub units: Bits<L>,
}

/// Shapes of an event and its span.
pub fn vp_event(sizes: ElabSizes) -> (VpEvent<Shape>, Span<Shape>) {
    let flag = bits(1);
    let indication = Indication { ecn: flag, probed: flag, rate: bits(RATE_WIDTH) };
    let vp_event = VpEvent {
        valid: flag,
        pair: sizes.pair(),
        vp: sizes.vp(),
        updates: flag,
        indication,
        adds: flag,
        clears: flag,
        is_command: flag,
        done: flag,
        present: flag,
        sport: bits(SPORT_WIDTH),
    };
    (vp_event, Span { count: bits(COUNT_WIDTH), units: bits(TIME_WIDTH) })
}

/// The times that are less than a window before now: too recent for an update. Computed one clock cycle early, so that
/// the loop contains no adder.
#[derive(Bundle)]
struct UpdateWindow<L: Reading> {
    time: Bits<L>,
    /// Start of the window, exclusive: current time minus the window.
    start: Bits<L>,
    /// 1 if the time has wrapped within the window, so that `start` is above `time`.
    wraps: Bits<L>,
}

#[name_nets]
impl<L: Logic> UpdateWindow<L> {
    fn has(&self, from: Bits<L>) -> Bits<L> {
        let (behind, up_to) = (from.greater(self.start), from.at_most(self.time));
        behind & up_to | self.wraps & (behind | up_to)
    }
}

/// The report pipeline: accumulates the reports of each VP until its next update.
#[name_nets]
pub struct ReportAccumulator<L: Logic> {
    sizes: ElabSizes,
    reports: RmwTable<L, AccumulatedReport<L>>,
    /// Steps 1 to `l` + 1, in which the row is there.
    event: PipelineRegs<Event<L>>,
    update_window: Reg<UpdateWindow<L>>,
    /// The event in step `l` + 2: what happens to the VP.
    vp_event: Reg<VpEvent<L>>,
    span: Reg<Span<L>>,
    refused: Counter<L>,
    absent: Counter<L>,
}

#[name_nets]
impl<L: Logic> ReportAccumulator<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (vp_event, span) = vp_event(sizes);
        let (flag, sport, indication) = (bits(1), bits(SPORT_WIDTH), vp_event.indication);
        let event = Event {
            valid: flag,
            clears: flag,
            is_command: flag,
            pair: sizes.pair(),
            vp: sizes.vp(),
            index_valid: flag,
            sport,
            count: span.count,
            ecn: flag,
            probed: flag,
            rate: indication.rate,
        };
        let row = AccumulatedReport { present: flag, sport, count: span.count, from: span.units, indication };
        let latency = sizes.ram_latency;
        ReportAccumulator {
            sizes,
            reports: RmwTable::new(sizes.rows(), latency, &row),
            event: PipelineRegs::new(1..=latency + 1, &event),
            update_window: Reg::new(&UpdateWindow { time: span.units, start: span.units, wraps: flag }),
            vp_event: Reg::new(&vp_event),
            span: Reg::new(&span),
            refused: Counter::new(32),
            absent: Counter::new(32),
        }
    }

    /// The event that entered `l` + 2 clock cycles ago, and the packets of an update.
    pub fn vp_event(&self) -> (VpEvent<L>, Span<L>) {
        (self.vp_event.get(), self.span.get())
    }

    /// Counters of reports for pairs that do not exist, and of VPs that are not present.
    pub fn refused(&self) -> [Bits<L>; 2] {
        [self.refused.get(), self.absent.get()]
    }

    /// One clock cycle: the sweep of a row if `sweeps`, else the command if `is_command`, else a report.
    pub fn clock(
        &self,
        report: Report<L>,
        sweeps: (Bits<L>, (Bits<L>, Bits<L>)),
        is_command: Bits<L>,
        operation: &Control<L>,
        time: Bits<L>,
        window: Bits<L>,
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
            ecn: report.ecn,
            probed: report.probed,
            rate: rate | report.rate.slice(RATE_WIDTH, more).any().extend_signed(RATE_WIDTH),
        };
        let asks = Access { valid: entering.valid & entering.index_valid, index: self.sizes.row(pair, vp) };
        self.reports.clock(asks, Bits::lit(1, 1));

        // l + 1
        self.decide(event, row, operation);

        // l
        let least = Bits::lit(TIME_WIDTH, 2);
        let window = select(window.less(least), least, window);
        self.update_window.set(UpdateWindow { time, start: time - window, wraps: time.less(window) });
        self.event.shift(entering);
    }

    /// Step `l` + 1: the new row, and whether an update is due.
    fn decide(&self, event: Event<L>, row: AccumulatedReport<L>, control: &Control<L>) {
        let update_window = self.update_window.get();
        let vp_matches = (event.index_valid & row.present & row.sport.equals(event.sport)).named("vp_matches");
        let reports = event.valid & !event.clears & !event.is_command;
        self.refused.count(reports & !event.index_valid);
        self.absent.count(reports & event.index_valid & !vp_matches);

        let sum = row.count.extend(COUNT_WIDTH + 1) + event.count.extend(COUNT_WIDTH + 1);
        let count = sum.truncate(COUNT_WIDTH) | sum.bit(COUNT_WIDTH).extend_signed(COUNT_WIDTH);
        let indication = Indication {
            ecn: !event.probed & (event.ecn | row.indication.ecn),
            probed: event.probed | row.indication.probed & !event.ecn,
            rate: select(event.probed, event.rate, row.indication.rate),
        };
        let due = (!update_window.has(row.from)).named("due");
        let updates = reports & vp_matches & due;

        let is = |code: Constant| event.is_command & event.index_valid & control.op.equals(code);
        let adds = is(constant!(op::ADD)) & !row.present & control.bandwidth.any();
        let removes = is(constant!(op::REMOVE)) & vp_matches;
        let begins = updates | adds;
        let reported = reports & vp_matches;
        let after = AccumulatedReport {
            present: row.present | adds,
            sport: select(adds, event.sport, row.sport),
            count: select(reported, count, row.count).gate(!begins),
            from: select(begins, update_window.time, row.from),
            indication: Indication {
                ecn: select(reported, indication.ecn, row.indication.ecn).gate(!begins),
                probed: select(reported, indication.probed, row.indication.probed).gate(!begins),
                rate: select(reported, indication.rate, row.indication.rate),
            },
        };
        let clears = event.clears | removes;
        when(event.valid & event.index_valid, || {
            self.reports.modify(after.gate(!clears));
        });
        self.span.set(Span { count, units: update_window.time - row.from });
        self.vp_event.set(VpEvent {
            valid: event.valid & (event.clears | event.is_command | updates),
            pair: event.pair,
            vp: event.vp,
            updates,
            indication,
            adds,
            clears,
            is_command: event.is_command,
            done: adds | removes | is(constant!(op::READ)),
            present: event.index_valid & after.present & !clears,
            sport: after.sport,
        });
    }
}
