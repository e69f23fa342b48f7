// SPDX-License-Identifier: MIT OR Apache-2.0
//! The netlist itself: the data of an elaborated design.
//!
//! A [`Circuit`] is a list of modules, children before parents, the top last. A [`Module`] holds a graph of pure
//! [`Node`]s, the state (registers, memories), the instances, and `body`: the assignments in the order and under the
//! `if`s in which the stage makes them. Every list is in order of creation, so the same design prints the same bytes.

pub use crate::hint::{Hint, Origin};
use crate::leaf::{Field, Place};
use crate::ops::{Binary, Unary};
pub use crate::ram_shape::Collision;
use crate::tables::{Linear, Table};
use crate::words::Words;
use std::collections::BTreeMap;
use std::panic::Location;

/// The place in the Rust source that made something.
pub type Site = &'static Location<'static>;

/// A constant of 1 to 1024 bits.
pub type Value = Words;

/// Index of a node in its module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// The netlist of a design: all its modules.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// Children before parents; the last one is the top. Names are unique.
    pub modules: Vec<Module>,
}

impl Circuit {
    /// The module that contains all others.
    pub fn top(&self) -> &Module {
        self.modules.last().expect("a circuit has at least one module")
    }

    /// For an FPGA whose blocks have this many bits (a power of two, without parity): memories with an output register
    /// that are too deep for a block with rows of 8 bits become arrays so narrow that one block holds all their rows.
    /// Otherwise synthesis would save a block here and there by stacking wider ones, with a multiplexer between blocks
    /// and register. Memories deeper than any block are stacked in any case, and stay whole.
    pub fn slice_memories(&mut self, block_bits: u64) {
        for memory in self.modules.iter_mut().flat_map(|module| &mut module.memories) {
            memory.slice = memory.slice_for(block_bits);
        }
    }

    /// Memories of so many bits or more are to be made of large blocks (UltraRAM).
    pub fn use_large_blocks(&mut self, bits: u64) {
        for memory in self.modules.iter_mut().flat_map(|module| &mut module.memories) {
            memory.large = memory.depth * u64::from(memory.width) >= bits;
        }
    }

    /// Renames the top to `name`, and each module below it to `name_MODULE`: two circuits with different tops share no
    /// name.
    pub fn rename(&mut self, name: &str) {
        let top = self.top().name.clone();
        let new = |old: &str| if old == top { name.to_owned() } else { format!("{name}_{old}") };
        for module in &mut self.modules {
            module.name = new(&module.name);
            for instance in &mut module.instances {
                instance.module = new(&instance.module);
            }
        }
    }
}

/// One hardware module: one stage in one configuration. Every module has, besides `inputs`, the ports `clk` and `rst`.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// Unique in the circuit; the configuration is part of it (`tally_r1024w32`).
    pub name: String,
    /// Where the stage was built.
    pub site: Site,
    /// Input ports, in the order of the stage's `In`.
    pub inputs: Vec<Input>,
    /// Output ports, in the order of the stage's `Out`.
    pub outputs: Vec<Output>,
    /// Pure expressions; operands come before their users.
    pub nodes: Vec<Node>,
    /// Registers in order of creation, each of one or more flip-flops.
    pub registers: Vec<Register>,
    /// Combinational nets that are assigned under conditions in `body`.
    pub variables: Vec<Variable>,
    /// Memories in order of creation.
    pub memories: Vec<Memory>,
    /// Instances of child modules in order of creation.
    pub instances: Vec<Instance>,
    /// Comments on the scopes of registers and memories.
    pub docs: BTreeMap<Vec<String>, String>,
    /// Tables of constants that nodes look values up in.
    pub tables: Vec<Table>,
    /// Linear maps that nodes apply.
    pub maps: Vec<Linear>,
    /// Assignments to registers and variables, in program order; a later one wins.
    pub body: Vec<Statement>,
}

impl Module {
    /// Both describe the same hardware, wherever in the source it was made.
    pub fn same_hardware(&self, other: &Module) -> bool {
        self.at(self.site) == other.at(self.site)
    }

    /// This module as if all of it had been made at one place.
    fn at(&self, site: Site) -> Module {
        let mut module = self.clone();
        module.site = site;
        module.nodes.iter_mut().for_each(|x| (x.site, x.hint) = (site, None));
        module.registers.iter_mut().for_each(|x| x.site = site);
        module.variables.iter_mut().for_each(|x| x.site = site);
        module.memories.iter_mut().for_each(|x| x.site = site);
        module.instances.iter_mut().for_each(|x| x.site = site);
        move_to(&mut module.body, site);
        module
    }

