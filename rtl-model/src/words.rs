// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of up to `64 * N` bits in a fixed array of limbs: what wide signals are in the model, and (with `N` = 16)
//! what constants are in a netlist. Bits from the width upwards are always 0.

use crate::ops::{Binary, Unary};

/// A value of `width` bits in `N` limbs, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Words<const N: usize> {
    limbs: [u64; N],
    width: u32,
}

// The shifts take a number of bits, not another value, and clear what they shift in: not the traits of `std::ops`.
#[allow(clippy::should_implement_trait)]
impl<const N: usize> Words<N> {
    /// The widest value that fits.
    pub const MAX_WIDTH: u32 = 64 * N as u32;

    /// Zero of `width` bits.
    #[inline(always)]
    pub const fn zero(width: u32) -> Self {
        Words { limbs: [0; N], width }
    }

    /// `value`, cut to `width` bits.
    #[inline(always)]
    pub fn from_u64(width: u32, value: u64) -> Self {
        let mut limbs = [0; N];
        limbs[0] = value;
        Words { limbs, width }.cut()
    }

    /// From limbs, lowest first; what is missing is 0, what is beyond `width` is cut.
    #[inline(always)]
    pub fn from_limbs(width: u32, from: &[u64]) -> Self {
        // Limb by limb: a copy of variable length would be a call.
        let limbs = std::array::from_fn(|i| from.get(i).copied().unwrap_or(0));
        Words { limbs, width }.cut()
    }

    /// From limbs known to fit `width` bits.
    #[inline(always)]
    pub(crate) fn known(width: u32, limbs: [u64; N]) -> Self {
        Words { limbs, width }
    }

    /// Width in bits.
    #[inline(always)]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// The limbs, lowest first.
    #[inline(always)]
    pub const fn limbs(&self) -> &[u64; N] {
        &self.limbs
    }

    /// The lowest 64 bits.
    #[inline(always)]
    pub const fn low(&self) -> u64 {
        self.limbs[0]
    }

    /// No bit is set.
    #[inline(always)]
    pub fn is_zero(&self) -> bool {
        self.limbs.iter().fold(0, |a, b| a | b) == 0
    }

