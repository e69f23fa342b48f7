// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of a model's memories, for the injection of faults: a test flips stored bits, as radiation does.

use super::values::Model;
use crate::signal::{Leaf, Signal, leaves, record};
use crate::widths::{Widths, width_of};
use crate::words::Words;
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

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
    rows: Box<dyn AnyRows>,
}

/// The rows of a memory, of any type.
pub(super) trait AnyRows {
    /// Their number.
    fn depth(&self) -> u64;
    /// Their widths.
    fn widths(&self) -> &dyn Widths;
    /// The values of a row.
    fn leaves(&self, row: u64) -> Vec<Leaf<Model>>;
    /// Puts values into a row.
    fn set(&self, row: u64, leaves: Vec<Leaf<Model>>);
}

/// The rows of a memory with their widths.
pub(super) struct Rows<T: Signal> {
    pub shape: T::Shape,
    pub rows: Rc<[Cell<T>]>,
}

impl<T: Signal<Logic = Model>> AnyRows for Rows<T> {
    fn depth(&self) -> u64 {
        self.rows.len() as u64
    }
    fn widths(&self) -> &dyn Widths {
        &self.shape
    }
    fn leaves(&self, row: u64) -> Vec<Leaf<Model>> {
        leaves(&self.rows[row as usize].get())
    }
    fn set(&self, row: u64, leaves: Vec<Leaf<Model>>) {
        self.rows[row as usize].set(record(&self.shape, leaves));
    }
}

impl Stored {
    pub(super) fn new(scope: Vec<String>, name: String, rows: Box<dyn AnyRows>) -> Self {
        Stored { scope, name, depth: rows.depth(), width: width_of(rows.widths()), rows }
    }

    /// A stored row, lowest limb first.
    pub fn row(&self, row: u64) -> Vec<u64> {
        let mut limbs = vec![0; self.width.div_ceil(64) as usize];
        pack(&self.rows.leaves(row), &mut limbs);
        limbs
    }

    /// Flips a stored bit of a row. Rows that have been read already are in registers, and stay.
    #[track_caller]
    pub fn flip(&self, row: u64, bit: u32) {
        assert!(row < self.depth && bit < self.width, "{self:?} has no bit {bit} of row {row}");
        self.rows.set(row, flipped(&self.rows.leaves(row), bit, self.width));
    }
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = [&*self.scope, std::slice::from_ref(&self.name)].concat().join(".");
        write!(f, "{path}: {} x {} bits", self.depth, self.width)
    }
}

fn flipped(row: &[Leaf<Model>], bit: u32, width: u32) -> Vec<Leaf<Model>> {
    let mut high = width;
    let flipped = |leaf: &Leaf<Model>| {
        let words = leaf.words();
        high -= words.width();
        let inside = bit.checked_sub(high).filter(|inside| *inside < words.width());
        inside.map_or(*leaf, |inside| Leaf::of(toggled(words, inside), matches!(leaf, Leaf::Wide(_))))
    };
    row.iter().map(flipped).collect()
}

fn toggled(words: Words, bit: u32) -> Words {
    let mut limbs = *words.limbs();
    limbs[(bit / 64) as usize] ^= 1 << (bit % 64);
    Words::from_limbs(words.width(), &limbs)
}

/// The leaves of a row side by side, lowest limb first.
pub(super) fn pack(leaves: &[Leaf<Model>], to: &mut [u64]) {
    to.fill(0);
    let mut low = 0;
    for leaf in leaves.iter().rev().map(|leaf| leaf.words()) {
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
