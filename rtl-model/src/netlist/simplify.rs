// SPDX-License-Identifier: MIT OR Apache-2.0
//! The netlist once more, in its simplest form: duplicates that names or their order kept apart are merged, constant
//! conditions resolved, empty branches removed.

use super::branches;
use super::circuit::{Module, Node, NodeId, Op, ReadPort};
use super::fold::fold;
use super::graph::Graph;

/// Replaces a node, given its operands in the graph, by another form of it.
pub type Expand<'a> = &'a dyn Fn(&mut Graph, &Node, &[NodeId]) -> Option<NodeId>;

/// The module in its simplest form, without the nodes for which `expand` has another form. Nodes that have become dead
/// remain.
pub fn simplify(module: &Module, expand: Expand) -> Module {
    let mut graph = Graph::from_parts(Vec::new(), module.tables.clone(), module.maps.clone());
    let mut map: Vec<NodeId> = Vec::with_capacity(module.nodes.len());
    for node in &module.nodes {
        let args: Vec<_> = node.args.iter().map(|arg| map[arg.0 as usize]).collect();
        let id = expand(&mut graph, node, &args).unwrap_or_else(|| match (node.op, &node.name) {
            (Op::Constant(value), Some(name)) => graph.named_literal(value, name, node.site),
            _ => fold(&mut graph, node.op, args, node.width, node.site),
        });
        graph.offer(id, node.hint.clone());
        map.push(match &node.name {
            Some(name) => graph.alias(id, name, node.site),
            None => id,
        });
    }
    let new = |id: NodeId| map[id.0 as usize];
    let body = branches::resolve(&graph, &module.body, &new);
    let (nodes, tables, maps) = graph.into_parts();
    let mut out = Module { nodes, tables, maps, body, ..module.clone() };
    out.rewire(new);
    out
}

impl Module {
    /// Ports and state on other nodes.
    pub(super) fn rewire(&mut self, new: impl Fn(NodeId) -> NodeId) {
        for output in &mut self.outputs {
            output.value = new(output.value);
        }
        for variable in &mut self.variables {
            variable.default = new(variable.default);
        }
        for memory in &mut self.memories {
            memory.write = memory.write.map(&new);
            for port in &mut memory.reads {
                *port = ReadPort { enable: new(port.enable), address: new(port.address) };
            }
        }
        for input in self.instances.iter_mut().flat_map(|instance| &mut instance.inputs) {
            *input = new(*input);
        }
    }
}