    /// Bit `index`; 0 beyond the width.
    pub fn bit(&self, index: u32) -> bool {
        index < self.width && self.limbs[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    /// Clears what lies beyond the width. Written limb by limb, for a loop that unrolls.
    #[inline(always)]
    fn cut(mut self) -> Self {
        let (top, rest) = ((self.width / 64) as usize, self.width % 64);
        let mut i = 0;
        while i < N {
            if i >= top {
                self.limbs[i] = if i == top { self.limbs[i] & ((1 << rest) - 1) } else { 0 };
            }
            i += 1;
        }
        self
    }

    /// Limb by limb; `f` of two zeros is zero.
    #[inline(always)]
    fn zip_clean(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut limbs = self.limbs;
        for (a, b) in limbs.iter_mut().zip(other.limbs) {
            *a = f(*a, b);
        }
        Words { limbs, width: self.width }
    }

    fn carry(self, other: Self, mut carry: bool) -> Self {
        let mut limbs = [0; N];
        for (i, limb) in limbs.iter_mut().enumerate() {
            let (sum, over) = self.limbs[i].overflowing_add(other.limbs[i]);
            let (sum, again) = sum.overflowing_add(carry as u64);
            (*limb, carry) = (sum, over | again);
        }
        Words { limbs, width: self.width }.cut()
    }

    /// Every bit inverted.
    #[inline]
    pub fn not(self) -> Self {
        self.zip_clean(self, |a, _| !a).cut()
    }

    fn product(self, other: Self) -> Self {
        let mut limbs = [0u64; N];
        for (i, &a) in self.limbs.iter().enumerate() {
            let mut carry = 0u128;
            for j in 0..N - i {
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

    /// An operator whose result is as wide as [`Binary::width`] says; the widths have been checked.
    #[inline]
    pub fn binary(op: Binary, a: Self, b: Self) -> Self {
        let flag = |x: bool| Words::from_u64(1, x as u64);
        match op {
            Binary::Add => a.carry(b, false),
            Binary::Sub => {
                let complement = Words { limbs: b.limbs.map(|x| !x), width: b.width };
                a.carry(complement, true)
            }
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
    #[inline(always)]
    pub fn amount(&self) -> u32 {
        if self.limbs[1..].iter().any(|&x| x != 0) { u32::MAX } else { self.limbs[0].min(u32::MAX as u64) as u32 }
    }

    /// Left by `by`; 0 from the width on.
    #[inline]
    pub fn shl(self, by: u32) -> Self {
        if by >= self.width {
            return Words::zero(self.width);
        }
        let (skip, shift) = ((by / 64) as usize, by % 64);
        let mut limbs = [0; N];
        limbs[skip..].copy_from_slice(&self.limbs[..N - skip]);
        if shift > 0 {
            for i in (1..N).rev() {
                limbs[i] = limbs[i] << shift | limbs[i - 1] >> (64 - shift);
            }
            limbs[0] <<= shift;
        }
        Words { limbs, width: self.width }.cut()
    }

    /// Right by `by`; 0 from the width on.
    #[inline]
    pub fn shr(self, by: u32) -> Self {
        if by == 0 {
            return self;
        }
        if by >= self.width {
            return Words::zero(self.width);
        }
        let (skip, shift) = ((by / 64) as usize, by % 64);
        let mut limbs = [0; N];
        limbs[..N - skip].copy_from_slice(&self.limbs[skip..]);
        if shift > 0 {
            for i in 0..N - 1 {
                limbs[i] = limbs[i] >> shift | limbs[i + 1] << (64 - shift);
            }
            limbs[N - 1] >>= shift;
        }
        Words { limbs, width: self.width }
    }

    /// Right by `by` with copies of the sign.
    #[inline]
    pub fn shr_signed(self, by: u32) -> Self {
        if self.bit(self.width - 1) { self.not().shr(by).not() } else { self.shr(by) }
    }

    /// Rotated right by `by`, less than the width.
    #[inline]
    pub fn rotate_right(self, by: u32) -> Self {
        if by == 0 {
            return self;
        }
        if !self.width.is_multiple_of(64) {
            return self.shr(by).zip_clean(self.shl(self.width - by), |a, b| a | b);
        }
        let (used, skip, shift) = ((self.width / 64) as usize, (by / 64) as usize, by % 64);
        let mut limbs = [0; N];
        let mut from = skip;
        let mut low = self.limbs[from];
        for limb in &mut limbs[..used] {
            from = if from + 1 == used { 0 } else { from + 1 };
            let high = self.limbs[from];
            *limb = if shift == 0 { low } else { low >> shift | high << (64 - shift) };
            low = high;
        }
        Words { limbs, width: self.width }
    }

    /// An operator on one operand.
    #[inline]
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
    #[inline(always)]
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
    #[inline]
    pub fn slice(self, low: u32, width: u32) -> Self {
        match low {
            0 => Words { limbs: self.limbs, width }.cut(),
            _ => Words { limbs: self.shr(low).limbs, width }.cut(),
        }
    }

    /// The same value, narrower (cut) or wider (zeros on top).
    #[inline(always)]
    pub fn resize(self, width: u32) -> Self {
        Words { limbs: self.limbs, width }.cut()
    }

    /// Wider, with copies of the sign on top.
    pub fn sign_extend(self, width: u32) -> Self {
        if self.bit(self.width - 1) { self.not().resize(width).not() } else { self.resize(width) }
    }

    /// `self` above `low`.
    #[inline]
    pub fn concat(self, low: Self) -> Self {
        let width = self.width + low.width;
        let high = Words { limbs: self.limbs, width }.shl(low.width);
        high.zip_clean(low, |a, b| a | b)
    }
}
