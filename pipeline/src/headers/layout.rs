// SPDX-License-Identifier: MIT OR Apache-2.0
//! The byte layout of a header, from which it is read and written: the macro `header!` and its helpers.

use rtl_model::{Bits, Logic, Wide, name_nets};

/// The fields of a header, from the first on the wire to the last.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Prefix of the names of its fields in records, vectors and JSON. Headers may share one.
    pub object: &'static str,
    /// The fields in wire order, without gaps.
    pub fields: &'static [Field],
}

/// A field of a header.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in records, vectors and JSON, without that of the header.
    pub name: &'static str,
    /// Width in bits, 1 to 128.
    pub width: u32,
    /// 1 if its bits must be 0.
    pub zero: bool,
}

impl Layout {
    /// Bits of the header.
    pub fn bits(&self) -> u32 {
        self.fields.iter().map(|field| field.width).sum()
    }

    /// Each field and where it begins, in bits from the start of the header.
    pub fn places(&self) -> impl Iterator<Item = (u32, Field)> {
        self.fields.iter().scan(0, |at, &field| {
            let start = *at;
            *at += field.width;
            Some((start, field))
        })
    }
}

/// A signal type that can be a field of a header.
pub trait Part<L: Logic>: Sized {
    /// The `width` bits from bit `at` of words in network order.
    fn take(word: impl Fn(u32) -> Bits<L>, at: u32, width: u32) -> Self;
    /// Some of its bits, at most 32.
    fn cut(&self, low: u32, width: u32) -> Bits<L>;
}

#[name_nets]
impl<L: Logic> Part<L> for Bits<L> {
    #[track_caller]
    fn take(word: impl Fn(u32) -> Bits<L>, at: u32, width: u32) -> Self {
        let (first, room) = (at / 32, 32 - at % 32);
        if width <= room {
            return word(first).slice(room - width, width);
        }
        let rest = width - room;
        word(first).truncate(room).concat(Self::take(word, at + room, rest))
    }

    #[track_caller]
    fn cut(&self, low: u32, width: u32) -> Bits<L> {
        self.slice(low, width)
    }
}

#[name_nets]
impl<L: Logic> Part<L> for Wide<L> {
    #[track_caller]
    fn take(word: impl Fn(u32) -> Bits<L>, at: u32, width: u32) -> Self {
        (1..width / 32).fold(word(at / 32).widen(), |high, i| high.concat(word(at / 32 + i).widen()))
    }

    #[track_caller]
    fn cut(&self, low: u32, width: u32) -> Bits<L> {
        self.slice(low, width)
    }
}

/// Appends a field to words in network order; `at` counts the bits so far.
#[name_nets]
#[track_caller]
pub fn put<L: Logic, const N: usize>(words: &mut [Bits<L>; N], at: &mut u32, field: &impl Part<L>, mut width: u32) {
    while width > 0 {
        let (word, used) = ((*at / 32) as usize, *at % 32);
        let count = width.min(32 - used);
        let part = field.cut(width - count, count);
        words[word] = if used == 0 { part } else { words[word].concat(part) };
        *at += count;
        width -= count;
    }
}

/// Fills up the last word; `at` is the number of bits of all words.
#[name_nets]
#[track_caller]
pub fn fill<L: Logic, const N: usize>(words: &mut [Bits<L>; N], at: u32) {
    if !at.is_multiple_of(32) {
        words[N - 1] = words[N - 1].concat(Bits::lit(32 - at % 32, 0));
    }
}

/// Declares a header: its fields in the order of the wire, each with its type and width. `= 0` marks bits that must be
/// 0; `as` gives the external name of a field whose name is not possible in Rust.
macro_rules! header {
    (
        $(#[$doc:meta])*
        pub struct $header:ident: $object:literal {
            $($(#[$about:meta])* $field:ident: $kind:ident($width:literal) $(as $label:literal)? $(= $zero:literal)?,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(rtl_model::Bundle)]
        pub struct $header<L: rtl_model::Reading> {
            $($(#[$about])* pub $field: rtl_model::$kind<L>,)+
        }

        impl $header<rtl_model::Shape> {
            /// The positions of its fields.
            pub const LAYOUT: $crate::headers::Layout = $crate::headers::Layout {
                object: $object,
                fields: &[$($crate::headers::Field {
                    name: $crate::headers::layout::label!($field $($label)?),
                    width: $width,
                    zero: $crate::headers::layout::flag!($($zero)?),
                },)+],
            };
        }

        impl<L: rtl_model::Logic> $header<L> {
            /// Reads the header. `word`: its `i`th 32 bits, in network order.
            #[track_caller]
            pub fn read(word: impl Fn(u32) -> rtl_model::Bits<L>) -> Self {
                let mut at = 0;
                $(
                    let $field = $crate::headers::layout::Part::take(&word, at, $width);
                    at += $width;
                )+
                let _ = at;
                $header { $($field,)+ }
            }

            /// Writes the header as words; after its end the last word is 0.
            #[track_caller]
            pub fn words(&self) -> [rtl_model::Bits<L>; (0_usize $(+ $width)+).div_ceil(32)] {
                let mut words = [rtl_model::Bits::lit(32, 0); (0_usize $(+ $width)+).div_ceil(32)];
                let mut at = 0;
                $($crate::headers::layout::put(&mut words, &mut at, &self.$field, $width);)+
                $crate::headers::layout::fill(&mut words, at);
                words
            }
        }
    };
}

macro_rules! label {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $label:literal) => {
        $label
    };
}

macro_rules! flag {
    () => {
        false
    };
    ($zero:literal) => {
        $zero == 0
    };
}

pub(crate) use {flag, header, label};
