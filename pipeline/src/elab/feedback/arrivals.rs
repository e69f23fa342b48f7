// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrivals, commands and the sweep: one event per clock cycle, in order. With memories of latency `l`:
//!
//! ```text
//!  step 0      VP to `received`, pair to `known`
//!       l + 1  packet, mark and burst counted; a loop of one clock cycle for one VP
//!       l + 2  rows written, also to `received_view` and `known_view`, which queries read
//!     2 l + 3  the row of the pair written to `pair_view`, which visits read: when queries see its VPs
//! ```

use super::burst::measure;
use super::ports::Arrival;
use super::records::{Known, PairView, Place, Received, ReceivedView};
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use crate::elab::rate::SPAN_WIDTH;
use crate::elab::{BURST_ID_WIDTH, COUNT_WIDTH, ElabSizes, SPORT_WIDTH};
use rtl_model::{Bits, Bundle, Delay, Logic, Pipeline, Reading, Reg, Signal, bits, name_nets, select, when};

/// The pipeline of arrivals.
const ARRIVAL: Pipeline = Pipeline::new("arrival");

/// The event of a clock cycle: an arrival, the command *clear* or the sweep of a row.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
struct Event<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// 1 if a row is swept.
    clears: Bits<L>,
    /// 1 if the VPs of the pair are cleared by a command.
    clear_pair: Bits<L>,
    #[shape(sizes.pair())]
    pair: Bits<L>,
    #[shape(sizes.vp())]
    vp: Bits<L>,
    /// 1 if the pair exists.
    index_valid: Bits<L>,
    #[width(SPORT_WIDTH)]
    sport: Bits<L>,
    ecn: Bits<L>,
    #[width(BURST_ID_WIDTH)]
    burst: Bits<L>,
}

/// A row of `pair_view` on its way.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
struct PairShown<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(sizes.pair())]
    pair: Bits<L>,
    view: PairView<L>,
}

/// The arrival pipeline: counts packets, marks and bursts per VP.
#[name_nets]
pub struct Arrivals<L: Logic> {
    sizes: ElabSizes,
    received: RmwTable<L, Received<L>>,
    known: RmwTable<L, Known<L>>,
    received_view: WriteFirstRam<L, ReceivedView<L>>,
    known_view: WriteFirstRam<L, Bits<L>>,
    /// Steps `l` + 2 to 2 `l` + 3.
    pair_shown: Delay<PairShown<L>>,
    pair_view: WriteFirstRam<L, PairView<L>>,
    /// Clock cycles since reset, modulo 2^24.
    now: Reg<Bits<L>>,
    /// Steps 1 to `l` + 1, in which the rows are there.
    event: PipelineRegs<Event<L>>,
    /// Step `l` + 2: pair and VP whose rows were written.
    written: Reg<Place<L>>,
    /// 1 if the row of the VP was written, not only that of the pair.
    counted: Reg<Bits<L>>,
    refused: Counter<L>,
}

