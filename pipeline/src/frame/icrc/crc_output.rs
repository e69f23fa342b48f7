// SPDX-License-Identifier: MIT OR Apache-2.0
//! The steps after the state: the comparison, or the insertion into the frame.

use super::config::IcrcMode;
use super::mask::MaskSteps;
use super::patch::PatchSteps;
use super::sums::Sums;
use crate::frame::{BusLayout, StepStatus};
use rtl_model::{Bits, Delay, Logic, Reg, Wide, bits, name_nets, select, when};

/// Check, steps 11 to 13.
#[name_nets]
pub(super) struct CheckSteps<L: Logic> {
    last_bytes: Delay<Bits<L>>,
    crc_ok: Reg<Bits<L>>,
}

/// Insert, from step 8 on.
#[name_nets]
pub(super) struct InsertSteps<L: Logic> {
    last_bytes: Delay<Bits<L>>,
    /// Steps 9 and on.
    crc_here: Reg<Bits<L>>,
    crc_spills: Reg<Bits<L>>,
    patch: PatchSteps<L>,
}

/// The use of the state after each beat.
pub(super) enum CrcOutput<L: Logic> {
    Check(CheckSteps<L>),
    Insert(InsertSteps<L>),
}

/// Per beat: its number of bytes that count, in the beat in which the CRC ends.
fn last_bytes<L: Logic>(lanes: BusLayout, steps: usize) -> Delay<Bits<L>> {
    Delay::new(&bits(lanes.select_width() + 2), steps)
}

#[name_nets]
impl<L: Logic> CheckSteps<L> {
    fn new(lanes: BusLayout) -> Self {
        CheckSteps { last_bytes: last_bytes(lanes, 4), crc_ok: Reg::new(&bits(1)) }
    }
}

#[name_nets]
impl<L: Logic> InsertSteps<L> {
    fn new(lanes: BusLayout, leaves: u32, sums: &Sums<L>) -> Self {
        InsertSteps {
            last_bytes: last_bytes(lanes, 5),
            crc_here: Reg::new(&bits(leaves - 8)),
            crc_spills: Reg::new(&bits(leaves - 8)),
            patch: PatchSteps::new(lanes, sums),
        }
    }
}

#[name_nets]
impl<L: Logic> CrcOutput<L> {
    /// `leaves`: the step in which frames leave.
    pub fn new(mode: IcrcMode, lanes: BusLayout, leaves: u32, sums: &Sums<L>) -> Self {
        match mode {
            IcrcMode::Check => CrcOutput::Check(CheckSteps::new(lanes)),
            IcrcMode::Insert => CrcOutput::Insert(InsertSteps::new(lanes, leaves, sums)),
        }
    }

    /// All steps, the last first.
    pub fn clock(&self, steps: &StepStatus<L>, sums: &Sums<L>, mask: &MaskSteps<L>) {
        match self {
            CrcOutput::Check(check) => check.clock(steps, sums, mask),
            CrcOutput::Insert(insert) => insert.clock(sums, mask),
        }
    }

    /// In the last step, for the frame that ends there, if it has a CRC: that is wrong.
    pub fn wrong(&self) -> Bits<L> {
        match self {
            CrcOutput::Check(check) => !check.crc_ok.get(),
            CrcOutput::Insert(_) => Bits::lit(1, 0),
        }
    }

    /// The beat that leaves.
    pub fn patched(&self, data: Wide<L>) -> Wide<L> {
        match self {
            CrcOutput::Check(_) => data,
            CrcOutput::Insert(insert) => insert.patched(data),
        }
    }
}

#[name_nets]
impl<L: Logic> CheckSteps<L> {
    fn clock(&self, steps: &StepStatus<L>, sums: &Sums<L>, mask: &MaskSteps<L>) {
        when(steps.last(12), || self.crc_ok.set(sums.is_right()));
        when(steps.last(11), || sums.expect(self.last_bytes.get()));
        self.last_bytes.shift(mask.last_bytes());
    }
}

#[name_nets]
impl<L: Logic> InsertSteps<L> {
    fn clock(&self, sums: &Sums<L>, mask: &MaskSteps<L>) {
        let flags = |later: &Reg<Bits<L>>, first: &Reg<Bits<L>>| later.get().concat(first.get());
        let (crc_here, crc_spills) = (flags(&self.crc_here, &mask.crc_here), flags(&self.crc_spills, &mask.crc_spills));
        self.patch.clock(crc_here, crc_spills, self.last_bytes.get(), sums);
        self.last_bytes.shift(mask.last_bytes());
        self.crc_here.set(crc_here.truncate(crc_here.width() - 1));
        self.crc_spills.set(crc_spills.truncate(crc_spills.width() - 1));
    }

    /// The beat that leaves, with the CRC or the part of it that belongs there.
    fn patched(&self, data: Wide<L>) -> Wide<L> {
        let crc_here = self.crc_here.get();
        select(crc_here.bit(crc_here.width() - 1), self.patch.put(data), data)
    }
}
