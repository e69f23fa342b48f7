// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports, operations and the sweep: one of them every clock, in order. What reports say of a VP is gathered here until
//! its next update (rows V8 to V10). With memories of latency `l`:
//!
//! ```text
//!  step 0      VP to `gathered`
//!       l + 1  whose it is, and whether its time has come: a loop of one clock for one VP
//!       l + 2  what has been found: to `follow`
//! ```

use super::ports::{Control, Report, op};
use crate::elab::{COUNT_WIDTH, ElabSizes, RATE_WIDTH, REPORTED_RATE_WIDTH, SPORT_WIDTH, TIME_WIDTH};
use crate::row::Row;
use crate::update::{Ask, Update};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Signal, bits, name_nets, select, when};

/// What happens in a clock.
#[derive(Bundle)]
struct Event<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// A row is swept.
    clears: Bits<L>,
    /// The operation of the desk.
    operates: Bits<L>,
    pair: Bits<L>,
    vp: Bits<L>,
    /// There is such a pair.
    inside: Bits<L>,
    /// The port that it names.
    sport: Bits<L>,
    count: Bits<L>,
    ecn: Bits<L>,
    probed: Bits<L>,
    rate: Bits<L>,
}

/// A VP, and what was reported since its last update.
#[derive(Bundle)]
struct Gathered<L: Reading> {
    present: Bits<L>,
    sport: Bits<L>,
    count: Bits<L>,
    /// The time of that update.
    from: Bits<L>,
    news: News<L>,
}

/// The last news of a VP; at most one of the two flags.
#[derive(Bundle)]
pub struct News<L: Reading> {
    /// It was marked.
    pub ecn: Bits<L>,
    /// A burst has been measured.
    pub probed: Bits<L>,
    /// Its rate.
    pub rate: Bits<L>,
}

/// What becomes of a VP.
#[derive(Bundle)]
pub struct Found<L: Reading> {
    /// Something: an update, an operation or the sweep.
    #[reset]
    pub valid: Bits<L>,
    pub pair: Bits<L>,
    pub vp: Bits<L>,
    /// It is updated, with the packets of [`Span`].
    pub updates: Bits<L>,
    pub news: News<L>,
    pub adds: Bits<L>,
    /// It is removed, or its row swept.
    pub clears: Bits<L>,
    /// By the operation of the desk,
    pub operates: Bits<L>,
    /// which could be done.
    pub done: Bits<L>,
    pub present: Bits<L>,
    pub sport: Bits<L>,
}

#[name_nets]
impl<L: Logic> Found<L> {
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
pub fn found(sizes: ElabSizes) -> (Found<Shape>, Span<Shape>) {
    let flag = bits(1);
    let news = News { ecn: flag, probed: flag, rate: bits(RATE_WIDTH) };
    let found = Found {
        valid: flag,
        pair: sizes.pair(),
        vp: sizes.vp(),
        updates: flag,
        news,
        adds: flag,
        clears: flag,
        operates: flag,
        done: flag,
        present: flag,
        sport: bits(SPORT_WIDTH),
    };
    (found, Span { count: bits(COUNT_WIDTH), units: bits(TIME_WIDTH) })
}

/// Times that are less than a window ago: too near for an update. Said a clock ahead, so that the loop has nothing to add.
#[derive(Bundle)]
struct Recent<L: Reading> {
    time: Bits<L>,
    /// Behind this one,
    start: Bits<L>,
    /// which is later if they wrap.
    wraps: Bits<L>,
}

#[name_nets]
impl<L: Logic> Recent<L> {
    fn has(&self, from: Bits<L>) -> Bits<L> {
        let (behind, up_to) = (from.greater(self.start), from.at_most(self.time));
        behind & up_to | self.wraps & (behind | up_to)
    }
}

/// Takes reports, operations and the sweep.
#[name_nets]
pub struct Gather<L: Logic> {
    sizes: ElabSizes,
    rows: Update<L, Gathered<L>>,
    arriving: Row<Event<L>>,
    /// Step `l` + 1.
    event: Reg<Event<L>>,
    recent: Reg<Recent<L>>,
    /// Step `l` + 2.
    found: Reg<Found<L>>,
    span: Reg<Span<L>>,
    refused: Reg<Bits<L>>,
    absent: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Gather<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (found, span) = found(sizes);
        let (flag, sport, news) = (bits(1), bits(SPORT_WIDTH), found.news);
        let event = Event {
            valid: flag,
            clears: flag,
            operates: flag,
            pair: sizes.pair(),
            vp: sizes.vp(),
            inside: flag,
            sport,
            count: span.count,
            ecn: flag,
            probed: flag,
            rate: news.rate,
        };
        let row = Gathered { present: flag, sport, count: span.count, from: span.units, news };
        let latency = sizes.ram_latency;
        Gather {
            sizes,
            rows: Update::new(sizes.rows(), latency, &row),
            arriving: Row::new(latency as usize, |i| Reg::numbered(i as u32 + 1, &event)),
            event: Reg::new(&event),
            recent: Reg::new(&Recent { time: span.units, start: span.units, wraps: flag }),
            found: Reg::new(&found),
            span: Reg::new(&span),
            refused: Reg::new(&bits(32)).with_reset(),
            absent: Reg::new(&bits(32)).with_reset(),
        }
    }

