// SPDX-License-Identifier: MIT OR Apache-2.0
//! One CRC, steps 6 to 12: its register after every beat.
//!
//! ```text
//!  6 bytes of the headers that count as zero, all of them side by side
//!  7 bytes of this beat that count
//!  8 all others made zero
//!  9 each word advanced to the end of the beat: exclusive or of about 16 bits
//! 10 all words of the beat together; where an IP header begins, the initial state
//! 11 state = (state advanced by a beat, or the initial state) + words: the only loop, 32 bits
//! 12 state after the beat; for the check compared with what it is behind a right CRC
//! ```

use super::beat::DelayedBeat;
use super::config::IcrcMode;
use super::crc::Code;
use super::headers::HeaderSteps;
use super::mask::{Chosen, MaskSteps, spread_bytes};
use crate::frame::{BusLayout, StepStatus};
use rtl_model::{Bits, Delay, Linear, Logic, Reg, Table, Wide, bits, name_nets, select, when, wide};

/// Bytes up to the end of the headers in which bytes can be masked: 24 words, or a beat if that is more, in whole
/// beats.
fn masked_bytes(lanes: BusLayout) -> u32 {
    96u32.next_multiple_of(4 * lanes.count)
}

#[name_nets]
pub(super) struct SumSteps<L: Logic> {
    pub code: Code,
    lanes: BusLayout,
    header_zeros: Table,
    starts: Table,
    advance_maps: Vec<Linear>,
    beat: Linear,
    /// Step 7.
    zeros: Reg<Wide<L>>,
    /// Step 8.
    keep: Reg<Wide<L>>,
    /// Step 9: the bytes that count.
    masked: Reg<Wide<L>>,
    products: Vec<Reg<Bits<L>>>,
    sum: Reg<Bits<L>>,
    start: Reg<Bits<L>>,
    /// CRC register after the beat of step 11; valid in step 12.
    pub state: Reg<Bits<L>>,
    right: Option<Right<L>>,
}

/// Check: what the register is behind a right CRC.
#[name_nets]
struct Right<L: Logic> {
    residues: Table,
    expected: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Right<L> {
    fn new(code: Code, lanes: BusLayout) -> Self {
        Right { residues: code.residues(4 * lanes.count), expected: Reg::new(&bits(32)) }
    }
}

#[name_nets]
impl<L: Logic> SumSteps<L> {
    pub fn new(code: Code, mode: IcrcMode, lanes: BusLayout) -> Self {
        SumSteps {
            code,
            lanes,
            header_zeros: code.header_zeros(),
            starts: code.starts(4 * lanes.count),
            advance_maps: (0..lanes.count).map(|lane| code.forward(4 * (lanes.count - lane))).collect(),
            beat: code.forward(4 * lanes.count),
            zeros: Reg::new(&wide(masked_bytes(lanes))),
            keep: Reg::new(&wide(4 * lanes.count)),
            masked: Reg::new(&wide(32 * lanes.count)),
            products: (0..lanes.count).map(|lane| Reg::numbered(lane, &bits(32))).collect(),
            sum: Reg::new(&bits(32)),
            start: Reg::new(&bits(32)),
            state: Reg::new(&bits(32)),
            right: (mode == IcrcMode::Check).then(|| Right::new(code, lanes)),
        }
    }

    /// Step 12, where the CRC has ended: it is right.
    pub fn is_right(&self) -> Bits<L> {
        self.right.as_ref().map_or(Bits::lit(1, 0), |right| self.state.get().equals(right.expected.get()))
    }

    /// Check, step 11 of the last beat: `last_bytes` are the bytes that count in the beat in which the CRC ended.
    pub fn expect(&self, last_bytes: Bits<L>) {
        if let Some(right) = &self.right {
            right.expected.set(last_bytes.look_up(&right.residues));
        }
    }

    /// All steps, the last first. `starts`: the beats of steps 10 and 11 hold the first byte of an IP header; `variant`
    /// is that of the beat of step 10, `beat` that of step 8, `chosen` says of step 7.
    #[expect(clippy::too_many_arguments, reason = "one for each step that comes before")]
    pub fn clock(
        &self,
        steps: &StepStatus<L>,
        starts: [Bits<L>; 2],
        variant: Bits<L>,
        chosen: &Chosen<L>,
        mask: &MaskSteps<L>,
        headers: &HeaderSteps<L>,
        beat: &Delay<DelayedBeat<L>>,
    ) {
        when(mask.runs(11), || {
            let before = select(starts[1], self.start.get(), self.state.get().linear(&self.beat));
            self.state.set(before ^ self.sum.get());
        });
        when(starts[0], || self.start.set(variant.look_up(&self.starts)));
        when(mask.runs(10), || {
            let sum = self.products[1..].iter().fold(self.products[0].get(), |sum, product| sum ^ product.get());
            self.sum.set(sum);
        });
        when(mask.runs(9), || {
            let words = self.masked.get();
            for (lane, (product, by)) in self.products.iter().zip(&self.advance_maps).enumerate() {
                product.set(words.slice(32 * lane as u32, 32).linear(by));
            }
        });
        when(mask.runs(8), || {
            let data = beat.get().tdata;
            when(mask.needs_mask.get(), || self.masked.set(data & spread_bytes(self.keep.get())))
                .otherwise(|| self.masked.set(data));
        });
        chosen.keep(|| self.zeros_of(steps), &self.keep);
        when(steps.active(6), || {
            let width = masked_bytes(self.lanes);
            let header = headers.variant[2].get().slice(4, 3).look_up(&self.header_zeros).widen().extend(width);
            self.zeros.set(match self.code.udp_zeros() {
                0 => header,
                zeros => header | (Wide::lit(width, zeros) << headers.udp[2].get().concat(Bits::lit(2, 0))),
            });
        });
    }

    /// Step 7: the bytes of the beat that belong to headers and count as zero.
    fn zeros_of(&self, steps: &StepStatus<L>) -> Wide<L> {
        let ahead = steps.index(7).concat(Bits::lit(self.lanes.select_width() + 2, 0));
        (self.zeros.get() >> ahead).part(0, 4 * self.lanes.count)
    }
}
