// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random stages: registers, variables, memories and a delay line, assigned under random conditions.

use super::expr::{Leaf, N, W};
use super::generate::Generator;
use rtl_model::{Collision, RamShape, index_width};
use testbench::device::random::Random;

/// Ports and state of every program; their widths are random.
pub const NARROW: usize = 14;
/// The wide ports and state.
pub const WIDE: usize = 5;
/// Variables of each kind.
pub const VARIABLES: usize = 3;

#[derive(Clone, Debug)]
pub enum Statement {
    Set(usize, N),
    SetWide(usize, W),
    SetIf(usize, N, N),
    Variable(usize, N),
    VariableWide(usize, W),
    When(Vec<(N, Vec<Statement>)>, Option<Vec<Statement>>),
    Switch(N, Vec<(u64, Vec<Statement>)>, Option<Vec<Statement>>),
    Read(usize, N),
    Write(N, N),
    ReadWide(N),
    WriteWide(N, W),
    WriteLane(N, N, N),
    Shift(N),
}

/// A stage as data.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    pub inputs: [u32; NARROW],
    pub wide_inputs: [u32; WIDE],
    pub registers: [u32; NARROW],
    pub wide_registers: [u32; WIDE],
    pub variables: [u32; VARIABLES],
    pub wide_variables: [u32; VARIABLES],
    /// A memory with two read ports and narrow data.
    pub memory: (RamShape, u32),
    /// A memory with wide data.
    pub wide_memory: (RamShape, u32),
    pub line: (usize, u32),
    pub initial: [u64; NARROW],
    pub reset: [bool; NARROW],
    pub body: Vec<Statement>,
}

/// A program and the primitives that it uses.
pub fn program(seed: u64) -> (Program, Generator) {
    let mut g = Generator { random: Random::new(seed), narrow: vec![], wide: vec![], used: Default::default() };
    let mut program = Program {
        seed,
        inputs: std::array::from_fn(|_| g.narrow_width()),
        wide_inputs: std::array::from_fn(|_| g.wide_width()),
        registers: std::array::from_fn(|_| g.narrow_width()),
        wide_registers: std::array::from_fn(|_| g.wide_width()),
        variables: std::array::from_fn(|_| g.narrow_width()),
        wide_variables: std::array::from_fn(|_| g.wide_width()),
        memory: (memory(&mut g, 2), g.narrow_width()),
        wide_memory: wide_memory(&mut g),
        line: (g.random.between(1, 5) as usize, g.narrow_width()),
        initial: [0; NARROW],
        reset: std::array::from_fn(|_| g.random.chance(0.5)),
        body: vec![],
    };
    program.initial = program.registers.map(|width| g.random.bits() >> (64 - width));
    leaves(&program, &mut g);
    let mut body: Vec<Statement> = Vec::new();
    for i in 0..VARIABLES {
        body.push(Statement::Variable(i, g.narrow(program.variables[i], 2)));
        body.push(Statement::VariableWide(i, g.wide(program.wide_variables[i], 2)));
    }
    // Every register is assigned at least once; whole blocks of conditions are between the assignments.
    for i in 0..NARROW {
        if i % 3 == 0 {
            body.push(block(&program, &mut g, 2));
        }
        body.push(Statement::Set(i, g.narrow(program.registers[i], 3)));
    }
    for i in 0..WIDE {
        body.push(block(&program, &mut g, 2));
        body.push(Statement::SetWide(i, g.wide(program.wide_registers[i], 3)));
        body.push(block(&program, &mut g, 1));
    }
    // `set_if` reads the register, so it comes before all assignments.
    for i in 0..4 {
        let statement = Statement::SetIf(i, g.narrow(1, 2), g.narrow(program.registers[i], 2));
        body.insert(0, statement);
    }
    let address = program.memory.0.address_width();
    for port in 0..2 {
        body.push(Statement::When(vec![(g.narrow(1, 1), vec![Statement::Read(port, g.narrow(address, 1))])], None));
    }
    let write = Statement::Write(g.narrow(address, 1), g.narrow(program.memory.1, 2));
    body.push(Statement::When(vec![(g.narrow(1, 1), vec![write])], None));
    let address = program.wide_memory.0.address_width();
    body.push(Statement::ReadWide(g.narrow(address, 1)));
    let (shape, width) = program.wide_memory;
    body.push(match shape.lanes {
        1 => Statement::WriteWide(g.narrow(address, 1), g.wide(width, 2)),
        lanes => {
            let index = g.narrow(index_width(lanes.into()), 1);
            Statement::WriteLane(g.narrow(address, 1), index, g.narrow(width / lanes, 2))
        }
    });
    let shift = Statement::Shift(g.narrow(program.line.1, 1));
    body.push(Statement::When(vec![(g.narrow(1, 0), vec![shift])], None));
    program.body = body;
    (program, g)
}

