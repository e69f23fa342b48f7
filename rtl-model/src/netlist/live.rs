// SPDX-License-Identifier: MIT OR Apache-2.0
//! What depends on what in a module, and what of it anybody observes.

use super::circuit::{Module, NodeId, Op, Site, Statement, Target};

/// Passes every assignment of a body to `f`, with its conditions.
fn assignments(body: &[Statement], over: &mut Vec<NodeId>, f: &mut impl FnMut(Target, NodeId, Site, &[NodeId])) {
    for statement in body {
        let depth = over.len();
        match statement {
            Statement::Assign { target, value, site } => f(*target, *value, site, over),
            Statement::If { arms, otherwise } => {
                for (cond, block) in arms {
                    over.push(*cond);
                    assignments(block, over, f);
                }
                assignments(otherwise, over, f);
            }
            Statement::Case { subject, arms, otherwise } => {
                over.push(*subject);
                for (_, block) in arms {
                    assignments(block, over, f);
                }
                assignments(otherwise, over, f);
            }
        }
        over.truncate(depth);
    }
}

/// The nodes from which each register and each variable is computed in one clock cycle: the assigned values and all
/// conditions around them.
pub(super) struct Drivers {
    pub registers: Vec<Vec<NodeId>>,
    /// The default comes first.
    pub variables: Vec<Vec<NodeId>>,
}

impl Drivers {
    pub fn of(module: &Module) -> Self {
        let mut registers = vec![vec![]; module.registers.len()];
        let mut variables: Vec<Vec<NodeId>> = module.variables.iter().map(|v| vec![v.default]).collect();
        assignments(&module.body, &mut vec![], &mut |target, value, _, over| {
            let list = match target {
                Target::Register(i) => &mut registers[i],
                Target::Variable(i) => &mut variables[i],
            };
            list.push(value);
            list.extend_from_slice(over);
        });
        Drivers { registers, variables }
    }
}

/// How much of a memory the read of a port makes live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The port and the write port.
    Port,
    /// All ports.
    Memory,
}

/// The parts of a module that reach an output or an instance, by index.
#[derive(Clone, Debug)]
pub struct Live {
    /// Nodes.
    pub nodes: Vec<bool>,
    /// Registers.
    pub registers: Vec<bool>,
    /// Variables.
    pub variables: Vec<bool>,
    /// Read ports, by memory and port.
    pub reads: Vec<Vec<bool>>,
}

impl Live {
    /// Finds the live parts of a module, from its outputs back.
    pub fn of(module: &Module, extent: Extent) -> Live {
        let drivers = Drivers::of(module);
        let mut live = Live {
            nodes: vec![false; module.nodes.len()],
            registers: vec![false; module.registers.len()],
            variables: vec![false; module.variables.len()],
            reads: module.memories.iter().map(|memory| vec![false; memory.reads.len()]).collect(),
        };
        let mut pending: Vec<NodeId> = module.outputs.iter().map(|output| output.value).collect();
        pending.extend(module.instances.iter().flat_map(|instance| &instance.inputs));
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut live.nodes[id.0 as usize], true) {
                continue;
            }
            let node = module.node(id);
            pending.extend(&node.args);
            match node.op {
                Op::Register(i) => {
                    live.registers[i] = true;
                    pending.extend(&drivers.registers[i]);
                }
                Op::Variable(i) => {
                    live.variables[i] = true;
                    pending.extend(&drivers.variables[i]);
                }
                Op::MemoryData(i, port) => {
                    let memory = &module.memories[i];
                    pending.extend(memory.write.nodes());
                    for (at, read) in memory.reads.iter().enumerate() {
                        if at == port || extent == Extent::Memory {
                            live.reads[i][at] = true;
                            pending.extend([read.enable, read.address]);
                        }
                    }
                }
                _ => {}
            }
        }
        live
    }
}
