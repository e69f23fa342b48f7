// SPDX-License-Identifier: MIT OR Apache-2.0
//! Choices of a lane and rotations as trees of multiplexers, and not as shifts: synthesis may share a shifter between two uses
//! of one signal by choosing the amounts first, which puts both choices in a row.

use super::graph::Graph;
use rtl_model::netlist::circuit::{Node, NodeId, Op, Value};

/// The node of a lane or a rotation with these operands.
pub fn expand(graph: &mut Graph, node: &Node, args: Vec<NodeId>) -> NodeId {
    let id = match node.op {
        Op::Rotate { unit } => rotate(graph, node, args[0], args[1], unit),
        _ => lane(graph, node, args[0], args[1]),
    };
    match &node.name {
        Some(name) => graph.named(id, name, node.site),
        None => id,
    }
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
        graph.make(Op::Select, vec![bit, turned, a], width, site)
    })
}

/// One level for each bit of the index.
fn lane(graph: &mut Graph, node: &Node, a: NodeId, index: NodeId) -> NodeId {
    let (width, site) = (node.width, node.site);
    let slice = |graph: &mut Graph, low: u32| graph.make(Op::Slice { low }, vec![a], width, site);
    let count = graph.node(a).width / width;
    let mut lanes: Vec<_> = (0..count).map(|i| slice(graph, i * width)).collect();
    for bit in 0..graph.node(index).width {
        let bit = graph.make(Op::Slice { low: bit }, vec![index], 1, site);
        let mut choose = |pair: &[NodeId]| {
            let other = pair.get(1).copied();
            let other = other.unwrap_or_else(|| graph.literal(Value::zero(width), site));
            graph.make(Op::Select, vec![bit, other, pair[0]], width, site)
        };
        lanes = lanes.chunks(2).map(&mut choose).collect();
    }
    lanes[0]
}
