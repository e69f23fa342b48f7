// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first slot that is wanted, from the slot of the base on and around the row. With memories of latency `l`:
//!
//! ```text
//!  l + 4  mask     the other groups, those above that of the base, and in this one the slots from the base on
//!  l + 5  next     the group of the base; the next group that has wanted slots, above it or from the lowest one on
//!  l + 6  bits     the group of the base from the base on, else the next group, else that of the base up to the base
//!  l + 7  first    the first slot in this group
//!  l + 8  advance  number of slots from that of the base to it; the whole window if no slot is wanted
//!  l + 9
//! ```
//!
//! An arrival wants the first missing PSN, which is the expected one; a check wants that, or the first one received.

use super::config::{GROUP, ReorderConfig};
use super::pass::PASS;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Wide, bits, clog2, name_nets, select, wide};

/// Width of the number of a slot in its group.
const OFFSET_WIDTH: u32 = clog2(GROUP as u64);

/// Step `l` + 5: where to look, which the base alone says.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Mask<L: Reading> {
    /// The groups above that of the base.
    #[width(config.groups())]
    above: Bits<L>,
    /// All groups but this one.
    #[width(config.groups())]
    others: Bits<L>,
    /// The slots of a group from that of the base on.
    #[width(GROUP)]
    from_base: Bits<L>,
}

/// Step `l` + 6.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Next<L: Reading> {
    /// Bits of the group of the base.
    #[width(GROUP)]
    base_bits: Bits<L>,
    /// Those from the base on.
    #[width(GROUP)]
    ahead: Bits<L>,
    /// The next group that has wanted slots.
    #[width(config.slot_bits() - OFFSET_WIDTH)]
    group: Bits<L>,
    /// There is one.
    found: Bits<L>,
}

/// Step `l` + 7.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Group<L: Reading> {
    #[width(GROUP)]
    bits: Bits<L>,
    #[width(config.slot_bits() - OFFSET_WIDTH)]
    number: Bits<L>,
}

/// Step `l` + 8.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct First<L: Reading> {
    none: Bits<L>,
    #[width(config.slot_bits())]
    slot: Bits<L>,
}

/// The search, over five steps.
#[name_nets]
pub struct Search<L: Logic> {
    config: ReorderConfig,
    mask: Reg<Mask<L>>,
    wanted: Reg<Wide<L>>,
    next: Reg<Next<L>>,
    group: Reg<Group<L>>,
    first: Reg<First<L>>,
    advance: Reg<Bits<L>>,
    /// Steps `l` + 9 and on: no slot was wanted.
    none: PipelineRegs<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Search<L> {
    pub fn new(config: ReorderConfig) -> Self {
        let (flag, bits_of_group) = (bits(1), bits(GROUP));
        let number = bits(config.slot_bits() - OFFSET_WIDTH);
        let groups = bits(config.groups());
        Search {
            config,
            mask: Reg::new(&Mask::shape(config)),
            wanted: Reg::new(&wide(config.window as u32)),
            next: Reg::new(&Next::shape(config)),
            group: Reg::new(&Group::shape(config)),
            first: Reg::new(&First::shape(config)),
            advance: Reg::new(&bits(config.count_bits())),
            none: PipelineRegs::new(config.ram_latency + 9..=config.ram_latency + 9, &flag).checked(PASS),
        }
    }

    /// Of the pass in step `l` + 9: slots from that of the base to the first one wanted, and whether none is.
    pub fn result(&self) -> (Bits<L>, Bits<L>) {
        (self.advance.get(), self.none.last())
    }

    /// One clock cycle: the slots wanted and their groups in step `l` + 5; `from` is the slot where the search begins of the
    /// passes in steps `l` + 4, `l` + 5, `l` + 6 and `l` + 8.
    pub fn clock(&self, wanted: Wide<L>, groups: Bits<L>, from: [Bits<L>; 4]) {
        let [from_mask, from_next, from_bits, from_advance] = from;
        let (moved, next, group, first) = (self.wanted.get(), self.next.get(), self.group.get(), self.first.get());
        let number = |slot: Bits<L>| slot.slice(OFFSET_WIDTH, slot.width() - OFFSET_WIDTH);

        // l + 8
        let distance = (first.slot - from_advance).extend(self.config.count_bits());
        self.advance.set(select(first.none, Bits::lit(self.config.count_bits(), self.config.window), distance));
        self.none.shift(first.none);

        // l + 7
        self.first.set(First { none: !group.bits.any(), slot: group.number.concat(group.bits.first_set()) });

        // l + 6
        let other = moved.lane(next.group, GROUP);
        let in_base = next.ahead.any() | !next.found;
        let base_bits = select(next.ahead.any(), next.ahead, next.base_bits);
        self.group.set(Group {
            bits: select(in_base, base_bits, other),
            number: select(in_base, number(from_bits), next.group),
        });

        // l + 5
        let mask = self.mask.get();
        let above = groups & mask.above;
        let base_bits = wanted.lane(number(from_next), GROUP);
        self.next.set(Next {
            base_bits,
            ahead: base_bits & mask.from_base,
            // With none above it, the lowest one is below it, if it is another one.
            group: select(above.any(), above.first_set(), groups.first_set()),
            found: (groups & mask.others).any(),
        });
        self.wanted.set(wanted);

        // l + 4
        let (base_group, all_groups) = (number(from_mask), !Bits::lit(groups.width(), 0));
        self.mask.set(Mask {
            above: all_groups << base_group << 1,
            others: !(Bits::lit(groups.width(), 1) << base_group),
            from_base: !Bits::lit(GROUP, 0) << from_mask.truncate(OFFSET_WIDTH),
        });
    }
}
