// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions of the language as data, and their evaluation through the language itself.

use rtl_model::ops::{Binary, Unary};
use rtl_model::{Bits, Linear, Logic, Table, Wide, select};

/// The source of a value.
#[derive(Clone, Copy, Debug)]
pub enum Leaf {
    /// An input port.
    Input(usize),
    /// A register before the clock edge.
    Register(usize),
    /// The current value of a variable.
    Variable(usize),
    /// The data of a memory's read port.
    Memory(usize),
    /// The end of the delay line.
    Line,
}

/// A narrow expression.
#[derive(Clone, Debug)]
pub enum N {
    Leaf(Leaf),
    Lit(u32, u64),
    Unary(Unary, Box<N>),
    Reduce(Unary, Box<W>),
    Binary(Binary, Box<N>, Box<N>),
    BinaryLit(Binary, Box<N>, u64),
    Compare(Binary, Box<W>, Box<W>),
    /// `greater` and `at_least`, which swap their operands.
    Swapped(Binary, Box<N>, Box<N>),
    Select(Box<N>, Box<N>, Box<N>),
    Concat(Box<N>, Box<N>),
    Slice(Box<N>, u32, u32),
    SliceWide(Box<W>, u32, u32),
    SliceAt(Box<N>, Box<N>, u32),
    SliceAtWide(Box<W>, Box<N>, u32),
    Lane(Box<W>, Box<N>, u32),
    AnyEach(Box<W>, u32),
    Extend(Box<N>, u32, bool),
    SwapBytes(Box<N>),
    LookUp(Box<N>, Table),
    /// The lowest bits of the image of a linear map.
    Linear(Box<N>, Linear, u32),
}

/// A wide expression.
#[derive(Clone, Debug)]
pub enum W {
    Leaf(Leaf),
    Lit(u32, u64),
    Not(Box<W>),
    Binary(Binary, Box<W>, Box<W>),
    Shift(Binary, Box<W>, Box<N>),
    ShiftLit(Binary, Box<W>, u64),
    Select(Box<N>, Box<W>, Box<W>),
    Concat(Box<W>, Box<W>),
    Part(Box<W>, u32, u32),
    Extend(Box<W>, u32, bool),
    Widen(Box<N>),
    /// A shift by units of this number of bits.
    Rotate(Box<W>, Box<N>, u32),
    Spread(Box<N>, u32),
}

/// Values of the leaves.
pub trait Env<L: Logic> {
    fn narrow(&self, leaf: Leaf) -> Bits<L>;
    fn wide(&self, leaf: Leaf) -> Wide<L>;
}

impl N {
    pub fn eval<L: Logic>(&self, env: &impl Env<L>) -> Bits<L> {
        match self {
            N::Leaf(leaf) => env.narrow(*leaf),
            N::Lit(width, value) => Bits::lit(*width, *value),
            N::Unary(op, a) => {
                let a = a.eval(env);
                match op {
                    Unary::Not => !a,
                    Unary::ReduceAnd => a.all(),
                    Unary::ReduceOr => a.any(),
                    Unary::ReduceXor => a.parity(),
                    Unary::FirstSet => a.first_set(),
                    Unary::CountOnes => a.count_ones(),
                }
            }
            N::Reduce(op, a) => {
                let a = a.eval(env);
                match op {
                    Unary::ReduceAnd => a.all(),
                    Unary::ReduceOr => a.any(),
                    Unary::ReduceXor => a.parity(),
                    Unary::FirstSet => a.first_set(),
                    Unary::CountOnes => a.count_ones(),
                    Unary::Not => unreachable!("not is W::Not"),
                }
            }
            N::Binary(op, a, b) => binary(*op, a.eval(env), b.eval(env)),
            N::BinaryLit(op, a, b) => binary_lit(*op, a.eval(env), *b),
            N::Compare(op, a, b) => {
                let (a, b) = (a.eval(env), b.eval(env));
                match op {
                    Binary::Eq => a.equals(b),
                    Binary::Ne => a.differs(b),
                    Binary::Lt => a.less(b),
                    Binary::Le => a.at_most(b),
                    Binary::LtSigned => a.less_signed(b),
                    Binary::LeSigned => a.at_most_signed(b),
                    _ => unreachable!("not a comparison"),
                }
            }
            N::Swapped(Binary::Lt, a, b) => a.eval(env).greater(b.eval(env)),
            N::Swapped(_, a, b) => a.eval(env).at_least(b.eval(env)),
            N::Select(c, a, b) => select(c.eval(env), a.eval(env), b.eval(env)),
            N::Concat(high, low) => high.eval(env).concat(low.eval(env)),
            N::Slice(a, low, width) => a.eval(env).slice(*low, *width),
            N::SliceWide(a, low, width) => a.eval(env).slice(*low, *width),
            N::SliceAt(a, low, width) => a.eval(env).slice_at(low.eval(env), *width),
            N::SliceAtWide(a, low, width) => a.eval(env).slice_at(low.eval(env), *width),
            N::Lane(a, index, width) => a.eval(env).lane(index.eval(env), *width),
            N::AnyEach(a, width) => a.eval(env).any_each(*width),
            N::Extend(a, width, false) => a.eval(env).extend(*width),
            N::Extend(a, width, true) => a.eval(env).extend_signed(*width),
            N::SwapBytes(a) => a.eval(env).swap_bytes(),
            N::LookUp(index, table) => index.eval(env).look_up(table),
            N::Linear(a, map, width) => a.eval(env).linear(map).truncate(*width),
        }
    }
}

