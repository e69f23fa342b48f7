// SPDX-License-Identifier: MIT OR Apache-2.0
//! The readers of each expression: how often its text is needed, and the user that it is named after if the Rust source
//! has no name for it.

use super::expression::Printer;
use super::placement::Placement;
use crate::names::legal;
use rtl_model::netlist::circuit::{NodeId, Op, Origin, Statement, Target};
use rtl_model::ops::{Binary, Unary};

/// The first reader of an expression.
#[derive(Clone)]
enum User {
    /// It is an operand of this node.
    Node(NodeId),
    /// An output, a register or a port of an instance takes its value.
    Target(String),
    /// It is a condition of an assignment to this.
    Condition(String),
}

/// The readers of all expressions of a module.
pub struct Users {
    /// How often the text of each is needed.
    pub counts: Vec<u32>,
    /// The section of each net.
    pub place: Placement,
    first: Vec<Option<User>>,
}

impl Users {
    /// Follows operands from everything that the module drives.
    pub fn of(printer: &Printer) -> Users {
        let m = &printer.simple.module;
        let mut roots = roots(printer);
        let place = Placement::of(printer);
        let mut users = Users { counts: vec![0; m.nodes.len()], place, first: vec![None; m.nodes.len()] };
        // The last entry is taken first.
        roots.reverse();
        while let Some((id, user)) = roots.pop() {
            let at = id.0 as usize;
            users.counts[at] += 1;
            if users.counts[at] == 1 {
                users.first[at] = Some(user);
                roots.extend(m.node(id).args.iter().rev().map(|&arg| (arg, User::Node(id))));
            }
        }
        users
    }

    /// A name for an expression that needs a wire.
    pub fn name(&self, printer: &Printer, id: NodeId) -> (String, Origin) {
        let node = printer.simple.module.node(id);
        if let Some(hint) = &node.hint {
            return (hint.name.clone(), hint.origin);
        }
        if let Op::Slice { .. } = node.op {
            return (legal(&part(printer, id)), Origin::Made);
        }
        match &self.first[id.0 as usize] {
            Some(User::Target(name)) => (name.clone(), Origin::Target),
            Some(User::Condition(name)) => (format!("{name}_condition"), Origin::Made),
            _ => (format!("{}_{}", self.above(printer, id), what(&node.op)), Origin::Made),
        }
    }

    /// The component of the section of an expression.
    pub fn section<'a>(&self, printer: &Printer<'a>, id: NodeId) -> Option<&'a str> {
        let section = printer.simple.sections.get(self.place.nodes[id.0 as usize])?;
        section.path.last().map(String::as_str)
    }

    /// The name of the nearest user that has one.
    fn above(&self, printer: &Printer, id: NodeId) -> String {
        match &self.first[id.0 as usize] {
            Some(User::Target(name) | User::Condition(name)) => name.clone(),
            Some(User::Node(user)) => {
                let node = printer.simple.module.node(*user);
                let given = printer.nets.wire(*user).or(node.name.as_deref());
                match given.or(node.hint.as_ref().map(|hint| hint.name.as_str())) {
                    Some(name) => name.to_owned(),
                    None => self.above(printer, *user),
                }
            }
            None => "net".to_owned(),
        }
    }
}

/// Everything that the module drives, with its use.
fn roots(printer: &Printer) -> Vec<(NodeId, User)> {
    let (m, nets) = (&printer.simple.module, &printer.nets);
    let live = &printer.simple.live;
    let mut roots = Roots { printer, list: Vec::new() };
    for output in &m.outputs {
        roots.target(output.value, output.name.clone());
    }
    for (instance, name) in m.instances.iter().zip(&nets.instances) {
        for &input in &instance.inputs {
            roots.target(input, format!("{name}_input"));
        }
    }
    for (i, (memory, reads)) in m.memories.iter().zip(&live.reads).enumerate() {
        for (read, _) in memory.reads.iter().zip(reads).filter(|(_, live)| **live) {
            // The template uses each of them at least twice.
            for id in memory.write.nodes().chain([read.enable, read.address]).flat_map(|id| [id, id]) {
                roots.target(id, nets.memories[i].clone());
            }
        }
    }
    for (i, variable) in m.variables.iter().enumerate().filter(|(i, _)| live.variables[*i]) {
        roots.target(variable.default, nets.variables[i].clone());
    }
    for section in &printer.simple.sections {
        roots.statements(&section.body);
    }
    for body in &printer.simple.variables {
        roots.statements(body);
    }
    roots.list
}

