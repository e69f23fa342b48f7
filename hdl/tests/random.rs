// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random modules: no tool complains about the print, and Icarus computes what an interpreter of the netlist computes.

mod common;

use common::Build;
use common::tools::{directory, lint, printed, run};
use hdl::VerilogFile;
use rtl_model::netlist::circuit::*;
use rtl_model::ops::{Binary, Unary};
use rtl_model::{Linear, Table};
use std::fmt::Write;

const MODULES: u64 = 24;
const CLOCKS: usize = 12;
const WIDTHS: [u32; 12] = [1, 1, 1, 1, 2, 3, 8, 8, 13, 33, 65, 90];

const BINARY: [Binary; 15] = [
    Binary::Add,
    Binary::Sub,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Eq,
    Binary::Ne,
    Binary::Lt,
    Binary::Le,
    Binary::LtSigned,
    Binary::LeSigned,
    Binary::Shl,
    Binary::Shr,
    Binary::ShrSigned,
    Binary::Mul,
];

const UNARY: [Unary; 6] =
    [Unary::Not, Unary::ReduceAnd, Unary::ReduceOr, Unary::ReduceXor, Unary::FirstSet, Unary::CountOnes];

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    fn value(&mut self, width: u32) -> Value {
        let limbs = [(); 16].map(|()| self.below(1 << 31) << 33 | self.below(1 << 31) << 11 | self.below(1 << 31));
        let random = Value::from_limbs(width, &limbs);
        match self.below(5) {
            0 => Value::zero(width),
            1 => Value::zero(width).not(),
            2 => Value::from_u64(width, self.below(6)),
            _ => random,
        }
    }
}

/// Makes a module: expressions, statements on them, expressions that use what was assigned, and statements on those.
struct Maker {
    random: Random,
    b: Build,
    pool: Vec<NodeId>,
}

impl Maker {
    fn any(&mut self) -> NodeId {
        // Rather something recent, so that expressions get deep.
        let n = self.pool.len() as u64;
        let back = self.random.below(n).min(self.random.below(n));
        self.pool[(n - 1 - back) as usize]
    }

    fn fit(&mut self, id: NodeId, width: u32) -> NodeId {
        let has = self.b.width(id);
        if has > width {
            let low = self.random.below((has - width + 1) as u64) as u32;
            self.b.slice(id, low, width)
        } else if has < width {
            let op = self.random.of(&[Op::ZeroExtend, Op::SignExtend]);
            self.b.node(op, &[id], width)
        } else {
            id
        }
    }

    fn wide(&mut self, width: u32) -> NodeId {
        if self.random.below(8) == 0 {
            let value = self.random.value(width);
            return self.b.node(Op::Constant(value), &[], width);
        }
        let id = self.any();
        self.fit(id, width)
    }

    fn grow(&mut self, count: usize) {
        for i in 0..count {
            let a = self.any();
            let width = self.b.width(a);
            let id = match self.random.below(12) {
                0..=4 => {
                    let op = self.random.of(&BINARY);
                    let other = match op {
                        Binary::Mul | Binary::Shl | Binary::Shr | Binary::ShrSigned => self.any(),
                        _ => self.wide(width),
                    };
                    if op == Binary::Mul && width + self.b.width(other) > 200 {
                        continue;
                    }
                    self.b.binary(op, a, other)
                }
                5 | 6 => {
                    let op = self.random.of(&UNARY);
                    self.b.unary(op, a)
                }
                7 => {
                    let (condition, other) = (self.wide(1), self.wide(width));
                    self.b.select(condition, a, other)
                }
                8 => {
                    let parts: Vec<NodeId> = (0..1 + self.random.below(3)).map(|_| self.any()).collect();
                    if parts.iter().map(|&part| self.b.width(part)).sum::<u32>() > 200 {
                        continue;
                    }
                    self.b.concat(&parts)
                }
                9 => {
                    let width = self.random.of(&WIDTHS);
                    self.fit(a, width)
                }
                10 => self.function(a),
                _ => self.moved(a),
            };
            if self.random.below(6) == 0 {
                self.b.named(id, &format!("net{}", i % 9));
            }
            self.pool.push(id);
        }
    }

