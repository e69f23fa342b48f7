// SPDX-License-Identifier: MIT OR Apache-2.0
//! The operators of the language and their result widths. What they compute is in `model` (values) and `words` (wide
//! values); their Verilog is the printer's.

/// Operators on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// Bitwise complement.
    Not,
    /// 1 bit: all bits are 1.
    ReduceAnd,
    /// 1 bit: some bit is 1.
    ReduceOr,
    /// 1 bit: the number of ones is odd.
    ReduceXor,
    /// Index of the lowest 1, `clog2(width)` bits (at least 1); 0 if there is none.
    FirstSet,
    /// Number of ones, `clog2(width + 1)` bits.
    CountOnes,
}

impl Unary {
    /// Width of the result for an operand of `width` bits.
    pub const fn width(self, width: u32) -> u32 {
        match self {
            Unary::Not => width,
            Unary::ReduceAnd | Unary::ReduceOr | Unary::ReduceXor => 1,
            Unary::FirstSet => index_width(width as u64),
            Unary::CountOnes => clog2(width as u64 + 1),
        }
    }
}

/// Operators on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Sum modulo 2^width.
    Add,
    /// Difference modulo 2^width.
    Sub,
    /// Full product: its width is the sum of the operands' widths.
    Mul,
    /// Bitwise AND of equal widths.
    And,
    /// Bitwise OR of equal widths.
    Or,
    /// Bitwise XOR of equal widths.
    Xor,
    /// One bit: 1 if the operands are equal.
    Eq,
    /// 1 bit: not equal.
    Ne,
    /// 1 bit: unsigned less.
    Lt,
    /// 1 bit: unsigned less or equal.
    Le,
    /// 1 bit: less in two's complement.
    LtSigned,
    /// 1 bit: less or equal in two's complement.
    LeSigned,
    /// Left by a variable amount; 0 from the width on.
    Shl,
    /// Right by a variable amount, zeros from above; 0 from the width on.
    Shr,
    /// Right by a variable amount, copies of the sign from above; all sign from the width on.
    ShrSigned,
}

impl Binary {
    /// Width of the result, or `None` when the operands do not fit each other.
    pub const fn width(self, left: u32, right: u32) -> Option<u32> {
        match self {
            Binary::Mul => Some(left + right),
            Binary::Shl | Binary::Shr | Binary::ShrSigned => Some(left),
            _ if left != right => None,
            Binary::Add | Binary::Sub | Binary::And | Binary::Or | Binary::Xor => Some(left),
            _ => Some(1),
        }
    }
}

/// Bits needed to count from 0 to `n - 1`; 0 for `n` = 1.
pub const fn clog2(n: u64) -> u32 {
    if n <= 1 { 0 } else { 64 - (n - 1).leading_zeros() }
}

/// Width of an index into `n` things: `clog2(n)`, but at least 1.
pub const fn index_width(n: u64) -> u32 {
    let width = clog2(n);
    if width == 0 { 1 } else { width }
}
