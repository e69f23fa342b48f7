// SPDX-License-Identifier: MIT OR Apache-2.0
//! Searches of the walk: for the next word, and for the bits above the lowest 1.

use rtl_model::{Bits, Logic, name_nets, select};

/// The first of `words` behind this one, else the first of all.
#[name_nets]
pub fn next_word<L: Logic>(words: Bits<L>, word: Bits<L>) -> Bits<L> {
    let behind = Bits::lit(words.width(), all_but_one(words.width())) << word;
    let found = words & behind;
    select(found.any(), found.first_set(), words.first_set())
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

/// All ones except the lowest bit.
const fn all_but_one(width: u32) -> u64 {
    (!0 >> (64 - width)) - 1
}
