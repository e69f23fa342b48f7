// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring of REPS, request side: requests take EVs that came back without a mark, each once more (rules P3 to P5,
//! X1). With memories of latency `l`:
//!
//! ```text
//!  step 0      CCC to `pops` and `rings`
//!       l      is the ring row valid?
//!       l + 1  unused slots; pop one, explore, or reuse one
//!       l + 2  slot to `slots`; row written; the rounds know whether an EV is drawn
//!       l + 5  the EV (at latency 3 in this clock cycle; at 2 and 1 it is delayed)
//! ```
//!
//! Feedback fills the ring, requests empty it, and each side has its own memory: requests count their pops, and `rings`
//! holds the count at which all slots are used. Both wrap at 16, because there are never more than 8 unused slots. A
//! flush starts a new round, in which the count starts at 0. So pops of requests that do not see the flush yet do not
//! count for the new round.

use super::config::EntropySelectorConfig;
use super::modes::mode;
use super::request::AdmittedRequest;
use super::ring_records::{FILL_BITS, Popped, Ring, RingUpdate, SLOT_BITS};
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, bits, constant, index_width, name_nets, select, when};

/// Width of a count of EVs to explore.
pub const EXPLORE_WIDTH: u32 = 8;

/// What requests have done with the ring of a CCC.
#[derive(Bundle)]
struct Pops<L: Reading> {
    /// The row is valid if the CCC state has the same generation.
    generation: Bits<L>,
    /// Number of pops in this round, modulo 16.
    popped: Bits<L>,
    /// Flush count of the ring as the previous request saw it.
    flush_count: Bits<L>,
    /// Number of EVs still to be explored.
    explore: Bits<L>,
    /// 1 if `explore` is above 0.
    explores: Bits<L>,
    /// Slot that is reused next, counted from the oldest one (the stale pointer of rule P4).
    reuse_pointer: Bits<L>,
}

/// Decision for the request in step `l` + 2: ring slot or drawn EV.
#[derive(Bundle)]
pub struct RingGrant<L: Reading> {
    /// 1 if the request gets an EV of the ring.
    pub ring: Bits<L>,
    /// Slot of the ring that holds the EV; valid if `ring`.
    pub slot: Bits<L>,
    /// 1 if the request gets the next EV of its round.
    pub draws: Bits<L>,
}

/// Request side of the rings: pops and reuses slots.
#[name_nets]
pub struct RingDrain<L: Logic> {
    /// What requests have done with each ring.
    pops: RmwTable<L, Pops<L>>,
    /// Copy of the rings for requests.
    rings: WriteFirstRam<L, Ring<L>>,
    /// EVs of all slots.
    slots: WriteFirstRam<L, Bits<L>>,
    /// Width of a slot number among the slots of all CCCs.
    slot_width: u32,
    /// Ring state that the request in step `l` + 1 sees.
    ring: Reg<Ring<L>>,
    /// What the request in step `l` + 2 gets: ring slot or drawn EV.
    ring_grant: Reg<RingGrant<L>>,
    /// Delays the EV from step 2 `l` + 2 to step `l` + 5.
    align_delay: Option<Delay<Bits<L>>>,
}

