// SPDX-License-Identifier: MIT OR Apache-2.0
//! Narrow values and their operators.

use crate::ops::{Binary, Unary};

/// A value of 1 to 64 bits with its width. Bits from the width upwards are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    value: u64,
    width: u32,
}

const fn mask(width: u32) -> u64 {
    !0 >> (64 - width)
}

impl Word {
    /// `value` cut to `width` bits (1 to 64).
    pub fn cut(width: u32, value: u64) -> Self {
        Word { value: value & mask(width), width }
    }

    /// A value known to fit `width` bits.
    pub(super) fn known(width: u32, value: u64) -> Self {
        Word { value, width }
    }

    /// The bits.
    pub fn value(self) -> u64 {
        self.value
    }

    /// Width in bits.
    pub fn width(self) -> u32 {
        self.width
    }

    /// The value in two's complement.
    pub fn signed(self) -> i64 {
        let up = 64 - self.width;
        (self.value << up) as i64 >> up
    }

    /// An operator on one operand.
    pub fn unary(self, op: Unary) -> Word {
        let value = match op {
            Unary::Not => self.value ^ mask(self.width),
            Unary::ReduceAnd => (self.value == mask(self.width)) as u64,
            Unary::ReduceOr => (self.value != 0) as u64,
            Unary::ReduceXor => self.value.count_ones() as u64 & 1,
            Unary::FirstSet if self.value == 0 => 0,
            Unary::FirstSet => self.value.trailing_zeros() as u64,
            Unary::CountOnes => self.value.count_ones() as u64,
        };
        Word::known(op.width(self.width), value)
    }

    /// An operator on two operands whose widths fit each other.
    pub fn binary(self, op: Binary, other: Word) -> Word {
        let (a, b) = (self.value, other.value);
        let width = match op {
            Binary::Mul => self.width + other.width,
            _ => op.width(self.width, self.width).unwrap_or(self.width),
        };
        let value = match op {
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Eq => (a == b) as u64,
            Binary::Ne => (a != b) as u64,
            Binary::Lt => (a < b) as u64,
            Binary::Le => (a <= b) as u64,
            Binary::LtSigned => (self.signed() < other.signed()) as u64,
            Binary::LeSigned => (self.signed() <= other.signed()) as u64,
            Binary::Shl if b >= 64 => 0,
            Binary::Shl => a << b,
            Binary::Shr if b >= 64 => 0,
            Binary::Shr => a >> b,
            Binary::ShrSigned => (self.signed() >> b.min(63)) as u64,
        };
        match op {
            Binary::Add | Binary::Sub | Binary::Shl | Binary::ShrSigned => Word::cut(width, value),
            _ => Word::known(width, value),
        }
    }
}

/// Reports operands that do not fit each other.
#[track_caller]
pub fn width_error(what: &str, left: u32, right: u32) -> ! {
    panic!("WIDTH MISMATCH: {what}: {left} and {right} bits")
}

/// A literal must fit.
#[track_caller]
pub fn check_fits(width: u32, value: u64) {
    if width == 0 || width > 64 || value & !mask(width) != 0 {
        literal_error(width, value);
    }
}

#[track_caller]
fn literal_error(width: u32, value: u64) -> ! {
    panic!("WIDTH MISMATCH: literal {value:#x} does not fit {width} bits")
}

/// A condition has one bit.
#[track_caller]
pub fn check_one_bit(cond: Word) {
    if cond.width != 1 {
        width_error("condition", cond.width, 1);
    }
}

/// Lanes are a power of two wide, at most 64, and fill the signal; there are at most 64.
#[track_caller]
pub fn check_lanes(of: u32, width: u32) {
    if !width.is_power_of_two() || width > 64 || !of.is_multiple_of(width) || of / width > 64 {
        width_error("lanes do not fill the signal", width, of);
    }
}

/// A slice stays inside.
#[track_caller]
pub fn check_slice(of: u32, low: u32, width: u32, most: u32) {
    if width == 0 || width > most || low + width > of {
        width_error("slice reaches beyond the signal", low + width, of);
    }
}
