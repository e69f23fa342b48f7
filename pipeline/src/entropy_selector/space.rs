// SPDX-License-Identifier: MIT OR Apache-2.0
//! The EV space of a CCC: the EVs that are in use, those below a power of two (rows S17, S18). It is kept as an exponent.
//!
//! What it allows is told by its *reach*: as many ones as an EV below it has bits, which is its last EV. An EV is in the space
//! if it has no bit elsewhere. The same of a word of the bitmap, by the reach's upper bits, and of an EV's place in its word,
//! by its lower bits.

use super::EntropySelectorConfig;
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, index_width, name_nets, select};

/// Width of the code of a space on the ports.
pub const SPACE_WIDTH: u32 = 4;

/// A space that an operation asks for.
#[derive(Bundle)]
pub struct SpaceCode<L: Reading> {
    /// There is such a space.
    pub valid: Bits<L>,
    /// Exponent of the EV space: log2 of the number of EVs.
    pub space: Bits<L>,
}

impl EntropySelectorConfig {
    /// Width of the exponent.
    pub(super) fn space(self) -> Bits<Shape> {
        bits(index_width(u64::from(self.ev_bits()) + 1))
    }

    /// The space of a code: 0 for all EVs, else the exponent.
    pub(super) fn space_of<L: Logic>(self, code: Bits<L>) -> SpaceCode<L> {
        let most = Bits::lit(SPACE_WIDTH, self.ev_bits().into());
        let space = select(code.any(), code, most).truncate(self.space().bits());
        SpaceCode { valid: !code.greater(u64::from(self.ev_bits())), space }
    }

    /// The reach of a space.
    pub(super) fn space_mask<L: Logic>(self, space: Bits<L>) -> Bits<L> {
        (1..self.ev_bits()).fold(space.any(), |low, place| space.greater(u64::from(place)).concat(low))
    }

    /// The places of a word that a reach allows, in each of its words.
    pub(super) fn places_in<L: Logic>(self, space_mask: Bits<L>) -> Bits<L> {
        first(space_mask.slice(0, self.bit_bits()))
    }

    /// The words that a reach allows.
    pub(super) fn words_in<L: Logic>(self, space_mask: Bits<L>) -> Bits<L> {
        first(space_mask.slice(self.bit_bits(), self.word_bits()))
    }

    /// Whether a reach allows the word.
    pub(super) fn word_in<L: Logic>(self, word: Bits<L>, space_mask: Bits<L>) -> Bits<L> {
        !(word & !space_mask.slice(self.bit_bits(), self.word_bits())).any()
    }
}

/// As many ones as numbers below `space_mask` + 1, which is a power of two.
#[name_nets]
fn first<L: Logic>(space_mask: Bits<L>) -> Bits<L> {
    let double = |low: Bits<L>, place: u32| space_mask.bit(place).extend_signed(1 << place).concat(low);
    (0..space_mask.width()).fold(Bits::lit(1, 1), double)
}

/// Of each exponent, from 0 to `bits`, whether an EV is beyond the space.
#[name_nets]
pub fn outside_space<L: Logic>(ev: Bits<L>, bits: u32) -> Bits<L> {
    let mut outside_space = ev.slice(bits, ev.width() - bits).any();
    for place in (0..bits).rev() {
        let next = ev.bit(place) | outside_space.bit(0);
        outside_space = outside_space.concat(next);
    }
    outside_space
}
