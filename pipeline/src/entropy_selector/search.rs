// SPDX-License-Identifier: MIT OR Apache-2.0
//! Searches of the walk: for the next word, and for the bits above the lowest 1.

use super::request::NextWord;
use rtl_model::{Bits, Logic, name_nets, select};

/// The first of `words` among those of `behind`, else the first of all.
#[name_nets]
pub fn next_word<L: Logic>(words: Bits<L>, behind: Bits<L>) -> NextWord<L> {
    let found = words & behind;
    let any = found.any();
    NextWord {
        word: select(any, found.first_set(), words.first_set()),
        later_words: select(any, above_lowest(found), above_lowest(words)),
    }
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
pub const fn all_but_one(width: u32) -> u64 {
    (!0 >> (64 - width)) - 1
}
