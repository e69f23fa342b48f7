// SPDX-License-Identifier: MIT OR Apache-2.0
//! Removes everything that nothing observes: dead nodes, registers, variables, memories and branches.

use super::branches;
use super::circuit::{Module, NodeId, Op, Statement, Target};
use super::live::{Extent, Live};

/// New index of each thing kept.
fn renumber(alive: &[bool]) -> Vec<usize> {
    let count = |next: &mut usize, &alive: &bool| {
        let index = *next;
        *next += alive as usize;
        Some(index)
    };
    alive.iter().scan(0, count).collect()
}

fn keep<T>(list: &mut Vec<T>, alive: &[bool]) {
    let mut alive = alive.iter();
    list.retain(|_| *alive.next().expect("as long as the list"));
}

/// Removes everything that nothing observes. A memory that is read keeps all of its ports.
pub(super) fn prune(module: &mut Module) {
    let Live { nodes, registers, variables, reads } = Live::of(module, Extent::Memory);
    let memories: Vec<bool> = reads.iter().map(|ports| ports.contains(&true)).collect();
    let to = Renumbered {
        nodes: renumber(&nodes),
        registers: renumber(&registers),
        variables: renumber(&variables),
        memories: renumber(&memories),
    };
    module.body = branches::filter(&module.body, &|target| match target {
        Target::Register(i) => registers[i],
        Target::Variable(i) => variables[i],
    });
    keep(&mut module.nodes, &nodes);
    keep(&mut module.registers, &registers);
    keep(&mut module.variables, &variables);
    keep(&mut module.memories, &memories);
    to.module(module);
}

struct Renumbered {
    nodes: Vec<usize>,
    registers: Vec<usize>,
    variables: Vec<usize>,
    memories: Vec<usize>,
}

impl Renumbered {
    fn node(&self, id: NodeId) -> NodeId {
        NodeId(self.nodes[id.0 as usize] as u32)
    }

    fn body(&self, body: &mut [Statement]) {
        for statement in body {
            match statement {
                Statement::Assign { target, value, .. } => {
                    *value = self.node(*value);
                    *target = match *target {
                        Target::Register(i) => Target::Register(self.registers[i]),
                        Target::Variable(i) => Target::Variable(self.variables[i]),
                    };
                }
                Statement::If { arms, otherwise } => {
                    for (condition, block) in arms {
                        *condition = self.node(*condition);
                        self.body(block);
                    }
                    self.body(otherwise);
                }
                Statement::Case { subject, arms, otherwise } => {
                    *subject = self.node(*subject);
                    arms.iter_mut().for_each(|(_, block)| self.body(block));
                    self.body(otherwise);
                }
            }
        }
    }

    fn module(&self, module: &mut Module) {
        for node in &mut module.nodes {
            for arg in &mut node.args {
                *arg = self.node(*arg);
            }
            match &mut node.op {
                Op::Register(i) => *i = self.registers[*i],
                Op::Variable(i) => *i = self.variables[*i],
                Op::MemoryData(i, _) => *i = self.memories[*i],
                _ => {}
            }
        }
        self.body(&mut module.body);
        module.rewire(|node| self.node(node));
    }
}
