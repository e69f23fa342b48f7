// SPDX-License-Identifier: MIT OR Apache-2.0
//! The simpler form of an expression. Besides constants these are the forms that lint tools object to (`x < 0`, a shift
//! by more than 32 bits of amount) and the detours that bundles make (a slice of a concatenation).

use super::graph::Graph;
use rtl_model::netlist::circuit::{Node, NodeId, Op, Site, Value};
use rtl_model::ops::{Binary, Unary};

/// The result of simplifying an expression.
pub enum Folded {
    /// It is this node.
    To(NodeId),
    /// It is unchanged.
    Keep,
}

use Folded::{Keep, To};

/// Simplifies a node whose operands are in the graph already.
pub fn fold(g: &mut Graph, node: &Node) -> Folded {
    if let Some(value) = evaluate(g, node) {
        return To(g.literal(value, node.site));
    }
    match node.op {
        Op::Unary(op) => unary(g, op, node),
        Op::Binary(op) => binary(g, op, node),
        Op::Select => select(g, node),
        Op::Concat => concat(g, node),
        Op::Slice { low } => slice(g, low, node),
        Op::ZeroExtend | Op::SignExtend if g.node(node.args[0]).width == node.width => To(node.args[0]),
        _ => Keep,
    }
}

/// The value of an operator with constant operands.
fn evaluate(g: &Graph, node: &Node) -> Option<Value> {
    if node.args.is_empty() || node.width > Value::MAX_WIDTH {
        return None;
    }
    let args: Vec<Value> = node.args.iter().map(|&arg| g.constant(arg)).collect::<Option<_>>()?;
    Some(match node.op {
        Op::Unary(op) => Value::unary(op, args[0]),
        Op::Binary(op) => Value::binary(op, args[0], args[1]),
        Op::Select => {
            if args[0].is_zero() {
                args[2]
            } else {
                args[1]
            }
        }
        Op::Concat => args[1..].iter().fold(args[0], |high, &low| high.concat(low)),
        Op::Slice { low } => args[0].slice(low, node.width),
        Op::ZeroExtend => args[0].resize(node.width),
        Op::SignExtend => args[0].sign_extend(node.width),
        _ => return None,
    })
}

fn bit(g: &mut Graph, value: bool, site: Site) -> Folded {
    To(g.literal(Value::from_u64(1, value as u64), site))
}

fn zero(g: &mut Graph, width: u32, site: Site) -> Folded {
    if width > Value::MAX_WIDTH { Keep } else { To(g.literal(Value::zero(width), site)) }
}

fn unary(g: &mut Graph, op: Unary, node: &Node) -> Folded {
    let arg = node.args[0];
    let inner = g.node(arg);
    match op {
        Unary::Not if inner.op == Op::Unary(Unary::Not) && inner.name.is_none() => To(inner.args[0]),
        Unary::Not => Keep,
        Unary::FirstSet if inner.width == 1 => bit(g, false, node.site),
        _ if inner.width == 1 => To(arg),
        _ => Keep,
    }
}

fn binary(g: &mut Graph, op: Binary, node: &Node) -> Folded {
    let (a, b) = (node.args[0], node.args[1]);
    let (left, right) = (g.constant(a), g.constant(b));
    let zeros = |v: Option<Value>| v.is_some_and(|v| v.is_zero());
    let ones = |v: Option<Value>| v.is_some_and(|v| v.not().is_zero());
    let same = a == b;
    let narrow = g.node(a).width == 1;
    match op {
        Binary::Add | Binary::Or | Binary::Xor if zeros(left) => To(b),
        Binary::Add | Binary::Or | Binary::Xor | Binary::Sub if zeros(right) => To(a),
        Binary::And if zeros(left) || ones(right) => To(a),
        Binary::And if zeros(right) || ones(left) => To(b),
        Binary::Or if ones(left) => To(a),
        Binary::Or if ones(right) => To(b),
        Binary::And | Binary::Or if same => To(a),
        Binary::Sub | Binary::Xor if same => zero(g, node.width, node.site),
        Binary::Eq | Binary::Le | Binary::LeSigned if same => bit(g, true, node.site),
        Binary::Ne | Binary::Lt | Binary::LtSigned if same => bit(g, false, node.site),
        Binary::Eq | Binary::Ne if narrow && (left.is_some() || right.is_some()) => {
            let (x, constant) = if left.is_some() { (b, left) } else { (a, right) };
            let keep = zeros(constant) == (op == Binary::Ne);
            To(if keep { x } else { invert(g, x, node.site) })
        }
        Binary::Lt if zeros(right) || ones(left) => bit(g, false, node.site),
        Binary::Le if zeros(left) || ones(right) => bit(g, true, node.site),
        Binary::Shl | Binary::Shr | Binary::ShrSigned | Binary::Mul if zeros(left) => zero(g, node.width, node.site),
        Binary::Mul if zeros(right) => zero(g, node.width, node.site),
        Binary::Add | Binary::Sub if narrow => To(g.make(Op::Binary(Binary::Xor), vec![a, b], 1, node.site)),
        Binary::Xor if narrow && ones(left) => To(invert(g, b, node.site)),
        Binary::Xor if narrow && ones(right) => To(invert(g, a, node.site)),
        Binary::Lt | Binary::LeSigned | Binary::Le | Binary::LtSigned if narrow => order(g, op, a, b, node.site),
        Binary::Shl | Binary::Shr | Binary::ShrSigned => shift(g, op, node, right),
        _ => Keep,
    }
}

fn invert(g: &mut Graph, bit: NodeId, site: Site) -> NodeId {
    g.make(Op::Unary(Unary::Not), vec![bit], 1, site)
}

