// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes random expressions of a given width.

use super::expr::{Leaf, N, W};
use rtl_model::ops::{Binary, Unary, index_width};
use rtl_model::{Linear, Table};
use std::collections::BTreeMap;
use testbench::device::random::Random;

const COMPARE: [Binary; 6] = [Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le, Binary::LtSigned, Binary::LeSigned];
const SAME: [Binary; 5] = [Binary::Add, Binary::Sub, Binary::And, Binary::Or, Binary::Xor];
const SHIFT: [Binary; 3] = [Binary::Shl, Binary::Shr, Binary::ShrSigned];
const REDUCE: [Unary; 3] = [Unary::ReduceAnd, Unary::ReduceOr, Unary::ReduceXor];

/// Makes expressions over given leaves and counts the primitives that it has used.
pub struct Generator {
    pub random: Random,
    /// Leaves and their widths.
    pub narrow: Vec<(Leaf, u32)>,
    pub wide: Vec<(Leaf, u32)>,
    /// How often each primitive was made.
    pub used: BTreeMap<String, u32>,
}

impl Generator {
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.below(of.len() as u64) as usize]
    }

    fn width(&mut self, low: u32, high: u32) -> u32 {
        self.random.between(low as u64, high as u64) as u32
    }

    fn count(&mut self, kind: &str, op: &dyn std::fmt::Debug) {
        *self.used.entry(format!("{kind} {op:?}")).or_default() += 1;
    }

    /// A width from 1 to 64, often one of the ends.
    pub fn narrow_width(&mut self) -> u32 {
        match self.random.below(8) {
            0 => 1,
            1 => 64,
            2 | 3 => self.width(2, 8),
            4 | 5 => self.width(9, 33),
            _ => self.width(34, 63),
        }
    }

    /// A width from 1 to 130 and, now and then, up to 1024.
    pub fn wide_width(&mut self) -> u32 {
        match self.random.below(12) {
            0 => self.width(131, 1024),
            1 => self.one(&[64, 65, 127, 128, 129, 1024]),
            2 | 3 => self.width(1, 64),
            _ => self.width(65, 130),
        }
    }

    /// Converts an expression to `width` bits.
    fn literal(&mut self, width: u32) -> u64 {
        let most = u64::MAX >> (64 - width.min(64));
        match self.random.below(4) {
            0 => most,
            1 => self.random.below(4) & most,
            _ => self.random.bits() & most,
        }
    }

    fn narrow_leaf(&mut self, width: u32) -> N {
        if self.random.chance(0.1) {
            return N::Lit(width, self.literal(width));
        }
        self.variable(width)
    }

    /// A leaf that is not constant.
    pub fn variable(&mut self, width: u32) -> N {
        let (leaf, has) = self.one(&self.narrow.clone());
        let leaf = Box::new(N::Leaf(leaf));
        match has {
            _ if has == width => *leaf,
            _ if has > width => {
                self.count("narrow", &"Slice");
                N::Slice(leaf, self.width(0, has - width), width)
            }
            _ => {
                let signed = self.random.chance(0.5);
                self.count("narrow", if signed { &"SignExtend" } else { &"ZeroExtend" });
                N::Extend(leaf, width, signed)
            }
        }
    }

    fn wide_leaf(&mut self, width: u32) -> W {
        if self.random.chance(0.1) {
            return W::Lit(width, self.literal(width));
        }
        let (leaf, has) = self.one(&self.wide.clone());
        let leaf = Box::new(W::Leaf(leaf));
        match has {
            _ if has == width => *leaf,
            _ if has > width => {
                self.count("wide", &"Part");
                W::Part(leaf, self.width(0, has - width), width)
            }
            _ => {
                let signed = self.random.chance(0.5);
                self.count("wide", if signed { &"SignExtend" } else { &"ZeroExtend" });
                W::Extend(leaf, width, signed)
            }
        }
    }

    fn n(&mut self, width: u32, depth: u32) -> Box<N> {
        Box::new(self.narrow(width, depth))
    }

    fn w(&mut self, width: u32, depth: u32) -> Box<W> {
        Box::new(self.wide(width, depth))
    }

    /// A narrow expression of `width` bits.
    pub fn narrow(&mut self, width: u32, depth: u32) -> N {
        let Some(d) = depth.checked_sub(1) else { return self.narrow_leaf(width) };
        if width == 1 && self.random.chance(0.6) {
            return self.flag(d);
        }
        match self.random.below(19) {
            17 => {
                let index = self.width(1, 6);
                let values: Vec<_> = (0..1 << index).map(|_| self.literal(width)).collect();
                self.count("narrow", &"LookUp");
                N::LookUp(self.n(index, d), Table::new(width, values))
            }
            18 if width <= 32 => {
                let bits = self.narrow_width();
                let columns: Vec<_> = (0..bits).map(|_| self.random.bits() as u32).collect();
                self.count("narrow", &"Linear");
                N::Linear(self.n(bits, d), Linear::new(&columns), width)
            }
            15 if width.is_power_of_two() => {
                let lanes = self.width(1, 64.min(1024 / width));
                self.count("wide", &"Lane");
                N::Lane(self.w(lanes * width, d), self.n(index_width(lanes.into()), d), width)
            }
            16 => {
                let lane = 1 << self.random.below(1 + u64::from((1024 / width).ilog2().min(6)));
                self.count("wide", &"AnyEach");
                N::AnyEach(self.w(lane * width, d), lane)
            }
            14 if width.is_multiple_of(8) => {
                self.count("narrow", &"SwapBytes");
                N::SwapBytes(self.n(width, d))
            }
            0 => self.unary(Unary::Not, width, d),
            1 if width <= 7 => self.unary(Unary::FirstSet, width, d),
            2 if (2..=10).contains(&width) => self.unary(Unary::CountOnes, width, d),
            3 if width >= 2 => {
                let left = self.width(1, width - 1);
                self.count("narrow", &Binary::Mul);
                N::Binary(Binary::Mul, self.n(left, d), self.n(width - left, d))
            }
            4 | 5 => {
                let op = self.one(&SHIFT);
                self.count("narrow", &op);
                if op != Binary::ShrSigned && self.random.chance(0.3) {
                    let by = self.random.below(width as u64 + 4);
                    return N::BinaryLit(op, self.n(width, d), by);
                }
                let by = self.amount_width();
                N::Binary(op, self.n(width, d), self.n(by, d))
            }
            6 => {
                self.count("narrow", &"Select");
                N::Select(self.n(1, d), self.n(width, d), self.n(width, d))
            }
            7 if width >= 2 => {
                let high = self.width(1, width - 1);
                self.count("narrow", &"Concat");
                N::Concat(self.n(high, d), self.n(width - high, d))
            }
            8 => {
                let from = self.wide_width().max(width);
                self.count("wide", &"Slice");
                N::SliceWide(self.w(from, d), self.width(0, from - width), width)
            }
            9 => {
                let (from, by) = (self.width(width, 64), self.amount_width());
                self.count("narrow", &"SliceAt");
                N::SliceAt(self.n(from, d), self.n(by, d), width)
            }
            10 => {
                let (from, by) = (self.wide_width().max(width), self.amount_width());
                self.count("wide", &"SliceAt");
                N::SliceAtWide(self.w(from, d), self.n(by, d), width)
            }
            11 if width >= 2 => {
                let (from, signed) = (self.width(1, width), self.random.chance(0.5));
                self.count("narrow", if signed { &"SignExtend" } else { &"ZeroExtend" });
                N::Extend(self.n(from, d), width, signed)
            }
            _ => {
                let op = self.one(&SAME);
                self.count("narrow", &op);
                if self.random.chance(0.3) {
                    return N::BinaryLit(op, self.n(width, d), self.literal(width));
                }
                N::Binary(op, self.n(width, d), self.n(width, d))
            }
        }
    }

    fn amount_width(&mut self) -> u32 {
        if self.random.chance(0.8) { self.width(1, 11) } else { self.width(12, 64) }
    }

    /// Operands for which the result has `width` bits.
    fn unary(&mut self, op: Unary, width: u32, d: u32) -> N {
        let from = match op {
            Unary::Not => width,
            Unary::FirstSet if width == 1 => self.width(1, 2),
            Unary::FirstSet => self.width((1 << (width - 1)) + 1, 1 << width),
            _ => self.width(1 << (width - 1), (1 << width) - 1),
        };
        if from > 64 || (op != Unary::Not && self.random.chance(0.4)) {
            self.count("wide", &op);
            return N::Reduce(op, self.w(from, d));
        }
        self.count("narrow", &op);
        N::Unary(op, self.n(from, d))
    }

    /// An expression of one bit.
    fn flag(&mut self, d: u32) -> N {
        let width = self.narrow_width();
        match self.random.below(10) {
            0..=2 => {
                let op = self.one(&COMPARE);
                self.count("narrow", &op);
                if self.random.chance(0.3) {
                    return N::BinaryLit(op, self.n(width, d), self.literal(width));
                }
                N::Binary(op, self.n(width, d), self.n(width, d))
            }
            3 => {
                let op = self.one(&[Binary::Lt, Binary::Le]);
                N::Swapped(op, self.n(width, d), self.n(width, d))
            }
            4..=6 => {
                let (op, width) = (self.one(&COMPARE), self.wide_width());
                self.count("wide", &op);
                N::Compare(op, self.w(width, d), self.w(width, d))
            }
            7 | 8 => {
                let op = self.one(&REDUCE);
                self.count("narrow", &op);
                N::Unary(op, self.n(width, d))
            }
            _ => {
                let (op, width) = (self.one(&REDUCE), self.wide_width());
                self.count("wide", &op);
                N::Reduce(op, self.w(width, d))
            }
        }
    }

    /// A wide expression of `width` bits.
    pub fn wide(&mut self, width: u32, depth: u32) -> W {
        let Some(d) = depth.checked_sub(1) else { return self.wide_leaf(width) };
        match self.random.below(14) {
            13 => {
                let log = width.trailing_zeros().min(6);
                let lane = 1 << self.random.below(1 + u64::from(log));
                if width / lane > 64 {
                    return self.wide_leaf(width);
                }
                self.count("wide", &"Spread");
                W::Spread(self.n(width / lane, d), lane)
            }
            12 if width.is_multiple_of(2) => {
                // As many doublings as the width has factors of two, or fewer.
                let by = self.width(1, width.trailing_zeros());
                self.count("wide", &"Rotate");
                W::Rotate(self.w(width, d), self.n(by, d), width >> by)
            }
            0 => {
                self.count("wide", &Unary::Not);
                W::Not(self.w(width, d))
            }
            1 if (2..=260).contains(&width) => {
                let left = self.width(1, width - 1);
                self.count("wide", &Binary::Mul);
                W::Binary(Binary::Mul, self.w(left, d), self.w(width - left, d))
            }
            2..=4 => {
                let op = self.one(&SHIFT);
                self.count("wide", &op);
                if op != Binary::ShrSigned && self.random.chance(0.3) {
                    let by = self.random.below(width as u64 + 4);
                    return W::ShiftLit(op, self.w(width, d), by);
                }
                let by = self.amount_width();
                W::Shift(op, self.w(width, d), self.n(by, d))
            }
            5 => {
                self.count("wide", &"Select");
                W::Select(self.n(1, d), self.w(width, d), self.w(width, d))
            }
            6 if width >= 2 => {
                let high = self.width(1, width - 1);
                self.count("wide", &"Concat");
                W::Concat(self.w(high, d), self.w(width - high, d))
            }
            7 => {
                let from = self.width(width, (width + 130).min(1024));
                self.count("wide", &"Part");
                W::Part(self.w(from, d), self.width(0, from - width), width)
            }
            8 => {
                let (from, signed) = (self.width(1, width), self.random.chance(0.5));
                self.count("wide", if signed { &"SignExtend" } else { &"ZeroExtend" });
                W::Extend(self.w(from, d), width, signed)
            }
            9 if width <= 64 => {
                self.count("wide", &"Widen");
                W::Widen(self.n(width, d))
            }
            _ => {
                let op = self.one(&SAME);
                self.count("wide", &op);
                W::Binary(op, self.w(width, d), self.w(width, d))
            }
        }
    }
}
