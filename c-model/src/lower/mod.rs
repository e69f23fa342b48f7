// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lowers a circuit to a program: instances are expanded, and signals become words of at most 64 bits.
//!
//! A wide signal is never built as a whole. A reader of some bits asks for these bits ([`Lower::bits`]), and wiring
//! passes the request on, so that the cost of reading a field of a frame depends only on the field.

mod enables;
mod shift;
mod state;
#[cfg(test)]
mod tests;
mod versions;
mod wide;

use crate::program::{Block, Program};
use crate::words::{Op as Word, WordId};
use rtl_model::netlist::circuit::{Circuit, Module, NodeId, Op};
use rtl_model::ops::{Binary, Unary};
use std::collections::HashMap;

/// The scope of an instance.
struct Scope<'a> {
    module: &'a Module,
    /// The scope around it, and the index of the instance there.
    outer: Option<(usize, usize)>,
    /// The scopes of its own instances.
    inner: Vec<usize>,
    /// The prefix of all names in it.
    prefix: String,
    /// The first cell of each register, and of each data register of each port of each memory.
    registers: Vec<usize>,
    data: Vec<Vec<Vec<usize>>>,
    /// The first variable of each variable, and the first memory.
    variables: Vec<usize>,
    memory: usize,
    /// The first table and the first map.
    tables: usize,
    maps: usize,
}

/// A circuit while it is lowered.
struct Lower<'a> {
    scopes: Vec<Scope<'a>>,
    program: Program,
    known: HashMap<(usize, NodeId, usize), WordId>,
}

/// The program of a circuit: one clock edge, and the outputs before it.
pub fn lower(circuit: &Circuit) -> Program {
    let mut program = Program::default();
    program.blocks.push(Block::default());
    let top = circuit.top();
    program.inputs = top.inputs.iter().map(|port| (port.name.clone(), port.width)).collect();
    let mut lower = Lower { scopes: Vec::new(), program, known: HashMap::new() };
    lower.open(circuit, top, None, String::new());
    for scope in 0..lower.scopes.len() {
        lower.defaults(scope);
        lower.body(scope);
    }
    for scope in 0..lower.scopes.len() {
        lower.memories(scope);
    }
    for output in &top.outputs {
        let limbs = lower.limbs(0, output.value);
        lower.program.outputs.push((output.name.clone(), limbs));
    }
    lower.names();
    lower.program
}

