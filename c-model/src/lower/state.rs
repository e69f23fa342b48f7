// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers, variables, memories and the statements on them.

use super::{Lower, count, part, versions};
use crate::program::{Block, BlockId, Cell, Memory, Statement, Target, Variable};
use crate::words::WordId;
use rtl_model::netlist::circuit::{self, Collision, NodeId, Value};

impl Lower<'_> {
    /// Makes all state of a scope.
    pub(super) fn declare(&mut self, scope: usize) {
        let (module, prefix) = (self.scopes[scope].module, self.scopes[scope].prefix.clone());
        for register in &module.registers {
            let first = self.cells(format!("{prefix}{}", register.name), register.width, register.init, register.reset);
            self.scopes[scope].registers.push(first);
        }
        for memory in &module.memories {
            let mut ports = Vec::new();
            for port in 0..memory.reads.len() {
                let suffix = if memory.reads.len() == 1 { String::new() } else { format!("_{port}") };
                let names: &[&str] = match memory.latency {
                    1 => &[""],
                    2 => &["_row", ""],
                    _ => &["_row", "_block", ""],
                };
                let data = |step: &&str| format!("{prefix}{}_data{suffix}{step}", memory.name);
                let steps = names.iter().map(data).collect::<Vec<_>>().into_iter();
                ports.push(steps.map(|name| self.cells(name, memory.width, Value::zero(1), false)).collect());
            }
            self.scopes[scope].data.push(ports);
            self.program.memories.push(Memory {
                name: format!("{prefix}{}", memory.name),
                depth: memory.depth,
                width: memory.width,
                lanes: memory.lanes,
            });
        }
        for variable in &module.variables {
            self.scopes[scope].variables.push(self.program.variables.len());
            for at in 0..count(variable.width) {
                let limb = if variable.width > 64 { format!("_{at}") } else { String::new() };
                let name = format!("{prefix}{}{limb}", variable.name);
                self.program.variables.push(Variable { name, default: None });
            }
        }
    }

    /// Makes the cells of a register; returns the first of them.
    fn cells(&mut self, name: String, width: u32, init: Value, reset: bool) -> usize {
        let (first, register) =
            (self.program.cells.len(), self.program.cells.last().map_or(0, |cell| cell.register + 1));
        for limb in 0..count(width) {
            self.program.cells.push(Cell {
                register,
                limb,
                width: part(width, limb),
                init: init.limbs().get(limb).copied().unwrap_or(0),
                reset,
                name: name.clone(),
                wide: width > 64,
            });
        }
        first
    }

    /// Sets the defaults of variables.
    pub(super) fn defaults(&mut self, scope: usize) {
        for (i, variable) in self.scopes[scope].module.variables.iter().enumerate() {
            let first = self.scopes[scope].variables[i];
            for (at, word) in self.limbs(scope, variable.default).into_iter().enumerate() {
                self.program.variables[first + at].default = Some(word);
            }
        }
    }

    /// Appends the assignments of a scope.
    pub(super) fn body(&mut self, scope: usize) {
        for statement in versions::split(self.scopes[scope].module) {
            self.statements(scope, std::slice::from_ref(&*statement), 0);
        }
    }

    fn block(&mut self, scope: usize, body: &[circuit::Statement]) -> BlockId {
        self.program.blocks.push(Block::default());
        let block = self.program.blocks.len() - 1;
        self.statements(scope, body, block);
        block
    }

    fn push(&mut self, block: BlockId, statement: Statement) {
        self.program.blocks[block].statements.push(statement);
    }

    fn statements(&mut self, scope: usize, body: &[circuit::Statement], block: BlockId) {
        for statement in body {
            match statement {
                circuit::Statement::Assign { target, value, .. } => {
                    let first = match *target {
                        circuit::Target::Register(i) => Target::Cell(self.scopes[scope].registers[i]),
                        circuit::Target::Variable(i) => Target::Variable(self.scopes[scope].variables[i]),
                    };
                    for (at, value) in self.limbs(scope, *value).into_iter().enumerate() {
                        let to = match first {
                            Target::Cell(first) => Target::Cell(first + at),
                            Target::Variable(first) => Target::Variable(first + at),
                        };
                        self.push(block, Statement::Assign { to, value });
                    }
                }
                circuit::Statement::If { arms, otherwise } => self.if_chain(scope, arms, otherwise, block),
                circuit::Statement::Case { subject, arms, otherwise } => {
                    let subject = self.limb(scope, *subject, 0);
                    let arms = arms.iter().map(|(value, body)| (value.low(), self.block(scope, body))).collect();
                    let otherwise = self.block(scope, otherwise);
                    self.push(block, Statement::Case { subject, arms, otherwise });
                }
            }
        }
    }

    fn if_chain(
        &mut self,
        scope: usize,
        arms: &[(NodeId, Vec<circuit::Statement>)],
        otherwise: &[circuit::Statement],
        block: BlockId,
    ) {
        let Some(((condition, body), rest)) = arms.split_first() else {
            return self.statements(scope, otherwise, block);
        };
        let condition = self.limb(scope, *condition, 0);
        let then = self.block(scope, body);
        self.program.blocks.push(Block::default());
        let other = self.program.blocks.len() - 1;
        self.if_chain(scope, rest, otherwise, other);
        self.push(block, Statement::If { condition, arms: [then, other] });
    }

    /// Appends one branch to the outermost block.
    fn guarded(&mut self, condition: WordId, statement: Statement) {
        let blocks = &mut self.program.blocks;
        blocks.push(Block { statements: vec![statement] });
        blocks.push(Block::default());
        let arms = [blocks.len() - 2, blocks.len() - 1];
        self.push(0, Statement::If { condition, arms });
    }

    /// Appends the clock edge of a scope's memories.
    pub(super) fn memories(&mut self, scope: usize) {
        let module = self.scopes[scope].module;
        for (i, memory) in module.memories.iter().enumerate() {
            let index = self.scopes[scope].memory + i;
            let write = self.limb(scope, memory.write.enable, 0);
            let to = self.limb(scope, memory.write.address, 0);
            let write = self.inside(memory.depth, write, to);
            let lane = memory.write.lane.map(|lane| self.limb(scope, lane, 0));
            for (port, read) in memory.reads.iter().enumerate() {
                let steps = self.scopes[scope].data[i][port].clone();
                let limbs = count(memory.width);
                for step in (1..steps.len()).rev() {
                    for at in 0..limbs {
                        let from = crate::words::Op::Cell(steps[step - 1] + at);
                        let value = self.program.words.leaf(from, part(memory.width, at));
                        self.push(0, Statement::Assign { to: Target::Cell(steps[step] + at), value });
                    }
                }
                let address = self.limb(scope, read.address, 0);
                let enable = self.limb(scope, read.enable, 0);
                let mut enable = self.inside(memory.depth, enable, address);
                let mut hold = None;
                if memory.collision == Collision::Hold {
                    let words = &mut self.program.words;
                    let same = words.eq(address, to);
                    let collides = words.and(write, same);
                    match lane {
                        None => {
                            let free = words.not(collides);
                            enable = words.and(enable, free);
                        }
                        Some(lane) => hold = Some((lane, collides)),
                    }
                }
                let to = (0..limbs).map(|at| Some(steps[0] + at)).collect();
                self.guarded(enable, Statement::Read { memory: index, to, address, hold });
            }
            let data = self.limbs(scope, memory.write.data);
            self.guarded(write, Statement::Write { memory: index, address: to, lane, data });
        }
    }

    /// Whether `enable` is set and the address is that of a row.
    fn inside(&mut self, depth: u64, enable: WordId, address: WordId) -> WordId {
        let words = &mut self.program.words;
        let width = words.width(address);
        if width < 64 && depth >= 1 << width {
            return enable;
        }
        let depth = words.constant(width, depth);
        let inside = words.lt(address, depth);
        words.and(enable, inside)
    }
}
