// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an ask does. With memories of latency `l`:
//!
//! ```text
//!  step 0        arrive  pair to `turns` and `choice`
//!       l + 1    turn    the next VP that is known: a loop of one clock for one pair
//!       l + 2    fetch   VP to `reported` and `seen`
//!       2 l + 3  say     what is new since the last report: a loop of one clock for one VP
//!       2 l + 4          packets of a burst over time, six steps
//!       2 l + 10         report
//! ```

use super::ports::{Question, Report, report};
use super::records::{Place, Reported, Seen, place, reported, seen};
use crate::elab::{BURST_WIDTH, ElabSizes, REPORTED_RATE_WIDTH};
use crate::rate::Rate;
use crate::row::Row;
use crate::update::{Ask, Update};
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, Signal, bits, clog2, name_nets, select, when};

/// An ask.
#[derive(Bundle)]
struct Asked<L: Reading> {
    #[reset]
    valid: Bits<L>,
    pair: Bits<L>,
    /// There is such a pair.
    #[reset]
    ok: Bits<L>,
}

/// A report without its rate, behind step 2 `l` + 3.
#[derive(Bundle)]
struct Said<L: Reading> {
    #[reset]
    valid: Bits<L>,
    pair: Bits<L>,
    ok: Bits<L>,
    vp: Bits<L>,
    count: Bits<L>,
    ecn: Bits<L>,
    probed: Bits<L>,
}