    /// A look-up or a linear map.
    fn function(&mut self, a: NodeId) -> NodeId {
        if self.random.below(2) == 0 {
            let bits = 1 + self.random.below(5) as u32;
            let index = self.fit(a, bits);
            let width = self.random.of(&[1, 7, 33, 64]);
            let values: Vec<_> = (0..1 << bits).map(|_| self.random.value(width).low()).collect();
            self.b.0.tables.push(Table::new(width, values).named("square"));
            self.b.node(Op::Table(self.b.0.tables.len() - 1), &[index], width)
        } else {
            let bits = self.random.of(&[1, 8, 13, 64]);
            let operand = self.fit(a, bits);
            let columns: Vec<_> = (0..bits).map(|_| self.random.value(32).low() as u32 | 1).collect();
            self.b.0.maps.push(Linear::new(&columns));
            self.b.node(Op::Linear(self.b.0.maps.len() - 1), &[operand], 32)
        }
    }

    /// A lane or a rotation.
    fn moved(&mut self, a: NodeId) -> NodeId {
        if self.random.below(2) == 0 {
            let (lane, lanes) = (self.random.of(&[1, 2, 8, 32]), 1 + self.random.below(5) as u32);
            let operand = self.fit(a, lane * lanes);
            let index = rtl_model::index_width(lanes.into());
            let index = self.wide(index);
            self.b.node(Op::Lane, &[operand, index], lane)
        } else {
            let (unit, bits) = (self.random.of(&[1, 8, 24]), 1 + self.random.below(3) as u32);
            let operand = self.fit(a, unit << bits);
            let by = self.wide(bits);
            self.b.node(Op::Rotate { unit }, &[operand, by], unit << bits)
        }
    }

    fn statements(&mut self, targets: &[Target], depth: u32) -> Vec<Statement> {
        let count = self.random.below(3) + if depth == 0 { 6 } else { 0 };
        (0..count).map(|_| self.statement(targets, depth)).collect()
    }

    fn statement(&mut self, targets: &[Target], depth: u32) -> Statement {
        match self.random.below(if depth < 3 { 4 } else { 1 }) {
            0 | 1 => {
                let target = self.random.of(targets);
                let width = match target {
                    Target::Register(i) => self.b.0.registers[i].width,
                    Target::Variable(i) => self.b.0.variables[i].width,
                };
                let value = self.wide(width);
                Statement::Assign { target, value, site: self.b.0.site }
            }
            2 => {
                let arms = (0..1 + self.random.below(3))
                    .map(|_| (self.wide(1), self.statements(targets, depth + 1)))
                    .collect();
                Statement::If { arms, otherwise: self.statements(targets, depth + 1) }
            }
            _ => {
                let width = 1 + self.random.below(3) as u32;
                let subject = self.wide(width);
                let count = 1 + self.random.below(1 << width);
                let arms =
                    (0..count).map(|i| (Value::from_u64(width, i), self.statements(targets, depth + 1))).collect();
                Statement::Case { subject, arms, otherwise: self.statements(targets, depth + 1) }
            }
        }
    }
}