#[name_nets]
impl<L: Logic> Arrivals<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (flag, latency, place) = (bits(1), sizes.ram_latency, Place::shape(sizes));
        let event = Event::shape(sizes);
        Arrivals {
            sizes,
            received: RmwTable::new(sizes.rows(), latency, &Received::shape()),
            known: RmwTable::new(sizes.pairs, latency, &Known::shape(sizes)),
            received_view: WriteFirstRam::new(sizes.rows(), latency, 1, &ReceivedView::shape()),
            known_view: WriteFirstRam::new(sizes.pairs, latency, 1, &sizes.each()),
            pair_shown: Delay::new(&PairShown::shape(sizes), latency as usize + 1),
            pair_view: WriteFirstRam::new(sizes.pairs, latency, 1, &PairView::shape(sizes)),
            now: Reg::new(&bits(SPAN_WIDTH)).with_reset(),
            event: PipelineRegs::new(1..=latency + 1, &event).checked(ARRIVAL),
            written: Reg::new(&place),
            counted: Reg::new(&flag).with_reset(),
            refused: Counter::new(32),
        }
    }

    /// Counter of arrivals for pairs that do not exist.
    pub fn refused(&self) -> Bits<L> {
        self.refused.get()
    }

    /// The known VPs of the pair that was read `l` clock cycles ago.
    pub fn known_view(&self) -> Bits<L> {
        self.known_view.data(0)
    }

    /// What visits see of the pair that was visited `l` clock cycles ago.
    pub fn pair_view(&self) -> PairView<L> {
        self.pair_view.data(0)
    }

    /// The row of the VP that was read `l` clock cycles ago.
    pub fn received_view(&self) -> ReceivedView<L> {
        self.received_view.data(0)
    }

    /// One clock cycle: the sweep of a row if `sweeps`, else the clearing of a pair if `clear_pair`, else an arrival.
    /// `reads` is the pair whose known VPs, and the VP row, that queries read; `visited` is the pair that is visited.
    pub fn clock(
        &self,
        arrival: Arrival<L>,
        sweeps: (Bits<L>, (Bits<L>, Bits<L>)),
        clear_pair: (Bits<L>, Bits<L>),
        burst: Bits<L>,
        reads: (Bits<L>, Bits<L>),
        visited: Bits<L>,
    ) {
        let ((sweeps, swept), (clear_pair, forgotten)) = (sweeps, clear_pair);
        let (event, written) = (self.event.last(), self.written.get());
        let (row, known) = (self.received.operand(), self.known.operand());

        // l + 2
        let pair = Access { valid: written.valid, index: written.pair };
        let modified = self.known.modified();
        self.known_view.clock(&[reads.0], pair, modified.vps);
        let shown = self.pair_shown.get();
        self.pair_shown.shift(PairShown { valid: pair.valid, pair: pair.index, view: modified.pair_view() });
        self.pair_view.clock(&[visited], Access { valid: shown.valid, index: shown.pair }, shown.view);
        let vp = Access { valid: self.counted.get(), index: self.sizes.row(written.pair, written.vp) };
        self.received_view.clock(&[reads.1], vp, self.received.modified().received_view());

        // 0, and the tables' own steps
        let pair = select(sweeps, swept.0, select(clear_pair, forgotten, arrival.pair));
        let vp = select(sweeps, swept.1, arrival.sport.truncate(self.sizes.vp_bits()));
        let entering = Event {
            valid: sweeps | clear_pair | arrival.valid,
            clears: sweeps,
            clear_pair,
            pair,
            vp,
            index_valid: self.sizes.index_valid(pair),
            sport: arrival.sport,
            ecn: arrival.ecn,
            burst: arrival.burst,
        };
        let (asks, yes) = (entering.valid & entering.index_valid, Bits::lit(1, 1));
        self.known.clock(Access { valid: asks, index: pair }, yes);
        self.received.clock(Access { valid: asks & !clear_pair, index: self.sizes.row(pair, vp) }, yes);

        // l + 1
        self.count(event, row, known, burst);
        let writes = event.valid & event.index_valid;
        self.written.set(Place { valid: writes, pair: event.pair, vp: event.vp });
        self.counted.set(writes & !event.clear_pair);

        // 0 to l
        self.event.shift(entering);
        self.now.set(self.now.get() + 1);
    }

    /// Step `l` + 1: new rows of the VP and of the pair.
    fn count(&self, event: Event<L>, row: Received<L>, known: Known<L>, length: Bits<L>) {
        let entering = event.valid & !event.clears & !event.clear_pair;
        self.refused.count(entering & !event.index_valid);

        let there = known.vps.slice_at(event.vp, 1);
        let new = (!there | row.sport.differs(event.sport)).named("new_vp");
        let counted = Received {
            generation: row.generation + new.extend(row.generation.width()),
            sport: event.sport,
            packets: row.packets.gate(!new) + 1,
            marked: row.marked.gate(!new) + event.ecn.extend(COUNT_WIDTH),
            burst: measure(row.burst, event.burst, new, self.now.get(), length),
        };
        let it = Bits::lit(known.vps.width(), 1) << event.vp;
        let clear_pair = event.clears | event.clear_pair;
        when(event.valid & event.index_valid, || {
            let arrived = known.arrived + entering.extend(known.arrived.width());
            self.known.modify(Known { vps: (known.vps | it).gate(!clear_pair), arrived });
        });
        when(event.valid & event.index_valid & !event.clear_pair, || {
            self.received.modify(counted.gate(!event.clears));
        });
    }
}
