// SPDX-License-Identifier: MIT OR Apache-2.0
//! Searches of the walk: for the next word, and for what is behind a place.

use super::request::Next;
use rtl_model::{Bits, Logic, name_nets, select};

/// The first of the words among those `behind`, else the first of all.
#[name_nets]
pub fn next_word<L: Logic>(words: Bits<L>, behind: Bits<L>) -> Next<L> {
    let found = words & behind;
    let any = found.any();
    Next {
        word: select(any, found.first_set(), words.first_set()),
        behind: select(any, behind_first(found), behind_first(words)),
    }
}

/// The places behind the first 1.
#[name_nets]
pub fn behind_first<L: Logic>(x: Bits<L>) -> Bits<L> {
    let (mut seen, mut reach) = (x << 1, 1);
    while reach < x.width() {
        seen = seen | seen << reach as u64;
        reach *= 2;
    }
    seen
}

/// All ones but the lowest.
pub const fn all_but_one(width: u32) -> u64 {
    (!0 >> (64 - width)) - 1
}