#[name_nets]
impl<L: Logic> RingDrain<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ev, latency) = (bits(1), bits(config.ev_bits()), config.ram_latency);
        let ring = config.ring();
        let pops = Pops {
            generation: flag,
            popped: ring.empty_at,
            flush_count: ring.flush_count,
            explore: bits(EXPLORE_WIDTH),
            explores: flag,
            reuse_pointer: bits(SLOT_BITS),
        };
        let waits = 3 - latency as usize;
        RingDrain {
            // Not reset, as the admitted requests are not.
            pops: RmwTable::new(config.cccs, latency, &pops).without_reset(),
            rings: WriteFirstRam::new(config.cccs, latency, 1, &ring),
            slots: WriteFirstRam::new(config.cccs << SLOT_BITS, latency, 1, &ev),
            slot_width: index_width(config.cccs << SLOT_BITS),
            ring: Reg::new(&ring),
            ring_grant: Reg::new(&RingGrant { ring: flag, slot: bits(SLOT_BITS), draws: flag }),
            align_delay: (waits > 0).then(|| Delay::new(&ev, waits)),
        }
    }

    /// What the request in step `l` + 2 gets.
    pub fn ring_grant(&self) -> RingGrant<L> {
        self.ring_grant.get()
    }

    /// The row of the request in step `l` + 2, as it is written.
    pub fn popped(&self) -> Popped<L> {
        let Pops { generation, popped, flush_count, .. } = self.pops.modified();
        Popped { generation, flush_count, popped }
    }

    /// EV of the ring for the request in step `l` + 5.
    pub fn ev(&self) -> Bits<L> {
        self.align_delay.as_ref().map_or_else(|| self.slots.data(0), Delay::get)
    }

    /// One cycle. `read_access` is the request in step 0; `entering`, `admitted` and `request_2` are the admitted
    /// requests in steps `l` to `l` + 2; `explore` is the setting.
    pub fn clock(
        &self,
        read_access: Access<L>,
        [entering, admitted, request_2]: [AdmittedRequest<L>; 3],
        explore: Bits<L>,
        ring_update: RingUpdate<L>,
    ) {
        let (row, ring, stored) = (self.pops.operand(), self.ring.get(), self.rings.data(0));
        let (slot, ev) = (self.ring_grant.get().slot, self.slots.data(0));
        self.pops.clock(read_access, entering.valid);
        when(admitted.valid, || self.decide(admitted, row, ring, explore));
        when(entering.valid, || {
            let counts = stored.generation.equals(entering.mode_state.ring_generation);
            self.ring.set(select(counts, stored, Ring::empty(&stored)));
        });
        self.rings.clock(
            &[read_access.index],
            Access { valid: ring_update.ring_valid, index: ring_update.ccc },
            ring_update.ring,
        );
        if let Some(align_delay) = &self.align_delay {
            align_delay.shift(ev);
        }
        let place = |ccc: Bits<L>, slot| ccc.concat(slot).truncate(self.slot_width);
        let push = Access { valid: ring_update.push.valid, index: place(ring_update.push.ccc, ring_update.push.slot) };
        self.slots.clock(&[place(request_2.ccc, slot)], push, ring_update.push.ev);
    }

    /// Step `l` + 1: pop a slot, reuse one, or draw an EV.
    fn decide(&self, admitted: AdmittedRequest<L>, row: Pops<L>, ring: Ring<L>, explore: Bits<L>) {
        let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
        let reps = admitted.mode_state.is(constant!(mode::REPS));
        let mixed = admitted.mode_state.is(constant!(mode::MIXED));
        let row_stale = row.generation.differs(admitted.generation).named("pops_row_stale");
        let restarts = row_stale | row.flush_count.differs(ring.flush_count);
        let popped = select(restarts, zero(row.popped), row.popped);
        let left = select(restarts, explore, row.explore);
        let reuse_pointer = select(restarts, zero(row.reuse_pointer), row.reuse_pointer);

        let explores = (reps & select(restarts, explore.any(), row.explores)).named("explores");
        let slots_available =
            select(restarts, ring.empty_at.any(), ring.empty_at.differs(row.popped)).named("slots_unused");
        let takes = ((mixed | reps & !explores) & slots_available).named("takes_slot");
        let reuses = (reps & !explores & !slots_available & ring.frozen & ring.written.any()).named("reuses_slot");
        let place = select(reuse_pointer.extend(FILL_BITS).less(ring.written), reuse_pointer, zero(reuse_pointer));
        let low = |x: Bits<L>| x.truncate(SLOT_BITS);
        let oldest = ring.head - low(ring.empty_at - popped);
        let slot = select(takes, oldest, ring.head - low(ring.written) + place);
        let other =
            admitted.mode_state.is(constant!(mode::OBLIVIOUS)) | admitted.mode_state.is(constant!(mode::ROUND_ROBIN));
        self.ring_grant.set(RingGrant { ring: takes | reuses, slot, draws: other | reps & !takes & !reuses });
        self.pops.modify(Pops {
            generation: admitted.generation,
            popped: select(takes, popped + 1, popped),
            flush_count: ring.flush_count,
            explore: select(explores, left - 1, left),
            explores: left.differs(0) & (!reps | left.differs(1)),
            reuse_pointer: select(reuses, place + 1, reuse_pointer),
        });
    }
}