struct Roots<'a> {
    printer: &'a Printer<'a>,
    list: Vec<(NodeId, User)>,
}

impl Roots<'_> {
    fn target(&mut self, id: NodeId, name: String) {
        self.list.push((id, User::Target(name)));
    }

    fn statements(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Assign { target, value, .. } => self.target(*value, self.name(*target)),
                Statement::If { arms, otherwise } => {
                    for (condition, inner) in arms {
                        let decides = self.first_assigned(inner);
                        self.list.push((*condition, User::Condition(decides)));
                        self.statements(inner);
                    }
                    self.statements(otherwise);
                }
                Statement::Case { subject, arms, otherwise } => {
                    let decides = arms.first().map_or(String::new(), |(_, inner)| self.first_assigned(inner));
                    self.list.push((*subject, User::Condition(decides)));
                    for (_, inner) in arms {
                        self.statements(inner);
                    }
                    self.statements(otherwise);
                }
            }
        }
    }

    fn name(&self, target: Target) -> String {
        match target {
            Target::Register(i) => self.printer.nets.registers[i].clone(),
            Target::Variable(i) => self.printer.nets.variables[i].clone(),
        }
    }

    fn first_assigned(&self, body: &[Statement]) -> String {
        let found = body.iter().find_map(|statement| match statement {
            Statement::Assign { target, .. } => Some(self.name(*target)),
            Statement::If { arms, otherwise } => {
                let blocks = arms.iter().map(|(_, inner)| inner).chain([otherwise]);
                blocks.map(|inner| self.first_assigned(inner)).find(|name| !name.is_empty())
            }
            Statement::Case { arms, otherwise, .. } => {
                let blocks = arms.iter().map(|(_, inner)| inner).chain([otherwise]);
                blocks.map(|inner| self.first_assigned(inner)).find(|name| !name.is_empty())
            }
        });
        found.unwrap_or_default()
    }
}

/// `field_7_4` for bits 7 to 4 of `field`.
fn part(printer: &Printer, id: NodeId) -> String {
    let node = printer.simple.module.node(id);
    let of = || {
        let arg = node.args[0];
        let net = printer.nets.of(printer.simple, arg, printer.simple.module.node(arg));
        net.map_or("net".to_owned(), |net| net.strip_suffix("_reg").unwrap_or(&net).to_owned())
    };
    match node.op {
        Op::Slice { low } if node.width == 1 => format!("{}_{low}", of()),
        Op::Slice { low } => format!("{}_{}_{low}", of(), low + node.width - 1),
        _ => of(),
    }
}

/// A word for the result of an operator.
fn what(op: &Op) -> &'static str {
    match op {
        Op::Unary(Unary::Not) => "inverse",
        Op::Unary(Unary::ReduceAnd) => "all",
        Op::Unary(Unary::ReduceOr) => "any",
        Op::Unary(Unary::ReduceXor) => "parity",
        Op::Unary(Unary::FirstSet) => "first",
        Op::Unary(Unary::CountOnes) => "ones",
        Op::Binary(op) => match op {
            Binary::Add => "sum",
            Binary::Sub => "difference",
            Binary::Mul => "product",
            Binary::And => "mask",
            Binary::Or => "any_of",
            Binary::Xor => "toggle",
            Binary::Eq => "equal",
            Binary::Ne => "unequal",
            Binary::Lt | Binary::LtSigned => "less",
            Binary::Le | Binary::LeSigned => "at_most",
            Binary::Shl | Binary::Shr | Binary::ShrSigned => "shifted",
        },
        Op::Select => "choice",
        Op::Concat => "joined",
        Op::Table(_) => "entry",
        Op::Linear(_) => "image",
        _ => "extended",
    }
}
