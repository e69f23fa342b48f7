// SPDX-License-Identifier: MIT OR Apache-2.0
//! Searches of the walk: for the next word, and for the bits above the lowest 1.

use rtl_model::{Bits, Logic, name_nets};

/// The words behind this one, one bit each. Not a shift: synthesis would use one shifter for two searches, of which the
/// loop of the walk chooses one late, and the path of the loop would lead through that shifter.
#[name_nets]
pub fn words_behind<L: Logic>(word: Bits<L>) -> Bits<L> {
    (0..word.width()).fold(Bits::lit(1, 0), |behind, place| {
        let in_lower_half = (!word.bit(place)).extend_signed(behind.width());
        (behind | in_lower_half).concat(behind & in_lower_half)
    })
}

/// All bits above the lowest 1.
#[name_nets]
pub fn above_lowest<L: Logic>(x: Bits<L>) -> Bits<L> {
    let (mut seen, mut space_mask) = (x << 1, 1);
    while space_mask < x.width() {
        seen = seen | seen << space_mask as u64;
        space_mask *= 2;
    }
    seen
}
