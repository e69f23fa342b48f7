// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of a model's memories, for the injection of faults: a test flips stored bits, as radiation does.

use super::values::Model;
use crate::leaf::width_of;
use crate::signal::{Leaf, Signal};
use crate::words::Words;
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

/// Copies a row, lowest limb first.
type ReadRow = dyn Fn(u64, &mut [u64]);

/// A memory of an [`Instance`](super::Instance).
pub struct Stored {
    /// The child stages and components that contain it, from the outside in.
    pub scope: Vec<String>,
    /// Name as in the source.
    pub name: String,
    /// Number of rows.
    pub depth: u64,
    /// Bits of a row: all leaves side by side, the first in the highest bits.
    pub width: u32,
    flip: Box<dyn Fn(u64, u32)>,
    row: Box<ReadRow>,
}

impl Stored {
    pub(super) fn new<T: Signal<Logic = Model>>(
        scope: Vec<String>,
        name: String,
        shape: T::Shape,
        rows: Rc<[Cell<T>]>,
    ) -> Self {
        let leaves = T::leaves_of(&shape, "");
        let width = width_of(&leaves);
        let depth = rows.len() as u64;
        let stored = rows.clone();
        let row = move |row: u64, to: &mut [u64]| read_row(&stored[row as usize].get(), to);
        let flip = move |row: u64, bit: u32| {
            let cell = &rows[row as usize];
            cell.set(flipped(&shape, cell.get(), bit, width));
        };
        Stored { scope, name, depth, width, flip: Box::new(flip), row: Box::new(row) }
    }

    /// A stored row, lowest limb first.
    pub fn row(&self, row: u64) -> Vec<u64> {
        let mut limbs = vec![0; self.width.div_ceil(64) as usize];
        (self.row)(row, &mut limbs);
        limbs
    }

    /// Flips a stored bit of a row. Rows that have been read already are in registers, and stay.
    #[track_caller]
    pub fn flip(&self, row: u64, bit: u32) {
        assert!(row < self.depth && bit < self.width, "{self:?} has no bit {bit} of row {row}");
        (self.flip)(row, bit);
    }
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = [&*self.scope, std::slice::from_ref(&self.name)].concat().join(".");
        write!(f, "{path}: {} x {} bits", self.depth, self.width)
    }
}

fn flipped<T: Signal<Logic = Model>>(shape: &T::Shape, value: T, bit: u32, width: u32) -> T {
    let mut leaves = Vec::new();
    let mut high = width;
    value.visit(&mut |leaf: Leaf<Model>| {
        let words = leaf.words();
        high -= words.width();
        let inside = bit.checked_sub(high).filter(|inside| *inside < words.width());
        leaves.push(inside.map_or(words, |inside| toggled(words, inside)));
    });
    let mut leaves = leaves.into_iter();
    T::build(shape, &mut |_, wide| Leaf::of(leaves.next().expect("as many leaves"), wide))
}

fn toggled(words: Words, bit: u32) -> Words {
    let mut limbs = *words.limbs();
    limbs[(bit / 64) as usize] ^= 1 << (bit % 64);
    Words::from_limbs(words.width(), &limbs)
}

pub(super) fn read_row<T: Signal<Logic = Model>>(value: &T, to: &mut [u64]) {
    let mut leaves = Vec::new();
    value.visit(&mut |leaf: Leaf<Model>| leaves.push(leaf.words()));
    pack(&leaves, to);
}

fn pack(leaves: &[Words], to: &mut [u64]) {
    to.fill(0);
    let mut low = 0;
    for leaf in leaves.iter().rev() {
        for (i, limb) in leaf.used().iter().enumerate() {
            let (at, shift) = (low / 64 + i, low % 64);
            to[at] |= limb << shift;
            // Bits that do not fit go into the next limb, if there are any.
            let rest = limb.checked_shr(64 - shift as u32).unwrap_or(0);
            if rest != 0 {
                to[at + 1] = rest;
            }
        }
        low += leaf.width() as usize;
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Instance;
    use crate::{Bits, Model, Ram, RamShape, Wide, bits, wide};

    /// Every bit of every row, and nothing else, in narrow and wide leaves.
    #[test]
    fn a_flipped_bit_is_read_and_flips_back() {
        type Row = ([Bits<Model>; 2], Wide<Model>);
        let build = || {
            let narrow = Ram::<[Bits<Model>; 2]>::named("narrow", RamShape::new(3).latency(1), &[bits(3), bits(60)]);
            (narrow, Ram::<Wide<Model>>::named("wide", RamShape::new(3).latency(1), &wide(130)))
        };
        let memories = Instance::new(build);
        let read = |row: u64| -> Row {
            memories.0.read(Bits::lit(2, row));
            memories.1.read(Bits::lit(2, row));
            memories.0.clock();
            memories.1.clock();
            (memories.0.data(), memories.1.data())
        };
        let found: Vec<_> = memories.memories().iter().map(|m| (&*m.name, m.depth, m.width)).collect();
        assert_eq!(found, [("narrow", 3, 63), ("wide", 3, 130)]);
        let mut flips = 0;
        for row in 0..3 {
            for bit in 0..130 {
                let narrow = &memories.memories()[0];
                if bit < 63 {
                    narrow.flip(row, bit);
                }
                memories.memories()[1].flip(row, bit);
                assert_eq!(narrow.row(row), [if bit < 63 { 1 << bit } else { 0 }]);
                for other in 0..3 {
                    let ([high, low], wide) = read(other);
                    let together = u128::from(high.value()) << 60 | u128::from(low.value());
                    let one = u128::from(other == row && bit < 63) << bit.min(62);
                    assert_eq!(together, one, "row {row}, bit {bit}");
                    let set: Vec<_> = (0..130).filter(|i| wide.bit(*i).value() == 1).collect();
                    assert_eq!(set, if other == row { vec![bit] } else { vec![] });
                }
                if bit < 63 {
                    narrow.flip(row, bit);
                }
                memories.memories()[1].flip(row, bit);
                flips += 1;
            }
        }
        assert_eq!(flips, 390);
    }

    #[test]
    #[should_panic(expected = "rows: 4 x 8 bits has no bit 8 of row 1")]
    fn a_bit_that_is_not_there_is_named() {
        let memory = Instance::new(|| Ram::<Bits<Model>>::named("rows", RamShape::new(4), &bits(8)));
        memory.memories()[0].flip(1, 8);
    }
}
