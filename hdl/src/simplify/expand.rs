// SPDX-License-Identifier: MIT OR Apache-2.0
//! Other forms of what hardware tools do not take, or do not take well.
//!
//! Selections of a lane and rotations become trees of multiplexers instead of shifts: synthesis may share a shifter
//! between two uses of one signal by selecting the amounts first, which puts both selections in series.

use rtl_model::netlist::circuit::{Hint, Node, NodeId, Op, Origin, Site, Value};
use rtl_model::netlist::{Graph, fold};
use rtl_model::ops::{Binary, Unary};

/// Bits of a shift amount that all tools take.
const AMOUNT: u32 = 32;

/// The other form of a node with these operands, if it needs one.
pub fn expand(graph: &mut Graph, node: &Node, args: &[NodeId]) -> Option<NodeId> {
    match (node.op, args) {
        (Op::Rotate { unit }, &[a, by]) => Some(rotate(graph, node, a, by, unit)),
        (Op::Lane, &[a, index]) => Some(lane(graph, node, a, index)),
        (Op::Binary(op @ (Binary::Shl | Binary::Shr | Binary::ShrSigned)), &[a, by]) => shift(graph, op, node, a, by),
        (Op::Binary(op @ (Binary::Lt | Binary::Le | Binary::LtSigned | Binary::LeSigned)), &[a, b]) => {
            order(graph, op, a, b, node.site)
        }
        _ => None,
    }
}

/// A level of the tree is named after the whole, which keeps its own name.
fn level(graph: &mut Graph, id: NodeId, node: &Node, level: u32) -> NodeId {
    let called = node.name.as_ref().or(node.hint.as_ref().map(|hint| &hint.name));
    let (origin, depth) = node.hint.as_ref().map_or((Origin::Given, 0), |hint| (hint.origin, hint.depth));
    let hint = called.map(|name| Hint { name: format!("{name}_{level}"), origin, depth: depth + 1 });
    graph.offer(id, hint);
    id
}

/// One level for each bit of the amount.
fn rotate(graph: &mut Graph, node: &Node, a: NodeId, by: NodeId, unit: u32) -> NodeId {
    let (width, site) = (node.width, node.site);
    (0..graph.node(by).width).fold(a, |a, i| {
        let low = unit << i;
        let high = fold(graph, Op::Slice { low: 0 }, vec![a], low, site);
        let rest = fold(graph, Op::Slice { low }, vec![a], width - low, site);
        let turned = fold(graph, Op::Concat, vec![high, rest], width, site);
        let bit = fold(graph, Op::Slice { low: i }, vec![by], 1, site);
        let turned = fold(graph, Op::Select, vec![bit, turned, a], width, site);
        level(graph, turned, node, i)
    })
}

/// One level for each bit of the index.
fn lane(graph: &mut Graph, node: &Node, a: NodeId, index: NodeId) -> NodeId {
    let (width, site) = (node.width, node.site);
    let count = graph.node(a).width / width;
    let mut lanes: Vec<_> =
        (0..count).map(|i| fold(graph, Op::Slice { low: i * width }, vec![a], width, site)).collect();
    for i in 0..graph.node(index).width {
        let bit = fold(graph, Op::Slice { low: i }, vec![index], 1, site);
        let mut choose = |pair: &[NodeId]| {
            let other = pair.get(1).copied();
            let other = other.unwrap_or_else(|| graph.literal(Value::zero(width), site));
            let chosen = fold(graph, Op::Select, vec![bit, other, pair[0]], width, site);
            level(graph, chosen, node, i)
        };
        lanes = lanes.chunks(2).map(&mut choose).collect();
    }
    lanes[0]
}

/// A shift by a variable amount of more bits than tools take.
fn shift(graph: &mut Graph, op: Binary, node: &Node, a: NodeId, by: NodeId) -> Option<NodeId> {
    let (wide, width, site) = (graph.node(by).width, node.width, node.site);
    if wide <= AMOUNT || graph.constant(by).is_some() {
        return None;
    }
    let low = fold(graph, Op::Slice { low: 0 }, vec![by], AMOUNT, site);
    let high = fold(graph, Op::Slice { low: AMOUNT }, vec![by], wide - AMOUNT, site);
    let beyond = fold(graph, Op::Unary(Unary::ReduceOr), vec![high], 1, site);
    let shifted = fold(graph, Op::Binary(op), vec![a, low], width, site);
    let all = graph.literal(Value::from_u64(AMOUNT, u64::MAX), site);
    let out = fold(graph, Op::Binary(op), vec![a, all], width, site);
    Some(fold(graph, Op::Select, vec![beyond, out, shifted], width, site))
}

/// The order of single bits, as logic; in a comparison, tools may report that it is constant.
fn order(graph: &mut Graph, op: Binary, a: NodeId, b: NodeId, site: Site) -> Option<NodeId> {
    if graph.node(a).width > 1 || a == b {
        return None;
    }
    // Signed, 1 is -1.
    let (low, high) = if matches!(op, Binary::Lt | Binary::Le) { (a, b) } else { (b, a) };
    let not_low = fold(graph, Op::Unary(Unary::Not), vec![low], 1, site);
    let both = if matches!(op, Binary::Lt | Binary::LtSigned) { Binary::And } else { Binary::Or };
    Some(fold(graph, Op::Binary(both), vec![not_low, high], 1, site))
}
