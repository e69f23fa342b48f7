// SPDX-License-Identifier: MIT OR Apache-2.0
//! The PSNs that the SACK bitmap of an ACK names (rows D11 and D12). *d* is the PSN of bit 0 less the base. With
//! memories of latency `l`, in steps of the first pass:
//!
//! ```text
//!  l + 5   is d near? length - d
//!  l + 6   bits with a meaning; bits before the next PSN
//!  l + 7   bits that are named, and bits that say too much; first bit behind the cumulative part
//!  l + 8   bits that only the bitmap names; the highest one named
//!  l + 9   those of its two blocks
//!  l + 10  known; the highest PSN that is acknowledged
//! ```

use super::config::{BLOCK, BLOCK_BITS, PacketTrackerConfig};
use super::ports::SACK_WIDTH;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// Bits that say too much are searched in groups of so many.
const GROUP: u32 = 8;

/// Step `l` + 6: where bit 0 is.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
struct Place<L: Reading> {
    negative: Bits<L>,
    /// It is at most two windows away; so little before the base that a bit may be behind it.
    near: Bits<L>,
    reaches: Bits<L>,
    /// Bits before the next PSN, signed.
    #[width(config.count_bits() + 2)]
    before_next: Bits<L>,
}

/// Step `l` + 7.
#[derive(Bundle)]
#[shape]
struct Masks<L: Reading> {
    #[width(SACK_WIDTH)]
    meaningful: Bits<L>,
    #[width(SACK_WIDTH)]
    before_next: Bits<L>,
}

/// Step `l` + 8.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
struct Named<L: Reading> {
    #[width(SACK_WIDTH)]
    bits: Bits<L>,
    /// Groups with bits that say too much.
    #[width(SACK_WIDTH / GROUP)]
    excess: Bits<L>,
    /// The first bit behind the cumulative part, signed.
    #[width(config.count_bits() + 2)]
    first: Bits<L>,
}

/// Step `l` + 9.
#[derive(Bundle)]
#[shape]
struct Second<L: Reading> {
    #[width(SACK_WIDTH)]
    bits: Bits<L>,
    /// Bits of the first block.
    #[width(SACK_WIDTH)]
    in_first: Bits<L>,
    /// The highest bit that is named.
    #[width(BLOCK_BITS)]
    highest: Bits<L>,
    any: Bits<L>,
}

/// What the second part of the walk visits, from step `l` + 10 on: two blocks, one behind the other.
#[derive(Bundle)]
#[shape]
pub struct Parts<L: Reading> {
    pub has_first: Bits<L>,
    pub has_second: Bits<L>,
    /// The PSNs in both. Those of the first are in the high bits of the mask, those of the second in the low ones.
    #[width(SACK_WIDTH)]
    pub first: Bits<L>,
    #[width(SACK_WIDTH)]
    pub second: Bits<L>,
}

