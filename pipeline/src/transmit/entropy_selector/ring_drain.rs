// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring of REPS, request side: requests take EVs that came back without a mark, each once more (rules P3 to P5, P7,
//! X1). With memories of latency `l`:
//!
//! ```text
//!  step 0      CCC to `pops` and `rings`
//!       2      CCC to `slots`
//!       l      is the ring row valid? which of its EVs are fresh?
//!       l + 1  unused slots; pop one, explore, or reuse one
//!       l + 2  the EV of the slot; row written; the rounds know whether an EV is drawn
//! ```
//!
//! Feedback fills the ring, requests empty it, and each side has its own memory: requests count their pops, and `rings`
//! holds the count at which all slots are used. Both wrap at 16, because there are never more than 8 unused slots. A
//! flush starts a new round, in which the count starts at 0. So pops of requests that do not see the flush yet do not
//! count for the new round. A pop of a fresh EV is also one of all older EVs.

use super::config::EntropySelectorConfig;
use super::freeze::FLUSH_COUNT_WIDTH;
use super::modes::mode;
use super::request::AdmittedRequest;
use super::ring_records::{FILL_BITS, Popped, Ring, RingUpdate, SLOT_BITS};
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use rtl_model::{
    Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Wide, bits, constant, name_nets, select, when, wide,
};

/// Width of a count of EVs to explore.
pub const EXPLORE_WIDTH: u32 = 16;

/// Number of slots of a ring.
const SLOTS: u32 = 1 << SLOT_BITS;

/// What requests have done with the ring of a CCC.
#[derive(Bundle)]
#[shape]
struct Pops<L: Reading> {
    /// The row is valid if the CCC state has the same generation.
    generation: Bits<L>,
    /// Number of pops in this round, modulo 16.
    #[width(FILL_BITS)]
    popped: Bits<L>,
    /// Flush count of the ring as the previous request saw it.
    #[width(FLUSH_COUNT_WIDTH)]
    flush_count: Bits<L>,
    /// Number of EVs still to be explored.
    #[width(EXPLORE_WIDTH)]
    explore: Bits<L>,
    /// 1 if `explore` is above 0.
    explores: Bits<L>,
    /// Slot that is reused next, counted from the oldest one (the stale pointer of rule P4).
    #[width(SLOT_BITS)]
    reuse_pointer: Bits<L>,
}

/// Decision for the request in step `l` + 2: ring slot or drawn EV.
#[derive(Bundle)]
#[shape]
pub struct RingGrant<L: Reading> {
    /// 1 if the request gets an EV of the ring.
    pub ring: Bits<L>,
    /// Slot of the ring that holds the EV; valid if `ring`.
    #[width(SLOT_BITS)]
    slot: Bits<L>,
    /// 1 if the request gets the next EV of its round.
    pub draws: Bits<L>,
}

/// Ring that a request sees, in its epoch.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
struct SeenRing<L: Reading> {
    ring: Ring<L>,
    /// 1 if it has fresh EVs, used or not.
    fresh: Bits<L>,
    /// Number of pops at which all other EVs are used.
    #[width(FILL_BITS)]
    fresh_from: Bits<L>,
}

/// EV stored in the clock cycle in which the row of its slot was read.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
struct BypassSlot<L: Reading> {
    hit: Bits<L>,
    #[width(SLOT_BITS)]
    slot: Bits<L>,
    #[width(config.ev_bits())]
    ev: Bits<L>,
}

/// Request side of the rings: pops and reuses slots.
#[name_nets]
pub struct RingDrain<L: Logic> {
    /// What requests have done with each ring.
    pops: RmwTable<L, Pops<L>>,
    /// Copy of the rings for requests.
    rings: WriteFirstRam<L, Ring<L>>,
    /// EVs of all slots, the slots of a CCC in a row.
    slots: Ram<Wide<L>>,
    /// Width of an EV in the memory, which has write enables for 8 or 16 bits.
    stored_width: u32,
    /// Width of an EV.
    ev_width: u32,
    /// EVs stored in the clock cycle of the read of `slots`, in steps 3 to `l` + 2.
    bypass_slot: PipelineRegs<BypassSlot<L>>,
    /// Ring state that the request in step `l` + 1 sees.
    ring: Reg<SeenRing<L>>,
    /// What the request in step `l` + 2 gets: ring slot or drawn EV.
    ring_grant: Reg<RingGrant<L>>,
}

