// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring of REPS as both sides of it know it: its state, and what requests and feedback tell each other.

use super::config::EntropySelectorConfig;
use super::epoch::EPOCH_WIDTH;
use super::freeze::FLUSH_COUNT_WIDTH;
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// Width of a slot number: a ring has 8 slots.
pub const SLOT_BITS: u32 = 3;
/// Width of a count of slots.
pub const FILL_BITS: u32 = SLOT_BITS + 1;

/// Ring of a CCC after the last feedback (rule P1).
#[derive(Bundle)]
#[shape]
pub struct Ring<L: Reading> {
    /// The row is valid if the mode state has the same ring generation.
    pub generation: Bits<L>,
    /// Slot that is written next.
    #[width(SLOT_BITS)]
    pub head: Bits<L>,
    /// Number of pops in this round at which all slots are used, modulo 16.
    #[width(FILL_BITS)]
    pub empty_at: Bits<L>,
    /// Number of slots that hold an EV, 0 to 8.
    #[width(FILL_BITS)]
    pub written: Bits<L>,
    /// 1 if the ring is frozen: its EVs are reused.
    pub frozen: Bits<L>,
    /// Number of times the ring has been flushed, modulo 4.
    #[width(FLUSH_COUNT_WIDTH)]
    pub flush_count: Bits<L>,
    /// Epoch in which the last EV was stored (rule P7).
    #[width(EPOCH_WIDTH)]
    pub since: Bits<L>,
    /// 1 if an EV has been stored.
    pub stored: Bits<L>,
    /// Number of pops at which all slots of the previous epochs are used: as long as the epoch is `since`, and in the
    /// next one.
    #[width(FILL_BITS)]
    pub fresh_from: [Bits<L>; 2],
}

/// EV to be stored in a slot of a ring.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Push<L: Reading> {
    /// 1 if there is an EV to store in this clock cycle.
    pub valid: Bits<L>,
    /// Index of the CCC whose ring is written.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// Slot of the ring, 0 to 7.
    #[width(SLOT_BITS)]
    pub slot: Bits<L>,
    /// EV that goes into the slot.
    #[width(config.ev_bits())]
    pub ev: Bits<L>,
}

/// Update to the request side.
#[derive(Bundle)]
pub struct RingUpdate<L: Reading> {
    /// 1 if a ring has changed.
    pub ring_valid: Bits<L>,
    /// Index of the CCC of this ring.
    pub ccc: Bits<L>,
    /// Its new state.
    pub ring: Ring<L>,
    /// EV to be stored in a slot; from an earlier feedback.
    pub push: Push<L>,
}

/// Pops of a CCC, as feedback reads them.
#[derive(Bundle)]
pub struct Popped<L: Reading> {
    /// The row is valid if the CCC state has the same generation.
    pub generation: Bits<L>,
    /// Flush count; `popped` is valid if the ring has the same one.
    pub flush_count: Bits<L>,
    /// Number of pops in this round, modulo 16.
    pub popped: Bits<L>,
}

#[name_nets]
impl<L: Logic> Ring<L> {
    /// Ring of a CCC without feedback, of the same widths as `like`.
    pub fn empty(like: &Self) -> Self {
        let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
        Ring {
            generation: zero(like.generation),
            head: zero(like.head),
            empty_at: zero(like.empty_at),
            written: zero(like.written),
            frozen: zero(like.frozen),
            flush_count: zero(like.flush_count),
            since: zero(like.since),
            stored: zero(like.stored),
            fresh_from: like.fresh_from.map(zero),
        }
    }
}
