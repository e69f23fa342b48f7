// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 6 to 8 find the beats with bytes that count, and the end of the CRC.
//!
//! ```text
//!  6 beats left to the end of the CRC
//!  7 whether this beat has bytes that count, and whether it has others
//!  8 (known)
//! ```

use super::headers::HeaderSteps;
use crate::frame::{BusLayout, LENGTH, StepStatus};
use rtl_model::{Bits, Logic, Reg, Wide, bits, name_nets, select, when};

/// The flags of the steps 8, 9, 10 and 11.
const RUN: u32 = 4;

#[name_nets]
pub(super) struct MaskSteps<L: Logic> {
    lanes: BusLayout,
    // 7
    beats_left: Reg<Bits<L>>,
    past: Reg<Bits<L>>,
    low: Reg<Bits<L>>,
    after: Reg<Bits<L>>,
    has_crc: Reg<Bits<L>>,
    /// Step 8: some bytes of the beat may not count.
    pub needs_mask: Reg<Bits<L>>,
    run: Reg<Bits<L>>,
    /// Step 8: the CRC ends in the beat, or ended in the previous one.
    pub crc_here: Reg<Bits<L>>,
    /// Step 8: the CRC ended in the previous beat.
    pub crc_spills: Reg<Bits<L>>,
}

/// What step 7 says of its beat.
#[name_nets]
#[derive(Clone, Copy)]
pub(super) struct Chosen<L: Logic> {
    /// It has bytes that count.
    runs: Bits<L>,
    /// It may have others.
    needs_mask: Bits<L>,
    /// The bytes behind the end of the CRC, one bit each.
    behind: Wide<L>,
}

#[name_nets]
impl<L: Logic> Chosen<L> {
    /// Says which bytes count, where some may not: all but those of the headers in `zeros`, and those behind the end.
    pub fn keep(&self, zeros: impl Fn() -> Wide<L>, keep: &Reg<Wide<L>>) {
        when(self.runs & self.needs_mask, || keep.set(!(zeros() | self.behind)));
    }
}

#[name_nets]
impl<L: Logic> MaskSteps<L> {
    pub fn new(lanes: BusLayout) -> Self {
        let byte = lanes.select_width() + 2;
        MaskSteps {
            lanes,
            beats_left: Reg::new(&bits(LENGTH - byte)),
            past: Reg::new(&bits(1)),
            low: Reg::new(&bits(byte)),
            after: Reg::new(&bits(1)),
            has_crc: Reg::new(&bits(1)),
            needs_mask: Reg::new(&bits(1)),
            run: Reg::new(&bits(RUN)),
            crc_here: Reg::new(&bits(1)),
            crc_spills: Reg::new(&bits(1)),
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

    /// Step 7; `valid`: it holds a beat.
    pub fn chosen(&self, steps: &StepStatus<L>, valid: Bits<L>) -> Chosen<L> {
        let (past, low, bytes) = (self.past.get(), self.low.get(), 4 * self.lanes.count);
        let ends = self.ends();
        // A beat without bytes that count is left out: the CRC register is unchanged from the end of the CRC on.
        let runs = valid & !past & (!ends | low.any());
        let behind = select(ends, !Wide::lit(bytes, 0) << low, Wide::lit(bytes, 0));
        Chosen { runs, needs_mask: steps.active(7) | ends, behind }
    }

    /// Step 7: the CRC ends in the beat.
    fn ends(&self) -> Bits<L> {
        !self.past.get() & !self.beats_left.get().any()
    }

    /// All steps, the last first. `valid` holds one bit per step.
    pub fn clock(&self, steps: &StepStatus<L>, valid: Bits<L>, chosen: &Chosen<L>, from: &HeaderSteps<L>) {
        let (has_crc, after) = (self.has_crc.get() & valid.bit(7), self.after.get());
        self.crc_here.set(has_crc & (self.ends() | after));
        self.crc_spills.set(after);
        self.run.set(self.run.get().truncate(RUN - 1).concat(chosen.runs));
        self.needs_mask.set(chosen.needs_mask);
        when(valid.bit(6), || self.count(steps, from));
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
        self.has_crc.set(from.has_crc());
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
