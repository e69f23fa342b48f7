// SPDX-License-Identifier: MIT OR Apache-2.0
//! A graph of nodes in which every expression exists once.

use super::fold::{self, Folded};
use rtl_model::netlist::circuit::{Hint, Node, NodeId, Op, Site, Value};
use std::collections::HashMap;

#[derive(PartialEq, Eq, Hash)]
struct Key {
    kind: (u32, u64, u64),
    value: Option<(Value, Option<String>)>,
    args: Vec<NodeId>,
    width: u32,
}

fn key(op: &Op, args: &[NodeId], width: u32, name: Option<&str>) -> Key {
    let kind = match *op {
        Op::Constant(_) => (0, 0, 0),
        Op::Input(i) => (1, i as u64, 0),
        Op::Register(i) => (2, i as u64, 0),
        Op::Variable(i) => (3, i as u64, 0),
        Op::MemoryData(i, port) => (4, i as u64, port as u64),
        Op::InstanceOutput(i, port) => (5, i as u64, port as u64),
        Op::Unary(op) => (6, op as u64, 0),
        Op::Binary(op) => (7, op as u64, 0),
        Op::Select => (8, 0, 0),
        Op::Concat => (9, 0, 0),
        Op::Slice { low } => (10, low as u64, 0),
        Op::ZeroExtend => (11, 0, 0),
        Op::SignExtend => (12, 0, 0),
        Op::Table(i) => (13, i as u64, 0),
        Op::Linear(i) => (14, i as u64, 0),
        Op::Lane => (15, 0, 0),
        Op::Rotate { unit } => (16, unit.into(), 0),
    };
    // A constant with a name is a node of its own: other constants of that value mean something else.
    let value = match *op {
        Op::Constant(value) => Some((value, name.map(str::to_owned))),
        _ => None,
    };
    Key { kind, value, args: args.to_vec(), width }
}

/// The nodes made so far.
#[derive(Default)]
pub struct Graph {
    nodes: Vec<Node>,
    // Looked up only, never iterated: its order is not stable.
    known: HashMap<Key, NodeId>,
}

impl Graph {
    /// The nodes, operands before their users.
    pub fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    /// The node behind an id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The value of a constant node.
    pub fn constant(&self, id: NodeId) -> Option<Value> {
        match self.node(id).op {
            Op::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// A constant.
    pub fn literal(&mut self, value: Value, site: Site) -> NodeId {
        self.make(Op::Constant(value), Vec::new(), value.width(), site)
    }

    /// A node without a name.
    pub fn make(&mut self, op: Op, args: Vec<NodeId>, width: u32, site: Site) -> NodeId {
        self.add(Node { op, args, width, name: None, hint: None, site })
    }

    /// The node for an expression: an existing one if it computes the same.
    pub fn add(&mut self, node: Node) -> NodeId {
        let Node { name, hint, site, .. } = node.clone();
        let id = match fold::fold(self, &node) {
            Folded::To(id) => id,
            Folded::Keep => self.intern(node),
        };
        self.call(id, name.as_deref(), hint, site)
    }

    /// The node with a name, and with the better of its hint and this one.
    pub fn call(&mut self, id: NodeId, name: Option<&str>, hint: Option<Hint>, site: Site) -> NodeId {
        let node = &mut self.nodes[id.0 as usize];
        node.hint = Hint::better(node.hint.take(), hint);
        name.map_or(id, |name| self.named(id, name, site))
    }

    fn intern(&mut self, node: Node) -> NodeId {
        let key = key(&node.op, &node.args, node.width, node.name.as_deref());
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        let constant = matches!(node.op, Op::Constant(_));
        self.nodes.push(Node { name: node.name.filter(|_| constant), hint: None, ..node });
        self.known.insert(key, id);
        id
    }

    /// Gives the name to the node, or to an alias of it if it has another name or is a source.
    fn named(&mut self, id: NodeId, name: &str, site: Site) -> NodeId {
        let node = self.node(id);
        let source = matches!(
            node.op,
            Op::Constant(_)
                | Op::Input(_)
                | Op::Register(_)
                | Op::Variable(_)
                | Op::MemoryData(..)
                | Op::InstanceOutput(..)
        );
        match &node.name {
            Some(old) if old == name => return id,
            None if !source => {
                self.nodes[id.0 as usize].name = Some(name.to_owned());
                return id;
            }
            // A node that has become constant is printed as a constant.
            _ if self.constant(id).is_some() => return id,
            _ => {}
        }
        let width = node.width;
        let alias = Node { op: Op::ZeroExtend, args: vec![id], width, name: Some(name.to_owned()), hint: None, site };
        let existing =
            self.nodes.iter().position(|n| n.op == Op::ZeroExtend && n.args == alias.args && n.name == alias.name);
        let next = NodeId(existing.unwrap_or(self.nodes.len()) as u32);
        if existing.is_none() {
            self.nodes.push(alias);
        }
        next
    }
}
