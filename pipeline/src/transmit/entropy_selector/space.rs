// SPDX-License-Identifier: MIT OR Apache-2.0
//! The EV space of a CCC: the EVs in use, which are those below a power of two (rules S17, S18). It is stored as an
//! exponent.
//!
//! The *space mask* has as many ones as an EV of the space has bits; it is the last EV of the space. An EV is in the
//! space if it has no 1 outside the mask. The upper bits of the mask do the same for a word of the bitmap, the lower
//! bits for the position of an EV in its word.

use super::config::EntropySelectorConfig;
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, index_width, name_nets, select};

/// Width of the code of an EV space on the ports.
pub const SPACE_WIDTH: u32 = 4;

/// EV space that a command requests.
#[derive(Bundle)]
pub struct SpaceCode<L: Reading> {
    /// 1 if the code is valid.
    pub valid: Bits<L>,
    /// Exponent of the EV space: log2 of the number of EVs.
    pub space: Bits<L>,
}

impl EntropySelectorConfig {
    /// Width of the exponent of an EV space.
    pub(super) fn space(self) -> Bits<Shape> {
        bits(index_width(u64::from(self.ev_bits()) + 1))
    }

    /// EV space of a code: 0 for all EVs, else the exponent.
    pub(super) fn space_of<L: Logic>(self, code: Bits<L>) -> SpaceCode<L> {
        let most = Bits::lit(SPACE_WIDTH, self.ev_bits().into());
        let space = select(code.any(), code, most).truncate(self.space().bits());
        SpaceCode { valid: !code.greater(u64::from(self.ev_bits())), space }
    }

    /// Mask of an EV space.
    pub(super) fn space_mask<L: Logic>(self, space: Bits<L>) -> Bits<L> {
        (1..self.ev_bits()).fold(space.any(), |low, place| space.greater(u64::from(place)).concat(low))
    }

    /// The positions in a word that are inside the EV space, the same in each of its words.
    pub(super) fn places_in<L: Logic>(self, space_mask: Bits<L>) -> Bits<L> {
        first(space_mask.slice(0, self.bit_bits()))
    }

    /// The words inside the EV space, one bit each.
    pub(super) fn words_in<L: Logic>(self, space_mask: Bits<L>) -> Bits<L> {
        first(space_mask.slice(self.bit_bits(), self.word_bits()))
    }

    /// Whether the word is inside the EV space.
    pub(super) fn word_in<L: Logic>(self, word: Bits<L>, space_mask: Bits<L>) -> Bits<L> {
        !(word & !space_mask.slice(self.bit_bits(), self.word_bits())).any()
    }
}

/// `space_mask` + 1 ones; this number is a power of two.
#[name_nets]
fn first<L: Logic>(space_mask: Bits<L>) -> Bits<L> {
    let double = |low: Bits<L>, place: u32| space_mask.bit(place).extend_signed(1 << place).concat(low);
    (0..space_mask.width()).fold(Bits::lit(1, 1), double)
}

/// For each exponent from 0 to the width of the EV, one bit: whether the EV is outside the space.
#[name_nets]
pub fn outside_space<L: Logic>(ev: Bits<L>) -> Bits<L> {
    let mut outside_space = Bits::lit(1, 0);
    for place in (0..ev.width()).rev() {
        let next = ev.bit(place) | outside_space.bit(0);
        outside_space = outside_space.concat(next);
    }
    outside_space
}
