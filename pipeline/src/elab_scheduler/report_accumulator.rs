// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports, operations and the sweep: one of them every clock, in order. What reports say of a VP is gathered here until
//! its next update (rows V8 to V10). With memories of latency `l`:
//!
//! ```text
//!  step 0      VP to `accumulated`
//!       l + 1  whose it is, and whether its time has come: a loop of one clock for one VP
//!       l + 2  what has been found: to `bandwidth_estimator`
//! ```

use super::ports::{Control, Report, op};
use crate::elab::{COUNT_WIDTH, ElabSizes, RATE_WIDTH, REPORTED_RATE_WIDTH, SPORT_WIDTH, TIME_WIDTH};
use crate::rmw_table::{Access, RmwTable};
use crate::shift_register::ShiftRegister;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Signal, bits, name_nets, select, when};

/// What happens in a clock.
#[derive(Bundle)]
struct Event<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// A row is swept.
    clears: Bits<L>,
    /// The operation of the desk.
    is_command: Bits<L>,
    pair: Bits<L>,
    vp: Bits<L>,
    /// There is such a pair.
    index_valid: Bits<L>,
    /// The port that it names.
    sport: Bits<L>,
    count: Bits<L>,
    ecn: Bits<L>,
    probed: Bits<L>,
    rate: Bits<L>,
}

/// A VP, and what was reported since its last update.
#[derive(Bundle)]
struct AccumulatedReport<L: Reading> {
    present: Bits<L>,
    sport: Bits<L>,
    count: Bits<L>,
    /// The time of that update.
    from: Bits<L>,
    indication: Indication<L>,
}

/// The last news of a VP; at most one of the two flags.
#[derive(Bundle)]
pub struct Indication<L: Reading> {
    /// The last report with an indication had E set.
    pub ecn: Bits<L>,
    /// A burst has been measured.
    pub probed: Bits<L>,
    /// Rate of the measured burst: packets per unit, 16 fraction bits; valid if `probed`.
    pub rate: Bits<L>,
}

/// What becomes of a VP.
#[derive(Bundle)]
pub struct VpEvent<L: Reading> {
    /// Something: an update, an operation or the sweep.
    #[reset]
    pub valid: Bits<L>,
    pub pair: Bits<L>,
    pub vp: Bits<L>,
    /// It is updated, with the packets of [`Span`].
    pub updates: Bits<L>,
    pub indication: Indication<L>,
    pub adds: Bits<L>,
    /// It is removed, or its row swept.
    pub clears: Bits<L>,
    /// By the operation of the desk,
    pub is_command: Bits<L>,
    /// which could be done.
    pub done: Bits<L>,
    pub present: Bits<L>,
    pub sport: Bits<L>,
}

#[name_nets]
impl<L: Logic> VpEvent<L> {
    /// Its row changes. What only reads may have read before an update ahead of it was written, and must not write.
    pub fn writes(&self) -> Bits<L> {
        self.updates | self.adds | self.clears
    }
}

/// Packets in a span of time.
#[derive(Bundle)]
pub struct Span<L: Reading> {
    pub count: Bits<L>,
    pub units: Bits<L>,
}

/// Shapes of what has been found.
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

/// Times that are less than a window ago: too near for an update. Said a clock ahead, so that the loop has nothing to add.
#[derive(Bundle)]
struct UpdateWindow<L: Reading> {
    time: Bits<L>,
    /// Start of the window, exclusive: current time minus the window.
    start: Bits<L>,
    /// which is later if they wrap.
    wraps: Bits<L>,
}

#[name_nets]
impl<L: Logic> UpdateWindow<L> {
    fn has(&self, from: Bits<L>) -> Bits<L> {
        let (behind, up_to) = (from.greater(self.start), from.at_most(self.time));
        behind & up_to | self.wraps & (behind | up_to)
    }
}

/// Takes reports, operations and the sweep.
#[name_nets]
pub struct ReportAccumulator<L: Logic> {
    sizes: ElabSizes,
    rows: RmwTable<L, AccumulatedReport<L>>,
    read_pipe: ShiftRegister<Event<L>>,
    /// The event in step `l` + 1, with its row.
    event: Reg<Event<L>>,
    update_window: Reg<UpdateWindow<L>>,
    /// The event in step `l` + 2: what happens to the VP.
    vp_event: Reg<VpEvent<L>>,
    span: Reg<Span<L>>,
    refused: Reg<Bits<L>>,
    absent: Reg<Bits<L>>,
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
            rows: RmwTable::new(sizes.rows(), latency, &row),
            read_pipe: ShiftRegister::new(latency as usize, |i| Reg::numbered(i as u32 + 1, &event)),
            event: Reg::new(&event),
            update_window: Reg::new(&UpdateWindow { time: span.units, start: span.units, wraps: flag }),
            vp_event: Reg::new(&vp_event),
            span: Reg::new(&span),
            refused: Reg::new(&bits(32)).with_reset(),
            absent: Reg::new(&bits(32)).with_reset(),
        }
    }

    /// What was found `l` + 2 clocks ago, and the packets of an update.
    pub fn vp_event(&self) -> (VpEvent<L>, Span<L>) {
        (self.vp_event.get(), self.span.get())
    }

    /// Reports for pairs that are none, and of VPs that are not present.
    pub fn refused(&self) -> [Bits<L>; 2] {
        [self.refused.get(), self.absent.get()]
    }

    /// One cycle: a row swept if it `sweeps`, else the operation if it `is_command`, else a report.
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
        let (event, row) = (self.event.get(), self.rows.operand());

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
        self.rows.clock(asks, Bits::lit(1, 1));

        // l + 1
        self.decide(event, row, operation);

        // l
        let least = Bits::lit(TIME_WIDTH, 2);
        let window = select(window.less(least), least, window);
        self.update_window.set(UpdateWindow { time, start: time - window, wraps: time.less(window) });
        self.event.set(self.read_pipe.last());
        self.read_pipe.shift(entering);
    }

    /// Step `l` + 1: the new row, and whether an update is due.
    fn decide(&self, event: Event<L>, row: AccumulatedReport<L>, control: &Control<L>) {
        let update_window = self.update_window.get();
        let vp_matches = (event.index_valid & row.present & row.sport.equals(event.sport)).named("vp_matches");
        let reports = event.valid & !event.clears & !event.is_command;
        when(reports & !event.index_valid, || self.refused.set(self.refused.get() + 1));
        when(reports & event.index_valid & !vp_matches, || self.absent.set(self.absent.get() + 1));

        let sum = row.count.extend(COUNT_WIDTH + 1) + event.count.extend(COUNT_WIDTH + 1);
        let count = sum.truncate(COUNT_WIDTH) | sum.bit(COUNT_WIDTH).extend_signed(COUNT_WIDTH);
        let indication = Indication {
            ecn: !event.probed & (event.ecn | row.indication.ecn),
            probed: event.probed | row.indication.probed & !event.ecn,
            rate: select(event.probed, event.rate, row.indication.rate),
        };
        let due = (!update_window.has(row.from)).named("due");
        let updates = reports & vp_matches & due;

        let is = |code: u64| event.is_command & event.index_valid & control.op.equals(code);
        let adds = is(op::ADD) & !row.present & control.bandwidth.any();
        let removes = is(op::REMOVE) & vp_matches;
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
            self.rows.modify(after.gate(!clears));
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
            done: adds | removes | is(op::READ),
            present: event.index_valid & after.present & !clears,
            sport: after.sport,
        });
    }
}
