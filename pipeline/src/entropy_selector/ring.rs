// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring of REPS as requests use it (rows P3 to P5, X1): EVs that came back without a mark, each once more. With
//! memories of latency `l`:
//!
//! ```text
//!  step 0      CCC to `pops` and `rings`
//!       l      does the ring count?
//!       l + 1  slots not used yet; use one, explore, or use one again
//!       l + 2  slot to `slots`; the row written; the rounds know whether an EV is drawn
//!       l + 5  the EV (at latency 3 in this clock, at 2 and 1 it waits)
//! ```
//!
//! Feedback fills the ring, requests empty it, and each has a memory of its own: requests count their pops, and `rings` says
//! with which count all slots are used. Both wrap at 16, as there are never more than 8 slots to use. A ring that is emptied
//! starts a round, in which the count starts at 0; so pops of requests that do not see that yet do not count for it.

use super::EntropySelectorConfig;
use super::modes::mode;
use super::records::Ring;
use super::recycle::Recycled;
use super::request::Caller;
use crate::update::{Ask, Update};
use crate::write_first::WriteFirst;
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, bits, index_width, name_nets, select, when};

/// Slots of a ring, as a power of two.
pub const SLOT_BITS: u32 = 3;
/// Width of a number of slots.
pub const FILL_BITS: u32 = SLOT_BITS + 1;
/// Width of a number of EVs to explore.
pub const EXPLORE_WIDTH: u32 = 8;

/// What requests have done to the ring of a CCC.
#[derive(Bundle)]
struct Pops<L: Reading> {
    /// It counts if the life has the same.
    turn: Bits<L>,
    /// Slots used in this round.
    popped: Bits<L>,
    /// The ring's when the request before saw it.
    round: Bits<L>,
    /// EVs still to be explored, and whether there are any.
    explore: Bits<L>,
    explores: Bits<L>,
    /// The slot that is used again next.
    stale: Bits<L>,
}

/// Slots used, as feedback reads it.
#[derive(Bundle)]
pub struct Popped<L: Reading> {
    /// It counts if the life has the same.
    pub turn: Bits<L>,
    /// It counts if the ring has the same.
    pub round: Bits<L>,
    /// Slots used in this round.
    pub popped: Bits<L>,
}

/// What a request in step `l` + 2 gets.
#[derive(Bundle)]
pub struct Served<L: Reading> {
    /// An EV out of the ring.
    pub ring: Bits<L>,
    /// Its slot.
    pub slot: Bits<L>,
    /// An EV out of the round.
    pub draws: Bits<L>,
}

/// The request side of the rings.
#[name_nets]
pub struct RingRequests<L: Logic> {
    pops: Update<L, Pops<L>>,
    rings: WriteFirst<L, Ring<L>>,
    slots: WriteFirst<L, Bits<L>>,
    /// Width of the number of a slot among those of all CCCs.
    slot_width: u32,
    /// Step `l` + 1.
    ring: Reg<Ring<L>>,
    /// Step `l` + 2.
    served: Reg<Served<L>>,
    /// From step 2 `l` + 2 to step `l` + 5.
    waiting: Option<Delay<Bits<L>>>,
}

