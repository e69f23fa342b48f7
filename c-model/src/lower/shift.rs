// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shifts and rotations by variable amounts, and lanes at variable positions.

use super::{Lower, part};
use crate::words::{Op as Word, WordId, Words};
use rtl_model::netlist::circuit::NodeId;
use rtl_model::ops::{Binary, clog2};

/// Width of an index into an array.
const INDEX: u32 = 32;

impl Lower<'_> {
    /// All limbs of a shift. For a signed shift right, zeros are shifted in between two inversions.
    pub(super) fn shifted(&mut self, scope: usize, op: Binary, node: NodeId) -> Vec<WordId> {
        let module = self.scopes[scope].module;
        let (width, args) = (module.node(node).width, &module.node(node).args);
        let mut limbs = self.limbs(scope, args[0]);
        let sign = (op == Binary::ShrSigned).then(|| self.bits(scope, args[0], width - 1, 1));
        self.invert_by(sign, &mut limbs);
        let amount = self.limbs(scope, args[1]);
        let mut shifted = match limbs[..] {
            [one] => vec![self.narrow(op, one, &amount)],
            _ => self.through_array(op, &limbs, width, &amount),
        };
        self.invert_by(sign, &mut shifted);
        shifted
    }

    /// Reads a lane. Its width is a power of two, so it never lies in two limbs.
    pub(super) fn lane(&mut self, scope: usize, node: NodeId) -> WordId {
        let module = self.scopes[scope].module;
        let (width, args) = (module.node(node).width, &module.node(node).args);
        let lanes = module.node(args[0]).width / width;
        let bits = clog2(lanes.into()).max(1);
        let (limbs, index) = (self.limbs(scope, args[0]), self.limbs(scope, args[1]));
        let (index, mut beyond) = self.split(&index, bits);
        let words = &mut self.program.words;
        if u64::from(lanes) < 1 << bits {
            let count = words.constant(bits, lanes.into());
            let inside = words.lt(index, count);
            let outside = words.not(inside);
            beyond = words.or(beyond, outside);
        }
        let (unit, per_limb) = (clog2(width.into()), 64 / width);
        let limb = match limbs[..] {
            [one] => words.resize(one, 64),
            _ => {
                let room = ((1u64 << bits) / u64::from(per_limb)).max(1) as usize;
                let zero = words.constant(64, 0);
                let mut limbs: Vec<_> = limbs.iter().map(|&limb| words.resize(limb, 64)).collect();
                limbs.resize(room.max(limbs.len()), zero);
                let array = words.array(limbs);
                let at = words.shr(index, clog2(per_limb.into()), INDEX);
                words.element(array, at)
            }
        };
        let inside = words.low(index, clog2(per_limb.into()).min(bits).max(1));
        let by = if per_limb == 1 { words.constant(6, 0) } else { words.shl(inside, unit, 6) };
        let lane = words.shift_by(Word::ShrBy, limb, by);
        let lane = words.low(lane, width);
        let zero = words.constant(width, 0);
        words.select(beyond, zero, lane)
    }

    /// All limbs of a rotation to the right. Each takes 64 bits of the operand, which is repeated if its length is not
    /// a power of two limbs.
    pub(super) fn rotated(&mut self, scope: usize, node: NodeId, unit: u32) -> Vec<WordId> {
        let module = self.scopes[scope].module;
        let (width, args) = (module.node(node).width, &module.node(node).args);
        let (operand, by) = (args[0], self.limb(scope, args[1], 0));
        let count = super::count(width);
        let ring = count.is_power_of_two() && width.is_multiple_of(64);
        let length = if ring { count } else { 2 * count + 1 };
        let limbs: Vec<_> = (0..length).map(|i| self.repeated(scope, operand, width, 64 * i as u32)).collect();
        let words = &mut self.program.words;
        let array = words.array(limbs);
        let (unit_in_limbs, whole) = (unit / 64, unit.is_multiple_of(64));
        let by = words.resize(by, INDEX);
        let factor = words.constant(INDEX, if whole { unit_in_limbs } else { unit }.into());
        let amount = words.mul(by, factor, INDEX);
        let skip = if whole { amount } else { words.shr(amount, 6, INDEX) };
        let shift = words.low(amount, 6);
        let last = words.constant(6, 63);
        let rest = words.sub(last, shift);
        let element = |words: &mut Words, i: usize| {
            let here = words.constant(INDEX, i as u64);
            let at = words.add(skip, here);
            let at = if ring { words.low(at, clog2(count as u64)) } else { at };
            words.element(array, at)
        };
        (0..count)
            .map(|i| {
                let limb = element(words, i);
                let limb = if whole {
                    limb
                } else {
                    let above = element(words, i + 1);
                    let above = words.shl(above, 1, 64);
                    let above = words.shift_by(Word::ShlBy, above, rest);
                    let limb = words.shift_by(Word::ShrBy, limb, shift);
                    words.or(limb, above)
                };
                words.low(limb, part(width, i))
            })
            .collect()
    }

    /// 64 bits from bit `low` on of a node that is repeated endlessly.
    fn repeated(&mut self, scope: usize, node: NodeId, width: u32, low: u32) -> WordId {
        let mut word = self.program.words.constant(64, 0);
        let mut done = 0;
        while done < 64 {
            let from = (low + done) % width;
            let bits = (width - from).min(64 - done);
            let piece = self.bits(scope, node, from, bits);
            let words = &mut self.program.words;
            let placed = words.shl(piece, done, 64);
            word = words.or(word, placed);
            done += bits;
        }
        word
    }

    fn invert_by(&mut self, sign: Option<WordId>, limbs: &mut [WordId]) {
        let words = &mut self.program.words;
        for limb in limbs.iter_mut().filter(|_| sign.is_some()) {
            let ones = words.fill(sign.expect("filtered"), words.width(*limb));
            *limb = words.xor(*limb, ones);
        }
    }

    /// The lowest `bits` of the amount, and whether a higher bit is set.
    fn split(&mut self, amount: &[WordId], bits: u32) -> (WordId, WordId) {
        let low = self.program.words.resize(amount[0], bits);
        let mut above = amount.to_vec();
        above[0] = self.program.words.shr(amount[0], bits, 64);
        (low, self.any(&above))
    }

    fn narrow(&mut self, op: Binary, value: WordId, amount: &[WordId]) -> WordId {
        let (by, beyond) = self.split(amount, 6);
        let words = &mut self.program.words;
        let shifted = words.shift_by(if op == Binary::Shl { Word::ShlBy } else { Word::ShrBy }, value, by);
        let zero = words.constant(words.width(value), 0);
        words.select(beyond, zero, shifted)
    }

    /// The limbs of an operand in an array between zeros. Each limb of the result is cut from two neighbours.
    fn through_array(&mut self, op: Binary, limbs: &[WordId], width: u32, amount: &[WordId]) -> Vec<WordId> {
        let count = limbs.len();
        let bits = 6 + clog2(count as u64);
        let room = 1usize << (bits - 6);
        let (by, beyond) = self.split(amount, bits);
        let words = &mut self.program.words;
        let zero = words.constant(64, 0);
        let zeros = std::iter::repeat_n(zero, room + 1);
        let limbs: Vec<_> = limbs.iter().map(|&limb| words.resize(limb, 64)).collect();
        let array: Vec<_> = match op {
            Binary::Shl => zeros.chain(limbs).collect(),
            _ => limbs.into_iter().chain(zeros).collect(),
        };
        let array = words.array(array);
        let (skip, shift) = (words.shr(by, 6, INDEX), words.low(by, 6));
        let last = words.constant(6, 63);
        let rest = words.sub(last, shift);
        (0..count)
            .map(|i| {
                let here = words.constant(INDEX, if op == Binary::Shl { room + 1 + i } else { i } as u64);
                let one = words.constant(INDEX, 1);
                let shifted = if op == Binary::Shl {
                    let at = words.sub(here, skip);
                    let below = words.sub(at, one);
                    let (value, below) = (words.element(array, at), words.element(array, below));
                    let below = words.shr(below, 1, 64);
                    let (value, below) =
                        (words.shift_by(Word::ShlBy, value, shift), words.shift_by(Word::ShrBy, below, rest));
                    words.or(value, below)
                } else {
                    let at = words.add(here, skip);
                    let above = words.add(at, one);
                    let (value, above) = (words.element(array, at), words.element(array, above));
                    let above = words.shl(above, 1, 64);
                    let (value, above) =
                        (words.shift_by(Word::ShrBy, value, shift), words.shift_by(Word::ShlBy, above, rest));
                    words.or(value, above)
                };
                let kept = words.low(shifted, part(width, i));
                let none = words.constant(part(width, i), 0);
                words.select(beyond, none, kept)
            })
            .collect()
    }
}
