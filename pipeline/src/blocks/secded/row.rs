// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows of a table as words of at most 64 bits: the leaves side by side, the first in the highest bits, cut from bit 0 on.

use super::code::WORD_WIDTH;
use rtl_model::widths::width_of;
use rtl_model::{Bits, Leaf, Logic, Signal, Wide, Widths, bits, leaves, wide};

/// Width of each word of a row, the lowest word first.
pub fn widths(shape: &dyn Widths) -> Vec<u32> {
    let width = width_of(shape);
    (0..width.div_ceil(WORD_WIDTH)).map(|word| (width - word * WORD_WIDTH).min(WORD_WIDTH)).collect()
}

/// The words of a row, the lowest first.
pub fn words<L: Logic, T: Signal<Logic = L>>(row: &T) -> Vec<Bits<L>> {
    packed(leaves(row))
}

fn packed<L: Logic>(leaves: Vec<Leaf<L>>) -> Vec<Bits<L>> {
    let mut words: Vec<Bits<L>> = Vec::new();
    for leaf in leaves.into_iter().rev() {
        let (width, mut low) = (width(leaf), 0);
        while low < width {
            let last = words.last().filter(|word| word.width() < WORD_WIDTH).copied();
            let taken = (width - low).min(WORD_WIDTH - last.map_or(0, Bits::width));
            let piece = slice(leaf, low, taken);
            match last {
                Some(word) => *words.last_mut().expect("there is one") = piece.concat(word),
                None => words.push(piece),
            }
            low += taken;
        }
    }
    words
}

/// The row of these words.
pub fn row<L: Logic, T: Signal<Logic = L>>(shape: &T::Shape, words: &[Bits<L>]) -> T {
    T::build(shape, &mut cuts(words, width_of(shape)))
}

/// The leaves of a row of this width, from its highest bits on.
fn cuts<L: Logic>(words: &[Bits<L>], width: u32) -> impl FnMut(u32, bool) -> Leaf<L> {
    let mut high = width;
    move |width, is_wide| {
        high -= width;
        cut(words, high, width, is_wide)
    }
}

/// The leaf of this width from bit `lowest` of the row on.
fn cut<L: Logic>(words: &[Bits<L>], lowest: u32, width: u32, is_wide: bool) -> Leaf<L> {
    let (mut low, mut end) = (lowest, lowest + width);
    let mut wide_leaf: Option<Wide<L>> = None;
    let mut narrow_leaf: Option<Bits<L>> = None;
    // From the highest piece down.
    while end > lowest {
        let word = (end - 1) / WORD_WIDTH;
        low = low.max(word * WORD_WIDTH);
        let piece = words[word as usize].slice(low - word * WORD_WIDTH, end - low);
        if is_wide {
            wide_leaf = Some(wide_leaf.map_or(piece.widen(), |above| above.concat(piece.widen())));
        } else {
            narrow_leaf = Some(narrow_leaf.map_or(piece, |above| above.concat(piece)));
        }
        (end, low) = (low, lowest);
    }
    match (wide_leaf, narrow_leaf) {
        (Some(leaf), _) => leaves(&leaf)[0],
        (None, Some(leaf)) => leaves(&leaf)[0],
        (None, None) => unreachable!("a leaf has a bit"),
    }
}

fn narrow<L: Logic>(leaf: Leaf<L>, width: u32) -> Bits<L> {
    Bits::build(&bits(width), &mut |_, _| leaf)
}

fn width<L: Logic>(leaf: Leaf<L>) -> u32 {
    match leaf {
        Leaf::Narrow(leaf) => L::width(leaf),
        Leaf::Wide(leaf) => L::width_wide(leaf),
    }
}

fn slice<L: Logic>(leaf: Leaf<L>, low: u32, width: u32) -> Bits<L> {
    match leaf {
        Leaf::Narrow(signal) => narrow(leaf, L::width(signal)).slice(low, width),
        Leaf::Wide(signal) => Wide::build(&wide(L::width_wide(signal)), &mut |_, _| leaf).slice(low, width),
    }
}
