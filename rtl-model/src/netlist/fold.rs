// SPDX-License-Identifier: MIT OR Apache-2.0
//! The simplest form of an expression: constants are computed with the model's own arithmetic, and wiring is resolved.

use super::build::Builder;
use super::circuit::{NodeId, Op, Site, Value};
use super::{Net, circuit::Node};
use crate::ops::{Binary, Unary};

/// The node for `op` on `args`.
pub(super) fn fold(b: &mut Builder, op: Op, args: Vec<NodeId>, width: u32, site: Site) -> Net {
    let constants: Option<Vec<Value>> = args.iter().map(|&a| constant(b, a)).collect();
    if let Some(values) = constants.filter(|v| !v.is_empty()) {
        let value = evaluate(b, op, &values, width);
        return b.constant(value, site);
    }
    match op {
        Op::Unary(op) => unary(b, op, args[0], width, site),
        Op::Binary(op) => binary(b, op, args[0], args[1], width, site),
        Op::Select => select(b, &args, width, site),
        Op::Concat => concat(b, &args, width, site),
        Op::Slice { low } => slice(b, args[0], low, width, site),
        Op::Table(table) => look_up(b, table, args, width, site),
        Op::Lane => lane(b, args, width, site),
        Op::Rotate { unit } => rotate(b, args, unit, width, site),
        Op::ZeroExtend | Op::SignExtend if b.module.node(args[0]).width == width => b.net(args[0]),
        _ => b.push(op, args, width, site),
    }
}

fn constant(b: &Builder, node: NodeId) -> Option<Value> {
    match b.module.node(node).op {
        Op::Constant(value) => Some(value),
        _ => None,
    }
}

fn evaluate(b: &Builder, op: Op, values: &[Value], width: u32) -> Value {
    match op {
        Op::Unary(op) => Value::unary(op, values[0]),
        Op::Binary(op) => Value::binary(op, values[0], values[1]),
        Op::Select if values[0].is_zero() => values[2],
        Op::Select => values[1],
        Op::Concat => values[1..].iter().fold(values[0], |high, low| high.concat(*low)),
        Op::Slice { low } => values[0].slice(low, width),
        Op::ZeroExtend => values[0].resize(width),
        Op::SignExtend => values[0].sign_extend(width),
        Op::Table(table) => Value::from_u64(width, b.module.tables[table].at(values[0].low())),
        Op::Linear(map) => Value::from_u64(width, b.module.maps[map].of(values[0].low()).into()),
        Op::Lane => Value::from_u64(width, values[0].lane(values[1].low(), width)),
        Op::Rotate { unit } => values[0].rotate_right(values[1].low() as u32 * unit),
        Op::Constant(_)
        | Op::Input(_)
        | Op::Register(_)
        | Op::Variable(_)
        | Op::MemoryData(..)
        | Op::InstanceOutput(..) => unreachable!("has no operands"),
    }
}

fn unary(b: &mut Builder, op: Unary, a: NodeId, width: u32, site: Site) -> Net {
    let node = b.module.node(a).clone();
    match (op, &node) {
        (Unary::Not, Node { op: Op::Unary(Unary::Not), args, .. }) => b.net(args[0]),
        (Unary::ReduceAnd | Unary::ReduceOr | Unary::ReduceXor | Unary::CountOnes, _) if node.width == 1 => b.net(a),
        (Unary::FirstSet, _) if node.width == 1 => b.constant(Value::zero(1), site),
        _ => b.push(Op::Unary(op), vec![a], width, site),
    }
}

fn binary(b: &mut Builder, op: Binary, left: NodeId, right: NodeId, width: u32, site: Site) -> Net {
    let operand = b.module.node(left).width;
    let zero = Value::zero(operand);
    let (l, r) = (constant(b, left), constant(b, right));
    if matches!(op, Binary::Shl | Binary::Shr)
        && let Some(by) = r
    {
        return shift(b, op, left, by.amount(), width, site);
    }
    let is = |x: Option<Value>, value: Value| x.is_some_and(|x| x == value);
    match op {
        Binary::And if is(l, zero) || is(r, zero) => b.constant(zero, site),
        Binary::And if is(l, zero.not()) || left == right => b.net(right),
        Binary::And if is(r, zero.not()) => b.net(left),
        Binary::Or if is(l, zero.not()) || is(r, zero.not()) => b.constant(zero.not(), site),
        Binary::Or if is(l, zero) || left == right => b.net(right),
        Binary::Or | Binary::Xor | Binary::Add | Binary::Sub if is(r, zero) => b.net(left),
        Binary::Xor | Binary::Add if is(l, zero) => b.net(right),
        Binary::Eq if operand == 1 && r.is_some() => bit_is(b, left, is(r, zero.not()), site),
        Binary::Ne if operand == 1 && r.is_some() => bit_is(b, left, is(r, zero), site),
        _ => b.push(Op::Binary(op), vec![left, right], width, site),
    }
}

fn bit_is(b: &mut Builder, bit: NodeId, value: bool, site: Site) -> Net {
    if value { b.net(bit) } else { unary(b, Unary::Not, bit, 1, site) }
}

