// SPDX-License-Identifier: MIT OR Apache-2.0
//! The simplest form of an expression: constants are computed with the model's own arithmetic, and wiring is resolved.

#[cfg(test)]
mod tests;

use super::circuit::{Node, NodeId, Op, Site, Value};
use super::graph::Graph;
use crate::ops::{Binary, Unary};

/// The node for `op` on `args`, in its simplest form.
pub fn fold(g: &mut Graph, op: Op, args: Vec<NodeId>, width: u32, site: Site) -> NodeId {
    if let Some(value) = evaluate(g, op, &args, width) {
        return g.literal(value, site);
    }
    match op {
        Op::Unary(op) => unary(g, op, args[0], width, site),
        Op::Binary(op) => binary(g, op, args[0], args[1], width, site),
        Op::Select => select(g, args[0], args[1], args[2], width, site),
        Op::Concat => concat(g, &args, width, site),
        Op::Slice { low } => slice(g, args[0], low, width, site),
        Op::Table(table) => look_up(g, table, args, width, site),
        Op::Lane => lane(g, args, width, site),
        Op::Rotate { unit } => rotate(g, args, unit, width, site),
        Op::ZeroExtend | Op::SignExtend if g.node(args[0]).width == width => args[0],
        _ => g.push(op, args, width, site),
    }
}

/// The value of an operator with constant operands.
fn evaluate(g: &Graph, op: Op, args: &[NodeId], width: u32) -> Option<Value> {
    // Rows of memories may be wider than a value.
    if args.is_empty() || width > Value::MAX_WIDTH {
        return None;
    }
    let values: Vec<Value> = args.iter().map(|&arg| g.constant(arg)).collect::<Option<_>>()?;
    Some(match op {
        Op::Unary(op) => Value::unary(op, values[0]),
        Op::Binary(op) => Value::binary(op, values[0], values[1]),
        Op::Select if values[0].is_zero() => values[2],
        Op::Select => values[1],
        Op::Concat => values[1..].iter().fold(values[0], |high, low| high.concat(*low)),
        Op::Slice { low } => values[0].slice(low, width),
        Op::ZeroExtend => values[0].resize(width),
        Op::SignExtend => values[0].sign_extend(width),
        Op::Table(table) => Value::from_u64(width, g.table(table).at(values[0].low())),
        Op::Linear(map) => Value::from_u64(width, g.map(map).of(values[0].low()).into()),
        Op::Lane => Value::from_u64(width, values[0].lane(values[1].low(), width)),
        Op::Rotate { unit } => values[0].rotate_right(values[1].low() as u32 * unit),
        Op::Constant(_)
        | Op::Input(_)
        | Op::Register(_)
        | Op::Variable(_)
        | Op::MemoryData(..)
        | Op::InstanceOutput(..) => unreachable!("has no operands"),
    })
}

fn zero(g: &mut Graph, width: u32, site: Site) -> NodeId {
    g.literal(Value::zero(width), site)
}

fn bit(g: &mut Graph, value: bool, site: Site) -> NodeId {
    g.literal(Value::from_u64(1, value.into()), site)
}

/// The bit if `value` is true, else its complement.
fn bit_is(g: &mut Graph, bit: NodeId, value: bool, site: Site) -> NodeId {
    if value { bit } else { unary(g, Unary::Not, bit, 1, site) }
}

fn unary(g: &mut Graph, op: Unary, a: NodeId, width: u32, site: Site) -> NodeId {
    let node = g.node(a);
    match op {
        Unary::Not if node.op == Op::Unary(Unary::Not) => node.args[0],
        Unary::ReduceAnd | Unary::ReduceOr | Unary::ReduceXor | Unary::CountOnes if node.width == 1 => a,
        Unary::FirstSet if node.width == 1 => zero(g, 1, site),
        _ => g.push(Op::Unary(op), vec![a], width, site),
    }
}