/// The order of single bits, as logic; in a comparison, tools may report that it is constant.
fn order(g: &mut Graph, op: Binary, a: NodeId, b: NodeId, site: Site) -> Folded {
    // Signed, 1 is -1.
    let (low, high) = if matches!(op, Binary::Lt | Binary::Le) { (a, b) } else { (b, a) };
    let not_low = invert(g, low, site);
    let both = if matches!(op, Binary::Lt | Binary::LtSigned) { Binary::And } else { Binary::Or };
    To(g.make(Op::Binary(both), vec![not_low, high], 1, site))
}

/// Shifts by 0, by the width or more, and by amounts of more bits than tools take.
fn shift(g: &mut Graph, op: Binary, node: &Node, amount: Option<Value>) -> Folded {
    const AMOUNT: u32 = 32;
    let (a, b, width, site) = (node.args[0], node.args[1], node.width, node.site);
    let Some(amount) = amount else {
        let wide = g.node(b).width;
        if wide <= AMOUNT {
            return Keep;
        }
        let low = g.make(Op::Slice { low: 0 }, vec![b], AMOUNT, site);
        let high = g.make(Op::Slice { low: AMOUNT }, vec![b], wide - AMOUNT, site);
        let beyond = g.make(Op::Unary(Unary::ReduceOr), vec![high], 1, site);
        let shifted = g.make(Op::Binary(op), vec![a, low], width, site);
        let Some(out) = shifted_out(g, op, a, width, site) else {
            return Keep;
        };
        return To(g.make(Op::Select, vec![beyond, out, shifted], width, site));
    };
    match amount.amount() {
        0 => To(a),
        by if by >= width => shifted_out(g, op, a, width, site).map_or(Keep, To),
        _ => Keep,
    }
}

fn shifted_out(g: &mut Graph, op: Binary, a: NodeId, width: u32, site: Site) -> Option<NodeId> {
    if op == Binary::ShrSigned {
        let sign = g.make(Op::Slice { low: width - 1 }, vec![a], 1, site);
        return Some(g.make(Op::SignExtend, vec![sign], width, site));
    }
    (width <= Value::MAX_WIDTH).then(|| g.literal(Value::zero(width), site))
}

fn select(g: &mut Graph, node: &Node) -> Folded {
    let (condition, yes, no) = (node.args[0], node.args[1], node.args[2]);
    if let Some(value) = g.constant(condition) {
        return To(if value.is_zero() { no } else { yes });
    }
    if yes == no {
        return To(yes);
    }
    if node.width == 1
        && let (Some(yes), Some(_)) = (g.constant(yes), g.constant(no))
    {
        // The two differ, so the result is the condition or its inverse.
        return To(if yes.is_zero() {
            g.make(Op::Unary(Unary::Not), vec![condition], 1, node.site)
        } else {
            condition
        });
    }
    Keep
}

/// Adjacent constants, and adjacent slices of one signal, are merged.
fn concat(g: &mut Graph, node: &Node) -> Folded {
    let mut parts: Vec<NodeId> = Vec::with_capacity(node.args.len());
    for &arg in &node.args {
        match parts.last().and_then(|&last| join(g, last, arg, node.site)) {
            Some(joined) => {
                parts.pop();
                parts.push(joined);
            }
            None => parts.push(arg),
        }
    }
    match parts[..] {
        [one] => To(one),
        _ if parts.len() < node.args.len() => To(g.make(Op::Concat, parts, node.width, node.site)),
        _ => Keep,
    }
}

fn join(g: &mut Graph, high: NodeId, low: NodeId, site: Site) -> Option<NodeId> {
    let (h, l) = (g.node(high), g.node(low));
    let width = h.width + l.width;
    if h.name.is_some() || l.name.is_some() {
        return None;
    }
    match (h.op, l.op) {
        (Op::Constant(a), Op::Constant(b)) if width <= Value::MAX_WIDTH => Some(g.literal(a.concat(b), site)),
        (Op::Slice { low: from }, Op::Slice { low: to }) if h.args == l.args && from == to + l.width => {
            let base = h.args[0];
            Some(g.make(Op::Slice { low: to }, vec![base], width, site))
        }
        _ => None,
    }
}

fn slice(g: &mut Graph, low: u32, node: &Node) -> Folded {
    let (arg, width, site) = (node.args[0], node.width, node.site);
    let inner = g.node(arg).clone();
    if inner.width == width {
        return To(arg);
    }
    if inner.name.is_some() {
        return Keep;
    }
    match inner.op {
        Op::Slice { low: base } => To(g.make(Op::Slice { low: base + low }, inner.args, width, site)),
        Op::Concat => slice_of_concat(g, &inner, low, width, site),
        Op::ZeroExtend | Op::SignExtend => {
            let from = inner.args[0];
            let kept = g.node(from).width;
            if low + width <= kept {
                return To(g.make(Op::Slice { low }, vec![from], width, site));
            }
            match (inner.op, low < kept) {
                (Op::ZeroExtend, false) => zero(g, width, site),
                (op, true) => {
                    let part = g.make(Op::Slice { low }, vec![from], kept - low, site);
                    To(g.make(op, vec![part], width, site))
                }
                _ => Keep,
            }
        }
        _ => Keep,
    }
}

/// The operands that the slice covers, cut at its ends.
fn slice_of_concat(g: &mut Graph, concat: &Node, low: u32, width: u32, site: Site) -> Folded {
    let mut parts = Vec::new();
    let mut base = concat.width;
    for &arg in &concat.args {
        let part = g.node(arg).width;
        base -= part;
        let (from, to) = (low.max(base), (low + width).min(base + part));
        if from < to {
            parts.push(g.make(Op::Slice { low: from - base }, vec![arg], to - from, site));
        }
    }
    To(g.make(Op::Concat, parts, width, site))
}
