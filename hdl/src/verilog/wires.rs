// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which expressions get a wire of their own, and what it is called.
//!
//! A wire goes to what has a name in Rust, to what is used more than once, to what is sliced, and to what would make a
//! line too long. The rest is printed where it is used.

use super::expression::Printer;
use super::memory;
use crate::names::legal;
use rtl_model::netlist::circuit::{NodeId, Op, Statement};
use rtl_model::ops::{Binary, Unary};

/// An expression longer than this gives its longest operand a wire.
const LONG: usize = 88;
/// A text shorter than this is never worth a wire because of its length.
const SHORT: usize = 20;
/// Operators in one expression, one inside the other.
const DEPTH: u32 = 4;
/// A longer name is replaced by the name of the operator.
const NAME: usize = 44;

/// Chooses the wires; returns their nodes, operands before users.
pub fn choose(printer: &mut Printer) -> Vec<NodeId> {
    let uses = count_uses(printer);
    let mut forced = vec![false; uses.len()];
    for (i, node) in printer.simple.module.nodes.iter().enumerate() {
        if uses[i] == 0 {
            continue;
        }
        let low = |id: NodeId| matches!(printer.simple.module.node(id).op, Op::Slice { .. });
        match node.op {
            Op::Slice { .. } => forced[node.args[0].0 as usize] = true,
            Op::SignExtend if !low(node.args[0]) && printer.width(node.args[0]) > 1 => {
                forced[node.args[0].0 as usize] = true;
            }
            Op::Binary(Binary::ShrSigned) => forced[i] = true,
            _ => {}
        }
    }
    // A node with the name of the output that it drives is the output.
    let mut ports = vec![None; uses.len()];
    for output in &printer.simple.module.outputs {
        let node = printer.simple.module.node(output.value);
        if node.name.as_ref() == Some(&output.name) && !matches!(node.op, Op::Constant(_)) {
            ports[output.value.0 as usize] = Some(output.name.clone());
        }
    }
    // Names given in Rust come first, so that made ones give way.
    for (i, node) in printer.simple.module.nodes.iter().enumerate() {
        if uses[i] > 0
            && let Some(name) = &node.name
        {
            let name = ports[i].take().unwrap_or_else(|| printer.nets.names.unique(name));
            printer.nets.wires[i] = Some(name);
        }
    }
    memory::name_ports(printer);
    let mut depth = vec![0; uses.len()];
    for i in 0..uses.len() {
        let id = NodeId(i as u32);
        if uses[i] == 0 {
            continue;
        }
        let node = printer.simple.module.node(id);
        match node.op {
            Op::Unary(op @ (Unary::FirstSet | Unary::CountOnes)) => {
                let width = printer.width(node.args[0]);
                printer.functions.need(op, width, &mut printer.nets.names);
            }
            Op::Table(i) => {
                printer.functions.need_table(i, &printer.simple.module.tables[i], &mut printer.nets.names);
            }
            Op::Linear(i) => printer.functions.need_map(i, &printer.simple.module.maps[i], &mut printer.nets.names),
            _ => {}
        }
        if is_source(&node.op) {
            continue;
        }
        shorten(printer, id, &mut depth);
        let repeated = uses[i] > 1 && !is_cheap(printer, id);
        if printer.nets.wires[i].is_none() && (forced[i] || repeated) {
            own(printer, id);
        }
        if printer.nets.wires[i].is_some() {
            depth[i] = 0;
        }
    }
    let wires = &printer.nets.wires;
    (0..uses.len()).filter(|&i| wires[i].is_some()).map(|i| NodeId(i as u32)).collect()
}

