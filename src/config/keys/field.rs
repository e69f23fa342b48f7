// SPDX-License-Identifier: MIT OR Apache-2.0
//! The types of fields that keys can have, and how a value becomes a field and a field a value.

use super::{Key, Kind, Value};

/// A section of the configuration.
pub trait Section: Default {
    /// Its keys, in the order in which they are printed.
    const KEYS: &'static [Key];
}

/// The type of a field that a key can have.
pub trait Field: Sized {
    /// The value of the key.
    fn value(&self) -> Value;
    /// The field for a value; `None` for a value that the type does not have.
    fn read(value: Value) -> Option<Self>;
}

/// A type all of whose values are allowed.
pub trait Whatever: Field {
    /// What is said of them.
    const KIND: Kind;
}

/// An enumeration with a word for each of its values.
pub trait Words: Copy + PartialEq + 'static {
    /// The words with what they mean, in the order in which they are listed and in which vector files count them.
    const ALL: &'static [(&'static str, Self)];
    /// The words.
    const NAMES: &'static [&'static str];
}

impl<W: Words> Field for W {
    fn value(&self) -> Value {
        let word = W::ALL.iter().find(|(_, meant)| meant == self);
        Value::Text(word.map_or_else(String::new, |(word, _)| (*word).to_owned()))
    }

    fn read(value: Value) -> Option<Self> {
        let Value::Text(read) = value else { return None };
        W::ALL.iter().find(|(word, _)| *word == read).map(|(_, meant)| *meant)
    }
}

impl<W: Words> Whatever for W {
    const KIND: Kind = Kind::Word(W::NAMES);
}

/// A type that a value has as it is.
macro_rules! as_it_is {
    ($($of:ty: $value:ident,)*) => {
        $(impl Field for $of {
            fn value(&self) -> Value {
                Value::$value(self.clone())
            }

            fn read(value: Value) -> Option<Self> {
                match value {
                    Value::$value(read) => Some(read),
                    _ => None,
                }
            }
        })*
    };
}

as_it_is! { u64: Whole, f64: Number, String: Text, bool: Flag, }

impl Whatever for bool {
    const KIND: Kind = Kind::Flag;
}

/// A whole number of fewer bits.
macro_rules! fewer_bits {
    ($($of:ty,)*) => {
        $(impl Field for $of {
            fn value(&self) -> Value {
                Value::Whole((*self).into())
            }

            fn read(value: Value) -> Option<Self> {
                u64::read(value)?.try_into().ok()
            }
        }

        impl Whatever for $of {
            const KIND: Kind = Kind::Whole(0, <$of>::MAX as u64);
        })*
    };
}

fewer_bits! { u8, u16, u32, }

/// A whole number that may be left to the configuration.
impl Field for Option<u64> {
    fn value(&self) -> Value {
        self.map_or_else(|| Value::Text("auto".to_owned()), Value::Whole)
    }

    fn read(value: Value) -> Option<Self> {
        Some(u64::read(value))
    }
}

/// A line of a comment without the space before it.
pub const fn line(comment: &'static str) -> &'static str {
    match comment.as_bytes() {
        [b' ', ..] => comment.split_at(1).1,
        _ => comment,
    }
}

/// The words of pairs.
pub const fn names<W, const N: usize>(all: &[(&'static str, W); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = all[at].0;
        at += 1;
    }
    names
}
