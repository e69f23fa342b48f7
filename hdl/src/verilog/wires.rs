// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selects the expressions that get a wire of their own, and names them.
//!
//! An expression gets a wire if it has a name in Rust, is used more than once, is sliced, or would make a line too
//! long. The rest is printed where it is used.

use super::expression::Printer;
use super::memory_ports;
use super::placement::Placement;
use super::users::Users;
use super::wrap::reading_length;
use rtl_model::netlist::circuit::{NodeId, Op, Origin};
use rtl_model::ops::{Binary, Unary};

/// An expression that reads longer than this gives its longest operand a wire.
const LONG: usize = 88;
/// A part of a concatenation that is longer gets a wire.
const PART: usize = 60;
/// A text shorter than this is never worth a wire because of its length.
const SHORT: usize = 20;
/// Nested operators in one expression.
const DEPTH: u32 = 4;

/// Selects the wires; returns their nodes, operands before users, and the sections of all nets.
pub fn choose(printer: &mut Printer) -> (Vec<NodeId>, Placement) {
    let users = Users::of(printer);
    let uses = &users.counts;
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
        match (&node.name, ports[i].take()) {
            (Some(_), Some(port)) if uses[i] > 0 => printer.nets.wires[i] = Some((port, Origin::Given)),
            (Some(name), None) if uses[i] > 0 => {
                if let Op::Constant(value) = node.op
                    && let Some(state) = printer.nets.state(name, value)
                {
                    printer.nets.wires[i] = Some((state.name.clone(), Origin::Given));
                    continue;
                }
                let section = users.section(printer, NodeId(i as u32));
                printer.nets.give(NodeId(i as u32), section, name, Origin::Given)
            }
            _ => {}
        }
    }
    memory_ports::name(printer);
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
        if node.op.is_source() {
            continue;
        }
        shorten(printer, &users, id, &mut depth);
        let repeated = uses[i] > 1 && !is_cheap(printer, id);
        if printer.nets.wires[i].is_none() && (forced[i] || repeated) {
            own(printer, &users, id);
        }
        if printer.nets.wires[i].is_some() {
            depth[i] = 0;
        }
    }
    let wires = &printer.nets.wires;
    let chosen = (0..uses.len()).filter(|&i| wires[i].is_some()).map(|i| NodeId(i as u32)).collect();
    (chosen, users.place)
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
fn shorten(printer: &mut Printer, users: &Users, id: NodeId, depth: &mut [u32]) {
    loop {
        let node = printer.simple.module.node(id);
        let inline: Vec<NodeId> = node
            .args
            .iter()
            .copied()
            .filter(|&arg| {
                let source = printer.simple.module.node(arg).op.is_source();
                !source && printer.nets.wires[arg.0 as usize].is_none() && !is_cheap(printer, arg)
            })
            .collect();
        let deepest = inline.iter().map(|arg| depth[arg.0 as usize]).max().unwrap_or(0);
        // A concatenation has one part per line.
        let wide = match node.op {
            Op::Concat => inline.iter().any(|&arg| reading_length(&printer.text(arg)) > PART),
            _ => reading_length(&printer.driver(id)) > LONG,
        };
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
        own(printer, users, arg);
        depth[arg.0 as usize] = 0;
    }
}

/// Gives a node a wire, named as the Rust source suggests, or after its user.
fn own(printer: &mut Printer, users: &Users, id: NodeId) {
    let (name, origin) = users.name(printer, id);
    printer.nets.give(id, users.section(printer, id), &name, origin);
}
