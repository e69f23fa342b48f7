// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mode of a CCC, and what *open* stores with it.

use super::config::EntropySelectorConfig;
use super::modes::{MODE_WIDTH, mode};
use rtl_model::{Bits, Bundle, Constant, Logic, Reading, constant, name_nets};

/// Width of the LFSR of rounds, which has maximal length.
pub const LFSR_WIDTH: u32 = 16;

/// Mode of a CCC, with the generations of its ring and its suspect, and where its rounds begin.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct ModeState<L: Reading> {
    /// Mode code: one of [`mode`].
    #[width(MODE_WIDTH)]
    pub mode: Bits<L>,
    /// Generation of the ring; a stored ring is valid if it has the same one.
    pub ring_generation: Bits<L>,
    /// Generation of the suspect; a stored suspect is valid if it has the same one.
    pub suspect_generation: Bits<L>,
    /// The bits of the LFSR above those of an EV, in the first round (rule O1).
    #[width(LFSR_WIDTH - config.ev_bits())]
    pub lfsr: Bits<L>,
}

#[name_nets]
impl<L: Logic> ModeState<L> {
    /// The constant state if only `bitmap` is built.
    pub fn bitmap(config: EntropySelectorConfig) -> Self {
        let zero = Bits::lit(1, 0);
        ModeState {
            mode: constant!(mode::BITMAP).lit(MODE_WIDTH),
            ring_generation: zero,
            suspect_generation: zero,
            lfsr: Bits::lit(LFSR_WIDTH - config.ev_bits(), 0),
        }
    }

    /// 1 if the CCC is in this mode.
    pub fn is(self, mode: Constant) -> Bits<L> {
        self.mode.equals(mode)
    }

    /// 1 if the CCC is in a mode that marks EVs.
    pub fn uses_marks(self) -> Bits<L> {
        self.is(constant!(mode::BITMAP)) | self.is(constant!(mode::MIXED)) | self.uses_penalties()
    }

    /// 1 if the marks of the CCC are penalties.
    pub fn uses_penalties(self) -> Bits<L> {
        self.is(constant!(mode::PENALTY))
    }
}
