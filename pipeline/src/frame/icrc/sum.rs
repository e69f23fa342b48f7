// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 9 to 12: the CRC register after every beat.
//!
//! ```text
//!  9 each word advanced to the end of the beat: exclusive or of about 16 bits
//! 10 all words of the beat together; where an IP header begins, the initial state
//! 11 state = (state advanced by a beat, or the initial state) + words: the only loop, 32 bits
//! 12 state after the beat
//! ```

use super::crc;
use super::mask::MaskSteps;
use crate::frame::BusLayout;
use rtl_model::{Bits, Linear, Logic, Reg, Table, bits, name_nets, select, when};

#[name_nets]
pub(super) struct SumSteps<L: Logic> {
    starts: Table,
    advance_maps: Vec<Linear>,
    beat: Linear,
    products: Vec<Reg<Bits<L>>>,
    sum: Reg<Bits<L>>,
    start: Reg<Bits<L>>,
    /// CRC register after the beat of step 11; valid in step 12.
    pub state: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> SumSteps<L> {
    pub fn new(lanes: BusLayout) -> Self {
        SumSteps {
            starts: crc::starts(4 * lanes.count),
            advance_maps: (0..lanes.count).map(|lane| crc::forward(4 * (lanes.count - lane))).collect(),
            beat: crc::forward(4 * lanes.count),
            products: (0..lanes.count).map(|lane| Reg::numbered(lane, &bits(32))).collect(),
            sum: Reg::new(&bits(32)),
            start: Reg::new(&bits(32)),
            state: Reg::new(&bits(32)),
        }
    }

    /// All steps, the last first. `starts`: the beats of steps 10 and 11 hold the first byte of an IP header; `variant`
    /// is that of the beat of step 10.
    pub fn clock(&self, starts: [Bits<L>; 2], variant: Bits<L>, from: &MaskSteps<L>) {
        when(from.runs(11), || {
            let before = select(starts[1], self.start.get(), self.state.get().linear(&self.beat));
            self.state.set(before ^ self.sum.get());
        });
        when(starts[0], || self.start.set(variant.look_up(&self.starts)));
        when(from.runs(10), || {
            let sum = self.products[1..].iter().fold(self.products[0].get(), |sum, product| sum ^ product.get());
            self.sum.set(sum);
        });
        when(from.runs(9), || {
            let words = from.masked.get();
            for (lane, (product, by)) in self.products.iter().zip(&self.advance_maps).enumerate() {
                product.set(words.slice(32 * lane as u32, 32).linear(by));
            }
        });
    }
}
