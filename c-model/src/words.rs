// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions over words of 1 to 64 bits, for which a processor has instructions. Bits above the width of a word are
//! 0. Equal words are stored once, and each is in its simplest form.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

/// The index of a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WordId(pub u32);

/// The operation of a word.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A number.
    Constant(u64),
    /// A limb of an input port: port and limb.
    Input(usize, usize),
    /// The value of a cell before the edge.
    Cell(usize),
    /// The value of a variable after its last assignment.
    Variable(usize),
    /// The inverse of every bit.
    Not,
    /// All bits are copies of the operand, which has one bit.
    Fill,
    /// Bitwise and of two operands with the width of the result.
    And,
    /// Bitwise or, as `And`.
    Or,
    /// Bitwise exclusive or, as `And`.
    Xor,
    /// Sum modulo 2^width.
    Add,
    /// Difference modulo 2^width.
    Sub,
    /// Product modulo 2^width; the operands are not wider than the result.
    Mul,
    /// Whether the operands are equal; 1 bit.
    Eq,
    /// Whether the first operand is less, unsigned; 1 bit.
    Lt,
    /// Whether the first operand is less, in two's complement; 1 bit.
    LtSigned,
    /// Shift left by a constant.
    Shl(u32),
    /// Shift right by a constant.
    Shr(u32),
    /// Shift left by the second operand, which is less than 64.
    ShlBy,
    /// Shift right by the second operand, which is less than 64.
    ShrBy,
    /// The lowest bits of a wider operand.
    Low,
    /// The same value with more bits.
    Wider,
    /// Number of ones.
    CountOnes,
    /// The index of the lowest 1. If the operand is 0, the result is not used.
    FirstSet,
    /// The second operand if the first, which has one bit, is 1, otherwise the third.
    Select,
    /// An entry of a table of constants, by index of the table.
    Table(usize),
    /// The image under a linear map, by index of the map.
    Linear(usize),
    /// The operands as an array, the lowest limb first. It has no value of its own.
    Array,
    /// The element of an array (first operand) at an index (second operand), which is always inside the array.
    Element,
}

/// A word.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Word {
    /// The operation.
    pub op: Op,
    /// The operands.
    pub args: Vec<WordId>,
    /// The width in bits.
    pub width: u32,
}

/// All words of a program. Operands come before their users.
#[derive(Clone, Debug, Default)]
pub struct Words {
    words: Vec<Word>,
    names: Vec<Option<String>>,
    known: HashMap<Word, WordId>,
}

/// A number with ones in the lowest `width` bits.
pub fn mask(width: u32) -> u64 {
    if width >= 64 { !0 } else { (1 << width) - 1 }
}

impl Words {
    /// The word with this index.
    pub fn word(&self, id: WordId) -> &Word {
        &self.words[id.0 as usize]
    }

    /// The width of a word in bits.
    pub fn width(&self, id: WordId) -> u32 {
        self.word(id).width
    }

