// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drawing a sub-path: interleaved weighted round robin (row T5), for all sub-paths of a QP at once, one bit each.

use super::records::Sight;
use rtl_model::{Bits, Bundle, Logic, Reading, select};

/// A sub-path that has been drawn.
#[derive(Bundle)]
pub struct Drawn<L: Reading> {
    pub path: Bits<L>,
    pub round: Bits<L>,
}

/// Which have a weight above this.
#[inline(always)]
fn above<L: Logic>(sight: &Sight<L>, round: Bits<L>) -> Bits<L> {
    let paths = sight.probing.width();
    let mut greater = Bits::lit(paths, 0);
    for (i, &weight) in sight.weight.iter().enumerate() {
        let round = round.bit(i as u32).extend_signed(paths);
        greater = weight & !round | !(weight ^ round) & greater;
    }
    greater
}

/// What is drawn behind `last`; `first` is the first active sub-path. One at least is active.
#[inline(always)]
pub fn draw<L: Logic>(sight: &Sight<L>, first: Bits<L>, last: Drawn<L>) -> Drawn<L> {
    let (paths, width) = (sight.probing.width(), first.width());
    let all = if paths == 64 { !0 } else { (1 << paths) - 1 };
    let behind = Bits::lit(paths, all & !1) << last.path;
    let next_round = last.round + 1;
    let here = (above(sight, last.round) & behind).named("here");
    let there = above(sight, next_round).named("there");
    let found = |each: Bits<L>| each.first_set().truncate(width);
    let path = select(here.any(), found(here), select(there.any(), found(there), first));
    let round = select(there.any(), next_round, Bits::lit(last.round.width(), 0));
    Drawn { path, round: select(here.any(), last.round, round) }
}