    /// The node behind an id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

/// An input port of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Port name, as in the stage's `In`.
    pub name: String,
    /// Width of the port in bits.
    pub width: u32,
    /// The fields of `In` that contain it.
    pub path: Vec<Field>,
    /// The interface that it belongs to, and what it does there.
    pub place: Place,
    /// The stage says that it does not read all of this port.
    pub unused_ok: bool,
}

/// An output port of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Port name, as in the stage's `Out`.
    pub name: String,
    /// Width of the port in bits.
    pub width: u32,
    /// The fields of `Out` that contain it.
    pub path: Vec<Field>,
    /// The interface that it belongs to, and what it does there.
    pub place: Place,
    /// What drives it.
    pub value: NodeId,
}

/// A node of the expression graph; it has no state and no side effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Operator of the node.
    pub op: Op,
    /// Operand nodes, in the order that the operator states.
    pub args: Vec<NodeId>,
    /// Width of the result in bits.
    pub width: u32,
    /// Name given in Rust with `.named(..)`.
    pub name: Option<String>,
    /// Its name if it needs a net of its own and has no name.
    pub hint: Option<Hint>,
    /// Where it was written.
    pub site: Site,
}

/// What a node computes. Operands are `args` of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant of the width of the node.
    Constant(Value),
    /// An input port, by index.
    Input(usize),
    /// The output of a register, by index.
    Register(usize),
    /// The final value of a variable, by index.
    Variable(usize),
    /// The data of a memory's read port: memory, port.
    MemoryData(usize, usize),
    /// An output port of an instance: instance, port.
    InstanceOutput(usize, usize),
    /// An operator with one operand.
    Unary(Unary),
    /// Two operands. Widths are equal except for products (any) and shifts (the amount has any width).
    Binary(Binary),
    /// `args[0] ? args[1] : args[2]`; `args[0]` has one bit.
    Select,
    /// All operands side by side, the first in the highest bits.
    Concat,
    /// Bits `low .. low + width` of the operand.
    Slice {
        /// Index of the lowest bit of the slice.
        low: u32,
    },
    /// The operand with zeros on top.
    ZeroExtend,
    /// The operand with copies of its highest bit on top.
    SignExtend,
    /// The value of a table at the operand, by index of the table.
    Table(usize),
    /// The image of the operand under a linear map, by index of the map.
    Linear(usize),
    /// One lane of `args[0]`, cut into lanes as wide as the result: the lane with index `args[1]`; 0 beyond the last.
    Lane,
    /// `args[0]` rotated right by `args[1]` units; its width is `unit << width(args[1])`.
    Rotate {
        /// Size of one rotation unit in bits.
        unit: u32,
    },
}

impl Op {
    /// It has no operands: it is a constant, or named after the port or the state that it reads.
    pub fn is_source(&self) -> bool {
        matches!(
            self,
            Op::Constant(_)
                | Op::Input(_)
                | Op::Register(_)
                | Op::Variable(_)
                | Op::MemoryData(..)
                | Op::InstanceOutput(..)
        )
    }
}

/// A register (one or more flip-flops with one name).
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    /// Its name in the module, without suffix: `foo` prints as `foo_reg` / `foo_next`.
    pub name: String,
    /// The fields of components that it was made for, from the outside in.
    pub scope: Vec<String>,
    /// Its name in the component that contains it.
    pub local: String,
    /// Width of the register in bits.
    pub width: u32,
    /// Value at power-up, and at reset if `reset`.
    pub init: Value,
    /// The synchronous reset sets it to `init`.
    pub reset: bool,
    /// Values with names: those of its `case` statements that have some.
    pub states: Vec<(Value, String)>,
    /// Where it was made.
    pub site: Site,
}

/// A combinational net with a default, changed by assignments in `body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Net name, unique in the module.
    pub name: String,
    /// Width of the variable in bits.
    pub width: u32,
    /// Its value when no assignment applies.
    pub default: NodeId,
    /// Where it was made.
    pub site: Site,
}

