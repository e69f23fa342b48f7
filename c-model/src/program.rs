// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit as a program that makes one clock edge: its state, and the statements that change it.
//!
//! A register is one [`Cell`] for each 64 bits. Statements assign cells in place, so a statement that reads a cell must
//! run before the one that assigns it, or its old value must be saved: [`crate::order`] and [`crate::place`] ensure
//! that.

use crate::words::{Op, WordId, Words};
use rtl_model::{Linear, Table};

/// The index of a block.
pub type BlockId = usize;

/// A program: statements, and the state and words that they work on.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The expressions.
    pub words: Words,
    /// Registers and the data registers of memories, 64 bits at a time.
    pub cells: Vec<Cell>,
    /// Variables, which live for one clock cycle.
    pub variables: Vec<Variable>,
    /// The memories.
    pub memories: Vec<Memory>,
    /// Blocks of statements; the first is the outermost.
    pub blocks: Vec<Block>,
    /// Words whose values are needed after all statements.
    pub roots: Vec<WordId>,
    /// For each output port its limbs, the lowest first.
    pub outputs: Vec<(String, Vec<WordId>)>,
    /// Name and width of each input.
    pub inputs: Vec<(String, u32)>,
    /// Tables of constants.
    pub tables: Vec<Table>,
    /// Linear maps.
    pub maps: Vec<Linear>,
}

/// State of at most 64 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The index of its register.
    pub register: usize,
    /// The index of its 64 bits in the register.
    pub limb: usize,
    /// The width in bits.
    pub width: u32,
    /// The value at power-up.
    pub init: u64,
    /// Whether the reset sets it to `init`.
    pub reset: bool,
    /// The name of the register.
    pub name: String,
    /// Whether the register has more than one limb.
    pub wide: bool,
}

/// A value with a default that is assigned under conditions.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name in the source.
    pub name: String,
    /// The value unless it is assigned; none if it is always assigned.
    pub default: Option<WordId>,
}

/// A memory.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The name in the source.
    pub name: String,
    /// Number of rows.
    pub depth: u64,
    /// Number of bits per row.
    pub width: u32,
    /// Number of parts of a row that can be written separately.
    pub lanes: u32,
}

impl Memory {
    /// Number of limbs of a row.
    pub fn limbs(&self) -> usize {
        self.width.div_ceil(64) as usize
    }
}

/// Statements that run one after the other.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements of the block.
    pub statements: Vec<Statement>,
}

/// The target of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A cell of state.
    Cell(usize),
    /// A variable.
    Variable(usize),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// The assignment `to = value`.
    Assign {
        /// The target.
        to: Target,
        /// A word of the same width.
        value: WordId,
    },
    /// The branch `if (condition) .. else ..`.
    If {
        /// A word of one bit.
        condition: WordId,
        /// The blocks for 1 and for 0.
        arms: [BlockId; 2],
    },
    /// The branch `switch (subject) ..`.
    Case {
        /// The word that is compared.
        subject: WordId,
        /// The blocks of some values.
        arms: Vec<(u64, BlockId)>,
        /// The block of all other values.
        otherwise: BlockId,
    },
    /// Loads the cells with the row at an address, which is always that of a row.
    Read {
        /// The index of the memory.
        memory: usize,
        /// The cell of each limb; none if no statement reads it.
        to: Vec<Option<usize>>,
        /// The address of the row.
        address: WordId,
        /// A lane that keeps its old value, and the condition for that.
        hold: Option<(WordId, WordId)>,
    },
    /// Stores a row, or a lane of it, at an address, which is always that of a row.
    Write {
        /// The index of the memory.
        memory: usize,
        /// The address of the row.
        address: WordId,
        /// The index of the lane.
        lane: Option<WordId>,
        /// The limbs to be stored.
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

    /// The targets that it assigns itself, without the blocks inside.
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

    /// Calls `f` with a statement and with all statements inside it.
    pub fn walk(&self, statement: &Statement, f: &mut impl FnMut(&Statement)) {
        f(statement);
        for block in statement.blocks() {
            self.blocks[block].statements.iter().for_each(|inner| self.walk(inner, f));
        }
    }
}
