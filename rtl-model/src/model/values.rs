// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interpretation with values, and records of them.

use super::arith::Word;
use crate::bits::Bits;
use crate::logic::Reading;
use crate::signal::{Leaf, Signal};
use crate::wide::Wide;
use crate::words::Words;

/// The interpretation with values: the reference model.
#[derive(Clone, Copy, Debug)]
pub struct Model;

impl Reading for Model {
    type Narrow = Word;
    type Wide = Words;
}

impl Leaf<Model> {
    /// The value, whatever its width.
    pub(super) fn words(self) -> Words {
        match self {
            Leaf::Narrow(x) => Words::from_u64(x.width(), x.value()),
            Leaf::Wide(x) => x,
        }
    }

    /// A leaf of this kind with this value.
    pub(super) fn of(words: Words, wide: bool) -> Self {
        if wide { Leaf::Wide(words) } else { Leaf::Narrow(Word::known(words.width(), words.low())) }
    }
}

/// Reads a record from limbs: each signal takes `ceil(width / 64)` of them, in order.
pub fn read_limbs<T: Signal<Logic = Model>>(shape: &T::Shape, limbs: &[u64]) -> T {
    T::build(shape, &mut from_limbs(limbs))
}

fn from_limbs(mut limbs: &[u64]) -> impl FnMut(u32, bool) -> Leaf<Model> {
    move |width, wide| {
        let (these, rest) = limbs.split_at(width.div_ceil(64) as usize);
        limbs = rest;
        match wide {
            false => Leaf::Narrow(Word::cut(width, these[0])),
            true => Leaf::Wide(Words::from_limbs(width, these)),
        }
    }
}

/// Writes a record to limbs, laid out as [`read_limbs`] reads them.
pub fn write_limbs<T: Signal<Logic = Model>>(value: &T, limbs: &mut [u64]) {
    value.visit(&mut to_limbs(limbs));
}

fn to_limbs(limbs: &mut [u64]) -> impl FnMut(Leaf<Model>) {
    let mut at = 0;
    move |leaf| {
        let value = leaf.words();
        limbs[at..at + value.used().len()].copy_from_slice(value.used());
        at += value.used().len();
    }
}

/// In the model a signal has a value.
impl Bits<Model> {
    /// The value as an integer; only in the model.
    pub fn value(self) -> u64 {
        self.0.value()
    }
}

/// In the model a signal has a value.
impl Wide<Model> {
    /// The value as limbs of 64 bits; only in the model.
    pub fn value(self) -> Words {
        self.0
    }

    /// A signal from its bits.
    pub fn from_value(value: Words) -> Self {
        Wide(value)
    }
}
