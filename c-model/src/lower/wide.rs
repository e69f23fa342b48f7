// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arithmetic on more bits than a word has.

use super::Lower;
use crate::words::WordId;
use rtl_model::netlist::circuit::NodeId;
use rtl_model::ops::Binary;

impl Lower<'_> {
    /// The sum or difference, computed limb by limb with a carry.
    pub(super) fn sum(&mut self, scope: usize, op: Binary, node: NodeId) -> Vec<WordId> {
        let module = self.scopes[scope].module;
        let (a, b) = (module.node(node).args[0], module.node(node).args[1]);
        let (a, b) = (self.limbs(scope, a), self.limbs(scope, b));
        let words = &mut self.program.words;
        let mut carry: Option<WordId> = None;
        let mut limbs = Vec::with_capacity(a.len());
        for (i, (&a, &b)) in a.iter().zip(&b).enumerate() {
            let width = words.width(a);
            let plain = if op == Binary::Add { words.add(a, b) } else { words.sub(a, b) };
            let limb = match carry {
                None => plain,
                Some(carry) => {
                    let carry = words.resize(carry, width);
                    if op == Binary::Add { words.add(plain, carry) } else { words.sub(plain, carry) }
                }
            };
            if i + 1 < limbs.capacity() {
                // There is a carry if the first step carries, or if the carry from below does.
                let first = if op == Binary::Add { words.lt(plain, a) } else { words.lt(a, b) };
                carry = Some(match carry {
                    None => first,
                    Some(_) => {
                        let second = if op == Binary::Add { words.lt(limb, plain) } else { words.lt(plain, limb) };
                        words.or(first, second)
                    }
                });
            }
            limbs.push(limb);
        }
        limbs
    }

    /// The full product. Above 64 bits it is computed with digits of 32 bits.
    pub(super) fn product(&mut self, scope: usize, node: NodeId) -> Vec<WordId> {
        let module = self.scopes[scope].module;
        let width = module.node(node).width;
        let (a, b) = (module.node(node).args[0], module.node(node).args[1]);
        if width <= 64 {
            let (a, b) = (self.limb(scope, a, 0), self.limb(scope, b, 0));
            return vec![self.program.words.mul(a, b, width)];
        }
        let (a, b) = (self.digits(scope, a), self.digits(scope, b));
        let words = &mut self.program.words;
        let mut columns: Vec<Vec<WordId>> = vec![Vec::new(); a.len() + b.len() + 1];
        for (i, &a) in a.iter().enumerate() {
            for (j, &b) in b.iter().enumerate() {
                let product = words.mul(a, b, 64);
                let low = words.low(product, 32);
                columns[i + j].push(words.resize(low, 64));
                columns[i + j + 1].push(words.shr(product, 32, 64));
            }
        }
        let mut carry = words.constant(64, 0);
        let mut digits = Vec::new();
        for column in columns {
            let sum = column.into_iter().fold(carry, |sum, digit| words.add(sum, digit));
            digits.push(words.low(sum, 32));
            carry = words.shr(sum, 32, 64);
        }
        (0..width.div_ceil(64) as usize)
            .map(|i| {
                let limb = self.join(digits[2 * i + 1], digits[2 * i]);
                self.program.words.low(limb, super::part(width, i))
            })
            .collect()
    }

    fn digits(&mut self, scope: usize, node: NodeId) -> Vec<WordId> {
        let width = self.scopes[scope].module.node(node).width;
        let digit = |i: u32| (32 * i, (width - 32 * i).min(32));
        (0..width.div_ceil(32)).map(digit).map(|(low, bits)| self.bits(scope, node, low, bits)).collect()
    }

    /// Whether all limbs are equal.
    pub(super) fn equal(&mut self, scope: usize, a: NodeId, b: NodeId) -> WordId {
        let (a, b) = (self.limbs(scope, a), self.limbs(scope, b));
        if let ([a], [b]) = (&a[..], &b[..]) {
            return self.program.words.eq(*a, *b);
        }
        let differences: Vec<_> = a.iter().zip(&b).map(|(&a, &b)| self.program.words.xor(a, b)).collect();
        let differ = self.any(&differences);
        self.program.words.not(differ)
    }

    /// The highest limb that differs decides.
    pub(super) fn less(&mut self, scope: usize, a: NodeId, b: NodeId, signed: bool) -> WordId {
        let (a, b) = (self.limbs(scope, a), self.limbs(scope, b));
        let words = &mut self.program.words;
        let top = a.len() - 1;
        let mut less = None;
        for (i, (&a, &b)) in a.iter().zip(&b).enumerate() {
            let here = if signed && i == top { words.lt_signed(a, b) } else { words.lt(a, b) };
            less = Some(match less {
                None => here,
                Some(below) => {
                    let same = words.eq(a, b);
                    let decided = words.and(same, below);
                    words.or(here, decided)
                }
            });
        }
        less.expect("a signal has a limb")
    }
}