/// A synchronous memory. At a clock edge: a read port with `enable` set loads its data register from the row
/// (as `collision` says), the write port with `enable` set writes; accesses at or beyond `depth` do nothing.
/// All rows and data registers are 0 at power-up.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Its name in the module; its nets are called after it.
    pub name: String,
    /// The fields of components that it was made for, from the outside in.
    pub scope: Vec<String>,
    /// Its name in the component that contains it.
    pub local: String,
    /// Number of rows.
    pub depth: u64,
    /// Bits of a row.
    pub width: u32,
    /// 1: data one clock cycle after the read. 2: one more register after it, loaded in every clock cycle.
    pub latency: u32,
    /// Behaviour if a row is read and written in the same clock cycle.
    pub collision: Collision,
    /// Equal parts of a row, each written separately.
    pub lanes: u32,
    /// Bits of a lane, or of a row without lanes, that are one array in hardware; the last of them may have fewer.
    pub slice: u32,
    /// It is to be made of large blocks, which synthesis takes on request only.
    pub large: bool,
    /// The one write port.
    pub write: WritePort,
    /// Read ports; each needs its own copy of the memory.
    pub reads: Vec<ReadPort>,
    /// Where it was made.
    pub site: Site,
}

impl Memory {
    /// Width of one array when deep memories are sliced for blocks of `block_bits` bits.
    fn slice_for(&self, block_bits: u64) -> u32 {
        let (lane, narrow) = (self.width / self.lanes, block_bits / self.depth.next_power_of_two());
        match self.latency >= 2 && (1..8).contains(&narrow) {
            true => lane.min(narrow as u32),
            false => lane,
        }
    }
}

/// The write port of a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct WritePort {
    /// Write enable, one bit.
    pub enable: NodeId,
    /// `clog2(depth)` bits, at least 1.
    pub address: NodeId,
    /// Lane index, `clog2(lanes)` bits, at least 1; none where rows are written whole.
    pub lane: Option<NodeId>,
    /// A row, or a lane of it.
    pub data: NodeId,
}

impl WritePort {
    /// All nets of the port.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        [self.enable, self.address, self.data].into_iter().chain(self.lane)
    }

    /// The same port on other nets.
    pub fn map(&self, to: impl Fn(NodeId) -> NodeId) -> Self {
        WritePort { enable: to(self.enable), address: to(self.address), data: to(self.data), lane: self.lane.map(to) }
    }
}

/// A read port of a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadPort {
    /// Read enable, one bit.
    pub enable: NodeId,
    /// `clog2(depth)` bits, at least 1.
    pub address: NodeId,
}

/// An instance of a child module.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Instance name, unique in the module.
    pub name: String,
    /// The components that contain it, from the outside in.
    pub scope: Vec<String>,
    /// Its name there.
    pub local: String,
    /// Name of its module.
    pub module: String,
    /// What drives each of the child's inputs, in order.
    pub inputs: Vec<NodeId>,
    /// Names and widths of the child's outputs, in order.
    pub outputs: Vec<(String, u32)>,
    /// Where it was made.
    pub site: Site,
}

/// Something assigned in `body`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// The next value of a register, by index.
    Register(usize),
    /// A variable, by index.
    Variable(usize),
}

/// A statement of the body.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Assignment of a value to a register or variable.
    Assign {
        /// Register or variable that is assigned.
        target: Target,
        /// A node of the target's width.
        value: NodeId,
        /// Rust source line of the assignment.
        site: Site,
    },
    /// `if .. else if .. else`.
    If {
        /// One-bit conditions with their statements, first that holds wins.
        arms: Vec<(NodeId, Vec<Statement>)>,
        /// Statements of the `else` branch.
        otherwise: Vec<Statement>,
    },
    /// A `case` statement.
    Case {
        /// Node whose value selects the branch.
        subject: NodeId,
        /// Constant and statements; constants differ.
        arms: Vec<(Value, Vec<Statement>)>,
        /// When none is equal.
        otherwise: Vec<Statement>,
    },
}

impl Statement {
    /// What is assigned, if this is an assignment.
    pub fn target(&self) -> Option<Target> {
        match self {
            Statement::Assign { target, .. } => Some(*target),
            _ => None,
        }
    }
}

fn move_to(body: &mut [Statement], to: Site) {
    for statement in body {
        match statement {
            Statement::Assign { site, .. } => *site = to,
            Statement::If { arms, otherwise } => {
                arms.iter_mut().for_each(|(_, block)| move_to(block, to));
                move_to(otherwise, to);
            }
            Statement::Case { arms, otherwise, .. } => {
                arms.iter_mut().for_each(|(_, block)| move_to(block, to));
                move_to(otherwise, to);
            }
        }
    }
}
