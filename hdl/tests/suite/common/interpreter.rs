// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a module without memories and instances computes, read from its netlist.

use rtl_model::netlist::circuit::*;

/// Evaluates a module, one clock.
pub struct Interpreter<'a> {
    pub module: &'a Module,
    pub inputs: Vec<Value>,
    pub registers: Vec<Value>,
}

impl Interpreter<'_> {
    /// What a node is in this clock.
    pub fn node(&self, id: NodeId) -> Value {
        let node = self.module.node(id);
        let arg = |i: usize| self.node(node.args[i]);
        match node.op {
            Op::Constant(value) => value,
            Op::Input(i) => self.inputs[i],
            Op::Register(i) => self.registers[i],
            Op::Variable(i) => {
                let mut value = self.node(self.module.variables[i].default);
                let wanted = |target| target == Target::Variable(i);
                self.run(&self.module.body, &wanted, &mut |_, id| value = self.node(id));
                value
            }
            Op::Unary(op) => Value::unary(op, arg(0)),
            Op::Binary(op) => Value::binary(op, arg(0), arg(1)),
            Op::Select => {
                if arg(0).is_zero() {
                    arg(2)
                } else {
                    arg(1)
                }
            }
            Op::Concat => (1..node.args.len()).fold(arg(0), |high, i| high.concat(arg(i))),
            Op::Slice { low } => arg(0).slice(low, node.width),
            Op::ZeroExtend => arg(0).resize(node.width),
            Op::SignExtend => arg(0).sign_extend(node.width),
            Op::Table(i) => Value::from_u64(node.width, self.module.tables[i].at(arg(0).low())),
            Op::Linear(i) => Value::from_u64(32, self.module.maps[i].of(arg(0).low()).into()),
            Op::Lane => Value::from_u64(node.width, arg(0).lane(arg(1).low(), node.width)),
            Op::Rotate { unit } => arg(0).rotate_right(arg(1).low() as u32 * unit),
            Op::MemoryData(..) | Op::InstanceOutput(..) => unreachable!("not made here"),
        }
    }

    /// Calls `assign` for each assignment to a wanted target that happens. Conditions around no wanted target are not
    /// looked at: they may depend on the variable that is being evaluated.
    fn run(&self, body: &[Statement], wanted: &dyn Fn(Target) -> bool, assign: &mut dyn FnMut(Target, NodeId)) {
        for statement in body.iter().filter(|statement| assigns(statement, wanted)) {
            match statement {
                Statement::Assign { target, value, .. } => assign(*target, *value),
                Statement::If { arms, otherwise } => {
                    let taken = arms.iter().find(|(condition, _)| !self.node(*condition).is_zero());
                    self.run(taken.map_or(otherwise, |(_, inner)| inner), wanted, assign);
                }
                Statement::Case { subject, arms, otherwise } => {
                    let is = self.node(*subject);
                    let taken = arms.iter().find(|(value, _)| *value == is);
                    self.run(taken.map_or(otherwise, |(_, inner)| inner), wanted, assign);
                }
            }
        }
    }

    /// One rising edge.
    pub fn clock(&mut self, reset: bool) {
        let mut next = self.registers.clone();
        let wanted = |target| matches!(target, Target::Register(_));
        self.run(&self.module.body, &wanted, &mut |target, id| {
            if let Target::Register(i) = target {
                next[i] = self.node(id);
            }
        });
        for (value, register) in next.iter_mut().zip(&self.module.registers) {
            if reset && register.reset {
                *value = register.init;
            }
        }
        self.registers = next;
    }
}

fn assigns(statement: &Statement, wanted: &dyn Fn(Target) -> bool) -> bool {
    let any = |list: &[Statement]| list.iter().any(|statement| assigns(statement, wanted));
    match statement {
        Statement::Assign { target, .. } => wanted(*target),
        Statement::If { arms, otherwise } => arms.iter().any(|(_, inner)| any(inner)) || any(otherwise),
        Statement::Case { arms, otherwise, .. } => arms.iter().any(|(_, inner)| any(inner)) || any(otherwise),
    }
}