fn shift(b: &mut Builder, op: Binary, a: NodeId, by: u32, width: u32, site: Site) -> Net {
    if by == 0 {
        return b.net(a);
    }
    if by >= width {
        return b.constant(Value::zero(width), site);
    }
    let zeros = b.constant(Value::zero(by), site).node;
    if op == Binary::Shl {
        let kept = slice(b, a, 0, width - by, site).node;
        return concat(b, &[kept, zeros], width, site);
    }
    let kept = slice(b, a, by, width - by, site).node;
    fold(b, Op::ZeroExtend, vec![kept], width, site)
}

fn select(b: &mut Builder, args: &[NodeId], width: u32, site: Site) -> Net {
    let (cond, then, other) = (args[0], args[1], args[2]);
    if let Some(cond) = constant(b, cond) {
        return b.net(if cond.is_zero() { other } else { then });
    }
    if then == other {
        return b.net(then);
    }
    if width == 1 {
        match (constant(b, then), constant(b, other)) {
            (Some(x), Some(_)) => return bit_is(b, cond, !x.is_zero(), site),
            (Some(x), None) if !x.is_zero() => return binary(b, Binary::Or, cond, other, 1, site),
            (None, Some(x)) if x.is_zero() => return binary(b, Binary::And, cond, then, 1, site),
            _ => {}
        }
    }
    let inverted = match b.module.node(cond) {
        Node { op: Op::Unary(Unary::Not), args, .. } => Some(args[0]),
        _ => None,
    };
    match inverted {
        Some(cond) => b.push(Op::Select, vec![cond, other, then], width, site),
        None => b.push(Op::Select, vec![cond, then, other], width, site),
    }
}

/// A table whose values are all the same is a constant.
fn look_up(b: &mut Builder, table: usize, args: Vec<NodeId>, width: u32, site: Site) -> Net {
    let values = b.module.tables[table].values();
    let first = values[0];
    match values.iter().all(|&value| value == first) {
        true => b.constant(Value::from_u64(width, first), site),
        false => b.push(Op::Table(table), args, width, site),
    }
}

fn lane(b: &mut Builder, args: Vec<NodeId>, width: u32, site: Site) -> Net {
    let lanes = b.module.node(args[0]).width / width;
    match constant(b, args[1]).map(|index| index.low()) {
        Some(index) if index < lanes.into() => slice(b, args[0], index as u32 * width, width, site),
        Some(_) => b.constant(Value::zero(width), site),
        None => b.push(Op::Lane, args, width, site),
    }
}

fn rotate(b: &mut Builder, args: Vec<NodeId>, unit: u32, width: u32, site: Site) -> Net {
    let Some(by) = constant(b, args[1]).map(|by| by.low() as u32 * unit) else {
        return b.push(Op::Rotate { unit }, args, width, site);
    };
    if by == 0 {
        return b.net(args[0]);
    }
    let high = slice(b, args[0], 0, by, site).node;
    let low = slice(b, args[0], by, width - by, site).node;
    concat(b, &[high, low], width, site)
}

fn concat(b: &mut Builder, args: &[NodeId], width: u32, site: Site) -> Net {
    let mut flat: Vec<NodeId> = Vec::new();
    for &arg in args {
        match b.module.node(arg) {
            Node { op: Op::Concat, args, name: None, .. } => flat.extend(args.iter().copied()),
            _ => flat.push(arg),
        }
    }
    let mut parts: Vec<NodeId> = Vec::new();
    for part in flat {
        let Some(&last) = parts.last() else {
            parts.push(part);
            continue;
        };
        match joined(b, last, part, site) {
            Some(both) => *parts.last_mut().expect("not empty") = both,
            None => parts.push(part),
        }
    }
    match parts[..] {
        [one] => b.net(one),
        _ => b.push(Op::Concat, parts, width, site),
    }
}

/// Two neighbours of a concatenation as one node: constants, and slices that touch.
fn joined(b: &mut Builder, high: NodeId, low: NodeId, site: Site) -> Option<NodeId> {
    if let (Some(h), Some(l)) = (constant(b, high), constant(b, low)) {
        return Some(b.constant(h.concat(l), site).node);
    }
    let (h, l) = (b.module.node(high).clone(), b.module.node(low).clone());
    let (Op::Slice { low: top }, Op::Slice { low: bottom }) = (h.op, l.op) else { return None };
    let touch = h.args[0] == l.args[0] && bottom + l.width == top && h.name.is_none() && l.name.is_none();
    touch.then(|| slice(b, h.args[0], bottom, h.width + l.width, site).node)
}

fn slice(b: &mut Builder, a: NodeId, low: u32, width: u32, site: Site) -> Net {
    let node = b.module.node(a).clone();
    if low == 0 && width == node.width {
        return b.net(a);
    }
    if let Op::Constant(value) = node.op {
        return b.constant(value.slice(low, width), site);
    }
    match node.op {
        Op::Slice { low: below } => slice(b, node.args[0], below + low, width, site),
        Op::ZeroExtend | Op::SignExtend if low + width <= b.module.node(node.args[0]).width => {
            slice(b, node.args[0], low, width, site)
        }
        Op::ZeroExtend if low >= b.module.node(node.args[0]).width => b.constant(Value::zero(width), site),
        Op::Concat => {
            let mut below = 0;
            for &part in node.args.iter().rev() {
                let size = b.module.node(part).width;
                if low >= below && low + width <= below + size {
                    return slice(b, part, low - below, width, site);
                }
                below += size;
            }
            b.push(Op::Slice { low }, vec![a], width, site)
        }
        _ => b.push(Op::Slice { low }, vec![a], width, site),
    }
}