    /// What was found `l` + 2 clocks ago, and the packets of an update.
    pub fn found(&self) -> (Found<L>, Span<L>) {
        (self.found.get(), self.span.get())
    }

    /// Reports for pairs that are none, and of VPs that are not present.
    pub fn refused(&self) -> [Bits<L>; 2] {
        [self.refused.get(), self.absent.get()]
    }

    /// One cycle: a row swept if it `sweeps`, else the operation if it `operates`, else a report.
    pub fn clock(
        &self,
        report: Report<L>,
        sweeps: (Bits<L>, (Bits<L>, Bits<L>)),
        operates: Bits<L>,
        operation: &Control<L>,
        time: Bits<L>,
        window: Bits<L>,
    ) {
        let (sweeps, swept) = sweeps;
        let (event, row) = (self.event.get(), self.rows.operand());

        // 0, and the table's own steps
        let sport = select(operates, operation.sport, report.vp);
        let pair = select(sweeps, swept.0, select(operates, operation.pair, report.pair));
        let vp = select(sweeps, swept.1, sport.truncate(self.sizes.vp_bits()));
        let (rate, more) = (report.rate.truncate(RATE_WIDTH), REPORTED_RATE_WIDTH - RATE_WIDTH);
        let arrives = Event {
            valid: sweeps | operates | report.valid,
            clears: sweeps,
            operates,
            pair,
            vp,
            inside: self.sizes.inside(pair),
            sport,
            count: report.count,
            ecn: report.ecn,
            probed: report.probed,
            rate: rate | report.rate.slice(RATE_WIDTH, more).any().extend_signed(RATE_WIDTH),
        };
        let asks = Ask { valid: arrives.valid & arrives.inside, key: self.sizes.row(pair, vp) };
        self.rows.clock(asks, Bits::lit(1, 1));

        // l + 1
        self.decide(event, row, operation);

        // l
        let least = Bits::lit(TIME_WIDTH, 2);
        let window = select(window.less(least), least, window);
        self.recent.set(Recent { time, start: time - window, wraps: time.less(window) });
        self.event.set(self.arriving.last());
        self.arriving.shift(arrives);
    }

    /// Step `l` + 1.
    fn decide(&self, event: Event<L>, row: Gathered<L>, control: &Control<L>) {
        let recent = self.recent.get();
        let named = (event.inside & row.present & row.sport.equals(event.sport)).named("named");
        let reports = event.valid & !event.clears & !event.operates;
        when(reports & !event.inside, || self.refused.set(self.refused.get() + 1));
        when(reports & event.inside & !named, || self.absent.set(self.absent.get() + 1));

        let sum = row.count.extend(COUNT_WIDTH + 1) + event.count.extend(COUNT_WIDTH + 1);
        let count = sum.truncate(COUNT_WIDTH) | sum.bit(COUNT_WIDTH).extend_signed(COUNT_WIDTH);
        let news = News {
            ecn: !event.probed & (event.ecn | row.news.ecn),
            probed: event.probed | row.news.probed & !event.ecn,
            rate: select(event.probed, event.rate, row.news.rate),
        };
        let due = (!recent.has(row.from)).named("due");
        let updates = reports & named & due;

        let is = |code: u64| event.operates & event.inside & control.op.equals(code);
        let adds = is(op::ADD) & !row.present & control.bandwidth.any();
        let removes = is(op::REMOVE) & named;
        let begins = updates | adds;
        let heard = reports & named;
        let after = Gathered {
            present: row.present | adds,
            sport: select(adds, event.sport, row.sport),
            count: select(heard, count, row.count).gate(!begins),
            from: select(begins, recent.time, row.from),
            news: News {
                ecn: select(heard, news.ecn, row.news.ecn).gate(!begins),
                probed: select(heard, news.probed, row.news.probed).gate(!begins),
                rate: select(heard, news.rate, row.news.rate),
            },
        };
        let clears = event.clears | removes;
        when(event.valid & event.inside, || {
            self.rows.change(after.gate(!clears));
        });
        self.span.set(Span { count, units: recent.time - row.from });
        self.found.set(Found {
            valid: event.valid & (event.clears | event.operates | updates),
            pair: event.pair,
            vp: event.vp,
            updates,
            news,
            adds,
            clears,
            operates: event.operates,
            done: adds | removes | is(op::READ),
            present: event.inside & after.present & !clears,
            sport: after.sport,
        });
    }
}