/// The bitmap.
#[name_nets]
pub struct NamedPsns<L: Logic> {
    config: PacketTrackerConfig,
    place: Reg<Place<L>>,
    masks: Reg<Masks<L>>,
    named: Reg<Named<L>>,
    second: Reg<Second<L>>,
    parts: Reg<Parts<L>>,
    /// Step `l` + 10: PSNs from the base to the highest one named.
    reach: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> NamedPsns<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (flag, sack, signed) = (bits(1), bits(SACK_WIDTH), bits(config.count_bits() + 2));
        NamedPsns {
            config,
            place: Reg::new(&Place::shape(config)),
            masks: Reg::new(&Masks::shape()),
            named: Reg::new(&Named::shape(config)),
            second: Reg::new(&Second::shape()),
            parts: Reg::new(&Parts::shape()),
            reach: Reg::new(&config.count()),
        }
    }

    /// Step `l` + 8: a bit says too much.
    pub fn excess(&self) -> Bits<L> {
        self.named.get().excess.any()
    }

    /// From step `l` + 10 on.
    pub fn parts(&self) -> Parts<L> {
        self.parts.get()
    }

    /// Step `l` + 10: PSNs from the base to the highest one named; 0 if none is.
    pub fn reach(&self) -> Bits<L> {
        self.reach.get()
    }

    /// *d*, if it is near, with a sign.
    fn near_distance(&self, distance: Bits<L>) -> Bits<L> {
        let counts = self.config.count_bits();
        distance.truncate(counts + 1).extend_signed(counts + 2)
    }

    /// One clock cycle: the first pass of a walk is in these steps, `l` + 5 to `l` + 9. The bitmap and the low bits of
    /// the PSN of bit 0; *d* and the length of the window from step `l` + 5 on; the PSNs acknowledged cumulatively in
    /// step `l` + 7.
    pub fn clock(
        &self,
        at: [Bits<L>; 5],
        (sack, low): (Bits<L>, Bits<L>),
        (distance, length): (Bits<L>, Bits<L>),
        cumulative: Bits<L>,
    ) {
        let [at_place, at_masks, at_named, at_second, at_parts] = at;
        let (counts, psn_bits) = (self.config.count_bits(), self.config.psn_bits);
        let (place, masks, named, second) = (self.place.get(), self.masks.get(), self.named.get(), self.second.get());
        let ones = !Bits::lit(SACK_WIDTH, 0);

        // l + 9: the bitmap as it lies over its two blocks.
        when(at_parts, || {
            let in_first = second.in_first;
            let rotated = second.bits.widen().rotate_right(Bits::lit(BLOCK_BITS, 0) - low, 1).slice(0, BLOCK);
            let from_low = ones << low;
            self.parts.set(Parts {
                has_first: (second.bits & in_first).any(),
                has_second: (second.bits & !in_first).any(),
                first: rotated & from_low,
                second: rotated & !from_low,
            });
            let reach = self.near_distance(distance).truncate(counts) + second.highest.extend(counts) + 1;
            self.reach.set(reach.gate(second.any));
        });

        // l + 8
        when(at_second, || {
            self.second.set(Second {
                bits: named.bits & !first_bits(named.first),
                in_first: ones >> low,
                highest: !reversed(named.bits).first_set(),
                any: named.bits.any(),
            });
        });

        // l + 7
        when(at_named, || {
            let Masks { meaningful, before_next } = masks;
            let beyond = (sack & meaningful & !before_next).widen();
            self.named.set(Named {
                bits: sack & meaningful & before_next,
                excess: beyond.any_each(GROUP),
                first: cumulative.extend(counts + 2) - self.near_distance(distance),
            });
        });

        // l + 6: from which bit on the PSN is not before the base. With offsets of 16 bits no bit of an ACK that is not
        // outside is so far behind the base that it has no meaning.
        when(at_masks, || {
            let before_base = ones >> distance.truncate(BLOCK_BITS);
            let behind_base = (!before_base).gate(place.reaches);
            self.masks.set(Masks {
                meaningful: behind_base | (!place.negative).extend_signed(SACK_WIDTH),
                before_next: first_bits(place.before_next).gate(place.near),
            });
        });

        // l + 5
        when(at_place, || {
            let high = distance.slice(counts, psn_bits - counts);
            let low_high = distance.slice(BLOCK_BITS, psn_bits - 1 - BLOCK_BITS);
            let negative = distance.bit(psn_bits - 1);
            self.place.set(Place {
                negative,
                near: select(negative, high.all(), !high.any()),
                reaches: low_high.all(),
                before_next: length.extend(counts + 2) - self.near_distance(distance),
            });
        });
    }
}

/// So many low bits, at most all; none if the number is negative.
#[name_nets]
pub fn first_bits<L: Logic>(count: Bits<L>) -> Bits<L> {
    let sign = count.width() - 1;
    let all = count.slice(BLOCK_BITS, sign - BLOCK_BITS).any();
    let some = !(!Bits::lit(SACK_WIDTH, 0) << count.truncate(BLOCK_BITS));
    (some | all.extend_signed(SACK_WIDTH)).gate(!count.bit(sign))
}

/// The bits in reverse order.
#[name_nets]
fn reversed<L: Logic>(value: Bits<L>) -> Bits<L> {
    (1..SACK_WIDTH).fold(value.bit(0), |high, i| high.concat(value.bit(i)))
}
