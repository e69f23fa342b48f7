// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring of REPS as feedback fills it (rows P1, P2, X1). With memories of latency `l`:
//!
//! ```text
//!  step l + 1      CCC to `recycled` and `popped`; frozen?
//!       2 l + 1    the pops of this round
//!       2 l + 2    pushed, or emptied
//!       2 l + 3    written
//!       l + 6      told to the request side (at latency 3 in step 2 `l` + 3)
//!       2 l + 8    EV to its slot: the first request that has been told asks for it in this clock
//! ```

use super::EntropySelectorConfig;
use super::freeze::{Freeze, Freezes, ROUND_WIDTH};
use super::records::{Push, Ring};
use super::request::Heard;
use super::ring::{FILL_BITS, Popped, SLOT_BITS};
use crate::update::{Ask, Update};
use crate::write_first::WriteFirst;
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// The kind of feedback that fills a slot.
const GOOD: u64 = 0;
/// Slots of a ring.
const SLOTS: u64 = 1 << SLOT_BITS;

/// The row of a CCC: as in [`Ring`].
#[derive(Bundle)]
struct Row<L: Reading> {
    turn: Bits<L>,
    head: Bits<L>,
    empty_at: Bits<L>,
    written: Bits<L>,
}

/// Feedback with what it makes of a freeze.
#[derive(Bundle)]
struct Taken<L: Reading> {
    heard: Heard<L>,
    freeze: Freeze<L>,
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

/// A ring on its way to the request side.
#[derive(Bundle)]
struct Told<L: Reading> {
    ask: Ask<L>,
    ring: Ring<L>,
}

/// The feedback side of the rings.
#[name_nets]
pub struct Recycler<L: Logic> {
    freezes: Freezes<L>,
    rows: Update<L, Row<L>>,
    popped: WriteFirst<L, Popped<L>>,
    /// From step `l` + 1 to 2 `l` + 1.
    coming: Delay<Taken<L>>,
    /// Step 2 `l` + 2: the feedback, and the pops of its round.
    taken: Reg<Taken<L>>,
    used: Reg<Bits<L>>,
    /// Step 2 `l` + 3.
    changed: Reg<Taken<L>>,
    /// From there to step `l` + 6.
    waiting: Option<Delay<Told<L>>>,
    /// Steps 2 `l` + 3 to 2 `l` + 8.
    push: Delay<Push<L>>,
}

#[name_nets]
impl<L: Logic> Recycler<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, latency) = (bits(1), config.ram_latency);
        let (ring, ask) = (config.ring(), Ask { valid: flag, key: config.ccc() });
        let Ring { turn, head, empty_at, written, .. } = ring;
        let popped = Popped { turn: flag, round: ring.round, popped: empty_at };
        let taken = Taken { heard: config.heard(), freeze: config.freeze() };
        let waits = 3 - latency as usize;
        Recycler {
            freezes: Freezes::new(config),
            // Goes on over a reset, as the feedback does, and so does what is told.
            rows: Update::new(config.cccs, latency, &Row { turn, head, empty_at, written }).without_reset(),
            popped: WriteFirst::new(config.cccs, latency, 1, &popped),
            coming: Delay::new(&taken, latency as usize),
            taken: Reg::new(&taken),
            used: Reg::new(&empty_at),
            changed: Reg::new(&taken),
            waiting: (waits > 0).then(|| Delay::new(&Told { ask, ring }, waits).without_reset()),
            push: Delay::new(&config.push(), 6),
        }
    }

    /// The ring of step 2 `l` + 3.
    fn of_changed(&self) -> Told<L> {
        let (Taken { heard, freeze }, Row { turn, head, empty_at, written }) =
            (self.changed.get(), self.rows.changed());
        let ring = Ring { turn, head, empty_at, written, frozen: freeze.frozen, round: freeze.round };
        Told { ask: Ask { valid: heard.valid, key: heard.ccc }, ring }
    }

    /// What is told in this cycle.
    pub fn told(&self) -> Recycled<L> {
        let Told { ask, ring } = self.waiting.as_ref().map_or_else(|| self.of_changed(), Delay::get);
        Recycled { told: ask.valid, ccc: ask.key, ring, push: self.push.get() }
    }

    /// One cycle. `asked` is the feedback in step 0; `arrives` and `heard` are what changes anything in steps `l` and
    /// `l` + 1; `pops` says of which CCC a request changes `popped`; `freeze` is the setting.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        asked: Ask<L>,
        arrives: Heard<L>,
        heard: Heard<L>,
        pops: Ask<L>,
        popped: Popped<L>,
        freeze: Bits<L>,
        time: Bits<L>,
    ) {
        let (row, coming, taken, used) = (self.rows.operand(), self.coming.get(), self.taken.get(), self.used.get());
        let counted = self.popped.data(0);
        if let Some(waiting) = &self.waiting {
            waiting.shift(self.of_changed());
        }
        self.rows.clock(Ask { valid: heard.valid, key: heard.ccc }, Bits::lit(1, 1));
        self.popped.clock(&[heard.ccc], pops, popped);

        // 2 l + 2
        let Taken { heard: at, freeze: Freeze { ends, .. } } = taken;
        let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
        let fresh = row.turn.differs(at.way.ring_turn).named("ring_fresh");
        let good = at.kind.equals(GOOD).named("recycles");
        let empties = fresh | ends;
        let head = select(fresh, zero(row.head), row.head);
        let written = select(empties, zero(row.written), row.written);
        let full = (row.empty_at - used).bit(SLOT_BITS).named("ring_full");
        let one = good.extend(FILL_BITS);
        when(at.valid, || {
            self.rows.change(Row {
                turn: at.way.ring_turn,
                head: head + good.extend(SLOT_BITS),
                // A push into a full ring takes the place of the oldest EV.
                empty_at: select(empties, used + one, select(full, row.empty_at, row.empty_at + one)),
                written: select(good & written.less(SLOTS), written + 1, written),
            });
        });
        self.changed.set(taken);
        self.push.shift(Push { valid: at.valid & good, ccc: at.ccc, slot: head, ev: at.ev });

        // 2 l + 1
        let counts = counted.turn.equals(coming.heard.turn) & counted.round.equals(coming.freeze.round);
        self.used.set(select(counts, counted.popped, zero(counted.popped)));
        self.taken.set(coming);

        // l + 1
        let freeze = self.freezes.clock(asked, arrives.valid, heard, freeze, time);
        self.coming.shift(Taken { heard, freeze });
    }
}

impl EntropySelectorConfig {
    pub(super) fn ring(self) -> Ring<Shape> {
        let (flag, fill) = (bits(1), bits(FILL_BITS));
        Ring {
            turn: flag,
            head: bits(SLOT_BITS),
            empty_at: fill,
            written: fill,
            frozen: flag,
            round: bits(ROUND_WIDTH),
        }
    }

    pub(super) fn push(self) -> Push<Shape> {
        Push { valid: bits(1), ccc: self.ccc(), slot: bits(SLOT_BITS), ev: bits(self.ev_bits()) }
    }
}
