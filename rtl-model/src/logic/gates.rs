// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operators on narrow and wide signals.

use super::reading::Reading;
use crate::ops::{Binary, Unary};
use crate::tables::{Linear, Table};

/// An interpretation with operators. All check widths and report the caller's line.
pub trait Gates: Reading + Sized {
    /// A constant of `width` bits, 1 to 64; `value` must fit.
    fn constant(width: u32, value: u64) -> Self::Narrow;
    /// A constant under the name that a path in Rust gives it.
    #[track_caller]
    fn named_constant(width: u32, value: u64, _path: &'static str) -> Self::Narrow {
        Self::constant(width, value)
    }
    /// Width of a narrow signal.
    fn width(a: Self::Narrow) -> u32;
    /// Applies an operator to one operand of up to 64 bits.
    fn unary(op: Unary, a: Self::Narrow) -> Self::Narrow;
    /// Applies an operator to two operands of up to 64 bits.
    fn binary(op: Binary, a: Self::Narrow, b: Self::Narrow) -> Self::Narrow;
    /// Multiplexer: `a` if the one-bit `c` is 1, else `b`; equal widths.
    fn select(c: Self::Narrow, a: Self::Narrow, b: Self::Narrow) -> Self::Narrow;
    /// Concatenation: `high` in the upper bits, `low` in the lower bits.
    fn concat(high: Self::Narrow, low: Self::Narrow) -> Self::Narrow;
    /// `width` bits from `low`.
    fn slice(a: Self::Narrow, low: u32, width: u32) -> Self::Narrow;
    /// Wider, by zeros or by the sign.
    fn extend(a: Self::Narrow, width: u32, signed: bool) -> Self::Narrow;

    /// The value of a table; the index is as wide as the table says.
    fn look_up(index: Self::Narrow, table: &Table) -> Self::Narrow;
    /// The image, 32 bits; the operand is as wide as the map says.
    fn linear(a: Self::Narrow, map: &Linear) -> Self::Narrow;

    /// The bytes in reverse order; the width is a multiple of 8.
    fn swap_bytes(a: Self::Narrow) -> Self::Narrow;
    /// Right rotation by `by` units of `unit` bits. The width is `unit << width(by)`.
    fn rotate_wide(a: Self::Wide, by: Self::Narrow, unit: u32) -> Self::Wide;

    /// Lane `index` of `width` bits.
    fn lane(a: Self::Wide, index: Self::Narrow, width: u32) -> Self::Narrow;
    /// One bit per lane of `width` bits: some bit of the lane is 1.
    fn any_each(a: Self::Wide, width: u32) -> Self::Narrow;
    /// Every bit repeated, `width` times.
    fn spread(a: Self::Narrow, width: u32) -> Self::Wide;

    /// A constant of `width` bits, 1 to 1024.
    fn constant_wide(width: u32, value: u64) -> Self::Wide;
    /// Width of a wide signal.
    fn width_wide(a: Self::Wide) -> u32;
    /// Bitwise complement of a wide operand.
    fn not_wide(a: Self::Wide) -> Self::Wide;
    /// The other unary operators.
    fn reduce_wide(op: Unary, a: Self::Wide) -> Self::Narrow;
    /// Operators with a result as wide as the operands, or the product.
    fn binary_wide(op: Binary, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Operators with a one-bit result.
    fn compare_wide(op: Binary, a: Self::Wide, b: Self::Wide) -> Self::Narrow;
    /// Shift of a wide operand by the unsigned amount `by`.
    fn shift_wide(op: Binary, a: Self::Wide, by: Self::Narrow) -> Self::Wide;
    /// Multiplexer of wide operands: `a` if the one-bit `c` is 1, else `b`.
    fn select_wide(c: Self::Narrow, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Concatenation of wide operands, `high` in the upper bits.
    fn concat_wide(high: Self::Wide, low: Self::Wide) -> Self::Wide;
    /// `width` bits from `low`, at most 64.
    fn slice_wide(a: Self::Wide, low: u32, width: u32) -> Self::Narrow;
    /// `width` bits from `low`.
    fn part_wide(a: Self::Wide, low: u32, width: u32) -> Self::Wide;
    /// Wider, by zeros or by the sign.
    fn extend_wide(a: Self::Wide, width: u32, signed: bool) -> Self::Wide;
    /// A narrow signal as a wide one of the same width.
    fn widen(a: Self::Narrow) -> Self::Wide;
}
