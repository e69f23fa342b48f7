// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selections of a lane and rotations as trees of multiplexers instead of shifts: synthesis may share a shifter between
//! two uses of one signal by selecting the amounts first, which puts both selections in series.

use super::graph::Graph;
use rtl_model::netlist::circuit::{Hint, Node, NodeId, Op, Origin, Value};

/// The node of a lane or a rotation with these operands.
pub fn expand(graph: &mut Graph, node: &Node, args: Vec<NodeId>) -> NodeId {
    let id = match node.op {
        Op::Rotate { unit } => rotate(graph, node, args[0], args[1], unit),
        _ => lane(graph, node, args[0], args[1]),
    };
    graph.call(id, node.name.as_deref(), node.hint.clone(), node.site)
}

/// A level of the tree is named after the whole, which keeps its own name.
fn level(graph: &mut Graph, id: NodeId, node: &Node, level: u32) -> NodeId {
    let called = node.name.as_ref().or(node.hint.as_ref().map(|hint| &hint.name));
    let (origin, depth) = node.hint.as_ref().map_or((Origin::Given, 0), |hint| (hint.origin, hint.depth));
    let hint = called.map(|name| Hint { name: format!("{name}_{level}"), origin, depth: depth + 1 });
    graph.call(id, None, hint, node.site)
}

/// One level for each bit of the amount.
fn rotate(graph: &mut Graph, node: &Node, a: NodeId, by: NodeId, unit: u32) -> NodeId {
    let (width, site) = (node.width, node.site);
    (0..graph.node(by).width).fold(a, |a, i| {
        let low = unit << i;
        let high = graph.make(Op::Slice { low: 0 }, vec![a], low, site);
        let rest = graph.make(Op::Slice { low }, vec![a], width - low, site);
        let turned = graph.make(Op::Concat, vec![high, rest], width, site);
        let bit = graph.make(Op::Slice { low: i }, vec![by], 1, site);
        let turned = graph.make(Op::Select, vec![bit, turned, a], width, site);
        level(graph, turned, node, i)
    })
}

/// One level for each bit of the index.
fn lane(graph: &mut Graph, node: &Node, a: NodeId, index: NodeId) -> NodeId {
    let (width, site) = (node.width, node.site);
    let slice = |graph: &mut Graph, low: u32| graph.make(Op::Slice { low }, vec![a], width, site);
    let count = graph.node(a).width / width;
    let mut lanes: Vec<_> = (0..count).map(|i| slice(graph, i * width)).collect();
    for i in 0..graph.node(index).width {
        let bit = graph.make(Op::Slice { low: i }, vec![index], 1, site);
        let mut choose = |pair: &[NodeId]| {
            let other = pair.get(1).copied();
            let other = other.unwrap_or_else(|| graph.literal(Value::zero(width), site));
            let chosen = graph.make(Op::Select, vec![bit, other, pair[0]], width, site);
            level(graph, chosen, node, i)
        };
        lanes = lanes.chunks(2).map(&mut choose).collect();
    }
    lanes[0]
}
