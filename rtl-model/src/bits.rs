// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals of 1 to 64 bits and their operators.
//!
//! The right operand is another `Bits` of the same width or a `u64`, which takes the width of the left side and must
//! fit in it. There is no `==` and no `bool`: comparisons give a `Bits` of one bit.

use crate::logic::{Gates, Naming, Reading, Shape};
use crate::ops::{Binary, Unary};
use crate::tables::{Linear, Table};
use std::fmt;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

/// A signal of 1 to 64 bits.
pub struct Bits<L: Reading>(pub(crate) L::Narrow);

/// The shape of a narrow signal of `width` bits.
pub const fn bits(width: u32) -> Bits<Shape> {
    assert!(width >= 1 && width <= 64, "a narrow signal has 1 to 64 bits");
    Bits(width)
}

impl Bits<Shape> {
    /// The width of this shape.
    pub const fn bits(self) -> u32 {
        self.0
    }
}

impl<L: Reading> Clone for Bits<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Reading> Copy for Bits<L> {}

impl<L: Reading> fmt::Debug for Bits<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The right operand of an operator: a signal, or a number that takes the width of the left operand.
pub trait Operand<L: Gates>: Copy {
    /// The operand with the width of `left`.
    fn beside(self, left: Bits<L>) -> Bits<L>;
}

impl<L: Gates> Operand<L> for Bits<L> {
    fn beside(self, _: Bits<L>) -> Bits<L> {
        self
    }
}

impl<L: Gates> Operand<L> for u64 {
    #[track_caller]
    fn beside(self, left: Bits<L>) -> Bits<L> {
        Bits(L::constant(L::width(left.0), self))
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl<L: Gates> $trait for Bits<L> {
            type Output = Bits<L>;
            #[track_caller]
            fn $method(self, right: Bits<L>) -> Bits<L> {
                Bits(L::binary(Binary::$op, self.0, right.0))
            }
        }
        impl<L: Gates> $trait<u64> for Bits<L> {
            type Output = Bits<L>;
            #[track_caller]
            fn $method(self, right: u64) -> Bits<L> {
                let right = right.beside(self);
                Bits(L::binary(Binary::$op, self.0, right.0))
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
        impl<L: Gates> $trait for Bits<L> {
            type Output = Bits<L>;
            #[track_caller]
            fn $method(self, by: Bits<L>) -> Bits<L> {
                Bits(L::binary(Binary::$op, self.0, by.0))
            }
        }
        /// By a constant amount; 0 from the width on.
        impl<L: Gates> $trait<u64> for Bits<L> {
            type Output = Bits<L>;
            #[track_caller]
            fn $method(self, by: u64) -> Bits<L> {
                Bits(L::binary(Binary::$op, self.0, L::constant(64, by)))
            }
        }
    )*};
}

shift! {
    Shl shl Shl;
    Shr shr Shr;
}

impl<L: Gates> Not for Bits<L> {
    type Output = Bits<L>;
    #[track_caller]
    fn not(self) -> Bits<L> {
        Bits(L::unary(Unary::Not, self.0))
    }
}

macro_rules! comparison {
    ($($(#[$doc:meta])* $method:ident $op:ident;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $method(self, right: impl Operand<L>) -> Bits<L> {
            let right = right.beside(self);
            Bits(L::binary(Binary::$op, self.0, right.0))
        }
    )*};
}

macro_rules! reduction {
    ($($(#[$doc:meta])* $method:ident $op:ident;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $method(self) -> Bits<L> {
            Bits(L::unary(Unary::$op, self.0))
        }
    )*};
}

impl<L: Naming> Bits<L> {
    /// Gives the net the name that it has in Rust.
    #[track_caller]
    pub fn named(self, name: &str) -> Self {
        L::name(self.0, name, None);
        self
    }

    /// Gives one of many nets a name with an index: `lane_3`.
    #[track_caller]
    pub fn named_at(self, name: &str, index: usize) -> Self {
        L::name(self.0, name, Some(index));
        self
    }

    /// Declares that the stage leaves this input, or part of it, unread on purpose.
    pub fn ignore(self) {
        L::ignore(self.0);
    }
}

impl<L: Gates> Bits<L> {
    /// A constant of `width` bits; an error if it does not fit.
    #[track_caller]
    pub fn lit(width: u32, value: u64) -> Self {
        Bits(L::constant(width, value))
    }

    /// Width in bits, 1 to 64.
    pub fn width(self) -> u32 {
        L::width(self.0)
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

    /// 1 if greater, unsigned.
    #[track_caller]
    pub fn greater(self, right: impl Operand<L>) -> Bits<L> {
        let right = right.beside(self);
        Bits(L::binary(Binary::Lt, right.0, self.0))
    }

    /// 1 if greater or equal, unsigned.
    #[track_caller]
    pub fn at_least(self, right: impl Operand<L>) -> Bits<L> {
        let right = right.beside(self);
        Bits(L::binary(Binary::Le, right.0, self.0))
    }

    /// Right by a variable amount with copies of the sign; all sign from the width on.
    #[track_caller]
    pub fn shr_signed(self, by: Bits<L>) -> Bits<L> {
        Bits(L::binary(Binary::ShrSigned, self.0, by.0))
    }

    /// The signal where the condition holds, else 0.
    #[track_caller]
    pub fn gate(self, condition: Bits<L>) -> Bits<L> {
        self & condition.extend_signed(self.width())
    }

    /// `width` bits from bit `low` on; an error if they reach beyond the signal.
    #[track_caller]
    pub fn slice(self, low: u32, width: u32) -> Bits<L> {
        Bits(L::slice(self.0, low, width))
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

    /// `self` in the high bits, `low` in the low ones.
    #[track_caller]
    pub fn concat(self, low: Bits<L>) -> Bits<L> {
        Bits(L::concat(self.0, low.0))
    }

    /// Wider, zeros on top.
    #[track_caller]
    pub fn extend(self, width: u32) -> Bits<L> {
        Bits(L::extend(self.0, width, false))
    }

    /// Wider, copies of the sign on top.
    #[track_caller]
    pub fn extend_signed(self, width: u32) -> Bits<L> {
        Bits(L::extend(self.0, width, true))
    }

    /// The low `width` bits.
    #[track_caller]
    pub fn truncate(self, width: u32) -> Bits<L> {
        self.slice(0, width)
    }

    /// The bytes in reverse order: network order to a number and back. The width is a multiple of 8.
    #[track_caller]
    pub fn swap_bytes(self) -> Bits<L> {
        Bits(L::swap_bytes(self.0))
    }

    /// The value of a table at this index; the index has the width that the table requires.
    #[track_caller]
    pub fn look_up(self, table: &Table) -> Bits<L> {
        Bits(L::look_up(self.0, table))
    }

    /// The image under a linear map over GF(2), 32 bits: each is the exclusive or of some bits of this signal, which
    /// has the width that the map requires.
    #[track_caller]
    pub fn linear(self, map: &Linear) -> Bits<L> {
        Bits(L::linear(self.0, map))
    }
}
