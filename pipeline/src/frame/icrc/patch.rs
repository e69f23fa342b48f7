// SPDX-License-Identifier: MIT OR Apache-2.0
//! Insert, from step 12 on: gets the CRC from the state after the beat in which it ends, and writes it into the frame.
//!
//! ```text
//! 12 .. state rewound by the zero bytes at the end of the beat: by 1, 2, 4 .. bytes, one step each
//!  then CRC rotated to the bytes where it belongs, which may reach into the next beat
//!  then inserted into the frame, which leaves
//! ```
//!
//! The state does not change after the end of the CRC, so the next beat of the frame, which may take the last bytes of
//! the CRC, finds the same state.

use super::crc::Code;
use super::mask::spread_bytes;
use super::sums::Sums;
use crate::frame::BusLayout;
use rtl_model::{Bits, Linear, Logic, Reg, Wide, bits, name_nets, select, when, wide};

#[name_nets]
pub(super) struct PatchSteps<L: Logic> {
    lanes: BusLayout,
    icrc_by: Vec<Linear>,
    uet_by: Vec<Linear>,
    /// Step 13 and on, if there are both CRCs: it is that of UET.
    is_uet: Option<Reg<Bits<L>>>,
    /// Step 13 and on.
    states: Vec<Reg<Bits<L>>>,
    /// Zero bytes to be rewound; the lowest bits are done.
    zeros: Vec<Reg<Bits<L>>>,
    aligned_crc: Reg<Bits<L>>,
    enable: Reg<Wide<L>>,
}

#[name_nets]
impl<L: Logic> PatchSteps<L> {
    pub fn new(lanes: BusLayout, sums: &Sums<L>) -> Self {
        let count = lanes.select_width() + 2;
        let by = |code: Code| (0..count).map(|bit| code.backward(1 << bit)).collect();
        PatchSteps {
            lanes,
            icrc_by: by(Code::Icrc),
            uet_by: by(Code::Uet),
            is_uet: sums.has_both().then(|| Reg::new(&bits(count - 1))),
            states: (0..count).map(|i| Reg::numbered(13 + i, &bits(32))).collect(),
            zeros: (0..count).map(|i| Reg::numbered(13 + i, &bits(count))).collect(),
            aligned_crc: Reg::new(&bits(32)),
            enable: Reg::new(&wide(4 * lanes.count)),
        }
    }

    /// The step in which the frame leaves.
    pub fn leaves(lanes: BusLayout) -> u32 {
        lanes.select_width() + 2 + 13
    }

    /// All steps, the last first. `crc_here` and `crc_spills` hold one bit per step, from 8 on; `low`: number of bytes
    /// that count in the beat in which the CRC ends, in step 12.
    pub fn clock(&self, crc_here: Bits<L>, crc_spills: Bits<L>, low: Bits<L>, from: &Sums<L>) {
        let count = self.states.len();
        let at = |step: usize| step as u32 - 8;
        when(crc_here.bit(at(12 + count)), || {
            let zeros = self.zeros[count - 1].get();
            let crc = !self.states[count - 1].get();
            self.aligned_crc.set(crc.widen().rotate_right(zeros.truncate(2), 8).slice(0, 32));
            let bytes = 4 * self.lanes.count;
            let low = Bits::lit(zeros.width(), 0) - zeros;
            let enable = Wide::lit(bytes + 4, 0xF) << low;
            self.enable.set(select(
                crc_spills.bit(at(12 + count)),
                enable.part(bytes, 4).extend(bytes),
                enable.part(0, bytes),
            ));
        });
        let is_uet = self.is_uet.as_ref().map(|later| later.get().concat(from.is_uet()));
        for i in (0..count).rev() {
            when(crc_here.bit(at(12 + i)), || {
                let (state, zeros) = match i {
                    0 => (from.state(), Bits::lit(low.width(), 0) - low),
                    _ => (self.states[i - 1].get(), self.zeros[i - 1].get()),
                };
                let is_uet = is_uet.map_or(Bits::lit(1, 0), |is_uet| is_uet.bit(i as u32));
                let rewound = from.map(is_uet, |code| match code {
                    Code::Icrc => state.linear(&self.icrc_by[i]),
                    Code::Uet => state.linear(&self.uet_by[i]),
                });
                self.states[i].set(select(zeros.bit(i as u32), rewound, state));
                self.zeros[i].set(zeros);
            });
        }
        if let Some((later, is_uet)) = self.is_uet.as_ref().zip(is_uet) {
            later.set(is_uet.truncate(is_uet.width() - 1));
        }
    }

    /// In the last step: the beat with the CRC in its place.
    pub fn put(&self, data: Wide<L>) -> Wide<L> {
        let aligned_crc = self.aligned_crc.get();
        let pair = aligned_crc.concat(aligned_crc).widen();
        let all = (1..self.lanes.select_width()).fold(pair, |all, _| all.concat(all));
        let enable = spread_bytes(self.enable.get());
        (data & !enable) | (all & enable)
    }
}
