// SPDX-License-Identifier: MIT OR Apache-2.0
//! Weighted round robin (row T5), for all sub-paths at once with one bit per sub-path.
//!
//! Every odd round has the sub-paths with the top bit, every even one those with a bit further down: the lower, the rarer
//! the round. So a sub-path is selected as often as its weight says, and its turns are spread over all rounds. No weight
//! is compared with anything: a round is one bit plane of the weights. The planes of this and of the next round are
//! kept in the row of the QP, so the loop over the row finds the first sub-path of three sets side by side, and the plane
//! that comes after them.

use super::config::PathSchedulerConfig;
use super::records::Turn;
use rtl_model::{Bits, Bundle, Logic, Reading, Wide, index_width, name_nets, select};

/// What selection needs of the sub-paths of a QP, found out before it.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Candidates<L: Reading> {
    /// The sub-paths that may be selected.
    #[shape(config.each())]
    pub usable: Bits<L>,
    /// Position of the highest bit in any of their weights.
    #[width(index_width(config.weight_bits.into()))]
    pub top: Bits<L>,
    /// The sub-paths with that bit.
    #[shape(config.each())]
    pub top_plane: Bits<L>,
    /// The first of them that is usable.
    #[width(config.path_bits())]
    pub first: Bits<L>,
}

/// The highest bit position at which a usable sub-path has a 1 in its weight.
#[name_nets]
pub fn top_bit<L: Logic>(weights: Wide<L>, usable: Bits<L>, width: u32) -> Bits<L> {
    let paths = usable.width();
    let planes = weights.width() / paths;
    let mut top = Bits::lit(width, 0);
    for bit in 1..planes {
        let reached = (weights.slice(bit * paths, paths) & usable).any();
        top = select(reached, Bits::lit(width, u64::from(bit)), top);
    }
    top
}

/// Without its lowest sub-path that is usable.
#[name_nets]
fn without_first<L: Logic>(set: Bits<L>, usable: Bits<L>) -> Bits<L> {
    let open = set & usable;
    let mut lower = open << 1;
    let mut reach = 1;
    while reach < u64::from(set.width()) {
        lower = lower | lower << reach;
        reach *= 2;
    }
    set & !(open & !lower)
}

/// The next sub-path, and the turn after it. With `restart` it is the best sub-path, and the rounds begin anew.
#[name_nets]
pub fn next_turn<L: Logic>(
    turn: Turn<L>,
    candidates: Candidates<L>,
    weights: Wide<L>,
    restart: Bits<L>,
) -> (Bits<L>, Turn<L>) {
    let Candidates { usable, top, top_plane, first } = candidates;
    let found = |set: Bits<L>| (set & usable).first_set().truncate(first.width());
    let here = (!restart & (turn.due & usable).any()).named("here");
    let there = (!restart & (turn.next & usable).any()).named("there");
    let path = select(here, found(turn.due), select(there, found(turn.next), first));

    // The plane after the next odd round: below the top by one more than the trailing ones of `pair`.
    let pair = turn.pair.gate(!restart);
    let ones = Bits::lit(1, 1).concat(!pair).first_set().extend(top.width()).named("trailing_ones");
    let lower_plane = weights.lane(top + !ones, usable.width()).gate(ones.less(top)).named("lower_plane");
    let to_even = !restart & turn.odd & there;
    let advanced = Turn {
        due: without_first(select(there, turn.next, top_plane), usable),
        next: select(to_even, top_plane, lower_plane),
        odd: !to_even,
        pair: select(to_even, pair, pair + 1),
    };
    let staying = Turn { due: without_first(turn.due, usable), ..turn };
    (path, select(here, staying, advanced))
}