/// How often the text of each node is needed.
fn count_uses(printer: &Printer) -> Vec<u32> {
    let m = &printer.simple.module;
    let live = &printer.simple.live;
    let mut uses = vec![0; m.nodes.len()];
    let mut work = Vec::new();
    let mut roots: Vec<NodeId> = m.outputs.iter().map(|output| output.value).collect();
    roots.extend(m.instances.iter().flat_map(|instance| &instance.inputs));
    for (memory, reads) in m.memories.iter().zip(&live.reads) {
        for (read, _) in memory.reads.iter().zip(reads).filter(|(_, live)| **live) {
            // The template names each of them at least twice.
            roots.extend(memory.write.nodes().chain([read.enable, read.address]).flat_map(|id| [id, id]));
        }
    }
    roots.extend(m.variables.iter().zip(&live.variables).filter(|(_, live)| **live).map(|(v, _)| v.default));
    in_body(&printer.simple.registers, &mut roots);
    for body in &printer.simple.variables {
        in_body(body, &mut roots);
    }
    work.append(&mut roots);
    while let Some(id) = work.pop() {
        uses[id.0 as usize] += 1;
        if uses[id.0 as usize] == 1 {
            work.extend(&m.node(id).args);
        }
    }
    uses
}

fn in_body(body: &[Statement], roots: &mut Vec<NodeId>) {
    for statement in body {
        match statement {
            Statement::Assign { value, .. } => roots.push(*value),
            Statement::If { arms, otherwise } => {
                for (condition, inner) in arms {
                    roots.push(*condition);
                    in_body(inner, roots);
                }
                in_body(otherwise, roots);
            }
            Statement::Case { subject, arms, otherwise } => {
                roots.push(*subject);
                for (_, inner) in arms {
                    in_body(inner, roots);
                }
                in_body(otherwise, roots);
            }
        }
    }
}

fn is_source(op: &Op) -> bool {
    matches!(
        op,
        Op::Constant(_)
            | Op::Input(_)
            | Op::Register(_)
            | Op::Variable(_)
            | Op::MemoryData(..)
            | Op::InstanceOutput(..)
    )
}

/// Worth repeating rather than naming: `x[3:0]`, `!x`.
fn is_cheap(printer: &Printer, id: NodeId) -> bool {
    let node = printer.simple.module.node(id);
    let net = |id: NodeId| {
        let arg = printer.simple.module.node(id);
        matches!(arg.op, Op::Slice { .. }) || printer.nets.of(printer.simple, id, arg).is_some()
    };
    match node.op {
        Op::Slice { .. } => true,
        Op::Unary(Unary::Not) => node.width == 1 && net(node.args[0]),
        _ => false,
    }
}

/// Gives wires to operands until the expression is short enough.
fn shorten(printer: &mut Printer, id: NodeId, depth: &mut [u32]) {
    loop {
        let node = printer.simple.module.node(id);
        let inline: Vec<NodeId> = node
            .args
            .iter()
            .copied()
            .filter(|&arg| {
                let source = is_source(&printer.simple.module.node(arg).op);
                !source && printer.nets.wires[arg.0 as usize].is_none() && !is_cheap(printer, arg)
            })
            .collect();
        let deepest = inline.iter().map(|arg| depth[arg.0 as usize]).max().unwrap_or(0);
        let wide = printer.driver(id).len() > LONG;
        depth[id.0 as usize] = deepest + 1;
        if !wide && deepest < DEPTH {
            return;
        }
        let longest = inline
            .iter()
            .map(|&arg| (printer.text(arg).len(), arg))
            .filter(|&(len, arg)| len > SHORT || depth[arg.0 as usize] >= DEPTH)
            .max_by_key(|&(len, arg)| (len, std::cmp::Reverse(arg)));
        let Some((_, arg)) = longest else { return };
        own(printer, arg);
        depth[arg.0 as usize] = 0;
    }
}

/// Gives a node a wire called after what it computes, or `hint`.
fn own(printer: &mut Printer, id: NodeId) {
    let name = suggest(printer, id);
    printer.nets.wires[id.0 as usize] = Some(printer.nets.names.unique(&name));
}

