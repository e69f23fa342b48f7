// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals of 1 to 1024 bits: stream beats and bitmaps. Logic works on narrow slices of them.

use crate::bits::Bits;
use crate::logic::{Gates, Naming, Reading, Shape};
use crate::ops::{Binary, Unary};
use std::fmt;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

/// A signal of 1 to 1024 bits.
pub struct Wide<L: Reading>(pub(crate) L::Wide);

/// The shape of a wide signal of `width` bits.
pub const fn wide(width: u32) -> Wide<Shape> {
    assert!(width >= 1 && width <= 1024, "a wide signal has 1 to 1024 bits");
    Wide(width)
}

impl Wide<Shape> {
    /// The width of this shape.
    pub const fn bits(self) -> u32 {
        self.0
    }
}

impl<L: Reading> Clone for Wide<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Reading> Copy for Wide<L> {}

impl<L: Reading> fmt::Debug for Wide<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl<L: Gates> $trait for Wide<L> {
            type Output = Wide<L>;
            #[track_caller]
            fn $method(self, right: Wide<L>) -> Wide<L> {
                Wide(L::binary_wide(Binary::$op, self.0, right.0))
            }
        }
    )*};
}

operator! {
    Add add Add;
    Sub sub Sub;
    Mul mul Mul;
    BitAnd bitand And;
    BitOr bitor Or;
    BitXor bitxor Xor;
}

macro_rules! shift {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        /// By a variable amount; 0 from the width on.
        impl<L: Gates> $trait<Bits<L>> for Wide<L> {
            type Output = Wide<L>;
            #[track_caller]
            fn $method(self, by: Bits<L>) -> Wide<L> {
                Wide(L::shift_wide(Binary::$op, self.0, by.0))
            }
        }
        /// By a constant amount; 0 from the width on.
        impl<L: Gates> $trait<u64> for Wide<L> {
            type Output = Wide<L>;
            #[track_caller]
            fn $method(self, by: u64) -> Wide<L> {
                Wide(L::shift_wide(Binary::$op, self.0, L::constant(64, by)))
            }
        }
    )*};
}

shift! {
    Shl shl Shl;
    Shr shr Shr;
}

impl<L: Gates> Not for Wide<L> {
    type Output = Wide<L>;
    #[track_caller]
    fn not(self) -> Wide<L> {
        Wide(L::not_wide(self.0))
    }
}

macro_rules! comparison {
    ($($(#[$doc:meta])* $method:ident $op:ident;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $method(self, right: Wide<L>) -> Bits<L> {
            Bits(L::compare_wide(Binary::$op, self.0, right.0))
        }
    )*};
}

macro_rules! reduction {
    ($($(#[$doc:meta])* $method:ident $op:ident;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $method(self) -> Bits<L> {
            Bits(L::reduce_wide(Unary::$op, self.0))
        }
    )*};
}

impl<L: Naming> Wide<L> {
    /// Gives the net the name that it has in Rust.
    #[track_caller]
    pub fn named(self, name: &str) -> Self {
        L::name_wide(self.0, name, None);
        self
    }

    /// Gives one of many nets a name with an index: `lane_3`.
    #[track_caller]
    pub fn named_at(self, name: &str, index: usize) -> Self {
        L::name_wide(self.0, name, Some(index));
        self
    }

    /// Declares that the stage leaves this input, or part of it, unread on purpose.
    pub fn ignore(self) {
        L::ignore_wide(self.0);
    }
}

impl<L: Gates> Wide<L> {
    /// A constant of `width` bits; an error if it does not fit.
    #[track_caller]
    pub fn lit(width: u32, value: u64) -> Self {
        Wide(L::constant_wide(width, value))
    }

    /// Width in bits, 1 to 1024.
    pub fn width(self) -> u32 {
        L::width_wide(self.0)
    }

