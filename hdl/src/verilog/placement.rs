// SPDX-License-Identifier: MIT OR Apache-2.0
//! Places each net in the first section that reads it, so that it is declared before it is read. Outputs and instances
//! come after all sections.

use super::expression::Printer;
use rtl_model::netlist::circuit::{NodeId, Op, Statement};

/// The section of each net, by index.
pub struct Placement {
    /// Per node: the first section that reads it.
    pub nodes: Vec<usize>,
    /// Per variable.
    pub variables: Vec<usize>,
    /// Per register: the first section that reads it.
    pub registers: Vec<usize>,
    /// Per memory: the first section that reads its data.
    pub memories: Vec<usize>,
}

impl Placement {
    /// Goes through the sections in their order.
    pub fn of(printer: &Printer) -> Placement {
        let (m, simple) = (&printer.simple.module, printer.simple);
        // Nets that nothing reads are at the end.
        let end = simple.sections.len();
        let mut walk = Walk {
            printer,
            seen: vec![false; m.nodes.len()],
            place: Placement {
                nodes: vec![end; m.nodes.len()],
                variables: vec![end; m.variables.len()],
                registers: vec![end; m.registers.len()],
                memories: vec![end; m.memories.len()],
            },
        };
        for (at, section) in simple.sections.iter().enumerate() {
            walk.statements(&section.body, at);
            for &i in &section.registers {
                walk.place.registers[i] = walk.place.registers[i].min(at);
            }
            for &i in &section.memories {
                walk.place.memories[i] = walk.place.memories[i].min(at);
                let memory = &m.memories[i];
                let reads = memory.reads.iter().flat_map(|read| [read.enable, read.address]);
                memory.write.nodes().chain(reads).for_each(|id| walk.node(id, at));
            }
        }
        walk.place
    }
}

struct Walk<'a> {
    printer: &'a Printer<'a>,
    seen: Vec<bool>,
    place: Placement,
}

impl Walk<'_> {
    fn node(&mut self, id: NodeId, at: usize) {
        if std::mem::replace(&mut self.seen[id.0 as usize], true) {
            return;
        }
        self.place.nodes[id.0 as usize] = at;
        let simple = self.printer.simple;
        let node = simple.module.node(id);
        match node.op {
            Op::Register(i) => self.place.registers[i] = self.place.registers[i].min(at),
            Op::MemoryData(i, _) => self.place.memories[i] = self.place.memories[i].min(at),
            Op::Variable(i) => {
                self.place.variables[i] = at;
                self.node(simple.module.variables[i].default, at);
                self.statements(&simple.variables[i], at);
            }
            _ => {}
        }
        node.args.iter().for_each(|&arg| self.node(arg, at));
    }

    fn statements(&mut self, body: &[Statement], at: usize) {
        for statement in body {
            match statement {
                Statement::Assign { value, .. } => self.node(*value, at),
                Statement::If { arms, otherwise } => {
                    for (condition, inner) in arms {
                        self.node(*condition, at);
                        self.statements(inner, at);
                    }
                    self.statements(otherwise, at);
                }
                Statement::Case { subject, arms, otherwise } => {
                    self.node(*subject, at);
                    arms.iter().for_each(|(_, inner)| self.statements(inner, at));
                    self.statements(otherwise, at);
                }
            }
        }
    }
}