/// Gives a node a wire called `name`, unless it is a net or a constant.
pub fn own_as(printer: &mut Printer, id: NodeId, name: &str) {
    let node = printer.simple.module.node(id);
    if !is_source(&node.op) && printer.nets.wires[id.0 as usize].is_none() {
        printer.nets.wires[id.0 as usize] = Some(printer.nets.names.unique(name));
    }
}

/// Operator in the middle of a name, and the name when that gets too long.
fn words(op: &Op) -> (&'static str, &'static str) {
    match op {
        Op::Unary(Unary::Not) => ("not", "inverse"),
        Op::Unary(Unary::ReduceAnd) => ("all", "all_set"),
        Op::Unary(Unary::ReduceOr) => ("any", "any_set"),
        Op::Unary(Unary::ReduceXor) => ("parity", "parity"),
        Op::Unary(Unary::FirstSet) => ("first", "first"),
        Op::Unary(Unary::CountOnes) => ("ones", "ones"),
        Op::Binary(op) => match op {
            Binary::Add => ("plus", "sum"),
            Binary::Sub => ("minus", "difference"),
            Binary::Mul => ("times", "product"),
            Binary::And => ("and", "both"),
            Binary::Or => ("or", "either"),
            Binary::Xor => ("xor", "differing"),
            Binary::Eq => ("eq", "equal"),
            Binary::Ne => ("ne", "unequal"),
            Binary::Lt => ("lt", "less"),
            Binary::Le => ("le", "at_most"),
            Binary::LtSigned => ("lts", "less"),
            Binary::LeSigned => ("les", "at_most"),
            Binary::Shl | Binary::Shr | Binary::ShrSigned => ("shifted", "shifted"),
        },
        Op::Select => ("else", "chosen"),
        Op::Concat => ("with", "joined"),
        Op::Slice { .. } => ("part", "part"),
        Op::Table(_) => ("looked_up", "looked_up"),
        Op::Linear(_) => ("image", "image"),
        _ => ("extended", "extended"),
    }
}

fn suggest(printer: &Printer, id: NodeId) -> String {
    let node = printer.simple.module.node(id);
    let (word, instead) = words(&node.op);
    let arg = |i: usize| short(printer, node.args[i]);
    let name = match node.op {
        Op::Unary(_) => format!("{word}_{}", arg(0)),
        Op::Binary(Binary::Shl | Binary::Shr | Binary::ShrSigned) => format!("{}_{word}", arg(0)),
        Op::Binary(_) => format!("{}_{word}_{}", arg(0), arg(1)),
        Op::Select => format!("{}_{word}_{}", arg(1), arg(2)),
        Op::Concat if node.args.len() == 2 => format!("{}_{word}_{}", arg(0), arg(1)),
        Op::Concat => instead.to_owned(),
        Op::Slice { .. } => short(printer, id),
        _ => format!("{}_{word}", arg(0)),
    };
    if name.len() <= NAME { legal(&name) } else { instead.to_owned() }
}

/// A word for an operand.
fn short(printer: &Printer, id: NodeId) -> String {
    let node = printer.simple.module.node(id);
    if let Op::Constant(value) = node.op
        && node.name.is_none()
    {
        let big = value.limbs()[1..].iter().any(|&limb| limb != 0) || value.low() > 9999;
        return if big { "constant".into() } else { value.low().to_string() };
    }
    if let Some(net) = printer.nets.of(printer.simple, id, node) {
        return net.strip_suffix("_reg").unwrap_or(&net).to_owned();
    }
    match node.op {
        Op::Slice { low } if node.width == 1 => format!("{}_{low}", short(printer, node.args[0])),
        Op::Slice { low } => format!("{}_{}_{low}", short(printer, node.args[0]), low + node.width - 1),
        Op::ZeroExtend | Op::SignExtend => short(printer, node.args[0]),
        Op::Unary(_) => format!("{}_{}", words(&node.op).0, short(printer, node.args[0])),
        _ => words(&node.op).1.to_owned(),
    }
}
