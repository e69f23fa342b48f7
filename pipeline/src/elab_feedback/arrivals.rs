// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrivals, forgetting and the sweep: one of them every clock, in order. With memories of latency `l`:
//!
//! ```text
//!  step 0      VP to `received`, pair to `known`
//!       l + 1  one more, its mark, its burst: a loop of one clock for one VP
//!       l + 2  written, and to `seen` and `choice`, from which asks read
//! ```

use super::burst::measure;
use super::ports::{Arrival, Settings};
use super::records::{Place, Received, Seen, place, received, seen};
use crate::elab::{BURST_ID_WIDTH, COUNT_WIDTH, ElabSizes, SPORT_WIDTH};
use crate::rate::SPAN_WIDTH;
use crate::row::Row;
use crate::update::{Ask, Update};
use crate::write_first::WriteFirst;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, name_nets, select, when};

/// What happens in a clock.
#[derive(Bundle)]
struct Event<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// A row is swept.
    clears: Bits<L>,
    /// The VPs of the pair are forgotten.
    forgets: Bits<L>,
    pair: Bits<L>,
    vp: Bits<L>,
    /// There is such a pair.
    inside: Bits<L>,
    sport: Bits<L>,
    ecn: Bits<L>,
    burst: Bits<L>,
}

/// Takes arrivals.
#[name_nets]
pub struct Arrivals<L: Logic> {
    sizes: ElabSizes,
    received: Update<L, Received<L>>,
    known: Update<L, Bits<L>>,
    seen: WriteFirst<L, Seen<L>>,
    choice: WriteFirst<L, Bits<L>>,
    /// Cycles since reset.
    now: Reg<Bits<L>>,
    arriving: Row<Event<L>>,
    /// Step `l` + 1.
    event: Reg<Event<L>>,
    /// Step `l` + 2: where something was written.
    written: Reg<Place<L>>,
    /// And what of it was no forgetting.
    counted: Reg<Bits<L>>,
    refused: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Arrivals<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (flag, latency, place) = (bits(1), sizes.ram_latency, place(sizes));
        let event = Event {
            valid: flag,
            clears: flag,
            forgets: flag,
            pair: place.pair,
            vp: place.vp,
            inside: flag,
            sport: bits(SPORT_WIDTH),
            ecn: flag,
            burst: bits(BURST_ID_WIDTH),
        };
        Arrivals {
            sizes,
            received: Update::new(sizes.rows(), latency, &received()),
            known: Update::new(sizes.pairs, latency, &sizes.each()),
            seen: WriteFirst::new(sizes.rows(), latency, 1, &seen()),
            choice: WriteFirst::new(sizes.pairs, latency, 1, &sizes.each()),
            now: Reg::new(&bits(SPAN_WIDTH)).with_reset(),
            arriving: Row::new(latency as usize, |i| Reg::numbered(i as u32 + 1, &event)),
            event: Reg::new(&event),
            written: Reg::new(&place),
            counted: Reg::new(&flag).with_reset(),
            refused: Reg::new(&bits(32)).with_reset(),
        }
    }

    /// Arrivals of pairs that are none.
    pub fn refused(&self) -> Bits<L> {
        self.refused.get()
    }

    /// The known VPs of the pair that was asked for `l` cycles ago.
    pub fn choice(&self) -> Bits<L> {
        self.choice.data(0)
    }

    /// What has arrived on the VP that was asked for `l` cycles ago.
    pub fn seen(&self) -> Seen<L> {
        self.seen.data(0)
    }

    /// One cycle: a row swept if it `sweeps`, else a pair forgotten if it `forgets`, else an arrival. Asks read the known
    /// VPs of a pair, and the row of a VP.
    pub fn clock(
        &self,
        arrival: Arrival<L>,
        sweeps: (Bits<L>, (Bits<L>, Bits<L>)),
        forgets: (Bits<L>, Bits<L>),
        settings: &Settings<L>,
        reads: (Bits<L>, Bits<L>),
    ) {
        let ((sweeps, swept), (forgets, forgotten)) = (sweeps, forgets);
        let (event, written) = (self.event.get(), self.written.get());
        let (row, known) = (self.received.operand(), self.known.operand());

        // l + 2
        let pair = Ask { valid: written.valid, key: written.pair };
        self.choice.clock(&[reads.0], pair, self.known.changed());
        let vp = Ask { valid: self.counted.get(), key: self.sizes.row(written.pair, written.vp) };
        self.seen.clock(&[reads.1], vp, self.received.changed().seen());

        // 0, and the tables' own steps
        let pair = select(sweeps, swept.0, select(forgets, forgotten, arrival.pair));
        let vp = select(sweeps, swept.1, arrival.sport.truncate(self.sizes.vp_bits()));
        let arrives = Event {
            valid: sweeps | forgets | arrival.valid,
            clears: sweeps,
            forgets,
            pair,
            vp,
            inside: self.sizes.inside(pair),
            sport: arrival.sport,
            ecn: arrival.ecn,
            burst: arrival.burst,
        };
        let (asks, yes) = (arrives.valid & arrives.inside, Bits::lit(1, 1));
        self.known.clock(Ask { valid: asks, key: pair }, yes);
        self.received.clock(Ask { valid: asks & !forgets, key: self.sizes.row(pair, vp) }, yes);

        // l + 1
        self.count(event, row, known, settings.burst);
        let writes = event.valid & event.inside;
        self.written.set(Place { valid: writes, pair: event.pair, vp: event.vp });
        self.counted.set(writes & !event.forgets);

        // l
        self.event.set(self.arriving.last());
        self.arriving.shift(arrives);
        self.now.set(self.now.get() + 1);
    }

    /// Step `l` + 1.
    fn count(&self, event: Event<L>, row: Received<L>, known: Bits<L>, length: Bits<L>) {
        let arrives = event.valid & !event.clears & !event.forgets;
        when(arrives & !event.inside, || self.refused.set(self.refused.get() + 1));

        let there = known.slice_at(event.vp, 1);
        let new = (!there | row.sport.differs(event.sport)).named("new_vp");
        let counted = Received {
            turn: row.turn + new.extend(row.turn.width()),
            sport: event.sport,
            packets: row.packets.gate(!new) + 1,
            marked: row.marked.gate(!new) + event.ecn.extend(COUNT_WIDTH),
            burst: measure(row.burst, event.burst, new, self.now.get(), length),
        };
        let it = Bits::lit(known.width(), 1) << event.vp;
        let forgets = event.clears | event.forgets;
        when(event.valid & event.inside, || {
            self.known.change((known | it).gate(!forgets));
        });
        when(event.valid & event.inside & !event.forgets, || {
            self.received.change(counted.gate(!event.clears));
        });
    }
}
