// SPDX-License-Identifier: MIT OR Apache-2.0
//! The IPv4 header checksum: the ones' complement sum of the header's 16-bit words must be 0xFFFF.
//!
//! ```text
//!  6      both halves of each header word added
//!  7 ..   lanes added in pairs, one level per step (64 bits: 7, 1024 bits: 7 to 11)
//!  then   beats of the frame added, without folding: at most 30 words, 21 bits
//!  then   carries folded in; the result is below 0x1FFFE, so one fold decides
//!  then   compared
//! ```

use super::network::NetworkSteps;
use crate::frame::{BusLayout, StepStatus};
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select, when};

/// Bits of the unfolded sum.
const SUM: u32 = 21;

#[name_nets]
pub(super) struct ChecksumSteps<L: Logic> {
    lanes: BusLayout,
    /// Partial sums: `levels[0]` per lane, each further level half as many.
    levels: Vec<Vec<Reg<Bits<L>>>>,
    total: Reg<Bits<L>>,
    folded: Reg<Bits<L>>,
    good: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> ChecksumSteps<L> {
    pub fn new(lanes: BusLayout) -> Self {
        let level = |level: u32| {
            let count = lanes.count >> level;
            (0..count).map(|lane| Reg::named(&format!("sum_{level}_{lane}"), &bits(17 + level))).collect()
        };
        ChecksumSteps {
            lanes,
            levels: (0..=lanes.select_width()).map(level).collect(),
            total: Reg::new(&bits(SUM)),
            folded: Reg::new(&bits(17)),
            good: Reg::new(&bits(1)),
        }
    }

    /// The step in which [`Self::good`] is valid, for the frame whose last beat is in that step.
    pub fn step(lanes: BusLayout) -> u32 {
        6 + lanes.select_width() + 3
    }

    /// The checksum of the frame is right.
    pub fn good(&self) -> Bits<L> {
        self.good.get()
    }

    /// All steps, the last one first; `from` gives the IP words of step 5.
    pub fn clock(&self, steps: &StepStatus<L>, from: &NetworkSteps<L>) {
        let depth = self.lanes.select_width();
        when(steps.last(8 + depth), || self.good.set(self.folded.get().equals(0xFFFF)));
        when(steps.last(7 + depth), || {
            let total = self.total.get();
            self.folded.set(total.slice(0, 16).extend(17) + total.slice(16, SUM - 16).extend(17));
        });
        when(steps.active(6 + depth), || {
            let sum = self.levels[depth as usize][0].get();
            // At any bus width no header has more words than the sum has room for.
            let sum = if sum.width() > SUM { sum.truncate(SUM) } else { sum.extend(SUM) };
            let before = select(steps.first(6 + depth), Bits::lit(SUM, 0), self.total.get());
            self.total.set(before + sum);
        });
        for level in (1..=depth as usize).rev() {
            when(steps.active(5 + level as u32), || {
                for (i, sum) in self.levels[level].iter().enumerate() {
                    let pair =
                        [2 * i, 2 * i + 1].map(|lane| self.levels[level - 1][lane].get().extend(17 + level as u32));
                    sum.set(pair[0] + pair[1]);
                }
            });
        }
        when(steps.active(5), || {
            let (words, in_header) = (from.words[2].get(), from.in_header.get());
            for (lane, sum) in self.levels[0].iter().enumerate() {
                let word = self.lanes.word(words, lane as u32);
                let word = select(in_header.bit(lane as u32), word, Bits::lit(32, 0));
                sum.set(word.slice(16, 16).extend(17) + word.slice(0, 16).extend(17));
            }
        });
    }
}
