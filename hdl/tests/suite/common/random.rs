// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random modules: expressions, registers and variables under conditions, without memories and instances.

use super::Build;
use rtl_model::netlist::circuit::*;
use rtl_model::ops::{Binary, Unary};
use rtl_model::{Linear, Table};

const WIDTHS: [u32; 12] = [1, 1, 1, 1, 2, 3, 8, 8, 13, 33, 65, 90];

const BINARY: [Binary; 15] = [
    Binary::Add,
    Binary::Sub,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Eq,
    Binary::Ne,
    Binary::Lt,
    Binary::Le,
    Binary::LtSigned,
    Binary::LeSigned,
    Binary::Shl,
    Binary::Shr,
    Binary::ShrSigned,
    Binary::Mul,
];

const UNARY: [Unary; 6] =
    [Unary::Not, Unary::ReduceAnd, Unary::ReduceOr, Unary::ReduceXor, Unary::FirstSet, Unary::CountOnes];

/// Random numbers.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    pub fn value(&mut self, width: u32) -> Value {
        let limbs = [(); 16].map(|()| self.below(1 << 31) << 33 | self.below(1 << 31) << 11 | self.below(1 << 31));
        let random = Value::from_limbs(width, &limbs);
        match self.below(5) {
            0 => Value::zero(width),
            1 => Value::zero(width).not(),
            2 => Value::from_u64(width, self.below(6)),
            _ => random,
        }
    }
}

/// Makes a module: expressions, statements on them, expressions that use what was assigned, and statements on those.
struct Maker {
    random: Random,
    b: Build,
    pool: Vec<NodeId>,
}

impl Maker {
    fn any(&mut self) -> NodeId {
        // Rather something recent, so that expressions get deep.
        let n = self.pool.len() as u64;
        let back = self.random.below(n).min(self.random.below(n));
        self.pool[(n - 1 - back) as usize]
    }

    fn fit(&mut self, id: NodeId, width: u32) -> NodeId {
        let has = self.b.width(id);
        if has > width {
            let low = self.random.below((has - width + 1) as u64) as u32;
            self.b.slice(id, low, width)
        } else if has < width {
            let op = self.random.of(&[Op::ZeroExtend, Op::SignExtend]);
            self.b.node(op, &[id], width)
        } else {
            id
        }
    }

    fn wide(&mut self, width: u32) -> NodeId {
        if self.random.below(8) == 0 {
            let value = self.random.value(width);
            return self.b.node(Op::Constant(value), &[], width);
        }
        let id = self.any();
        self.fit(id, width)
    }

    fn grow(&mut self, count: usize) {
        for i in 0..count {
            let a = self.any();
            let width = self.b.width(a);
            let id = match self.random.below(12) {
                0..=4 => {
                    let op = self.random.of(&BINARY);
                    let other = match op {
                        Binary::Mul | Binary::Shl | Binary::Shr | Binary::ShrSigned => self.any(),
                        _ => self.wide(width),
                    };
                    if op == Binary::Mul && width + self.b.width(other) > 200 {
                        continue;
                    }
                    self.b.binary(op, a, other)
                }
                5 | 6 => {
                    let op = self.random.of(&UNARY);
                    self.b.unary(op, a)
                }
                7 => {
                    let (condition, other) = (self.wide(1), self.wide(width));
                    self.b.select(condition, a, other)
                }
                8 => {
                    let parts: Vec<NodeId> = (0..1 + self.random.below(3)).map(|_| self.any()).collect();
                    if parts.iter().map(|&part| self.b.width(part)).sum::<u32>() > 200 {
                        continue;
                    }
                    self.b.concat(&parts)
                }
                9 => {
                    let width = self.random.of(&WIDTHS);
                    self.fit(a, width)
                }
                10 => self.function(a),
                _ => self.moved(a),
            };
            if self.random.below(6) == 0 {
                self.b.named(id, &format!("net{}", i % 9));
            }
            self.pool.push(id);
        }
    }