fn binary(g: &mut Graph, op: Binary, left: NodeId, right: NodeId, width: u32, site: Site) -> NodeId {
    let (l, r) = (g.constant(left), g.constant(right));
    let zeros = |x: Option<Value>| x.is_some_and(|x| x.is_zero());
    let ones = |x: Option<Value>| x.is_some_and(|x| x.not().is_zero());
    let (same, narrow) = (left == right, g.node(left).width == 1);
    match op {
        Binary::Shl | Binary::Shr | Binary::ShrSigned | Binary::Mul if zeros(l) => zero(g, width, site),
        Binary::Mul if zeros(r) => zero(g, width, site),
        Binary::Shl | Binary::Shr | Binary::ShrSigned => match r {
            Some(by) => shift(g, op, left, by.amount(), width, site),
            None => g.push(Op::Binary(op), vec![left, right], width, site),
        },
        Binary::And if zeros(l) || zeros(r) => zero(g, width, site),
        Binary::And if ones(l) || same => right,
        Binary::And if ones(r) => left,
        Binary::Or if ones(l) || ones(r) => g.literal(Value::zero(width).not(), site),
        Binary::Or if zeros(l) || same => right,
        Binary::Or | Binary::Xor | Binary::Add | Binary::Sub if zeros(r) => left,
        Binary::Xor | Binary::Add if zeros(l) => right,
        Binary::Sub | Binary::Xor if same => zero(g, width, site),
        Binary::Eq | Binary::Le | Binary::LeSigned if same => bit(g, true, site),
        Binary::Ne | Binary::Lt | Binary::LtSigned if same => bit(g, false, site),
        Binary::Eq if narrow && r.is_some() => bit_is(g, left, ones(r), site),
        Binary::Eq if narrow && l.is_some() => bit_is(g, right, ones(l), site),
        Binary::Ne | Binary::Xor if narrow && r.is_some() => bit_is(g, left, zeros(r), site),
        Binary::Ne | Binary::Xor if narrow && l.is_some() => bit_is(g, right, zeros(l), site),
        Binary::Lt if zeros(r) || ones(l) => bit(g, false, site),
        Binary::Le if zeros(l) || ones(r) => bit(g, true, site),
        Binary::Add | Binary::Sub if narrow => binary(g, Binary::Xor, left, right, width, site),
        _ => g.push(Op::Binary(op), vec![left, right], width, site),
    }
}

/// A shift by a constant is wiring.
fn shift(g: &mut Graph, op: Binary, a: NodeId, by: u32, width: u32, site: Site) -> NodeId {
    if by == 0 {
        return a;
    }
    if op == Binary::ShrSigned {
        let from = by.min(width - 1);
        let kept = slice(g, a, from, width - from, site);
        return fold(g, Op::SignExtend, vec![kept], width, site);
    }
    if by >= width {
        return zero(g, width, site);
    }
    if op == Binary::Shl {
        let zeros = zero(g, by, site);
        let kept = slice(g, a, 0, width - by, site);
        return concat(g, &[kept, zeros], width, site);
    }
    let kept = slice(g, a, by, width - by, site);
    fold(g, Op::ZeroExtend, vec![kept], width, site)
}

fn select(g: &mut Graph, cond: NodeId, then: NodeId, other: NodeId, width: u32, site: Site) -> NodeId {
    if let Some(cond) = g.constant(cond) {
        return if cond.is_zero() { other } else { then };
    }
    if then == other {
        return then;
    }
    if width == 1 {
        match (g.constant(then), g.constant(other)) {
            // The two differ.
            (Some(x), Some(_)) => return bit_is(g, cond, !x.is_zero(), site),
            (Some(x), None) if !x.is_zero() => return binary(g, Binary::Or, cond, other, 1, site),
            (None, Some(x)) if x.is_zero() => return binary(g, Binary::And, cond, then, 1, site),
            _ => {}
        }
    }
    match g.node(cond) {
        Node { op: Op::Unary(Unary::Not), args, .. } => {
            let args = vec![args[0], other, then];
            g.push(Op::Select, args, width, site)
        }
        _ => g.push(Op::Select, vec![cond, then, other], width, site),
    }
}

/// A table whose values are all the same is a constant.
fn look_up(g: &mut Graph, table: usize, args: Vec<NodeId>, width: u32, site: Site) -> NodeId {
    let values = g.table(table).values();
    let first = values[0];
    match values.iter().all(|&value| value == first) {
        true => g.literal(Value::from_u64(width, first), site),
        false => g.push(Op::Table(table), args, width, site),
    }
}

fn lane(g: &mut Graph, args: Vec<NodeId>, width: u32, site: Site) -> NodeId {
    let lanes = g.node(args[0]).width / width;
    match g.constant(args[1]).map(|index| index.low()) {
        Some(index) if index < lanes.into() => slice(g, args[0], index as u32 * width, width, site),
        Some(_) => zero(g, width, site),
        None => g.push(Op::Lane, args, width, site),
    }
}

