// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of up to 1024 bits: wide signals in the model, and constants in a netlist. Bits from the width upwards are
//! always 0.

use crate::ops::{Binary, Unary};

const LIMBS: usize = 16;

/// A value of `width` bits in limbs, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Words {
    limbs: [u64; LIMBS],
    width: u32,
}

// The shifts take a number of bits, not another value, and clear what they shift in: not the traits of `std::ops`.
#[allow(clippy::should_implement_trait)]
impl Words {
    /// Largest width of a value in bits.
    pub const MAX_WIDTH: u32 = 64 * LIMBS as u32;

    /// Zero of `width` bits.
    pub const fn zero(width: u32) -> Self {
        Words { limbs: [0; LIMBS], width }
    }

    /// `value`, cut to `width` bits.
    pub fn from_u64(width: u32, value: u64) -> Self {
        Words::from_limbs(width, &[value])
    }

    /// From limbs, lowest first; what is missing is 0, what is beyond `width` is cut.
    pub fn from_limbs(width: u32, from: &[u64]) -> Self {
        let mut limbs = [0; LIMBS];
        limbs.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        Words { limbs, width }.cut()
    }

    /// Width in bits, 1 to [`Self::MAX_WIDTH`].
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// The limbs, lowest first.
    pub const fn limbs(&self) -> &[u64; LIMBS] {
        &self.limbs
    }

    /// The limbs that the width needs.
    pub fn used(&self) -> &[u64] {
        &self.limbs[..self.width.div_ceil(64) as usize]
    }

    /// The lowest 64 bits.
    pub const fn low(&self) -> u64 {
        self.limbs[0]
    }

    /// No bit is set.
    pub fn is_zero(&self) -> bool {
        self.limbs.iter().all(|&x| x == 0)
    }

