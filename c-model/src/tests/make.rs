// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds small programs.

use crate::program::{Block, BlockId, Cell, Program, Statement, Target, Variable};
use crate::words::{Op, WordId};

/// A program under construction.
pub struct Make(pub Program);

impl Make {
    pub fn new() -> Self {
        let mut program = Program::default();
        program.blocks.push(Block::default());
        Make(program)
    }

    /// Adds a cell of its own register, which is 0 at power-up and has no reset; returns the cell and its value.
    pub fn cell(&mut self, name: &str, width: u32) -> (usize, WordId) {
        let cell = self.0.cells.len();
        let name = name.to_owned();
        self.0.cells.push(Cell { register: cell, limb: 0, width, init: 0, reset: false, name, wide: false });
        (cell, self.0.words.leaf(Op::Cell(cell), width))
    }

    pub fn input(&mut self, name: &str, width: u32) -> WordId {
        self.0.inputs.push((name.to_owned(), width));
        self.0.words.leaf(Op::Input(self.0.inputs.len() - 1, 0), width)
    }

    /// Adds a variable; returns it and its value.
    pub fn variable(&mut self, name: &str, width: u32, default: Option<WordId>) -> (usize, WordId) {
        self.0.variables.push(Variable { name: name.to_owned(), default });
        let variable = self.0.variables.len() - 1;
        (variable, self.0.words.leaf(Op::Variable(variable), width))
    }

    pub fn output(&mut self, name: &str, word: WordId) {
        self.0.outputs.push((name.to_owned(), vec![word]));
    }

    pub fn set(cell: usize, value: WordId) -> Statement {
        Statement::Assign { to: Target::Cell(cell), value }
    }

    pub fn put(variable: usize, value: WordId) -> Statement {
        Statement::Assign { to: Target::Variable(variable), value }
    }

    /// Makes a branch.
    pub fn branch(&mut self, condition: WordId, yes: Vec<Statement>, no: Vec<Statement>) -> Statement {
        let arms = [self.block(yes), self.block(no)];
        Statement::If { condition, arms }
    }

    pub fn block(&mut self, statements: Vec<Statement>) -> BlockId {
        self.0.blocks.push(Block { statements });
        self.0.blocks.len() - 1
    }

    /// Appends a statement to the outermost block.
    pub fn run(&mut self, statement: Statement) {
        self.0.blocks[0].statements.push(statement);
    }
}
