// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds what reaches an output, an instance or a memory that is read.

use rtl_model::netlist::circuit::{Module, NodeId, Op, Statement, Target};

/// Live parts of a module, by index.
#[derive(Clone, Debug)]
pub struct Live {
    /// Registers.
    pub registers: Vec<bool>,
    /// Variables.
    pub variables: Vec<bool>,
    /// Read ports, by memory and port.
    pub reads: Vec<Vec<bool>>,
}

/// The nodes that decide the value of each target: the assigned values and all conditions around them.
struct Drivers {
    registers: Vec<Vec<NodeId>>,
    variables: Vec<Vec<NodeId>>,
}

impl Drivers {
    fn collect(&mut self, body: &[Statement], conditions: &mut Vec<NodeId>) {
        let depth = conditions.len();
        for statement in body {
            match statement {
                Statement::Assign { target, value, .. } => {
                    let list = match *target {
                        Target::Register(i) => &mut self.registers[i],
                        Target::Variable(i) => &mut self.variables[i],
                    };
                    list.push(*value);
                    list.extend_from_slice(conditions);
                }
                Statement::If { arms, otherwise } => {
                    for (condition, inner) in arms {
                        conditions.push(*condition);
                        self.collect(inner, conditions);
                    }
                    self.collect(otherwise, conditions);
                }
                Statement::Case { subject, arms, otherwise } => {
                    conditions.push(*subject);
                    for (_, inner) in arms {
                        self.collect(inner, conditions);
                    }
                    self.collect(otherwise, conditions);
                }
            }
            conditions.truncate(depth);
        }
    }
}

impl Live {
    /// Finds the live parts of a module.
    pub fn of(module: &Module) -> Live {
        let mut drivers = Drivers {
            registers: vec![Vec::new(); module.registers.len()],
            variables: vec![Vec::new(); module.variables.len()],
        };
        drivers.collect(&module.body, &mut Vec::new());
        let mut live = Live {
            registers: vec![false; module.registers.len()],
            variables: vec![false; module.variables.len()],
            reads: module.memories.iter().map(|memory| vec![false; memory.reads.len()]).collect(),
        };
        let mut seen = vec![false; module.nodes.len()];
        let mut work: Vec<NodeId> = module.outputs.iter().map(|output| output.value).collect();
        work.extend(module.instances.iter().flat_map(|instance| &instance.inputs));
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            let node = module.node(id);
            work.extend(&node.args);
            match node.op {
                Op::Register(i) => {
                    live.registers[i] = true;
                    work.extend(&drivers.registers[i]);
                }
                Op::Variable(i) => {
                    live.variables[i] = true;
                    work.push(module.variables[i].default);
                    work.extend(&drivers.variables[i]);
                }
                Op::MemoryData(i, port) => {
                    live.reads[i][port] = true;
                    let (memory, read) = (&module.memories[i], &module.memories[i].reads[port]);
                    work.extend(memory.write.nodes());
                    work.extend([read.enable, read.address]);
                }
                _ => {}
            }
        }
        live
    }
}