fn module(seed: u64) -> Module {
    let mut m = Maker { random: Random(seed), b: Build::new(&format!("random_{seed}")), pool: Vec::new() };
    for i in 0..5 {
        let width = m.random.of(&WIDTHS);
        let id = m.b.input(&format!("in{i}"), width);
        m.pool.push(id);
    }
    let mut registers = Vec::new();
    for i in 0..4 {
        let (width, reset) = (m.random.of(&WIDTHS), m.random.below(2) == 1);
        let (index, id) = m.b.register(&format!("state{i}"), width, 0, reset);
        m.b.0.registers[index].init = m.random.value(width);
        registers.push(Target::Register(index));
        m.pool.push(id);
    }
    m.grow(25);
    let mut targets = registers.clone();
    let mut variables = Vec::new();
    for i in 0..4 {
        let default = m.any();
        let (index, id) = m.b.variable(&format!("value{i}"), default);
        targets.push(Target::Variable(index));
        variables.push(id);
    }
    let mut body = m.statements(&targets, 0);
    m.pool.extend(variables);
    m.grow(25);
    body.extend(m.statements(&registers, 0));
    m.b.0.body = body;
    for i in 0..6 {
        let value = m.any();
        m.b.output(&format!("out{i}"), value);
    }
    m.b.0
}

/// Evaluates a module, one clock.
struct Interpreter<'a> {
    module: &'a Module,
    inputs: Vec<Value>,
    registers: Vec<Value>,
}

impl Interpreter<'_> {
    fn node(&self, id: NodeId) -> Value {
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

    fn clock(&mut self, reset: bool) {
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

fn hex(value: &Value) -> String {
    let digits: String = value.limbs().iter().rev().map(|limb| format!("{limb:016x}")).collect();
    format!("{}'h{}", value.width(), &digits[digits.len() - value.width().div_ceil(4) as usize..])
}

fn simulate(seed: u64, module: &Module) {
    let mut random = Random(seed ^ 0x5555);
    let mut text = String::from("module bench;\nreg clk, rst;\n");
    let mut ports = vec![".clk(clk), .rst(rst)".to_owned()];
    for port in &module.inputs {
        writeln!(text, "reg [{}:0] {};", port.width - 1, port.name).unwrap();
        ports.push(format!(".{0}({0})", port.name));
    }
    for port in &module.outputs {
        writeln!(text, "wire [{}:0] {};", port.width - 1, port.name).unwrap();
        ports.push(format!(".{0}({0})", port.name));
    }
    writeln!(text, "{} dut ({});\ninitial begin\nclk = 1'b0;", module.name, ports.join(", ")).unwrap();
    let registers = module.registers.iter().map(|register| register.init).collect();
    let mut interpreter = Interpreter { module, inputs: Vec::new(), registers };
    for clock in 0..CLOCKS {
        let reset = random.below(8) == 0;
        writeln!(text, "rst = {};", reset as u8).unwrap();
        interpreter.inputs = module.inputs.iter().map(|port| random.value(port.width)).collect();
        for (port, value) in module.inputs.iter().zip(&interpreter.inputs) {
            writeln!(text, "{} = {};", port.name, hex(value)).unwrap();
        }
        writeln!(text, "#1;").unwrap();
        for output in &module.outputs {
            let (name, value) = (&output.name, hex(&interpreter.node(output.value)));
            writeln!(text, "if ({name} !== {value}) $display(\"BAD clock {clock} {name} %h {value}\", {name});")
                .unwrap();
        }
        writeln!(text, "clk = 1'b1; #1 clk = 1'b0;").unwrap();
        interpreter.clock(reset);
    }
    text.push_str("$display(\"DONE\");\nend\nendmodule\n");
    let mut files = printed(&Circuit { modules: vec![module.clone()] });
    files.push(VerilogFile { name: "bench.v".into(), text });
    let dir = directory(&module.name, &files);
    let (good, said) = run(&dir, "iverilog", &["-g2001", "-s", "bench", "-o", "out.vvp", &files[0].name, "bench.v"]);
    assert!(good, "{said}");
    let (_, said) = run(&dir, "vvp", &["-n", "out.vvp"]);
    assert_eq!(said.trim(), "DONE", "in {}", dir.display());
}

#[test]
fn random_modules_lint_and_compute() {
    for seed in 1..=MODULES {
        let module = module(seed);
        simulate(seed, &module);
        lint(&format!("lint_{}", module.name), &Circuit { modules: vec![module] });
    }
}
