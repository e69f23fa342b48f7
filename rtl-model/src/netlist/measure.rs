// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of a netlist before any synthesis tool runs.

use super::circuit::*;
use super::live::Drivers;
use super::shift;
use crate::ops::{Binary, Unary};
use std::collections::BTreeMap;

/// Size of one module, without its children.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Name of the measured module.
    pub module: String,
    /// Flip-flops, without the data registers of memories.
    pub register_bits: u64,
    /// Chains of one-bit flip-flops that only delay, as a count per length. They have no reset and one enable, and only
    /// the last flip-flop has another reader than its successor.
    pub delays: BTreeMap<u32, u64>,
    /// One entry per memory of the module.
    pub memories: Vec<MemoryMeasure>,
    /// Operators on the longest path between registers, memories and ports: wiring counts 0, a carry chain 1, a
    /// reduction or comparison of `n` bits as many levels as a tree of six-input LUTs.
    pub logic_depth: u32,
}

/// Size of one memory.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryMeasure {
    /// Name of the memory in its module.
    pub name: String,
    /// Number of rows.
    pub depth: u64,
    /// Bits of a row.
    pub width: u32,
    /// Number of read ports, at least 1.
    pub reads: usize,
    /// Clock cycles from address to data: 1, 2 or 3.
    pub latency: u32,
    /// Equal parts of a row, each a separate memory in hardware.
    pub lanes: u32,
    /// Bits of a lane that are one memory in hardware.
    pub slice: u32,
    /// It is to be made of large blocks.
    pub large: bool,
    /// Read data if the row is written in the same clock cycle.
    pub collision: Collision,
}

impl MemoryMeasure {
    /// Bits stored: rows times width; copies for further read ports are not counted.
    pub fn bits(&self) -> u64 {
        self.depth * self.width as u64
    }
}

impl Module {
    /// Counts registers, memories and logic levels of this module.
    pub fn measure(&self) -> Measure {
        let memories = self.memories.iter().map(|m| MemoryMeasure {
            name: m.name.clone(),
            depth: m.depth,
            width: m.width,
            reads: m.reads.len(),
            latency: m.latency,
            lanes: m.lanes,
            slice: m.slice,
            large: m.large,
            collision: m.collision,
        });
        Measure {
            module: self.name.clone(),
            register_bits: self.registers.iter().map(|r| r.width as u64).sum(),
            delays: shift::chains(self),
            memories: memories.collect(),
            logic_depth: self.depth(),
        }
    }

    fn depth(&self) -> u32 {
        let Drivers { registers, variables } = Drivers::of(self);
        let mut at = vec![None; self.nodes.len()];
        let mut deepest = 0;
        for i in 0..self.nodes.len() {
            deepest = deepest.max(self.depth_of(NodeId(i as u32), &variables, &mut at));
        }
        // Conditions select between assignments: one more level where a register is assigned under a condition.
        let guarded = |list: &Vec<NodeId>| {
            let most = list.iter().filter_map(|d| at[d.0 as usize]).max().unwrap_or(0);
            most + (list.len() > 1) as u32
        };
        registers.iter().map(guarded).max().unwrap_or(0).max(deepest)
    }

    fn depth_of(&self, id: NodeId, variables: &[Vec<NodeId>], at: &mut Vec<Option<u32>>) -> u32 {
        if let Some(depth) = at[id.0 as usize] {
            return depth;
        }
        at[id.0 as usize] = Some(0);
        let node = self.node(id);
        let mut below = 0;
        for &arg in &node.args {
            below = below.max(self.depth_of(arg, variables, at));
        }
        if let Op::Variable(i) = node.op {
            for &driver in &variables[i] {
                below = below.max(self.depth_of(driver, variables, at));
            }
            below += (variables[i].len() > 1) as u32;
        }
        let depth = below + self.levels(node);
        at[id.0 as usize] = Some(depth);
        depth
    }

    fn levels(&self, node: &Node) -> u32 {
        let operand = node.args.first().map_or(0, |&a| self.node(a).width);
        match node.op {
            Op::Unary(Unary::Not) => 0,
            Op::Unary(_) => tree(operand),
            Op::Binary(Binary::Eq | Binary::Ne) => tree(2 * operand),
            Op::Binary(Binary::Shl | Binary::Shr | Binary::ShrSigned) => {
                let choices = self.node(node.args[1]).width.min(crate::ops::clog2(operand as u64 + 1));
                choices.div_ceil(2)
            }
            Op::Binary(_) | Op::Select => 1,
            // Trees of multiplexers, and exclusive ors of many bits.
            Op::Table(_) => operand,
            Op::Lane => crate::ops::clog2((operand / node.width).into()),
            Op::Rotate { .. } => self.node(node.args[1]).width,
            Op::Linear(map) => {
                let bits = |row: u32| self.maps[map].row(row).count_ones();
                tree((0..32).map(bits).max().unwrap_or(0))
            }
            _ => 0,
        }
    }
}

/// Levels of six-input LUTs over `n` inputs.
fn tree(n: u32) -> u32 {
    let mut levels = 0;
    let mut inputs = n;
    while inputs > 1 {
        inputs = inputs.div_ceil(6);
        levels += 1;
    }
    levels
}