#[name_nets]
impl<L: Logic> RingDrain<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ev, latency) = (bits(1), bits(config.ev_bits()), config.ram_latency);
        let ring = Ring::shape();
        let pops = Pops::shape();
        let stored_width = if config.ev_bits() <= 8 { 8 } else { 16 };
        let slots = RamShape::new(config.cccs).unused_on_collision().latency(latency).lanes(SLOTS);
        RingDrain {
            // Not reset, as the admitted requests are not.
            pops: RmwTable::new(config.cccs, latency, &pops).without_reset(),
            rings: WriteFirstRam::new(config.cccs, latency, 1, &ring),
            slots: Ram::new(slots, &wide(stored_width * SLOTS)),
            stored_width,
            ev_width: config.ev_bits(),
            bypass_slot: PipelineRegs::new(3..=latency + 2, &BypassSlot::shape(config)),
            ring: Reg::new(&SeenRing::shape(config)),
            ring_grant: Reg::new(&RingGrant::shape()),
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

    /// EV of the ring for the request in step `l` + 2.
    pub fn ev(&self) -> Bits<L> {
        let (slot, bypass) = (self.ring_grant.get().slot, self.bypass_slot.last());
        let ev = self.slots.data().lane(slot, self.stored_width).truncate(self.ev_width);
        select(bypass.hit & bypass.slot.equals(slot), bypass.ev, ev)
    }

    /// One cycle. `read_access` are the requests in steps 0 and 2; `entering` and `admitted` are the admitted requests
    /// in steps `l` and `l` + 1; `explore` is the setting.
    pub fn clock(
        &self,
        read_access: [Access<L>; 2],
        [entering, admitted]: [AdmittedRequest<L>; 2],
        explore: Bits<L>,
        ring_update: RingUpdate<L>,
    ) {
        let (row, ring, stored) = (self.pops.operand(), self.ring.get(), self.rings.data(0));
        self.pops.clock(read_access[0], entering.valid);
        when(admitted.valid, || self.decide(admitted, row, ring, explore));
        when(entering.valid, || {
            let counts = stored.generation.equals(entering.mode_state.ring_generation);
            let (now, [recent, latest]) = (entering.epoch, stored.fresh_from);
            let (same, next) = (stored.since.equals(now), (stored.since + 1).equals(now));
            self.ring.set(SeenRing {
                ring: select(counts, stored, Ring::empty(&stored)),
                fresh: counts & stored.stored & (same | next),
                fresh_from: select(same, recent, latest),
            });
        });
        self.rings.clock(
            &[read_access[0].index],
            Access { valid: ring_update.ring_valid, index: ring_update.ccc },
            ring_update.ring,
        );
        let (push, ccc) = (ring_update.push, read_access[1].index);
        let hit = push.valid & push.ccc.equals(ccc);
        self.bypass_slot.shift(BypassSlot { hit, slot: push.slot, ev: push.ev });
        self.slots.read(ccc);
        when(push.valid, || self.slots.write_lane(push.ccc, push.slot, push.ev.extend(self.stored_width)));
        self.slots.clock();
    }

    /// Step `l` + 1: pop a slot, reuse one, or draw an EV.
    fn decide(&self, admitted: AdmittedRequest<L>, row: Pops<L>, seen: SeenRing<L>, explore: Bits<L>) {
        let SeenRing { ring, fresh, fresh_from } = seen;
        let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
        let reps = admitted.mode_state.is(constant!(mode::REPS));
        let mixed = admitted.mode_state.is(constant!(mode::MIXED));
        let row_stale = row.generation.differs(admitted.generation).named("pops_row_stale");
        let restarts = row_stale | row.flush_count.differs(ring.flush_count);
        let popped = select(restarts, zero(row.popped), row.popped);
        let left = select(restarts, explore, row.explore);
        let reuse_pointer = select(restarts, zero(row.reuse_pointer), row.reuse_pointer);

        let explores = (reps & select(restarts, explore.any(), row.explores)).named("explores");
        // Unused EVs that are not fresh are passed over; there is one if fewer pops than `fresh_from` were made.
        let some_old = select(restarts, !fresh_from.bit(SLOT_BITS), !(fresh_from - row.popped).bit(SLOT_BITS));
        let some_unused = select(restarts, ring.empty_at.any(), ring.empty_at.differs(row.popped));
        let slots_available = (fresh & (some_old | some_unused)).named("slots_unused");
        let first = select(some_old, fresh_from, popped);
        let takes = ((mixed | reps & !explores) & slots_available).named("takes_slot");
        let reuses = (reps & !explores & !slots_available & ring.frozen & ring.written.any()).named("reuses_slot");
        let place = select(reuse_pointer.extend(FILL_BITS).less(ring.written), reuse_pointer, zero(reuse_pointer));
        let low = |x: Bits<L>| x.truncate(SLOT_BITS);
        let oldest = ring.head - low(ring.empty_at) + low(first);
        let slot = select(takes, oldest, ring.head - low(ring.written) + place);
        let other =
            admitted.mode_state.is(constant!(mode::OBLIVIOUS)) | admitted.mode_state.is(constant!(mode::ROUND_ROBIN));
        self.ring_grant.set(RingGrant { ring: takes | reuses, slot, draws: other | reps & !takes & !reuses });
        self.pops.modify(Pops {
            generation: admitted.generation,
            popped: select(takes, first + 1, popped),
            flush_count: ring.flush_count,
            explore: left - explores.extend(EXPLORE_WIDTH),
            explores: left.differs(0) & (!reps | left.differs(1)),
            reuse_pointer: select(reuses, place + 1, reuse_pointer),
        });
    }
}
