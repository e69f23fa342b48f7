// SPDX-License-Identifier: MIT OR Apache-2.0
//! Removes everything that nothing observes: dead nodes, registers, variables, memories and branches.

use super::circuit::*;

/// The parts that are still needed, found from the outputs back.
struct Alive<'a> {
    module: &'a Module,
    drivers: Vec<Vec<NodeId>>,
    variable_drivers: Vec<Vec<NodeId>>,
    nodes: Vec<bool>,
    registers: Vec<bool>,
    variables: Vec<bool>,
    memories: Vec<bool>,
    pending: Vec<NodeId>,
}

/// Passes every assignment of a body to `f`, with its conditions.
pub(super) fn assignments(
    body: &[Statement],
    over: &mut Vec<NodeId>,
    f: &mut impl FnMut(Target, NodeId, Site, &[NodeId]),
) {
    for statement in body {
        match statement {
            Statement::Assign { target, value, site } => f(*target, *value, site, over),
            Statement::If { arms, otherwise } => {
                let depth = over.len();
                for (cond, block) in arms {
                    over.push(*cond);
                    assignments(block, over, f);
                }
                assignments(otherwise, over, f);
                over.truncate(depth);
            }
            Statement::Case { subject, arms, otherwise } => {
                over.push(*subject);
                for (_, block) in arms {
                    assignments(block, over, f);
                }
                assignments(otherwise, over, f);
                over.pop();
            }
        }
    }
}

/// The nodes from which each register and each variable is computed, in one clock cycle.
pub(super) fn drivers(module: &Module) -> (Vec<Vec<NodeId>>, Vec<Vec<NodeId>>) {
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
    (registers, variables)
}

impl Alive<'_> {
    fn mark(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.nodes[node.0 as usize], true) {
            self.pending.push(node);
        }
    }

    fn run(&mut self) {
        let module = self.module;
        for output in &module.outputs {
            self.mark(output.value);
        }
        for instance in &module.instances {
            instance.inputs.iter().for_each(|&input| self.mark(input));
        }
        while let Some(node) = self.pending.pop() {
            let node = module.node(node);
            node.args.iter().for_each(|&arg| self.mark(arg));
            match node.op {
                Op::Register(i) if !self.registers[i] => {
                    self.registers[i] = true;
                    self.drivers[i].clone().into_iter().for_each(|d| self.mark(d));
                }
                Op::Variable(i) if !self.variables[i] => {
                    self.variables[i] = true;
                    self.variable_drivers[i].clone().into_iter().for_each(|d| self.mark(d));
                }
                Op::MemoryData(i, _) if !self.memories[i] => {
                    self.memories[i] = true;
                    let memory = &module.memories[i];
                    memory.write.nodes().for_each(|d| self.mark(d));
                    for port in &memory.reads {
                        self.mark(port.enable);
                        self.mark(port.address);
                    }
                }
                _ => {}
            }
        }
    }
}

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

/// Removes everything that nothing observes.
pub(super) fn prune(module: &mut Module) {
    let (drivers, variable_drivers) = drivers(module);
    let mut alive = Alive {
        module,
        drivers,
        variable_drivers,
        nodes: vec![false; module.nodes.len()],
        registers: vec![false; module.registers.len()],
        variables: vec![false; module.variables.len()],
        memories: vec![false; module.memories.len()],
        pending: vec![],
    };
    alive.run();
    let Alive { nodes, registers, variables, memories, .. } = alive;
    let to = Renumbered {
        nodes: renumber(&nodes),
        registers: renumber(&registers),
        variables: renumber(&variables),
        memories: renumber(&memories),
    };
    module.body = to.body(&module.body, &registers, &variables);
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

    fn body(&self, body: &[Statement], registers: &[bool], variables: &[bool]) -> Vec<Statement> {
        let block = |b: &[Statement]| self.body(b, registers, variables);
        let kept = body.iter().filter_map(|statement| match statement {
            Statement::Assign { target, value, site } => {
                let target = match *target {
                    Target::Register(i) if registers[i] => Target::Register(self.registers[i]),
                    Target::Variable(i) if variables[i] => Target::Variable(self.variables[i]),
                    _ => return None,
                };
                Some(Statement::Assign { target, value: self.node(*value), site })
            }
            Statement::If { arms, otherwise } => {
                let mut arms: Vec<_> = arms.iter().map(|(c, b)| (*c, block(b))).collect();
                let otherwise = block(otherwise);
                if otherwise.is_empty() {
                    while arms.last().is_some_and(|(_, b)| b.is_empty()) {
                        arms.pop();
                    }
                }
                for (cond, _) in &mut arms {
                    *cond = self.node(*cond);
                }
                (!arms.is_empty()).then_some(Statement::If { arms, otherwise })
            }
            Statement::Case { subject, arms, otherwise } => {
                let mut arms: Vec<_> = arms.iter().map(|(v, b)| (*v, block(b))).collect();
                let otherwise = block(otherwise);
                if otherwise.is_empty() {
                    arms.retain(|(_, b)| !b.is_empty());
                }
                let empty = arms.is_empty() && otherwise.is_empty();
                (!empty).then(|| Statement::Case { subject: self.node(*subject), arms, otherwise })
            }
        });
        kept.collect()
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
        for output in &mut module.outputs {
            output.value = self.node(output.value);
        }
        for variable in &mut module.variables {
            variable.default = self.node(variable.default);
        }
        for memory in &mut module.memories {
            memory.write = memory.write.map(|node| self.node(node));
            for port in &mut memory.reads {
                *port = ReadPort { enable: self.node(port.enable), address: self.node(port.address) };
            }
        }
        for instance in &mut module.instances {
            for input in &mut instance.inputs {
                *input = self.node(*input);
            }
        }
    }
}