    /// The value of a word, if it is a number.
    pub fn number(&self, id: WordId) -> Option<u64> {
        match self.word(id).op {
            Op::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The name in the source, if there is one.
    pub fn name(&self, id: WordId) -> Option<&str> {
        self.names[id.0 as usize].as_deref()
    }

    /// Names a word that has no name yet.
    pub fn set_name(&mut self, id: WordId, name: String) {
        self.names[id.0 as usize].get_or_insert(name);
    }

    fn push(&mut self, op: Op, args: Vec<WordId>, width: u32) -> WordId {
        let word = Word { op, args, width };
        if let Some(&id) = self.known.get(&word) {
            return id;
        }
        let id = WordId(self.words.len() as u32);
        self.words.push(word.clone());
        self.names.push(None);
        self.known.insert(word, id);
        id
    }

    /// Makes a number.
    pub fn constant(&mut self, width: u32, value: u64) -> WordId {
        self.push(Op::Constant(value & mask(width)), vec![], width)
    }

    /// Makes a word that is not computed: an input, a cell, a variable.
    pub fn leaf(&mut self, op: Op, width: u32) -> WordId {
        self.push(op, vec![], width)
    }

    /// Makes an array of words.
    pub fn array(&mut self, limbs: Vec<WordId>) -> WordId {
        self.push(Op::Array, limbs, 64)
    }

    /// Makes a word from a table or a map.
    pub fn look_up(&mut self, op: Op, index: WordId, width: u32) -> WordId {
        self.push(op, vec![index], width)
    }

    /// Makes a word for an element of an array.
    pub fn element(&mut self, array: WordId, index: WordId) -> WordId {
        match self.number(index) {
            Some(at) => self.word(array).args[at as usize],
            None if self.word(array).args.len() == 1 => self.word(array).args[0],
            None => self.push(Op::Element, vec![array, index], 64),
        }
    }

    /// Inverts every bit.
    pub fn not(&mut self, a: WordId) -> WordId {
        let width = self.width(a);
        match (&self.word(a).op, self.number(a)) {
            (_, Some(value)) => self.constant(width, !value),
            (Op::Not, _) => self.word(a).args[0],
            _ => self.push(Op::Not, vec![a], width),
        }
    }

    /// Makes `width` copies of one bit.
    pub fn fill(&mut self, bit: WordId, width: u32) -> WordId {
        match self.number(bit) {
            Some(value) => self.constant(width, 0u64.wrapping_sub(value)),
            None if width == 1 => bit,
            None => self.push(Op::Fill, vec![bit], width),
        }
    }

    /// Bitwise and.
    pub fn and(&mut self, a: WordId, b: WordId) -> WordId {
        let width = self.width(a);
        let (a, b) = (a.min(b), a.max(b));
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(width, x & y),
            (Some(0), _) | (_, Some(0)) => self.constant(width, 0),
            (Some(x), _) if x == mask(width) => b,
            (_, Some(y)) if y == mask(width) => a,
            _ if a == b => a,
            _ => self.push(Op::And, vec![a, b], width),
        }
    }

    /// Bitwise or.
    pub fn or(&mut self, a: WordId, b: WordId) -> WordId {
        let width = self.width(a);
        let (a, b) = (a.min(b), a.max(b));
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(width, x | y),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            (Some(x), _) | (_, Some(x)) if x == mask(width) => self.constant(width, x),
            _ if a == b => a,
            _ => self.push(Op::Or, vec![a, b], width),
        }
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: WordId, b: WordId) -> WordId {
        let width = self.width(a);
        let (a, b) = (a.min(b), a.max(b));
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(width, x ^ y),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            (Some(x), _) if x == mask(width) => self.not(b),
            (_, Some(y)) if y == mask(width) => self.not(a),
            _ if a == b => self.constant(width, 0),
            _ => self.push(Op::Xor, vec![a, b], width),
        }
    }

    /// The sum.
    pub fn add(&mut self, a: WordId, b: WordId) -> WordId {
        let width = self.width(a);
        let (a, b) = (a.min(b), a.max(b));
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(width, x.wrapping_add(y)),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ if width == 1 => self.xor(a, b),
            _ => self.push(Op::Add, vec![a, b], width),
        }
    }

    /// The difference.
    pub fn sub(&mut self, a: WordId, b: WordId) -> WordId {
        let width = self.width(a);
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(width, x.wrapping_sub(y)),
            (_, Some(0)) => a,
            _ if a == b => self.constant(width, 0),
            _ if width == 1 => self.xor(a, b),
            _ => self.push(Op::Sub, vec![a, b], width),
        }
    }

    /// The lowest `width` bits of the product.
    pub fn mul(&mut self, a: WordId, b: WordId, width: u32) -> WordId {
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(width, x.wrapping_mul(y)),
            (Some(0), _) | (_, Some(0)) => self.constant(width, 0),
            (Some(x), None) => self.mul_by(b, x, a, width),
            (None, Some(y)) => self.mul_by(a, y, b, width),
            _ => self.push(Op::Mul, vec![a, b], width),
        }
    }

    fn mul_by(&mut self, a: WordId, factor: u64, word: WordId, width: u32) -> WordId {
        match factor.is_power_of_two() {
            true => self.shl(a, factor.trailing_zeros(), width),
            false => self.push(Op::Mul, vec![a, word], width),
        }
    }

    /// Whether two words are equal.
    pub fn eq(&mut self, a: WordId, b: WordId) -> WordId {
        let (a, b) = (a.min(b), a.max(b));
        let width = self.width(a);
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(1, (x == y).into()),
            _ if a == b => self.constant(1, 1),
            (Some(x), None) if width == 1 => {
                if x == 1 {
                    b
                } else {
                    self.not(b)
                }
            }
            (None, Some(y)) if width == 1 => {
                if y == 1 {
                    a
                } else {
                    self.not(a)
                }
            }
            // A C compiler warns of an inverted word that is compared with a number.
            (Some(x), None) if self.word(b).op == Op::Not => self.eq_inverted(b, x),
            (None, Some(y)) if self.word(a).op == Op::Not => self.eq_inverted(a, y),
            _ => self.push(Op::Eq, vec![a, b], 1),
        }
    }

    /// Whether an inverted word is equal to a number.
    fn eq_inverted(&mut self, inverted: WordId, number: u64) -> WordId {
        let (word, number) = (self.word(inverted).args[0], self.constant(self.width(inverted), !number));
        self.eq(word, number)
    }

    /// Whether the first word is less, unsigned.
    pub fn lt(&mut self, a: WordId, b: WordId) -> WordId {
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(1, (x < y).into()),
            (_, Some(0)) => self.constant(1, 0),
            _ if a == b => self.constant(1, 0),
            _ => self.push(Op::Lt, vec![a, b], 1),
        }
    }

    /// Whether the first word is less, in two's complement.
    pub fn lt_signed(&mut self, a: WordId, b: WordId) -> WordId {
        let shift = 64 - self.width(a);
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(1, (((x << shift) as i64) < ((y << shift) as i64)).into()),
            _ if a == b => self.constant(1, 0),
            _ => self.push(Op::LtSigned, vec![a, b], 1),
        }
    }

    /// Shift left by a constant; the result has `width` bits.
    pub fn shl(&mut self, a: WordId, by: u32, width: u32) -> WordId {
        match self.number(a) {
            _ if by >= width => self.constant(width, 0),
            Some(value) => self.constant(width, value << by),
            None if by == 0 => self.resize(a, width),
            None => {
                // Bits that are shifted out at the top are not computed.
                let a = if self.width(a) + by > width { self.low(a, width - by) } else { a };
                self.push(Op::Shl(by), vec![a], width)
            }
        }
    }

    /// Shift right by a constant; the result has `width` bits.
    pub fn shr(&mut self, a: WordId, by: u32, width: u32) -> WordId {
        let has = self.width(a);
        if by >= has {
            return self.constant(width, 0);
        }
        if let Some(value) = self.number(a) {
            return self.constant(width, value >> by);
        }
        if by == 0 {
            return self.resize(a, width);
        }
        let (op, inner) = (self.word(a).op.clone(), self.word(a).args.first().copied());
        let shifted = match (op, inner) {
            (Op::Shr(more), Some(inner)) => self.push(Op::Shr(more + by), vec![inner], has - by),
            _ => self.push(Op::Shr(by), vec![a], has - by),
        };
        self.resize(shifted, width)
    }

    /// The lowest bits of a word.
    pub fn low(&mut self, a: WordId, width: u32) -> WordId {
        let has = self.width(a);
        if width == 0 {
            return self.constant(1, 0);
        }
        if width >= has {
            return a;
        }
        if let Some(value) = self.number(a) {
            return self.constant(width, value);
        }
        match (self.word(a).op.clone(), self.word(a).args.clone()) {
            (Op::Low | Op::Wider, args) => self.resize(args[0], width),
            (Op::Shl(by), _) if by >= width => self.constant(width, 0),
            _ => self.push(Op::Low, vec![a], width),
        }
    }

    /// The same value in `width` bits: cut, or extended by zeros.
    pub fn resize(&mut self, a: WordId, width: u32) -> WordId {
        let has = self.width(a);
        match self.number(a) {
            _ if width == has => a,
            Some(value) => self.constant(width, value),
            None if width < has => self.low(a, width),
            None => match (self.word(a).op.clone(), self.word(a).args.first().copied()) {
                (Op::Wider, Some(inner)) => self.push(Op::Wider, vec![inner], width),
                _ => self.push(Op::Wider, vec![a], width),
            },
        }
    }

    /// A shift by a variable amount that is less than 64.
    pub fn shift_by(&mut self, op: Op, a: WordId, by: WordId) -> WordId {
        let width = self.width(a);
        match (self.number(by), &op) {
            (Some(by), Op::ShlBy) => self.shl(a, by as u32, width),
            (Some(by), _) => self.shr(a, by as u32, width),
            _ => self.push(op, vec![a, by], width),
        }
    }

    /// Number of ones, or index of the lowest one, in `width` bits.
    pub fn count(&mut self, op: Op, a: WordId, width: u32) -> WordId {
        match self.number(a) {
            Some(value) if op == Op::CountOnes => self.constant(width, value.count_ones().into()),
            Some(value) => self.constant(width, if value == 0 { 0 } else { value.trailing_zeros().into() }),
            None => self.push(op, vec![a], width),
        }
    }

    /// The choice `condition ? yes : no`.
    pub fn select(&mut self, condition: WordId, yes: WordId, no: WordId) -> WordId {
        let width = self.width(yes);
        if let Some(value) = self.number(condition) {
            return if value == 1 { yes } else { no };
        }
        if yes == no {
            return yes;
        }
        if self.word(condition).op == Op::Not {
            let inner = self.word(condition).args[0];
            return self.select(inner, no, yes);
        }
        match (self.number(yes), self.number(no)) {
            (Some(1), Some(0)) => self.resize(condition, width),
            (Some(0), Some(1)) if width == 1 => self.not(condition),
            (Some(0), None) if width == 1 => {
                let not = self.not(condition);
                self.and(not, no)
            }
            (Some(1), None) if width == 1 => self.or(condition, no),
            (None, Some(0)) if width == 1 => self.and(condition, yes),
            (None, Some(1)) if width == 1 => {
                let not = self.not(condition);
                self.or(not, yes)
            }
            _ => self.push(Op::Select, vec![condition, yes, no], width),
        }
    }
}