fn memory(g: &mut Generator, reads: usize) -> RamShape {
    RamShape {
        depth: g.random.between(1, 9),
        latency: g.random.between(1, 3) as u32,
        collision: if g.random.chance(0.5) { Collision::Hold } else { Collision::ReadFirst },
        reads,
        lanes: 1,
    }
}

/// Half of the memories have lanes.
fn wide_memory(g: &mut Generator) -> (RamShape, u32) {
    let shape = memory(g, 1);
    match g.random.chance(0.5) {
        true => (shape, g.wide_width()),
        false => {
            let (lane, lanes) = (1 << g.random.below(7), g.random.between(2, 16) as u32);
            (shape.lanes(lanes), lane * lanes)
        }
    }
}

fn leaves(p: &Program, g: &mut Generator) {
    let all = |leaf: fn(usize) -> Leaf, widths: &[u32]| -> Vec<_> {
        widths.iter().enumerate().map(|(i, &width)| (leaf(i), width)).collect()
    };
    g.narrow =
        [all(Leaf::Input, &p.inputs), all(Leaf::Register, &p.registers), all(Leaf::Variable, &p.variables)].concat();
    g.narrow.extend([(Leaf::Memory(0), p.memory.1), (Leaf::Memory(1), p.memory.1), (Leaf::Line, p.line.1)]);
    g.wide = [
        all(Leaf::Input, &p.wide_inputs),
        all(Leaf::Register, &p.wide_registers),
        all(Leaf::Variable, &p.wide_variables),
    ]
    .concat();
    g.wide.push((Leaf::Memory(0), p.wide_memory.1));
}

fn block(p: &Program, g: &mut Generator, depth: u32) -> Statement {
    let bodies = |g: &mut Generator| (0..g.random.between(1, 2)).map(|_| inner(p, g, depth)).collect::<Vec<_>>();
    if g.random.chance(0.6) {
        let arms = (0..g.random.between(1, 3)).map(|_| (g.narrow(1, 2), bodies(g))).collect();
        let otherwise = g.random.chance(0.5).then(|| bodies(g));
        return Statement::When(arms, otherwise);
    }
    let width = g.random.between(1, 5) as u32;
    let mut values: Vec<_> = (0..4).map(|_| g.random.below(1 << width)).collect();
    values.sort_unstable();
    values.dedup();
    let cases = values.into_iter().map(|value| (value, bodies(g))).collect();
    let default = g.random.chance(0.5).then(|| bodies(g));
    Statement::Switch(g.narrow(width, 1), cases, default)
}

fn inner(p: &Program, g: &mut Generator, depth: u32) -> Statement {
    match g.random.below(6) {
        0 if depth > 0 => block(p, g, depth - 1),
        1 => {
            let i = g.random.below(VARIABLES as u64) as usize;
            Statement::Variable(i, g.narrow(p.variables[i], 2))
        }
        2 => {
            let i = g.random.below(VARIABLES as u64) as usize;
            Statement::VariableWide(i, g.wide(p.wide_variables[i], 2))
        }
        3 => {
            let i = g.random.below(WIDE as u64) as usize;
            Statement::SetWide(i, g.wide(p.wide_registers[i], 2))
        }
        _ => {
            let i = g.random.below(NARROW as u64) as usize;
            Statement::Set(i, g.narrow(p.registers[i], 2))
        }
    }
}
