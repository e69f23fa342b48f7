// SPDX-License-Identifier: MIT OR Apache-2.0
//! The place of a CRC behind the payload: four bytes in its last beat, or what does not fit there in one more beat.

use rtl_model::stream::Beat;
use rtl_model::{Bits, Logic, Reg, Wide, bits, name_nets, select};

/// Bytes of the CRC, one bit each.
const CRC: u32 = 4;
const BYTES: u64 = 0xF;

#[name_nets]
pub(super) struct Tail<L: Logic> {
    /// The payload has been sent, and the place of the CRC has not, or not all of it.
    left: Reg<Bits<L>>,
    /// The bytes that are left, one bit each.
    left_bytes: Reg<Bits<L>>,
    /// The source marked the payload as bad.
    left_bad: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Tail<L> {
    pub fn new() -> Self {
        Tail { left: Reg::new(&bits(1)).with_reset(), left_bytes: Reg::new(&bits(CRC)), left_bad: Reg::new(&bits(1)) }
    }

    /// What is left of the place is the next beat.
    pub fn is_next(&self) -> Bits<L> {
        self.left.get()
    }

    /// The place has room behind these bytes of a beat, which are the lowest ones.
    pub fn fits(keep: Wide<L>) -> Bits<L> {
        !keep.bit(keep.width() - CRC)
    }

    /// The bytes of a beat with the place in it, and whether the source marked it as bad. `takes`: the beat is `payload`;
    /// otherwise there is none, or it is at its end.
    pub fn append(&self, takes: Bits<L>, payload: &Beat<L>) -> (Wide<L>, Bits<L>) {
        let (keep, left) = (payload.tkeep, self.left.get());
        let (width, all) = (keep.width(), Wide::lit(keep.width(), BYTES));
        let place = select(left, self.left_bytes.get().widen().extend(width), all);
        let ended = keep.truncate(width - CRC).concat(all.truncate(CRC));
        let kept = select(takes, select(payload.tlast, ended, keep), place);
        let bad = select(takes, payload.tuser, left & self.left_bad.get());
        self.left.set(takes & payload.tlast & !Self::fits(keep));
        self.left_bytes.set(keep.slice(width - CRC, CRC));
        self.left_bad.set(payload.tuser);
        (kept, bad)
    }
}
