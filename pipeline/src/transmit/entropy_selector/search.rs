// SPDX-License-Identifier: MIT OR Apache-2.0
//! Searches of the walk: for the next word, and for the bits above the lowest 1.

use rtl_model::{Bits, Logic, name_nets, select};

/// The words behind this one, one bit each. Not a shift: synthesis would use one shifter for two searches, of which the
/// loop of the walk chooses one late, and the path of the loop would lead through that shifter.
#[name_nets]
pub fn words_behind<L: Logic>(word: Bits<L>) -> Bits<L> {
    (0..word.width()).fold(Bits::lit(1, 0), |behind, place| {
        let in_lower_half = (!word.bit(place)).extend_signed(behind.width());
        (behind | in_lower_half).concat(behind & in_lower_half)
    })
}

/// The first of the words behind the one in which the walk is now, else the first of all. `behind` are those behind the
/// word to which it may move, and behind the one in which it stays; `moves` comes late. Two searches and a choice are
/// faster than a choice and one search; where other modes share the loop they cost look-up tables.
#[name_nets]
pub fn next_word<L: Logic>(words: Bits<L>, behind: [Bits<L>; 2], moves: Bits<L>, two_searches: bool) -> Bits<L> {
    let first = |found: Bits<L>| select(found.any(), found.first_set(), words.first_set());
    let [if_moves, if_stays] = behind;
    match two_searches {
        true => select(moves, first(if_moves), first(if_stays)),
        false => {
            let any = select(moves, if_moves.any(), if_stays.any());
            select(any, select(moves, if_moves, if_stays).first_set(), words.first_set())
        }
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
