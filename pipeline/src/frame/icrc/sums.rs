// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CRCs that are configured, side by side: which one a frame has is known when its first beats have been counted.

use super::beat::DelayedBeat;
use super::config::IcrcConfig;
use super::crc::Code;
use super::headers::HeaderSteps;
use super::mask::{Chosen, MaskSteps};
use super::sum::SumSteps;
use crate::frame::StepStatus;
use rtl_model::{Bits, Delay, Logic, bits, name_nets, select};

/// Steps in which the CRC of a frame is carried along: 7 to 12.
const CARRIED: usize = 6;

#[name_nets]
pub(super) struct Sums<L: Logic> {
    icrc: Option<SumSteps<L>>,
    uet: Option<SumSteps<L>>,
    /// If there are both: the frame of step 12 is of UET.
    is_uet: Option<Delay<Bits<L>>>,
}

#[name_nets]
impl<L: Logic> Sums<L> {
    pub fn new(config: IcrcConfig) -> Self {
        let (mode, lanes) = (config.mode, config.lanes());
        let (icrc, uet) = (config.rocev2_port.is_some(), config.uet.is_some());
        Sums {
            icrc: icrc.then(|| SumSteps::new(Code::Icrc, mode, lanes)),
            uet: uet.then(|| SumSteps::new(Code::Uet, mode, lanes)),
            is_uet: (icrc & uet).then(|| Delay::new(&bits(1), CARRIED)),
        }
    }

    /// There are both.
    pub fn has_both(&self) -> bool {
        self.is_uet.is_some()
    }

    fn each(&self) -> impl Iterator<Item = &SumSteps<L>> {
        self.icrc.iter().chain(&self.uet)
    }

    /// What holds of the CRC that a frame has; `is_uet` says of it which one that is, and is 0 if there is only one.
    fn of_code(is_uet: Bits<L>, icrc: Option<Bits<L>>, uet: Option<Bits<L>>) -> Bits<L> {
        match (icrc, uet) {
            (Some(icrc), Some(uet)) => select(is_uet, uet, icrc),
            (one, other) => one.or(other).expect("there is a CRC"),
        }
    }

    /// Step 12: the frame is of UET; 0 if there is only one CRC.
    pub fn is_uet(&self) -> Bits<L> {
        self.is_uet.as_ref().map_or(Bits::lit(1, 0), Delay::get)
    }

    /// Step 12: the CRC register after the beat.
    pub fn state(&self) -> Bits<L> {
        let state = |sum: &Option<SumSteps<L>>| sum.as_ref().map(|sum| sum.state.get());
        Self::of_code(self.is_uet(), state(&self.icrc), state(&self.uet))
    }

    /// Step 12 of the last beat, if the frame has a CRC: it is right.
    pub fn is_right(&self) -> Bits<L> {
        let is_right = |sum: &Option<SumSteps<L>>| sum.as_ref().map(SumSteps::is_right);
        Self::of_code(self.is_uet(), is_right(&self.icrc), is_right(&self.uet))
    }

    /// Check, step 11 of the last beat.
    pub fn expect(&self, last_bytes: Bits<L>) {
        self.each().for_each(|sum| sum.expect(last_bytes));
    }

    /// What is made of a value for each CRC; `is_uet` chooses.
    pub fn map(&self, is_uet: Bits<L>, of: impl Fn(Code) -> Bits<L>) -> Bits<L> {
        let of = |sum: &Option<SumSteps<L>>| sum.as_ref().map(|sum| of(sum.code));
        Self::of_code(is_uet, of(&self.icrc), of(&self.uet))
    }

    /// All steps, the last first.
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
        if let Some(is_uet) = &self.is_uet {
            is_uet.shift(headers.is_uet());
        }
        self.each().for_each(|sum| sum.clock(steps, starts, variant, chosen, mask, headers, beat));
    }
}
