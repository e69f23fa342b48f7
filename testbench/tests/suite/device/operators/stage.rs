// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program as a stage.

use super::expr::{Env, Leaf};
use super::program::{NARROW, Program, Statement, VARIABLES, WIDE};
use rtl_model::{
    Bits, Bundle, Delay, Design, Logic, Ram, Reading, Reg, Shape, Stage, Var, Wide, bits, switch, when, wide,
};
use std::rc::Rc;

/// A design made from a program.
#[derive(Clone)]
pub struct Random(pub Rc<Program>);

/// Inputs.
#[derive(Bundle)]
pub struct In<L: Reading> {
    i: Values<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct Out<L: Reading> {
    o: Values<L>,
}

/// Ports of one direction.
#[derive(Bundle)]
pub struct Values<L: Reading> {
    n: [Bits<L>; NARROW],
    w: [Wide<L>; WIDE],
}

pub struct Machine<L: Logic> {
    program: Rc<Program>,
    registers: Vec<Reg<Bits<L>>>,
    wide_registers: Vec<Reg<Wide<L>>>,
    memory: Ram<Bits<L>>,
    wide_memory: Ram<Wide<L>>,
    line: Delay<Bits<L>>,
}

impl Design for Random {
    type Stage<L: Logic> = Machine<L>;

    fn module_name(&self) -> String {
        format!("random_{}", self.0.seed)
    }

    fn build<L: Logic>(&self) -> Machine<L> {
        let p = &self.0;
        let register = |i: usize| {
            let width = p.registers[i];
            let name = format!("n{i}");
            let register = Reg::named_starting_at(&name, &bits(width), Bits::lit(width, p.initial[i]));
            if p.reset[i] { register.with_reset() } else { register }
        };
        Machine {
            registers: (0..NARROW).map(register).collect(),
            wide_registers: (0..WIDE).map(|i| Reg::named(&format!("w{i}"), &wide(p.wide_registers[i]))).collect(),
            memory: Ram::named("memory", p.memory.0, &bits(p.memory.1)),
            wide_memory: Ram::named("wide_memory", p.wide_memory.0, &wide(p.wide_memory.1)),
            line: Delay::named("line", &bits(p.line.1), p.line.0).with_reset(),
            program: p.clone(),
        }
    }
}

/// Everything that a statement can read in one clock cycle.
struct Clock<'a, L: Logic> {
    machine: &'a Machine<L>,
    input: &'a Values<L>,
    /// Registers, memories and the delay line before the clock edge.
    before: Before<L>,
    variables: [Var<Bits<L>>; VARIABLES],
    wide_variables: [Var<Wide<L>>; VARIABLES],
}

struct Before<L: Logic> {
    registers: [Bits<L>; NARROW],
    wide_registers: [Wide<L>; WIDE],
    memory: [Bits<L>; 2],
    wide_memory: Wide<L>,
    line: Bits<L>,
}

impl<L: Logic> Env<L> for Clock<'_, L> {
    fn narrow(&self, leaf: Leaf) -> Bits<L> {
        match leaf {
            Leaf::Input(i) => self.input.n[i],
            Leaf::Register(i) => self.before.registers[i],
            Leaf::Variable(i) => self.variables[i].get(),
            Leaf::Memory(i) => self.before.memory[i],
            Leaf::Line => self.before.line,
        }
    }

    fn wide(&self, leaf: Leaf) -> Wide<L> {
        match leaf {
            Leaf::Input(i) => self.input.w[i],
            Leaf::Register(i) => self.before.wide_registers[i],
            Leaf::Variable(i) => self.wide_variables[i].get(),
            Leaf::Memory(_) | Leaf::Line => self.before.wide_memory,
        }
    }
}

impl<L: Logic> Clock<'_, L> {
    fn run(&self, body: &[Statement]) {
        body.iter().for_each(|statement| self.act(statement));
    }

    fn act(&self, statement: &Statement) {
        let m = self.machine;
        match statement {
            Statement::Set(i, value) => m.registers[*i].set(value.eval(self)),
            Statement::SetWide(i, value) => m.wide_registers[*i].set(value.eval(self)),
            Statement::SetIf(i, c, value) => m.registers[*i].set_if(c.eval(self), value.eval(self)),
            Statement::Variable(i, value) => self.variables[*i].set(value.eval(self)),
            Statement::VariableWide(i, value) => self.wide_variables[*i].set(value.eval(self)),
            Statement::When(arms, otherwise) => {
                let mut arms = arms.iter();
                let (cond, body) = arms.next().expect("a when has an arm");
                let mut chain = when(cond.eval(self), || self.run(body));
                for (cond, body) in arms {
                    chain = chain.or_when(cond.eval(self), || self.run(body));
                }
                if let Some(body) = otherwise {
                    chain.otherwise(|| self.run(body));
                }
            }
            Statement::Switch(subject, cases, default) => {
                let mut chosen = switch(subject.eval(self));
                for (value, body) in cases {
                    chosen = chosen.case(*value, || self.run(body));
                }
                if let Some(body) = default {
                    chosen.default(|| self.run(body));
                }
            }
            Statement::Read(port, address) => m.memory.read_port(*port, address.eval(self)),
            Statement::Write(address, value) => m.memory.write(address.eval(self), value.eval(self)),
            Statement::ReadWide(address) => m.wide_memory.read(address.eval(self)),
            Statement::WriteWide(address, value) => m.wide_memory.write(address.eval(self), value.eval(self)),
            Statement::WriteLane(address, lane, value) => {
                m.wide_memory.write_lane(address.eval(self), lane.eval(self), value.eval(self));
            }
            Statement::Shift(value) => m.line.shift(value.eval(self)),
        }
    }
}

impl<L: Logic> Stage<L> for Machine<L> {
    type In = In<L>;
    type Out = Out<L>;

    fn input_shape(&self) -> In<Shape> {
        let i = Values { n: self.program.inputs.map(bits), w: self.program.wide_inputs.map(wide) };
        In { i }
    }

    fn outputs(&self) -> Out<L> {
        let o = Values {
            n: std::array::from_fn(|i| self.registers[i].get()),
            w: std::array::from_fn(|i| self.wide_registers[i].get()),
        };
        Out { o }
    }

    fn clock(&self, input: &In<L>) {
        let input = &input.i;
        input.n.iter().for_each(|x| x.ignore());
        input.w.iter().for_each(|x| x.ignore());
        let p = &self.program;
        let clock = Clock {
            machine: self,
            input,
            before: Before {
                registers: std::array::from_fn(|i| self.registers[i].get()),
                wide_registers: std::array::from_fn(|i| self.wide_registers[i].get()),
                memory: [self.memory.data_port(0), self.memory.data_port(1)],
                wide_memory: self.wide_memory.data(),
                line: self.line.get(),
            },
            variables: std::array::from_fn(|i| Var::new(&format!("v{i}"), Bits::lit(p.variables[i], 0))),
            wide_variables: std::array::from_fn(|i| Var::new(&format!("vw{i}"), Wide::lit(p.wide_variables[i], 0))),
        };
        clock.run(&p.body);
        self.memory.clock();
        self.wide_memory.clock();
    }
}