/// Number of limbs of a signal.
fn count(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// Number of bits of limb `at` of a signal.
fn part(width: u32, at: usize) -> u32 {
    (width - 64 * at as u32).min(64)
}

impl<'a> Lower<'a> {
    /// Makes a scope for a module and for all of its instances.
    fn open(
        &mut self,
        circuit: &'a Circuit,
        module: &'a Module,
        outer: Option<(usize, usize)>,
        prefix: String,
    ) -> usize {
        let scope = self.scopes.len();
        self.scopes.push(Scope {
            module,
            outer,
            inner: Vec::new(),
            prefix,
            registers: Vec::new(),
            data: Vec::new(),
            variables: Vec::new(),
            memory: self.program.memories.len(),
            tables: self.program.tables.len(),
            maps: self.program.maps.len(),
        });
        self.declare(scope);
        self.program.tables.extend(module.tables.iter().cloned());
        self.program.maps.extend(module.maps.iter().cloned());
        for (i, instance) in module.instances.iter().enumerate() {
            let child = circuit.modules.iter().find(|module| module.name == instance.module);
            let child = child.expect("a circuit has the modules of its instances");
            let prefix = format!("{}{}_", self.scopes[scope].prefix, instance.name);
            let inner = self.open(circuit, child, Some((scope, i)), prefix);
            self.scopes[scope].inner.push(inner);
        }
        scope
    }

    /// All limbs of a node.
    fn limbs(&mut self, scope: usize, node: NodeId) -> Vec<WordId> {
        let width = self.scopes[scope].module.node(node).width;
        (0..count(width)).map(|i| self.limb(scope, node, i)).collect()
    }

    /// One limb of a node.
    fn limb(&mut self, scope: usize, node: NodeId, at: usize) -> WordId {
        if let Some(&word) = self.known.get(&(scope, node, at)) {
            return word;
        }
        let module = self.scopes[scope].module;
        let it = module.node(node);
        let bits = part(it.width, at);
        let arg = |i: usize| it.args[i];
        let word = match it.op {
            Op::Constant(value) => self.program.words.constant(bits, value.limbs()[at]),
            Op::Input(i) if self.scopes[scope].outer.is_none() => self.program.words.leaf(Word::Input(i, at), bits),
            Op::Register(i) => {
                let cell = self.scopes[scope].registers[i] + at;
                self.program.words.leaf(Word::Cell(cell), bits)
            }
            Op::MemoryData(memory, port) => {
                let steps = &self.scopes[scope].data[memory][port];
                let cell = steps[steps.len() - 1] + at;
                self.program.words.leaf(Word::Cell(cell), bits)
            }
            Op::Variable(i) if let Some(value) = self.enable(scope, i, at) => value,
            Op::Variable(i) => {
                let variable = self.scopes[scope].variables[i] + at;
                self.program.words.leaf(Word::Variable(variable), bits)
            }
            Op::Input(_) | Op::InstanceOutput(..) | Op::Concat | Op::Slice { .. } | Op::ZeroExtend | Op::SignExtend => {
                self.bits(scope, node, 64 * at as u32, bits)
            }
            Op::Unary(op) => self.unary(scope, op, arg(0), at),
            Op::Binary(op) => self.binary(scope, op, node, at),
            Op::Table(i) => {
                let index = self.limb(scope, arg(0), 0);
                let table = Word::Table(self.scopes[scope].tables + i);
                self.program.words.look_up(table, index, bits)
            }
            Op::Linear(i) => {
                let operand = self.limb(scope, arg(0), 0);
                let map = Word::Linear(self.scopes[scope].maps + i);
                self.program.words.look_up(map, operand, bits)
            }
            Op::Lane => self.lane(scope, node),
            Op::Rotate { unit } => self.rotated(scope, node, unit)[at],
            Op::Select => {
                let condition = self.limb(scope, arg(0), 0);
                let (yes, no) = (self.limb(scope, arg(1), at), self.limb(scope, arg(2), at));
                self.program.words.select(condition, yes, no)
            }
        };
        self.known.insert((scope, node, at), word);
        word
    }

    /// Bits `low .. low + width` of a node; `width` is at most 64.
    fn bits(&mut self, scope: usize, node: NodeId, low: u32, width: u32) -> WordId {
        let module = self.scopes[scope].module;
        let it = module.node(node);
        let first = it.args.first().copied();
        let inner = first.map_or(0, |first| module.node(first).width);
        match (&it.op, first) {
            (Op::Input(i), _) if let Some((outer, instance)) = self.scopes[scope].outer => {
                let source = self.scopes[outer].module.instances[instance].inputs[*i];
                self.bits(outer, source, low, width)
            }
            (Op::InstanceOutput(instance, port), _) => {
                let child = self.scopes[scope].inner[*instance];
                let source = self.scopes[child].module.outputs[*port].value;
                self.bits(child, source, low, width)
            }
            (Op::Slice { low: above }, Some(arg)) => self.bits(scope, arg, above + low, width),
            (Op::ZeroExtend, Some(_)) if low >= inner => self.program.words.constant(width, 0),
            (Op::ZeroExtend, Some(arg)) => {
                let value = self.bits(scope, arg, low, width.min(inner - low));
                self.program.words.resize(value, width)
            }
            (Op::SignExtend, Some(arg)) if low + width <= inner => self.bits(scope, arg, low, width),
            (Op::SignExtend, Some(arg)) if inner == 1 => {
                let bit = self.limb(scope, arg, 0);
                self.program.words.fill(bit, width)
            }
            (Op::SignExtend, Some(arg)) => {
                let sign = self.bits(scope, arg, inner - 1, 1);
                if low >= inner {
                    return self.program.words.fill(sign, width);
                }
                let value = self.bits(scope, arg, low, inner - low);
                let sign = self.program.words.fill(sign, width - (inner - low));
                self.join(sign, value)
            }
            (Op::Concat, _) => {
                let (mut all, mut below) = (None, 0);
                for &arg in it.args.iter().rev() {
                    let size = module.node(arg).width;
                    let (from, to) = (low.max(below), (low + width).min(below + size));
                    if from < to {
                        let piece = self.bits(scope, arg, from - below, to - from);
                        let placed = self.program.words.shl(piece, from - low, width);
                        all = Some(all.map_or(placed, |all| self.program.words.or(all, placed)));
                    }
                    below += size;
                }
                all.expect("the bits are inside")
            }
            _ => {
                let (at, shift) = ((low / 64) as usize, low % 64);
                let here = self.limb(scope, node, at);
                let words = &mut self.program.words;
                if shift + width <= 64 {
                    return words.shr(here, shift, width);
                }
                let here = words.shr(here, shift, width);
                let next = self.limb(scope, node, at + 1);
                let above = self.program.words.shl(next, 64 - shift, width);
                self.program.words.or(above, here)
            }
        }
    }

    /// Joins `high` above `low`, together at most 64 bits.
    fn join(&mut self, high: WordId, low: WordId) -> WordId {
        let words = &mut self.program.words;
        let (by, width) = (words.width(low), words.width(high) + words.width(low));
        let (high, low) = (words.shl(high, by, width), words.resize(low, width));
        words.or(high, low)
    }

    /// 1 if at least one limb is not 0.
    fn any(&mut self, limbs: &[WordId]) -> WordId {
        let words = &mut self.program.words;
        let widest = limbs.iter().map(|&limb| words.width(limb)).max().unwrap_or(1);
        let all = limbs.iter().map(|&limb| words.resize(limb, widest)).collect::<Vec<_>>();
        let all = all.into_iter().reduce(|a, b| words.or(a, b)).expect("a signal has a limb");
        let zero = words.constant(widest, 0);
        let none = words.eq(all, zero);
        words.not(none)
    }

    fn unary(&mut self, scope: usize, op: Unary, arg: NodeId, at: usize) -> WordId {
        if op == Unary::Not {
            let limb = self.limb(scope, arg, at);
            return self.program.words.not(limb);
        }
        let limbs = self.limbs(scope, arg);
        let width = op.width(self.scopes[scope].module.node(arg).width);
        match op {
            Unary::Not => unreachable!("above"),
            Unary::ReduceOr => self.any(&limbs),
            Unary::ReduceAnd => {
                let inverted: Vec<_> = limbs.iter().map(|&limb| self.program.words.not(limb)).collect();
                let some = self.any(&inverted);
                self.program.words.not(some)
            }
            Unary::ReduceXor => {
                let words = &mut self.program.words;
                let all: Vec<_> = limbs.iter().map(|&limb| words.resize(limb, 64)).collect();
                let all = all.into_iter().reduce(|a, b| words.xor(a, b)).expect("a signal has a limb");
                let ones = words.count(Word::CountOnes, all, 7);
                words.low(ones, 1)
            }
            Unary::CountOnes => {
                let words = &mut self.program.words;
                let counts: Vec<_> = limbs.iter().map(|&limb| words.count(Word::CountOnes, limb, width)).collect();
                counts.into_iter().reduce(|a, b| words.add(a, b)).expect("a signal has a limb")
            }
            Unary::FirstSet => {
                let mut found = self.program.words.constant(width, 0);
                for (i, &limb) in limbs.iter().enumerate().rev() {
                    let some = self.any(&[limb]);
                    let words = &mut self.program.words;
                    let inside = words.count(Word::FirstSet, limb, width);
                    let base = words.constant(width, 64 * i as u64);
                    let index = words.add(inside, base);
                    found = words.select(some, index, found);
                }
                found
            }
        }
    }

    fn binary(&mut self, scope: usize, op: Binary, node: NodeId, at: usize) -> WordId {
        let module = self.scopes[scope].module;
        let (a, b) = (module.node(node).args[0], module.node(node).args[1]);
        match op {
            Binary::And | Binary::Or | Binary::Xor => {
                let (a, b) = (self.limb(scope, a, at), self.limb(scope, b, at));
                let words = &mut self.program.words;
                match op {
                    Binary::And => words.and(a, b),
                    Binary::Or => words.or(a, b),
                    _ => words.xor(a, b),
                }
            }
            Binary::Add | Binary::Sub => self.sum(scope, op, node)[at],
            Binary::Mul => self.product(scope, node)[at],
            Binary::Eq => self.equal(scope, a, b),
            Binary::Ne => {
                let equal = self.equal(scope, a, b);
                self.program.words.not(equal)
            }
            Binary::Lt => self.less(scope, a, b, false),
            Binary::LtSigned => self.less(scope, a, b, true),
            Binary::Le | Binary::LeSigned => {
                let greater = self.less(scope, b, a, op == Binary::LeSigned);
                self.program.words.not(greater)
            }
            Binary::Shl | Binary::Shr | Binary::ShrSigned => self.shifted(scope, op, node)[at],
        }
    }

    /// Narrow words get the names of their nodes.
    fn names(&mut self) {
        let mut list: Vec<_> = self.known.iter().map(|(&at, &word)| (at, word)).collect();
        list.sort();
        for ((scope, node, _), word) in list {
            let scope = &self.scopes[scope];
            let node = scope.module.node(node);
            let name = node.name.as_ref().or(node.hint.as_ref().map(|hint| &hint.name));
            if let (Some(name), true) = (name, node.width <= 64) {
                let name = format!("{}{name}", scope.prefix);
                self.program.words.set_name(word, name);
            }
        }
    }
}