    /// Bit `index`; 0 beyond the width.
    pub fn bit(&self, index: u32) -> bool {
        index < self.width && self.limbs[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    /// Clears what lies beyond the width.
    fn cut(mut self) -> Self {
        let (top, rest) = ((self.width / 64) as usize, self.width % 64);
        if let Some((top, beyond)) = self.limbs[top.min(LIMBS)..].split_first_mut() {
            *top &= (1 << rest) - 1;
            beyond.fill(0);
        }
        self
    }

    /// Limb by limb; `f` of two zeros is zero.
    fn zip_clean(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut limbs = self.limbs;
        for (a, b) in limbs.iter_mut().zip(other.limbs) {
            *a = f(*a, b);
        }
        Words { limbs, width: self.width }
    }

    fn carry(self, other: Self, mut carry: bool) -> Self {
        let mut limbs = [0; LIMBS];
        for (i, limb) in limbs.iter_mut().enumerate() {
            let (sum, over) = self.limbs[i].overflowing_add(other.limbs[i]);
            let (sum, again) = sum.overflowing_add(carry as u64);
            (*limb, carry) = (sum, over | again);
        }
        Words { limbs, width: self.width }.cut()
    }

    /// Bitwise complement, cut to the width.
    pub fn not(self) -> Self {
        Words { limbs: self.limbs.map(|x| !x), width: self.width }.cut()
    }

    fn product(self, other: Self) -> Self {
        let mut limbs = [0u64; LIMBS];
        for (i, &a) in self.limbs.iter().enumerate() {
            let mut carry = 0u128;
            for j in 0..LIMBS - i {
                let sum = a as u128 * other.limbs[j] as u128 + limbs[i + j] as u128 + carry;
                limbs[i + j] = sum as u64;
                carry = sum >> 64;
            }
        }
        Words { limbs, width: self.width + other.width }.cut()
    }

    fn less(&self, other: &Self) -> bool {
        self.limbs.iter().rev().lt(other.limbs.iter().rev())
    }

    fn less_signed(&self, other: &Self) -> bool {
        let (a, b) = (self.bit(self.width - 1), other.bit(other.width - 1));
        if a == b { self.less(other) } else { a }
    }

    /// An operator whose result has the width of [`Binary::width`]; the widths have been checked.
    pub fn binary(op: Binary, a: Self, b: Self) -> Self {
        let flag = |x: bool| Words::from_u64(1, x as u64);
        match op {
            Binary::Add => a.carry(b, false),
            Binary::Sub => a.carry(Words { limbs: b.limbs.map(|x| !x), width: b.width }, true),
            Binary::Mul => a.product(b),
            Binary::And => a.zip_clean(b, |x, y| x & y),
            Binary::Or => a.zip_clean(b, |x, y| x | y),
            Binary::Xor => a.zip_clean(b, |x, y| x ^ y),
            Binary::Eq => flag(a.limbs == b.limbs),
            Binary::Ne => flag(a.limbs != b.limbs),
            Binary::Lt => flag(a.less(&b)),
            Binary::Le => flag(!b.less(&a)),
            Binary::LtSigned => flag(a.less_signed(&b)),
            Binary::LeSigned => flag(!b.less_signed(&a)),
            Binary::Shl => a.shl(b.amount()),
            Binary::Shr => a.shr(b.amount()),
            Binary::ShrSigned => a.shr_signed(b.amount()),
        }
    }

    /// The value as a shift amount: anything from 2^32 on is 2^32 - 1.
    pub fn amount(&self) -> u32 {
        if self.limbs[1..].iter().any(|&x| x != 0) { u32::MAX } else { self.limbs[0].min(u32::MAX as u64) as u32 }
    }

    /// Left by `by`; 0 from the width on.
    pub fn shl(self, by: u32) -> Self {
        if by >= self.width {
            return Words::zero(self.width);
        }
        let (skip, shift) = ((by / 64) as usize, by % 64);
        let mut limbs = [0; LIMBS];
        limbs[skip..].copy_from_slice(&self.limbs[..LIMBS - skip]);
        if shift > 0 {
            for i in (1..LIMBS).rev() {
                limbs[i] = limbs[i] << shift | limbs[i - 1] >> (64 - shift);
            }
            limbs[0] <<= shift;
        }
        Words { limbs, width: self.width }.cut()
    }

    /// Right by `by`; 0 from the width on.
    pub fn shr(self, by: u32) -> Self {
        if by >= self.width {
            return Words::zero(self.width);
        }
        let (skip, shift) = ((by / 64) as usize, by % 64);
        let mut limbs = [0; LIMBS];
        limbs[..LIMBS - skip].copy_from_slice(&self.limbs[skip..]);
        if shift > 0 {
            for i in 0..LIMBS - 1 {
                limbs[i] = limbs[i] >> shift | limbs[i + 1] << (64 - shift);
            }
            limbs[LIMBS - 1] >>= shift;
        }
        Words { limbs, width: self.width }
    }

    /// Right by `by` with copies of the sign.
    pub fn shr_signed(self, by: u32) -> Self {
        if self.bit(self.width - 1) { self.not().shr(by).not() } else { self.shr(by) }
    }

    /// Rotated right by `by`, less than the width.
    pub fn rotate_right(self, by: u32) -> Self {
        self.shr(by).zip_clean(self.shl(self.width - by), |a, b| a | b)
    }

    /// An operator on one operand.
    pub fn unary(op: Unary, a: Self) -> Self {
        let width = op.width(a.width);
        match op {
            Unary::Not => a.not(),
            Unary::ReduceAnd => Words::from_u64(1, a.not().is_zero() as u64),
            Unary::ReduceOr => Words::from_u64(1, !a.is_zero() as u64),
            Unary::ReduceXor => Words::from_u64(1, a.count_ones() & 1),
            Unary::FirstSet => Words::from_u64(width, a.first_set()),
            Unary::CountOnes => Words::from_u64(width, a.count_ones()),
        }
    }

    fn count_ones(&self) -> u64 {
        self.limbs.iter().map(|x| x.count_ones() as u64).sum()
    }

    fn first_set(&self) -> u64 {
        match self.limbs.iter().position(|&x| x != 0) {
            Some(i) => 64 * i as u64 + self.limbs[i].trailing_zeros() as u64,
            None => 0,
        }
    }

    /// `width` bits (at most 64) from bit `low` on; bits beyond the value are 0.
    pub fn slice_u64(&self, low: u32, width: u32) -> u64 {
        let (i, shift) = ((low / 64) as usize, low % 64);
        let limb = |i: usize| self.limbs.get(i).copied().unwrap_or(0);
        let value = match shift + width <= 64 {
            true => limb(i) >> shift,
            false => limb(i) >> shift | limb(i + 1) << (64 - shift),
        };
        value & (!0 >> (64 - width))
    }

    /// `width` bits from bit `low` on.
    pub fn slice(self, low: u32, width: u32) -> Self {
        self.shr(low).resize(width)
    }

    /// The same value, narrower (cut) or wider (zeros on top).
    pub fn resize(self, width: u32) -> Self {
        Words { limbs: self.limbs, width }.cut()
    }

    /// Wider, with copies of the sign on top.
    pub fn sign_extend(self, width: u32) -> Self {
        if self.bit(self.width - 1) { self.not().resize(width).not() } else { self.resize(width) }
    }

    /// Concatenation: `self` in the high bits, `low` in the low bits.
    pub fn concat(self, low: Self) -> Self {
        let width = self.width + low.width;
        self.resize(width).shl(low.width).zip_clean(low, |a, b| a | b)
    }
}