fn binary<L: Logic>(op: Binary, a: Bits<L>, b: Bits<L>) -> Bits<L> {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Eq => a.equals(b),
        Binary::Ne => a.differs(b),
        Binary::Lt => a.less(b),
        Binary::Le => a.at_most(b),
        Binary::LtSigned => a.less_signed(b),
        Binary::LeSigned => a.at_most_signed(b),
        Binary::Shl => a << b,
        Binary::Shr => a >> b,
        Binary::ShrSigned => a.shr_signed(b),
    }
}

/// Operators that take a number on their right.
fn binary_lit<L: Logic>(op: Binary, a: Bits<L>, b: u64) -> Bits<L> {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Eq => a.equals(b),
        Binary::Ne => a.differs(b),
        Binary::Lt => a.less(b),
        Binary::Le => a.at_most(b),
        Binary::LtSigned => a.less_signed(b),
        Binary::LeSigned => a.at_most_signed(b),
        Binary::Shl => a << b,
        Binary::Shr => a >> b,
        Binary::Mul | Binary::ShrSigned => unreachable!("takes no number"),
    }
}

impl W {
    pub fn eval<L: Logic>(&self, env: &impl Env<L>) -> Wide<L> {
        match self {
            W::Leaf(leaf) => env.wide(*leaf),
            W::Lit(width, value) => Wide::lit(*width, *value),
            W::Not(a) => !a.eval(env),
            W::Binary(op, a, b) => {
                let (a, b) = (a.eval(env), b.eval(env));
                match op {
                    Binary::Add => a + b,
                    Binary::Sub => a - b,
                    Binary::Mul => a * b,
                    Binary::And => a & b,
                    Binary::Or => a | b,
                    Binary::Xor => a ^ b,
                    _ => unreachable!("not an operator of wide signals"),
                }
            }
            W::Shift(op, a, by) => {
                let (a, by) = (a.eval(env), by.eval(env));
                match op {
                    Binary::Shl => a << by,
                    Binary::Shr => a >> by,
                    _ => a.shr_signed(by),
                }
            }
            W::ShiftLit(Binary::Shl, a, by) => a.eval(env) << *by,
            W::ShiftLit(_, a, by) => a.eval(env) >> *by,
            W::Select(c, a, b) => select(c.eval(env), a.eval(env), b.eval(env)),
            W::Concat(high, low) => high.eval(env).concat(low.eval(env)),
            W::Part(a, low, width) => a.eval(env).part(*low, *width),
            W::Extend(a, width, false) => a.eval(env).extend(*width),
            W::Extend(a, width, true) => a.eval(env).extend_signed(*width),
            W::Widen(a) => a.eval(env).widen(),
            W::Spread(a, width) => a.eval(env).spread(*width),
            W::Rotate(a, by, unit) => a.eval(env).rotate_right(by.eval(env), *unit),
        }
    }
}