/// The ask side.
#[name_nets]
pub struct Asks<L: Logic> {
    sizes: ElabSizes,
    turns: Update<L, Bits<L>>,
    reported: Update<L, Reported<L>>,
    arriving: Row<Asked<L>>,
    /// Step `l` + 1.
    asked: Reg<Asked<L>>,
    choice: Reg<Bits<L>>,
    /// Rows that are swept, up to step `l` + 1 of the tables.
    clearing: Delay<Bits<L>>,
    /// Step `l` + 2 to 2 `l` + 3.
    turned: Reg<Place<L>>,
    answers: Reg<Bits<L>>,
    fetching: Delay<Asked<L>>,
    seen: Reg<Seen<L>>,
    said: Reg<Said<L>>,
    /// Packets times `unit`.
    steps: Reg<Bits<L>>,
    span: Reg<Bits<L>>,
    saying: Delay<Said<L>>,
    rate: Rate<L>,
    refused: Reg<Bits<L>>,
    empty: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Asks<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (flag, latency) = (bits(1), sizes.ram_latency);
        let (place, Report { vp, count, .. }) = (place(sizes), report(sizes));
        let asked = Asked { valid: flag, pair: place.pair, ok: flag };
        let said = Said { valid: flag, pair: place.pair, ok: flag, vp, count, ecn: flag, probed: flag };
        let steps = bits(BURST_WIDTH + clog2(sizes.unit + 1));
        let span = seen().span;
        Asks {
            sizes,
            turns: Update::new(sizes.pairs, latency, &place.vp),
            reported: Update::new(sizes.rows(), latency, &reported()),
            arriving: Row::new(latency as usize, |i| Reg::numbered(i as u32 + 1, &asked)),
            asked: Reg::new(&asked),
            choice: Reg::new(&sizes.each()),
            clearing: Delay::new(&flag, latency as usize + 1).with_reset(),
            turned: Reg::new(&place),
            answers: Reg::new(&flag).with_reset(),
            fetching: Delay::new(&asked, latency as usize + 1),
            seen: Reg::new(&seen()),
            said: Reg::new(&said),
            steps: Reg::new(&steps),
            span: Reg::new(&span),
            saying: Delay::new(&said, 6),
            rate: Rate::new(steps, REPORTED_RATE_WIDTH),
            refused: Reg::new(&bits(32)).with_reset(),
            empty: Reg::new(&bits(32)).with_reset(),
        }
    }

    /// The answer to the ask of 2 `l` + 10 clocks ago.
    pub fn report(&self) -> Report<L> {
        let Said { valid, pair, ok, vp, count, ecn, probed } = self.saying.get();
        Report { valid, pair, ok, vp, count, ecn, probed, rate: self.rate.rate() }
    }

    /// Asks that were refused: for pairs that are none, and without a known VP.
    pub fn refused(&self) -> [Bits<L>; 2] {
        [self.refused.get(), self.empty.get()]
    }

    /// What it reads of the arrivals' tables: the known VPs of a pair, and the row of a VP.
    pub fn reads(&self, ask: Question<L>) -> (Bits<L>, Bits<L>) {
        let Place { pair, vp, .. } = self.turned.get();
        (ask.pair, self.sizes.row(pair, vp))
    }

    /// One cycle: `busy` is the sweep, in which a row of all VPs may be swept; `choice` and `seen` are what was read `l`
    /// cycles ago.
    pub fn clock(
        &self,
        ask: Question<L>,
        busy: Bits<L>,
        sweeps: (Bits<L>, (Bits<L>, Bits<L>)),
        choice: Bits<L>,
        seen: Seen<L>,
    ) {
        let (sweeps, swept) = sweeps;
        let (asked, turned, cleared) = (self.asked.get(), self.turned.get(), self.clearing.get());
        let (said, yes) = (self.said.get(), Bits::lit(1, 1));
        let (turn, last) = (self.turns.operand(), self.reported.operand());

        // 2 l + 4 on
        self.saying.shift(said);
        self.rate.clock(said.valid, self.steps.get(), self.span.get());

        // 2 l + 3, and the table's own steps
        let key = select(sweeps, self.sizes.row(swept.0, swept.1), self.sizes.row(turned.pair, turned.vp));
        self.reported.clock(Ask { valid: sweeps | self.answers.get(), key }, yes);
        self.say(self.fetching.get(), self.seen.get(), last);
        when(cleared, || self.reported.change(Reported::zero(&reported())));

        // l + 2 to 2 l + 2
        self.seen.set(seen);
        self.fetching.shift(Asked { valid: turned.valid, pair: turned.pair, ok: self.answers.get() });

        // l + 1
        let asks = ask.valid & !busy & self.sizes.inside(ask.pair);
        let key = select(sweeps, swept.0, ask.pair);
        self.turns.clock(Ask { valid: sweeps | asks, key }, yes);
        let known = self.choice.get();
        let width = turn.width();
        let all = if known.width() == 64 { !0 } else { (1 << known.width()) - 1 };
        let above = known & Bits::lit(known.width(), all & !1) << turn;
        let found = |each: Bits<L>| each.first_set().truncate(width);
        let next = select(above.any(), found(above), found(known));
        when(asked.ok, || self.turns.change(select(known.any(), next, turn)));
        when(cleared, || self.turns.change(Bits::lit(width, 0)));
        when(asked.valid & !asked.ok, || self.refused.set(self.refused.get() + 1));
        when(asked.ok & !known.any(), || self.empty.set(self.empty.get() + 1));
        self.turned.set(Place { valid: asked.valid, pair: asked.pair, vp: next });
        self.answers.set(asked.ok & known.any());

        // l
        self.choice.set(choice);
        self.asked.set(self.arriving.last());

        // 0 to l - 1
        self.clearing.shift(sweeps);
        self.arriving.shift(Asked { valid: ask.valid, pair: ask.pair, ok: asks });
    }

    /// Step 2 `l` + 3.
    fn say(&self, at: Asked<L>, seen: Seen<L>, last: Reported<L>) {
        let same = last.turn.equals(seen.turn).named("same_turn");
        let before = |x: Bits<L>| x & same.extend_signed(x.width());
        let probed = (at.ok & seen.done & seen.results.differs(before(last.results))).named("probed");
        when(at.ok, || {
            let Seen { turn, packets, marked, results, .. } = seen;
            self.reported.change(Reported { turn, packets, marked, results });
        });
        self.said.set(Said {
            valid: at.valid,
            pair: at.pair,
            ok: at.ok,
            vp: seen.sport.gate(at.ok),
            count: (seen.packets - before(last.packets)).gate(at.ok),
            ecn: at.ok & seen.marked.differs(before(last.marked)),
            probed,
        });
        let unit = Bits::lit(clog2(self.sizes.unit + 1), self.sizes.unit);
        let steps = (seen.burst_packets - 1) * unit;
        self.steps.set(steps.gate(probed));
        let span = seen.span;
        self.span.set(span | (!span.any()).extend(span.width()));
    }
}
