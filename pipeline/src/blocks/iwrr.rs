// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interleaved weighted round robin (rows T5 and V4), for all paths at once with one bit per path.

use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// Width of a weight in bits.
pub const WEIGHT_WIDTH: u32 = 4;
/// Weights of all paths as bit planes, least significant first: bit `i` of each plane belongs to path `i`.
pub type Weights<L> = [Bits<L>; WEIGHT_WIDTH as usize];

/// Position of the round robin: the path selected last and its round.
#[derive(Bundle)]
pub struct IwrrPosition<L: Reading> {
    /// Number of the path.
    pub path: Bits<L>,
    /// A path is selected in a round if its weight is above the number of the round.
    pub round: Bits<L>,
}

/// The paths with a weight above 0, one bit per path.
#[name_nets]
pub fn weighted<L: Logic>(weights: &Weights<L>) -> Bits<L> {
    let [a, b, c, d] = *weights;
    a | b | c | d
}

/// The paths with a weight above `round`, one bit per path.
#[name_nets]
fn above<L: Logic>(weights: &Weights<L>, round: Bits<L>) -> Bits<L> {
    let paths = weights[0].width();
    let mut greater = Bits::lit(paths, 0);
    for (i, &weight) in weights.iter().enumerate() {
        let round = round.bit(i as u32).extend_signed(paths);
        let equal = !(weight ^ round);
        greater = weight & !round | equal & greater;
    }
    greater
}

/// The position after `last`. `first` is the first path with a weight above 0; there must be at least one.
#[name_nets]
pub fn iwrr_next<L: Logic>(weights: &Weights<L>, first: Bits<L>, last: IwrrPosition<L>) -> IwrrPosition<L> {
    let (paths, width) = (weights[0].width(), first.width());
    let all = if paths == 64 { !0 } else { (1 << paths) - 1 };
    let behind = Bits::lit(paths, all & !1) << last.path;
    let next_round = last.round + 1;
    let here = (above(weights, last.round) & behind).named("here");
    let there = above(weights, next_round).named("there");
    let found = |each: Bits<L>| each.first_set().truncate(width);
    let path = select(here.any(), found(here), select(there.any(), found(there), first));
    let round = select(there.any(), next_round, Bits::lit(last.round.width(), 0));
    IwrrPosition { path, round: select(here.any(), last.round, round) }
}