#[name_nets]
impl<L: Logic> RingRequests<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ev, latency) = (bits(1), bits(config.ev_bits()), config.ram_latency);
        let ring = config.ring();
        let pops = Pops {
            turn: flag,
            popped: ring.empty_at,
            round: ring.round,
            explore: bits(EXPLORE_WIDTH),
            explores: flag,
            stale: bits(SLOT_BITS),
        };
        let waits = 3 - latency as usize;
        RingRequests {
            // Goes on over a reset, as its callers do.
            pops: Update::new(config.cccs, latency, &pops).without_reset(),
            rings: WriteFirst::new(config.cccs, latency, 1, &ring),
            slots: WriteFirst::new(config.cccs << SLOT_BITS, latency, 1, &ev),
            slot_width: index_width(config.cccs << SLOT_BITS),
            ring: Reg::new(&ring),
            served: Reg::new(&Served { ring: flag, slot: bits(SLOT_BITS), draws: flag }),
            waiting: (waits > 0).then(|| Delay::new(&ev, waits)),
        }
    }

    /// What the request in step `l` + 2 gets.
    pub fn served(&self) -> Served<L> {
        self.served.get()
    }

    /// The row of the request in step `l` + 2, as it is written.
    pub fn popped(&self) -> Popped<L> {
        let Pops { turn, popped, round, .. } = self.pops.changed();
        Popped { turn, round, popped }
    }

    /// The EV out of the ring for the request in step `l` + 5.
    pub fn ev(&self) -> Bits<L> {
        self.waiting.as_ref().map_or_else(|| self.slots.data(0), Delay::get)
    }

    /// One cycle. `asked` is the request in step 0; `arrives`, `caller` and `serves` are the callers in steps `l` to
    /// `l` + 2; `explore` is the setting.
    pub fn clock(&self, asked: Ask<L>, [arrives, caller, serves]: [Caller<L>; 3], explore: Bits<L>, told: Recycled<L>) {
        let (row, ring, stored) = (self.pops.operand(), self.ring.get(), self.rings.data(0));
        let (slot, ev) = (self.served.get().slot, self.slots.data(0));
        self.pops.clock(asked, arrives.valid);
        when(caller.valid, || self.serve(caller, row, ring, explore));
        when(arrives.valid, || {
            let counts = stored.turn.equals(arrives.way.ring_turn);
            self.ring.set(select(counts, stored, Ring::empty(&stored)));
        });
        self.rings.clock(&[asked.key], Ask { valid: told.told, key: told.ccc }, told.ring);
        if let Some(waiting) = &self.waiting {
            waiting.shift(ev);
        }
        let place = |ccc: Bits<L>, slot| ccc.concat(slot).truncate(self.slot_width);
        let push = Ask { valid: told.push.valid, key: place(told.push.ccc, told.push.slot) };
        self.slots.clock(&[place(serves.ccc, slot)], push, told.push.ev);
    }

    /// Step `l` + 1.
    fn serve(&self, caller: Caller<L>, row: Pops<L>, ring: Ring<L>, explore: Bits<L>) {
        let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
        let reps = caller.way.is(mode::REPS);
        let mixed = caller.way.is(mode::MIXED);
        let fresh = row.turn.differs(caller.turn).named("pops_fresh");
        let restarts = fresh | row.round.differs(ring.round);
        let popped = select(restarts, zero(row.popped), row.popped);
        let left = select(restarts, explore, row.explore);
        let stale = select(restarts, zero(row.stale), row.stale);

        let explores = (reps & select(restarts, explore.any(), row.explores)).named("explores");
        let some = select(restarts, ring.empty_at.any(), ring.empty_at.differs(row.popped)).named("slots_unused");
        let takes = ((mixed | reps & !explores) & some).named("takes_slot");
        let again = (reps & !explores & !some & ring.frozen & ring.written.any()).named("uses_again");
        let place = select(stale.extend(FILL_BITS).less(ring.written), stale, zero(stale));
        let low = |x: Bits<L>| x.truncate(SLOT_BITS);
        let oldest = ring.head - low(ring.empty_at - popped);
        let slot = select(takes, oldest, ring.head - low(ring.written) + place);
        let other = caller.way.is(mode::OBLIVIOUS) | caller.way.is(mode::COUNTER);
        self.served.set(Served { ring: takes | again, slot, draws: other | reps & !takes & !again });
        self.pops.change(Pops {
            turn: caller.turn,
            popped: select(takes, popped + 1, popped),
            round: ring.round,
            explore: select(explores, left - 1, left),
            explores: left.differs(0) & (!reps | left.differs(1)),
            stale: select(again, place + 1, stale),
        });
    }
}
