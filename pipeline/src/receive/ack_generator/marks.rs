// SPDX-License-Identifier: MIT OR Apache-2.0
//! RoCEv2: how many messages an arrival in order completes (row G8). A slot has a mark: its packet was the last one of a
//! message. With memories of latency `l`:
//!
//! ```text
//!  1      connection to `rows`
//!  l + 1  slots before the PSN, and before the expected one
//!  l + 2  the mark is written; mask of the slots between the two
//!  l + 3  marks counted in groups of 8
//!  l + 4  8 groups added
//!  l + 5  sum of all; 0 unless the arrival is in order
//! ```
//!
//! A mark is written before it is known whether the connection is open here. It does not matter: each slot that is counted
//! has been written since *open*.

use super::config::AckGeneratorConfig;
use super::pass::Pass;
use super::ports::outcome;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Wide, bits, clog2, name_nets, select, when, wide};

/// Marks, and groups, that are added in one step.
const GROUP: u32 = 8;

/// Where a pass is in step `l` + 2.
#[derive(Bundle)]
struct Place<L: Reading> {
    /// The slot of the PSN is written.
    writes: Bits<L>,
    slot: Wide<L>,
    /// The slots before those of the PSN and of the expected PSN.
    before: Wide<L>,
    before_expected: Wide<L>,
    /// The expected PSN is in an earlier slot.
    wraps: Bits<L>,
    /// Bits of the distance from the window on.
    beyond: Bits<L>,
}

/// The marks of all connections.
#[name_nets]
pub struct Marks<L: Logic> {
    config: AckGeneratorConfig,
    rows: RmwTable<L, Wide<L>>,
    place: Reg<Place<L>>,
    /// Step `l` + 3: the slots that are counted.
    mask: Reg<Wide<L>>,
    /// Step `l` + 4.
    counts: Vec<Reg<Bits<L>>>,
    /// Step `l` + 5.
    partial_sums: Vec<Reg<Bits<L>>>,
    /// Step `l` + 6.
    sum: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Marks<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let (flag, slots, l) = (bits(1), wide(config.window as u32), config.ram_latency);
        let groups = config.window as u32 / GROUP;
        let mut counts = Vec::new();
        for group in 0..groups {
            counts.push(Reg::named(&format!("count_{group}"), &bits(clog2(u64::from(GROUP) + 1))));
        }
        let mut partial_sums = Vec::new();
        for group in 0..groups.div_ceil(GROUP) {
            partial_sums.push(Reg::named(&format!("partial_sum_{group}"), &bits(clog2(u64::from(GROUP * GROUP) + 1))));
        }
        Marks {
            config,
            rows: RmwTable::new(config.connections, l, &slots).compared_early(),
            place: Reg::new(&Place {
                writes: flag,
                slot: slots,
                before: slots,
                before_expected: slots,
                wraps: flag,
                beyond: bits(config.protocol.psn_bits() - config.slot_bits()),
            }),
            mask: Reg::new(&slots),
            counts,
            partial_sums,
            sum: Reg::new(&config.held()),
        }
    }

    /// Messages that the pass in step `l` + 6 completes.
    pub fn sum(&self) -> Bits<L> {
        self.sum.get()
    }

    /// One clock cycle: the passes in all steps.
    pub fn clock(&self, passes: &[Pass<L>]) {
        let (l, slot_bits) = (self.config.ram_latency as usize, self.config.slot_bits());
        let slots = self.config.window as u32;
        let all_slots = |bit: Bits<L>| bit.widen().extend_signed(slots);

        // l + 5
        let width = self.config.held().bits();
        let wide = |sum: &Reg<Bits<L>>| sum.get().extend(width.max(7)).truncate(width);
        self.sum.set(total(self.partial_sums.iter().map(wide).collect()).gate(passes[l + 5].is(outcome::IN_ORDER)));

        // l + 4
        for (sum, counts) in self.partial_sums.iter().zip(self.counts.chunks(GROUP as usize)) {
            sum.set(total(counts.iter().map(|count| count.get().extend(7)).collect()));
        }

        // l + 3
        let counted = self.rows.modified() & self.mask.get();
        for (group, count) in self.counts.iter().enumerate() {
            count.set(counted.slice(group as u32 * GROUP, GROUP).count_ones());
        }

        // l + 2
        let (pass, row) = (passes[l + 2], self.rows.operand());
        let Place { writes, slot, before, before_expected, wraps, beyond } = self.place.get();
        self.rows.clock(passes[1].access(), Bits::lit(1, 1));
        let last = pass.roce.expect("a packet of RoCEv2").last;
        let written = slot & all_slots(writes);
        let marked = row & !written | written & all_slots(last);
        when(pass.valid, || self.rows.modify(marked & all_slots(!pass.sweeps)));
        let between = select(wraps, before_expected | !before, before_expected & !before);
        self.mask.set(between | all_slots(beyond.any()));

        // l + 1
        let Pass { psn, expected, .. } = passes[l + 1];
        let (first, end) = (psn.truncate(slot_bits), expected.truncate(slot_bits));
        let distance = expected - psn;
        let ones = !Wide::lit(slots, 0);
        self.place.set(Place {
            writes: passes[l + 1].is(outcome::IN_ORDER) | passes[l + 1].is(outcome::HELD),
            slot: Wide::lit(slots, 1) << first,
            before: !(ones << first),
            before_expected: !(ones << end),
            wraps: end.less(first),
            beyond: distance.slice(slot_bits, distance.width() - slot_bits),
        });
    }
}

/// The sum of numbers of the same width, through a tree of adders.
#[name_nets]
fn total<L: Logic>(mut numbers: Vec<Bits<L>>) -> Bits<L> {
    while numbers.len() > 1 {
        let mut sums = Vec::with_capacity(numbers.len().div_ceil(2));
        for pair in numbers.chunks(2) {
            sums.push(if let [a, b] = *pair { a + b } else { pair[0] });
        }
        numbers = sums;
    }
    numbers[0]
}
