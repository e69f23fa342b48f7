// SPDX-License-Identifier: MIT OR Apache-2.0
//! The properties of a circuit that the printer relies on. (The checks of the language itself are made at elaboration.)

use crate::error::PrintError;
use crate::names::{Names, is_reserved};
use rtl_model::netlist::circuit::{Circuit, Instance, Memory, Module, Node, NodeId, Op, Site, Statement, Target};
use rtl_model::netlist::is_identifier;
use rtl_model::ops::{Binary, index_width};

type Checked = Result<(), PrintError>;

/// Checks the whole circuit.
pub fn circuit(circuit: &Circuit) -> Checked {
    if circuit.modules.is_empty() {
        return Err(PrintError::Empty);
    }
    let mut names = Names::default();
    for (i, module) in circuit.modules.iter().enumerate() {
        let check = Check { module, children: &circuit.modules[..i] };
        check.name(&module.name)?;
        if !names.take(&module.name) {
            return Err(PrintError::NameClash { module: module.name.clone(), name: module.name.clone() });
        }
        check.module()?;
    }
    Ok(())
}

struct Check<'a> {
    module: &'a Module,
    children: &'a [Module],
}

impl Check<'_> {
    fn bad<T>(&self, site: Site, what: String) -> Result<T, PrintError> {
        Err(PrintError::BadNetlist { module: self.module.name.clone(), site, what })
    }

    fn name(&self, name: &str) -> Checked {
        let (module, name) = (self.module.name.clone(), name.to_owned());
        if !is_identifier(&name) {
            Err(PrintError::IllegalName { module, name })
        } else if is_reserved(&name) {
            Err(PrintError::ReservedWord { module, name })
        } else {
            Ok(())
        }
    }

    fn module(&self) -> Checked {
        let m = self.module;
        let mut names = Names::default();
        let ports = m.inputs.iter().map(|p| (&p.name, p.width)).chain(m.outputs.iter().map(|p| (&p.name, p.width)));
        names.take("clk");
        names.take("rst");
        for (name, width) in ports {
            self.name(name)?;
            if !names.take(name) {
                return Err(PrintError::NameClash { module: m.name.clone(), name: name.clone() });
            }
            self.positive(m.site, name, width)?;
        }
        for (i, node) in m.nodes.iter().enumerate() {
            self.node(i, node)?;
        }
        for r in &m.registers {
            self.positive(r.site, &r.name, r.width)?;
            self.same(r.site, "initial value", r.init.width(), r.width)?;
        }
        for v in &m.variables {
            self.positive(v.site, &v.name, v.width)?;
            self.wide(v.site, "default", v.default, v.width)?;
        }
        for memory in &m.memories {
            self.memory(memory)?;
        }
        for instance in &m.instances {
            self.instance(instance)?;
        }
        for output in &m.outputs {
            self.wide(m.site, &output.name, output.value, output.width)?;
        }
        self.body(&m.body)
    }

    fn positive(&self, site: Site, what: &str, width: u32) -> Checked {
        if width == 0 { self.bad(site, format!("`{what}` has no bits")) } else { Ok(()) }
    }

    fn same(&self, site: Site, what: &str, width: u32, expected: u32) -> Checked {
        if width == expected {
            Ok(())
        } else {
            self.bad(site, format!("WIDTH MISMATCH: {what} has {width} bits, {expected} expected"))
        }
    }

    fn wide(&self, site: Site, what: &str, id: NodeId, expected: u32) -> Checked {
        match self.module.nodes.get(id.0 as usize) {
            Some(node) => self.same(site, what, node.width, expected),
            None => self.bad(site, format!("{what} is node {}, which does not exist", id.0)),
        }
    }

    fn node(&self, index: usize, node: &Node) -> Checked {
        let (m, site) = (self.module, node.site);
        if let Some(arg) = node.args.iter().find(|arg| arg.0 as usize >= index) {
            return self.bad(site, format!("node {index} has operand {}, which does not stand before it", arg.0));
        }
        self.positive(site, "expression", node.width)?;
        let width = |i: usize| m.node(node.args[i]).width;
        let count = match node.op {
            Op::Unary(_) | Op::Slice { .. } | Op::ZeroExtend | Op::SignExtend => 1,
            Op::Table(_) | Op::Linear(_) => 1,
            Op::Binary(_) | Op::Lane | Op::Rotate { .. } => 2,
            Op::Select => 3,
            Op::Concat => node.args.len().max(1),
            _ => 0,
        };
        if node.args.len() != count {
            return self.bad(site, format!("{:?} with {} operands, {count} expected", node.op, node.args.len()));
        }
        let missing = |what: &str| format!("{what} that does not exist");
        let expected = match node.op {
            Op::Constant(value) => Ok(value.width()),
            Op::Input(i) => m.inputs.get(i).map(|x| x.width).ok_or(missing("an input")),
            Op::Register(i) => m.registers.get(i).map(|x| x.width).ok_or(missing("a register")),
            Op::Variable(i) => m.variables.get(i).map(|x| x.width).ok_or(missing("a variable")),
            Op::MemoryData(i, port) => match m.memories.get(i) {
                Some(memory) if port < memory.reads.len() => Ok(memory.width),
                _ => Err(missing("a read port")),
            },
            Op::InstanceOutput(i, port) => match m.instances.get(i).and_then(|x| x.outputs.get(port)) {
                Some((_, width)) => Ok(*width),
                None => Err(missing("an instance output")),
            },
            Op::Unary(op) => Ok(op.width(width(0))),
            Op::Binary(op) => match op.width(width(0), width(1)) {
                Some(width) => Ok(width),
                None => Err(format!("WIDTH MISMATCH: {op:?} of {} and {} bits", width(0), width(1))),
            },
            Op::Select if width(0) != 1 => Err(format!("WIDTH MISMATCH: the condition has {} bits", width(0))),
            Op::Select if width(1) != width(2) => {
                Err(format!("WIDTH MISMATCH: a choice of {} and {} bits", width(1), width(2)))
            }
            Op::Select => Ok(width(1)),
            Op::Concat => Ok((0..node.args.len()).map(width).sum()),
            Op::Slice { low } if low as u64 + node.width as u64 > width(0) as u64 => {
                Err(format!("bits {} of {} bits", low as u64 + node.width as u64 - 1, width(0)))
            }
            Op::Slice { .. } => Ok(node.width),
            Op::ZeroExtend | Op::SignExtend => Ok(node.width.max(width(0))),
            Op::Table(i) => match m.tables.get(i) {
                Some(table) if table.index_width() == width(0) => Ok(table.width()),
                Some(table) => {
                    Err(format!("WIDTH MISMATCH: an index of {} bits, {} expected", width(0), table.index_width()))
                }
                None => Err(missing("a table")),
            },
            Op::Linear(i) => match m.maps.get(i) {
                Some(map) if map.width() == width(0) => Ok(32),
                Some(map) => Err(format!("WIDTH MISMATCH: an operand of {} bits, {} expected", width(0), map.width())),
                None => Err(missing("a linear map")),
            },
            Op::Lane if node.width > 64 || !node.width.is_power_of_two() || !width(0).is_multiple_of(node.width) => {
                Err(format!("lanes of {} bits in {}", node.width, width(0)))
            }
            Op::Lane => Ok(node.width),
            Op::Rotate { unit } if width(1) > 10 || unit << width(1) != width(0) => {
                Err(format!("a rotation of {} bits by {} bits of units of {unit}", width(0), width(1)))
            }
            Op::Rotate { .. } => Ok(width(0)),
        };
        match expected {
            Ok(expected) => self.same(site, &op_name(&node.op), node.width, expected),
            Err(what) => self.bad(site, what),
        }
    }

    fn memory(&self, memory: &Memory) -> Checked {
        let site = memory.site;
        self.positive(site, &memory.name, memory.width)?;
        if memory.depth == 0 || memory.depth > 1 << 31 || !(1..=3).contains(&memory.latency) {
            return self.bad(site, format!("memory `{}`: depth or latency out of range", memory.name));
        }
        let address = index_width(memory.depth);
        self.wide(site, "write enable", memory.write.enable, 1)?;
        self.wide(site, "write address", memory.write.address, address)?;
        if memory.lanes == 0
            || !memory.width.is_multiple_of(memory.lanes)
            || (memory.lanes > 1) != memory.write.lane.is_some()
        {
            return self
                .bad(site, format!("memory `{}`: {} lanes of {} bits", memory.name, memory.lanes, memory.width));
        }
        if !(1..=memory.width / memory.lanes).contains(&memory.slice) {
            return self.bad(site, format!("memory `{}`: slices of {} bits", memory.name, memory.slice));
        }
        self.wide(site, "write data", memory.write.data, memory.width / memory.lanes)?;
        if let Some(lane) = memory.write.lane {
            self.wide(site, "write lane", lane, index_width(memory.lanes.into()))?;
        }
        for read in &memory.reads {
            self.wide(site, "read enable", read.enable, 1)?;
            self.wide(site, "read address", read.address, address)?;
        }
        Ok(())
    }

    fn instance(&self, instance: &Instance) -> Checked {
        let site = instance.site;
        let Some(child) = self.children.iter().find(|child| child.name == instance.module) else {
            return self.bad(site, format!("no module `{}` stands before its user", instance.module));
        };
        let outputs = child.outputs.iter().map(|port| (&port.name, port.width));
        if instance.inputs.len() != child.inputs.len()
            || !instance.outputs.iter().map(|(name, width)| (name, *width)).eq(outputs)
        {
            return self.bad(site, format!("the ports of `{}` are not those of `{}`", instance.name, child.name));
        }
        for (&id, port) in instance.inputs.iter().zip(&child.inputs) {
            self.wide(site, &port.name, id, port.width)?;
        }
        Ok(())
    }

    fn body(&self, body: &[Statement]) -> Checked {
        let site = self.module.site;
        for statement in body {
            match statement {
                Statement::Assign { target, value, site } => {
                    let width = match *target {
                        Target::Register(i) => self.module.registers.get(i).map(|r| r.width),
                        Target::Variable(i) => self.module.variables.get(i).map(|v| v.width),
                    };
                    match width {
                        Some(width) => self.wide(site, "assigned value", *value, width)?,
                        None => self.bad(site, "an assignment to nothing".into())?,
                    }
                }
                Statement::If { arms, otherwise } => {
                    for (condition, inner) in arms {
                        self.wide(site, "condition", *condition, 1)?;
                        self.body(inner)?;
                    }
                    self.body(otherwise)?;
                }
                Statement::Case { subject, arms, otherwise } => {
                    for (value, inner) in arms {
                        self.wide(site, "case subject", *subject, value.width())?;
                        self.body(inner)?;
                    }
                    self.wide(site, "case subject", *subject, self.width_or_zero(*subject))?;
                    self.body(otherwise)?;
                }
            }
        }
        Ok(())
    }

    fn width_or_zero(&self, id: NodeId) -> u32 {
        self.module.nodes.get(id.0 as usize).map_or(0, |node| node.width)
    }
}

fn op_name(op: &Op) -> String {
    match op {
        Op::Binary(Binary::Mul) => "product".into(),
        Op::Constant(_) => "constant".into(),
        op => format!("{op:?}"),
    }
}
