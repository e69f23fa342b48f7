// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 6 to 9 set all bytes that do not count to zero.
//!
//! ```text
//!  6 beats left to the end of the CRC; bytes of the headers that count as zero, all of them side by side
//!  7 bytes of this beat that count
//!  8 all others made zero
//!  9 bytes that count
//! ```

use super::beat::DelayedBeat;
use super::crc;
use super::headers::HeaderSteps;
use crate::frame::{BusLayout, LENGTH, StepStatus};
use rtl_model::{Bits, Delay, Logic, Reg, Table, Wide, bits, name_nets, select, when, wide};

/// Bytes up to the end of the headers in which bytes can be masked: 24 words, or a beat if that is more, in whole
/// beats.
fn masked_bytes(lanes: BusLayout) -> u32 {
    96u32.next_multiple_of(4 * lanes.count)
}

/// The flags of the steps 8, 9, 10 and 11.
const RUN: u32 = 4;

#[name_nets]
pub(super) struct MaskSteps<L: Logic> {
    lanes: BusLayout,
    header_zeros: Table,
    // 7
    zeros: Reg<Wide<L>>,
    beats_left: Reg<Bits<L>>,
    past: Reg<Bits<L>>,
    low: Reg<Bits<L>>,
    after: Reg<Bits<L>>,
    rocev2: Reg<Bits<L>>,
    // 8
    needs_mask: Reg<Bits<L>>,
    keep: Reg<Wide<L>>,
    run: Reg<Bits<L>>,
    /// Step 8: the CRC ends in the beat, or ended in the previous one.
    pub crc_here: Reg<Bits<L>>,
    /// Step 8: the CRC ended in the previous beat.
    pub crc_spills: Reg<Bits<L>>,
    /// Step 9: the bytes that count.
    pub masked: Reg<Wide<L>>,
}

#[name_nets]
impl<L: Logic> MaskSteps<L> {
    pub fn new(lanes: BusLayout) -> Self {
        let byte = lanes.select_width() + 2;
        MaskSteps {
            lanes,
            header_zeros: crc::header_zeros(),
            zeros: Reg::new(&wide(masked_bytes(lanes))),
            beats_left: Reg::new(&bits(LENGTH - byte)),
            past: Reg::new(&bits(1)),
            low: Reg::new(&bits(byte)),
            after: Reg::new(&bits(1)),
            rocev2: Reg::new(&bits(1)),
            needs_mask: Reg::new(&bits(1)),
            keep: Reg::new(&wide(4 * lanes.count)),
            run: Reg::new(&bits(RUN)),
            crc_here: Reg::new(&bits(1)),
            crc_spills: Reg::new(&bits(1)),
            masked: Reg::new(&wide(32 * lanes.count)),
        }
    }

    /// The beat of step 8, 9, 10 or 11 has bytes that count.
    pub fn runs(&self, step: u32) -> Bits<L> {
        self.run.get().bit(step - 8)
    }

    /// Step 7, from the end of the CRC on: number of bytes that count in the beat in which it ends.
    pub fn last_bytes(&self) -> Bits<L> {
        self.low.get()
    }

    /// All steps, the last first. `valid` holds one bit per step, `beat` is that of step 8.
    pub fn clock(&self, steps: &StepStatus<L>, valid: Bits<L>, from: &HeaderSteps<L>, beat: &Delay<DelayedBeat<L>>) {
        when(self.runs(8), || {
            let data = beat.get().tdata;
            when(self.needs_mask.get(), || self.masked.set(data & spread_bytes(self.keep.get())))
                .otherwise(|| self.masked.set(data));
        });
        self.choose(steps, valid.bit(7));
        when(valid.bit(6), || self.count(steps, from));
        when(steps.active(6), || {
            let width = masked_bytes(self.lanes);
            let header = from.variant[2].get().slice(4, 3).look_up(&self.header_zeros).widen().extend(width);
            let udp = from.udp[2].get().concat(Bits::lit(2, 0));
            self.zeros.set(header | (Wide::lit(width, crc::udp_zeros()) << udp));
        });
    }

    /// Step 6 to 7: counts down the beats from the one with the UDP length on.
    fn count(&self, steps: &StepStatus<L>, from: &HeaderSteps<L>) {
        let (hit, end) = (from.hit.get(), from.datagram_end.get());
        let (beats_left, past) = (self.beats_left.get(), self.past.get());
        let byte = self.lanes.select_width() + 2;
        let whole = LENGTH - byte;
        let fresh = hit | steps.first(6);
        let ended = !beats_left.any();
        let next = select(steps.first(6), !Bits::lit(whole, 0), beats_left - 1);
        self.beats_left.set(select(hit, end.slice(byte, whole), next));
        self.past.set(!fresh & (past | ended));
        self.after.set(!fresh & !past & ended);
        self.low.set(end.truncate(byte));
        self.rocev2.set(from.rocev2.get());
    }

    /// Step 7 to 8.
    fn choose(&self, steps: &StepStatus<L>, valid: Bits<L>) {
        let (past, low) = (self.past.get(), self.low.get());
        let ends = !past & !self.beats_left.get().any();
        let rocev2 = self.rocev2.get() & valid;
        let after = self.after.get();
        self.crc_here.set(rocev2 & (ends | after));
        self.crc_spills.set(after);
        // A beat without bytes that count is left out: the CRC register is unchanged from the end of the CRC on.
        let runs = valid & !past & (!ends | low.any());
        self.run.set(self.run.get().truncate(RUN - 1).concat(runs));
        let needs_mask = steps.active(7) | ends;
        self.needs_mask.set(needs_mask);
        when(runs & needs_mask, || {
            let bytes = 4 * self.lanes.count;
            let ahead = steps.index(7).concat(Bits::lit(self.lanes.select_width() + 2, 0));
            let zeros = (self.zeros.get() >> ahead).part(0, bytes);
            let ones = !Wide::lit(bytes, 0);
            let crc_spills = select(ends, ones << low, Wide::lit(bytes, 0));
            self.keep.set(!(zeros | crc_spills));
        });
    }
}

/// Every bit repeated eight times.
#[name_nets]
pub(super) fn spread_bytes<L: Logic>(bits: Wide<L>) -> Wide<L> {
    match bits.width() {
        128 => bits.slice(64, 64).spread(8).concat(bits.slice(0, 64).spread(8)),
        width => bits.slice(0, width).spread(8),
    }
}