fn rotate(g: &mut Graph, args: Vec<NodeId>, unit: u32, width: u32, site: Site) -> NodeId {
    let Some(by) = g.constant(args[1]).map(|by| by.low() as u32 * unit) else {
        return g.push(Op::Rotate { unit }, args, width, site);
    };
    if by == 0 {
        return args[0];
    }
    let high = slice(g, args[0], 0, by, site);
    let low = slice(g, args[0], by, width - by, site);
    concat(g, &[high, low], width, site)
}

/// Neighbours that belong together are joined.
fn concat(g: &mut Graph, args: &[NodeId], width: u32, site: Site) -> NodeId {
    let mut parts: Vec<NodeId> = Vec::new();
    for &arg in args {
        match parts.last().and_then(|&last| joined(g, last, arg, site)) {
            Some(both) => *parts.last_mut().expect("not empty") = both,
            None => parts.push(arg),
        }
    }
    match parts[..] {
        [one] => one,
        _ => g.push(Op::Concat, parts, width, site),
    }
}

/// Two neighbours of a concatenation as one node: constants, and slices that touch.
fn joined(g: &mut Graph, high: NodeId, low: NodeId, site: Site) -> Option<NodeId> {
    let (h, l) = (g.node(high), g.node(low));
    let width = h.width + l.width;
    match (h.op, l.op) {
        (Op::Constant(h), Op::Constant(l)) if width <= Value::MAX_WIDTH => Some(g.literal(h.concat(l), site)),
        (Op::Slice { low: top }, Op::Slice { low: bottom }) => {
            let touch = h.args == l.args && bottom + l.width == top && h.name.is_none() && l.name.is_none();
            let from = h.args[0];
            touch.then(|| slice(g, from, bottom, width, site))
        }
        _ => None,
    }
}

fn slice(g: &mut Graph, a: NodeId, low: u32, width: u32, site: Site) -> NodeId {
    let node = g.node(a).clone();
    if low == 0 && width == node.width {
        return a;
    }
    match node.op {
        Op::Constant(value) => g.literal(value.slice(low, width), site),
        Op::Slice { low: below } => slice(g, node.args[0], below + low, width, site),
        Op::Concat => slice_of_concat(g, a, &node, low, width, site),
        Op::ZeroExtend | Op::SignExtend => slice_of_extension(g, a, &node, low, width, site),
        _ => g.push(Op::Slice { low }, vec![a], width, site),
    }
}

/// A slice that lies in one operand is one of that. A longer one consists of the operands that it covers, cut at its
/// ends, unless the concatenation has or may get a name under which it can be read.
fn slice_of_concat(g: &mut Graph, a: NodeId, node: &Node, low: u32, width: u32, site: Site) -> NodeId {
    let mut covered = Vec::new();
    let mut base = node.width;
    for &arg in &node.args {
        let part = g.node(arg).width;
        base -= part;
        let (from, to) = (low.max(base), (low + width).min(base + part));
        if from < to {
            covered.push((arg, from - base, to - from));
        }
    }
    match covered[..] {
        [(arg, low, width)] => slice(g, arg, low, width, site),
        _ if g.is_readable(a) => g.push(Op::Slice { low }, vec![a], width, site),
        _ => {
            let parts: Vec<_> = covered.into_iter().map(|(arg, low, width)| slice(g, arg, low, width, site)).collect();
            concat(g, &parts, width, site)
        }
    }
}

/// A slice below the extension is one of the operand, one above it a constant. One across both is an extension itself,
/// unless there is or may be a name under which it can be read.
fn slice_of_extension(g: &mut Graph, a: NodeId, node: &Node, low: u32, width: u32, site: Site) -> NodeId {
    let from = node.args[0];
    let kept = g.node(from).width;
    if low + width <= kept {
        return slice(g, from, low, width, site);
    }
    match node.op {
        Op::ZeroExtend if low >= kept => zero(g, width, site),
        op if low < kept && !g.is_readable(a) => {
            let part = slice(g, from, low, kept - low, site);
            fold(g, op, vec![part], width, site)
        }
        _ => g.push(Op::Slice { low }, vec![a], width, site),
    }
}
