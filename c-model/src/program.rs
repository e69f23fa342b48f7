// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit as a program that makes one clock edge: what it keeps, and the statements that change it.
//!
//! A register is one [`Cell`] for each 64 bits. Statements assign cells in place, so a statement that reads a cell must run
//! before the one that assigns it, or find its old value saved: [`crate::order`] and [`crate::place`] see to that.

use crate::words::{Op, WordId, Words};
use rtl_model::{Linear, Table};

/// Index of a block.
pub type BlockId = usize;

/// What runs, and what it runs on.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Expressions.
    pub words: Words,
    /// Registers and the data registers of memories, 64 bits at a time.
    pub cells: Vec<Cell>,
    /// What lives for one clock.
    pub variables: Vec<Variable>,
    /// Memories.
    pub memories: Vec<Memory>,
    /// Blocks of statements; the first is the outermost.
    pub blocks: Vec<Block>,
    /// What must be known when all statements have run.
    pub roots: Vec<WordId>,
    /// Of each port its limbs, the lowest first.
    pub outputs: Vec<(String, Vec<WordId>)>,
    /// Name and width of each input.
    pub inputs: Vec<(String, u32)>,
    /// Tables of constants.
    pub tables: Vec<Table>,
    /// Linear maps.
    pub maps: Vec<Linear>,
}

/// At most 64 bits of state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The register it is of.
    pub register: usize,
    /// Which 64 bits of it.
    pub limb: usize,
    /// In bits.
    pub width: u32,
    /// At power-up.
    pub init: u64,
    /// The reset sets it to `init`.
    pub reset: bool,
    /// Name of the register.
    pub name: String,
    /// The register has more than one limb.
    pub wide: bool,
}

/// A value with a default, assigned under conditions.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// Unless it is assigned; none if it always is.
    pub default: Option<WordId>,
}

/// A memory.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Its name in the source.
    pub name: String,
    /// Rows.
    pub depth: u64,
    /// Bits of a row.
    pub width: u32,
    /// Parts of a row that are written on their own.
    pub lanes: u32,
}

impl Memory {
    /// Limbs of a row.
    pub fn limbs(&self) -> usize {
        self.width.div_ceil(64) as usize
    }
}

/// Statements that run one after the other.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// They.
    pub statements: Vec<Statement>,
}

/// What is assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// State.
    Cell(usize),
    /// A variable.
    Variable(usize),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `to = value`.
    Assign {
        /// What.
        to: Target,
        /// Of the same width.
        value: WordId,
    },
    /// `if (condition) .. else ..`.
    If {
        /// One bit.
        condition: WordId,
        /// Blocks, when it is 1 and when it is 0.
        arms: [BlockId; 2],
    },
    /// `switch (subject) ..`.
    Case {
        /// What is compared.
        subject: WordId,
        /// The blocks of some values.
        arms: Vec<(u64, BlockId)>,
        /// The block of all others.
        otherwise: BlockId,
    },
    /// Loads the cells with the row at an address that is inside.
    Read {
        /// The memory.
        memory: usize,
        /// The cell of each limb; none where nobody looks at it.
        to: Vec<Option<usize>>,
        /// Of the row.
        address: WordId,
        /// The lane that keeps what it holds, with the condition.
        hold: Option<(WordId, WordId)>,
    },
    /// Stores a row, or a lane of it, at an address that is inside.
    Write {
        /// The memory.
        memory: usize,
        /// Of the row.
        address: WordId,
        /// Which lane.
        lane: Option<WordId>,
        /// Limbs.
        data: Vec<WordId>,
    },
}

impl Statement {
    /// The words that it uses itself, without the blocks inside.
    pub fn words(&self) -> Vec<WordId> {
        match self {
            Statement::Assign { value, .. } => vec![*value],
            Statement::If { condition, .. } => vec![*condition],
            Statement::Case { subject, .. } => vec![*subject],
            Statement::Read { address, hold, .. } => {
                [*address].into_iter().chain(hold.iter().flat_map(|&(lane, on)| [lane, on])).collect()
            }
            Statement::Write { address, lane, data, .. } => {
                [*address].into_iter().chain(*lane).chain(data.iter().copied()).collect()
            }
        }
    }

    /// What it assigns itself, without the blocks inside.
    pub fn targets(&self) -> Vec<Target> {
        match self {
            Statement::Assign { to, .. } => vec![*to],
            Statement::Read { to, .. } => to.iter().flatten().map(|&cell| Target::Cell(cell)).collect(),
            _ => vec![],
        }
    }

    /// The blocks inside.
    pub fn blocks(&self) -> Vec<BlockId> {
        match self {
            Statement::If { arms, .. } => arms.to_vec(),
            Statement::Case { arms, otherwise, .. } => arms.iter().map(|arm| arm.1).chain([*otherwise]).collect(),
            _ => vec![],
        }
    }
}

impl Program {
    /// The first cell, if an array is all limbs of a register in their order.
    pub fn whole_register(&self, array: WordId) -> Option<usize> {
        let args = &self.words.word(array).args;
        let cell = |&arg: &WordId| match self.words.word(arg).op {
            Op::Cell(cell) => Some(cell),
            _ => None,
        };
        let first = cell(args.first()?)?;
        let same = |(i, arg): (usize, &WordId)| {
            cell(arg) == Some(first + i) && self.cells[first + i].register == self.cells[first].register
        };
        (self.cells[first].wide && self.cells[first].limb == 0 && args.iter().enumerate().all(same)).then_some(first)
    }

    /// Calls `f` with a statement and all inside it.
    pub fn walk(&self, statement: &Statement, f: &mut impl FnMut(&Statement)) {
        f(statement);
        for block in statement.blocks() {
            self.blocks[block].statements.iter().for_each(|inner| self.walk(inner, f));
        }
    }
}
