// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions. An operator is nested in another only in brackets or where all its operands have the width of its
//! place, so neither precedence nor the width of the context can change its meaning.

use super::functions::Functions;
use super::literal::{bits, literal};
use super::nets::Nets;
use crate::simplify::Simple;
use rtl_model::netlist::circuit::{NodeId, Op};
use rtl_model::ops::{Binary, Unary};

/// The form of an expression's text, which decides how it can be nested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A name, a constant, something in braces: can be used anywhere.
    Atom,
    /// `!x`: can be used anywhere but next to another prefix.
    Prefix,
    /// A chain of one associative operator.
    Chain(&'static str),
    /// Needs brackets inside another.
    Compound,
}

/// Prints the expressions of one module.
pub struct Printer<'a> {
    /// The module.
    pub simple: &'a Simple,
    /// Its nets.
    pub nets: Nets,
    /// The functions that it needs.
    pub functions: Functions,
    /// Names of the inputs of each instance.
    pub children: Vec<Vec<String>>,
}

impl Printer<'_> {
    /// The text of a node's value: the name of its net if it has one.
    pub fn text(&self, id: NodeId) -> String {
        self.operand(id).0
    }

    /// The expression that drives the wire of a node.
    pub fn driver(&self, id: NodeId) -> String {
        self.operator(id).0
    }

    /// The operands of a concatenation, when the driver of the node is one.
    pub fn parts(&self, id: NodeId) -> Option<Vec<String>> {
        let node = self.simple.module.node(id);
        (node.op == Op::Concat).then(|| node.args.iter().map(|&arg| self.text(arg)).collect())
    }

    /// The width of a node.
    pub fn width(&self, id: NodeId) -> u32 {
        self.simple.module.node(id).width
    }

    fn operand(&self, id: NodeId) -> (String, Form) {
        let node = self.simple.module.node(id);
        if let Some(name) = self.nets.of(self.simple, id, node) {
            self.nets.read(&name, node.width, 0, node.width);
            return (name, Form::Atom);
        }
        self.operator(id)
    }

    /// The text, in brackets unless it is an atom.
    fn nested(&self, id: NodeId) -> String {
        match self.operand(id) {
            (text, Form::Atom | Form::Prefix) => text,
            (text, _) => format!("({text})"),
        }
    }

    /// An operand of a chain of `operator`.
    fn link(&self, id: NodeId, operator: &'static str) -> String {
        match self.operand(id) {
            (text, Form::Chain(inner)) if inner == operator => text,
            (text, Form::Atom | Form::Prefix) => text,
            (text, _) => format!("({text})"),
        }
    }

    fn atom(&self, id: NodeId) -> String {
        match self.operand(id) {
            (text, Form::Atom) => text,
            (text, _) => format!("({text})"),
        }
    }

    /// Bits of a node that is a net or a piece of one.
    fn piece(&self, id: NodeId, low: u32, width: u32) -> String {
        let node = self.simple.module.node(id);
        match (self.nets.of(self.simple, id, node), node.op) {
            (Some(name), _) => {
                self.nets.read(&name, node.width, low, width);
                bits(&name, node.width, low, width)
            }
            (None, Op::Slice { low: base }) => self.piece(node.args[0], base + low, width),
            // Everything that is sliced has a net (see `wires`).
            _ => self.text(id),
        }
    }

    fn operator(&self, id: NodeId) -> (String, Form) {
        let node = self.simple.module.node(id);
        let arg = |i: usize| node.args[i];
        match node.op {
            Op::Constant(value) => (literal(&value), Form::Atom),
            Op::Unary(op) => self.unary(op, arg(0)),
            Op::Binary(op) => self.binary(op, arg(0), arg(1)),
            Op::Select => {
                let (condition, yes, no) = (self.nested(arg(0)), self.nested(arg(1)), self.nested(arg(2)));
                (format!("{condition} ? {yes} : {no}"), Form::Compound)
            }
            Op::Concat => {
                let parts: Vec<String> = node.args.iter().map(|&arg| self.text(arg)).collect();
                (format!("{{{}}}", parts.join(", ")), Form::Atom)
            }
            Op::Slice { low } => (self.piece(arg(0), low, node.width), Form::Atom),
            Op::ZeroExtend => {
                let more = node.width - self.width(arg(0));
                match more {
                    0 => (self.text(arg(0)), Form::Compound),
                    _ => (format!("{{{more}'d0, {}}}", self.text(arg(0))), Form::Atom),
                }
            }
            Op::SignExtend => {
                let width = self.width(arg(0));
                let more = node.width - width;
                match (more, width) {
                    (0, _) => (self.text(arg(0)), Form::Compound),
                    (_, 1) => (format!("{{{}{{{}}}}}", node.width, self.text(arg(0))), Form::Atom),
                    _ => {
                        let sign = self.piece(arg(0), width - 1, 1);
                        (format!("{{{{{more}{{{sign}}}}}, {}}}", self.text(arg(0))), Form::Atom)
                    }
                }
            }
            Op::Table(i) => (format!("{}({})", self.functions.table(i), self.text(arg(0))), Form::Atom),
            Op::Linear(i) => (format!("{}({})", self.functions.map(i), self.text(arg(0))), Form::Atom),
            // The sources are nets.
            _ => (self.nets.of(self.simple, id, node).unwrap_or_default(), Form::Atom),
        }
    }

    fn unary(&self, op: Unary, arg: NodeId) -> (String, Form) {
        let node = self.simple.module.node(arg);
        match op {
            Unary::Not => {
                let opposite = match node.op {
                    Op::Binary(Binary::Lt) => ">=",
                    Op::Binary(Binary::Le) => ">",
                    Op::Binary(Binary::Eq) => "!=",
                    Op::Binary(Binary::Ne) => "==",
                    _ => "",
                };
                if !opposite.is_empty() && self.nets.wires[arg.0 as usize].is_none() {
                    let (a, b) = (self.nested(node.args[0]), self.nested(node.args[1]));
                    return (format!("{a} {opposite} {b}"), Form::Compound);
                }
                (format!("{}{}", if node.width == 1 { '!' } else { '~' }, self.atom(arg)), Form::Prefix)
            }
            Unary::ReduceAnd => (format!("&{}", self.atom(arg)), Form::Compound),
            Unary::ReduceOr => (format!("|{}", self.atom(arg)), Form::Compound),
            Unary::ReduceXor => (format!("^{}", self.atom(arg)), Form::Compound),
            Unary::FirstSet | Unary::CountOnes => {
                (format!("{}({})", self.functions.name(op, node.width), self.text(arg)), Form::Atom)
            }
        }
    }

    fn binary(&self, op: Binary, a: NodeId, b: NodeId) -> (String, Form) {
        let one = self.width(a) == 1;
        let chain = |operator: &'static str| {
            (format!("{} {operator} {}", self.link(a, operator), self.link(b, operator)), Form::Chain(operator))
        };
        let plain = |operator: &str| (format!("{} {operator} {}", self.nested(a), self.nested(b)), Form::Compound);
        let turned = |operator: &str| (format!("{} {operator} {}", self.nested(b), self.nested(a)), Form::Compound);
        let signed = |operator: &str| {
            (format!("$signed({}) {operator} $signed({})", self.text(a), self.text(b)), Form::Compound)
        };
        // `x > 8'd3` is easier to read than `8'd3 < x`.
        let constant_first = matches!(self.simple.module.node(a).op, Op::Constant(_));
        match op {
            Binary::Add => plain("+"),
            Binary::Sub => plain("-"),
            Binary::Mul => {
                let (left, right) = (self.width(a), self.width(b));
                let text = format!("{{{right}'d0, {}}} * {{{left}'d0, {}}}", self.text(a), self.text(b));
                (text, Form::Compound)
            }
            Binary::And if one => chain("&&"),
            Binary::Or if one => chain("||"),
            Binary::And => chain("&"),
            Binary::Or => chain("|"),
            Binary::Xor => chain("^"),
            Binary::Eq => plain("=="),
            Binary::Ne => plain("!="),
            Binary::Lt if constant_first => turned(">"),
            Binary::Le if constant_first => turned(">="),
            Binary::Lt => plain("<"),
            Binary::Le => plain("<="),
            Binary::LtSigned => signed("<"),
            Binary::LeSigned => signed("<="),
            Binary::Shl => plain("<<"),
            Binary::Shr => plain(">>"),
            // An arithmetic shift needs the whole expression to be signed: it always has a wire of its own.
            Binary::ShrSigned => (format!("$signed({}) >>> {}", self.text(a), self.nested(b)), Form::Compound),
        }
    }
}