    /// A look-up or a linear map.
    fn function(&mut self, a: NodeId) -> NodeId {
        if self.random.below(2) == 0 {
            let bits = 1 + self.random.below(5) as u32;
            let index = self.fit(a, bits);
            let width = self.random.of(&[1, 7, 33, 64]);
            let values: Vec<_> = (0..1 << bits).map(|_| self.random.value(width).low()).collect();
            self.b.0.tables.push(Table::new(width, values).named("square"));
            self.b.node(Op::Table(self.b.0.tables.len() - 1), &[index], width)
        } else {
            let bits = self.random.of(&[1, 8, 13, 64]);
            let operand = self.fit(a, bits);
            let columns: Vec<_> = (0..bits).map(|_| self.random.value(32).low() as u32 | 1).collect();
            self.b.0.maps.push(Linear::new(&columns));
            self.b.node(Op::Linear(self.b.0.maps.len() - 1), &[operand], 32)
        }
    }

    /// A lane or a rotation.
    fn moved(&mut self, a: NodeId) -> NodeId {
        if self.random.below(2) == 0 {
            let (lane, lanes) = (self.random.of(&[1, 2, 8, 32]), 1 + self.random.below(5) as u32);
            let operand = self.fit(a, lane * lanes);
            let index = rtl_model::index_width(lanes.into());
            let index = self.wide(index);
            self.b.node(Op::Lane, &[operand, index], lane)
        } else {
            let (unit, bits) = (self.random.of(&[1, 8, 24]), 1 + self.random.below(3) as u32);
            let operand = self.fit(a, unit << bits);
            let by = self.wide(bits);
            self.b.node(Op::Rotate { unit }, &[operand, by], unit << bits)
        }
    }

    fn statements(&mut self, targets: &[Target], depth: u32) -> Vec<Statement> {
        let count = self.random.below(3) + if depth == 0 { 6 } else { 0 };
        (0..count).map(|_| self.statement(targets, depth)).collect()
    }

    fn statement(&mut self, targets: &[Target], depth: u32) -> Statement {
        match self.random.below(if depth < 3 { 4 } else { 1 }) {
            0 | 1 => {
                let target = self.random.of(targets);
                let width = match target {
                    Target::Register(i) => self.b.0.registers[i].width,
                    Target::Variable(i) => self.b.0.variables[i].width,
                };
                let value = self.wide(width);
                Statement::Assign { target, value, site: self.b.0.site }
            }
            2 => {
                let arms = (0..1 + self.random.below(3))
                    .map(|_| (self.wide(1), self.statements(targets, depth + 1)))
                    .collect();
                Statement::If { arms, otherwise: self.statements(targets, depth + 1) }
            }
            _ => {
                let width = 1 + self.random.below(3) as u32;
                let subject = self.wide(width);
                let count = 1 + self.random.below(1 << width);
                let arms =
                    (0..count).map(|i| (Value::from_u64(width, i), self.statements(targets, depth + 1))).collect();
                Statement::Case { subject, arms, otherwise: self.statements(targets, depth + 1) }
            }
        }
    }
}

/// A module of its own for each seed.
pub fn module(seed: u64) -> Module {
    let mut m = Maker { random: Random(seed), b: Build::new(&format!("random_{seed}")), pool: Vec::new() };
    for i in 0..5 {
        let width = m.random.of(&WIDTHS);
        let id = m.b.input(&format!("in{i}"), width);
        m.pool.push(id);
    }
    let mut registers = Vec::new();
    for i in 0..4 {
        let (width, reset) = (m.random.of(&WIDTHS), m.random.below(2) == 1);
        let (index, id) = m.b.register(&format!("state{i}"), width, 0, reset);
        m.b.0.registers[index].init = m.random.value(width);
        registers.push(Target::Register(index));
        m.pool.push(id);
    }
    m.grow(25);
    let mut targets = registers.clone();
    let mut variables = Vec::new();
    for i in 0..4 {
        let default = m.any();
        let (index, id) = m.b.variable(&format!("value{i}"), default);
        targets.push(Target::Variable(index));
        variables.push(id);
    }
    let mut body = m.statements(&targets, 0);
    m.pool.extend(variables);
    m.grow(25);
    body.extend(m.statements(&registers, 0));
    m.b.0.body = body;
    for i in 0..6 {
        let value = m.any();
        m.b.output(&format!("out{i}"), value);
    }
    m.b.0
}
