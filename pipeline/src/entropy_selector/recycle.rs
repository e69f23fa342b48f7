// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring of REPS as feedback fills it (rows P1, P2, X1). With memories of latency `l`:
//!
//! ```text
//!  step l + 1      CCC to `recycled` and `popped`
//!       2 l + 2    pushed, emptied, frozen
//!       2 l + 3    written
//!       l + 6      told to the request side (at latency 3 in step 2 `l` + 3)
//!       2 l + 8    EV to its slot: the first request that has been told asks for it in this clock
//! ```

use super::EntropySelectorConfig;
use super::clock::TIME_WIDTH;
use super::modes::mode;
use super::records::{Push, Ring};
use super::request::Heard;
use super::ring::{FILL_BITS, Popped, SLOT_BITS};
use crate::update::{Ask, Update};
use crate::write_first::WriteFirst;
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, bits, select, when};

/// Kinds of feedback.
const GOOD: u64 = 0;
const TIMEOUT: u64 = 3;
/// Slots of a ring.
const SLOTS: u64 = 1 << SLOT_BITS;

/// The row of a CCC.
#[derive(Bundle)]
struct Row<L: Reading> {
    ring: Ring<L>,
    /// When it was frozen.
    since: Bits<L>,
}

/// What the request side is told.
#[derive(Bundle)]
pub struct Recycled<L: Reading> {
    /// A ring has changed.
    pub told: Bits<L>,
    /// That of this CCC.
    pub ccc: Bits<L>,
    /// It is this now.
    pub ring: Ring<L>,
    /// An EV for a slot; from another feedback.
    pub push: Push<L>,
}

/// The feedback side of the rings.
pub struct Recycler<L: Logic> {
    rows: Update<L, Row<L>>,
    popped: WriteFirst<L, Popped<L>>,
    /// From step `l` + 1 to 2 `l` + 2.
    heard: Delay<Heard<L>>,
    /// Step 2 `l` + 2.
    used: Reg<Popped<L>>,
    /// Step 2 `l` + 3.
    changed: Reg<Ask<L>>,
    /// From there to step `l` + 6.
    waiting: Option<Delay<Told<L>>>,
    /// Steps 2 `l` + 3 to 2 `l` + 8.
    push: Delay<Push<L>>,
}

/// A ring on its way to the request side.
#[derive(Bundle)]
struct Told<L: Reading> {
    ask: Ask<L>,
    ring: Ring<L>,
}

impl<L: Logic> Recycler<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, latency) = (bits(1), config.ram_latency);
        let (ring, ask) = (config.ring(), Ask { valid: flag, key: config.ccc() });
        let popped = Popped { turn: flag, round: ring.round, popped: ring.popped };
        let waits = 3 - latency as usize;
        Recycler {
            rows: Update::new("recycled", config.cccs, latency, &Row { ring, since: bits(TIME_WIDTH) }),
            popped: WriteFirst::new("popped", config.cccs, latency, 1, &popped),
            heard: Delay::new("recycled_heard", &config.heard(), latency as usize + 1),
            used: Reg::new("used", &popped),
            changed: Reg::new("recycled_told", &ask),
            waiting: (waits > 0).then(|| Delay::new("told_ring", &Told { ask, ring }, waits)),
            push: Delay::new("push", &config.push(), 6),
        }
    }

    /// What is told in this cycle.
    #[inline(always)]
    pub fn told(&self) -> Recycled<L> {
        let Told { ask, ring } = match &self.waiting {
            Some(waiting) => waiting.get(),
            None => Told { ask: self.changed.get(), ring: self.rows.changed().ring },
        };
        Recycled { told: ask.valid, ccc: ask.key, ring, push: self.push.get() }
    }

    /// One cycle. `heard` is the feedback in step `l` + 1; `pops` says of which CCC a request changes `popped`; `freeze`
    /// is the setting.
    #[inline(always)]
    pub fn clock<const LATENCY: usize>(
        &self,
        heard: Heard<L>,
        pops: Ask<L>,
        popped: Popped<L>,
        freeze: Bits<L>,
        time: Bits<L>,
    ) {
        let (row, at, used) = (self.rows.operand(), self.heard.get(), self.used.get());
        if let Some(waiting) = &self.waiting {
            waiting.shift(Told { ask: self.changed.get(), ring: self.rows.changed().ring });
        }
        self.changed.set(Ask { valid: at.valid, key: at.ccc });
        self.used.set(self.popped.data(0));
        self.rows.clock::<LATENCY>(Ask { valid: heard.valid, key: heard.ccc }, Bits::lit(1, 1));
        self.popped.clock::<LATENCY, _>([heard.ccc], pops, popped);
        self.heard.shift(heard);

        let fresh = row.ring.turn.differs(at.way.ring_turn).named("ring_fresh");
        let ring = select(fresh, Ring::empty(&row.ring), row.ring);
        let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
        let reps = at.way.is(mode::REPS);
        // Not at once: four rounds must take longer than a request to see one.
        let freeze = freeze | (!freeze.any()).extend(TIME_WIDTH);
        let thaws = (ring.frozen & (time - row.since).at_least(freeze)).named("thaws");
        let next = ring.round + 1;
        let same_round = select(thaws, used.round.equals(next), used.round.equals(ring.round));
        let popped = select(used.turn.equals(at.turn) & same_round, used.popped, zero(used.popped));
        let unused = select(thaws, zero(ring.fill), ring.fill - (popped - ring.popped)).named("unused_now");
        let written = select(thaws, zero(ring.written), ring.written);
        let good = at.kind.equals(GOOD).named("recycles");
        let stays_frozen = ring.frozen & !thaws;
        let freezes = (reps & at.kind.equals(TIMEOUT) & !stays_frozen).named("freezes");
        let more = |x: Bits<L>| select(good & x.less(SLOTS), x + 1, x);
        when(at.valid, || {
            self.rows.change(Row {
                ring: Ring {
                    turn: at.way.ring_turn,
                    head: ring.head + good.extend(SLOT_BITS),
                    fill: more(unused),
                    popped,
                    written: more(written),
                    frozen: stays_frozen | freezes,
                    round: select(thaws, next, ring.round),
                },
                since: select(freezes, time, row.since),
            });
        });
        self.push.shift(Push { valid: at.valid & good, ccc: at.ccc, slot: ring.head, ev: at.ev });
    }
}

impl EntropySelectorConfig {
    pub(super) fn ring(self) -> Ring<rtl_model::Shape> {
        let fill = bits(FILL_BITS);
        Ring {
            turn: bits(1),
            head: bits(SLOT_BITS),
            fill,
            popped: fill,
            written: fill,
            frozen: bits(1),
            round: bits(2),
        }
    }

    pub(super) fn push(self) -> Push<rtl_model::Shape> {
        Push { valid: bits(1), ccc: self.ccc(), slot: bits(SLOT_BITS), ev: bits(self.ev_bits()) }
    }
}