    comparison! {
        /// 1 bit: 1 if both operands are equal.
        equals Eq;
        /// 1 bit: 1 if the operands differ.
        differs Ne;
        /// 1 if less, unsigned.
        less Lt;
        /// 1 if less or equal, unsigned.
        at_most Le;
        /// 1 if less in two's complement.
        less_signed LtSigned;
        /// 1 if less or equal in two's complement.
        at_most_signed LeSigned;
    }

    reduction! {
        /// 1 if all bits are 1.
        all ReduceAnd;
        /// 1 if some bit is 1.
        any ReduceOr;
        /// 1 if the number of ones is odd.
        parity ReduceXor;
        /// Index of the lowest 1 in `clog2(width)` bits (at least 1); 0 if there is none (see `any`).
        first_set FirstSet;
        /// Number of ones in `clog2(width + 1)` bits.
        count_ones CountOnes;
    }

    /// Right by a variable amount with copies of the sign; all sign from the width on.
    #[track_caller]
    pub fn shr_signed(self, by: Bits<L>) -> Wide<L> {
        Wide(L::shift_wide(Binary::ShrSigned, self.0, by.0))
    }

    /// `width` bits (at most 64) from bit `low` on as a narrow signal; an error if they reach beyond the signal.
    #[track_caller]
    pub fn slice(self, low: u32, width: u32) -> Bits<L> {
        Bits(L::slice_wide(self.0, low, width))
    }

    /// `width` bits from bit `low` on as a wide signal; an error if they reach beyond the signal.
    #[track_caller]
    pub fn part(self, low: u32, width: u32) -> Wide<L> {
        Wide(L::part_wide(self.0, low, width))
    }

    /// Bit `index`, one bit wide; `index` must be below the width.
    #[track_caller]
    pub fn bit(self, index: u32) -> Bits<L> {
        self.slice(index, 1)
    }

    /// `width` bits from a variable bit on; bits beyond the signal are 0.
    #[track_caller]
    pub fn slice_at(self, low: Bits<L>, width: u32) -> Bits<L> {
        (self >> low).slice(0, width)
    }

    /// Lane `index` of `width` bits (a power of two that divides the width, into at most 64 lanes); the index has
    /// `index_width(lanes)` bits. A lane beyond the last is 0.
    #[track_caller]
    pub fn lane(self, index: Bits<L>, width: u32) -> Bits<L> {
        Bits(L::lane(self.0, index.0, width))
    }

    /// One bit per lane of `width` bits, as in [`lane`](Self::lane): some bit of the lane is 1.
    #[track_caller]
    pub fn any_each(self, width: u32) -> Bits<L> {
        Bits(L::any_each(self.0, width))
    }

    /// Rotates right by `by` units of `unit` bits: unit 0 of the result is unit `by`. The width is
    /// `unit * 2^width(by)`, so that every amount is a rotation.
    #[track_caller]
    pub fn rotate_right(self, by: Bits<L>, unit: u32) -> Wide<L> {
        Wide(L::rotate_wide(self.0, by.0, unit))
    }

    /// `self` in the high bits, `low` in the low ones.
    #[track_caller]
    pub fn concat(self, low: Wide<L>) -> Wide<L> {
        Wide(L::concat_wide(self.0, low.0))
    }

    /// Wider, zeros on top.
    #[track_caller]
    pub fn extend(self, width: u32) -> Wide<L> {
        Wide(L::extend_wide(self.0, width, false))
    }

    /// Wider, copies of the sign on top.
    #[track_caller]
    pub fn extend_signed(self, width: u32) -> Wide<L> {
        Wide(L::extend_wide(self.0, width, true))
    }

    /// The low `width` bits.
    #[track_caller]
    pub fn truncate(self, width: u32) -> Wide<L> {
        self.part(0, width)
    }
}

impl<L: Gates> Bits<L> {
    /// Every bit repeated `width` times, a power of two up to 64: bit 0 fills the lowest `width` bits.
    #[track_caller]
    pub fn spread(self, width: u32) -> Wide<L> {
        Wide(L::spread(self.0, width))
    }

    /// The same bits as a wide signal.
    #[track_caller]
    pub fn widen(self) -> Wide<L> {
        Wide(L::widen(self.0))
    }
}
