// SPDX-License-Identifier: MIT OR Apache-2.0
//! A graph of nodes in which every expression exists once.

use super::circuit::{Hint, Node, NodeId, Op, Site, Value};
use crate::tables::{Linear, Table};
use std::collections::HashMap;

#[derive(PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    args: Vec<NodeId>,
    width: u32,
    /// A constant with a name is a node of its own: other constants of that value mean something else.
    name: Option<String>,
}

impl Key {
    fn of(Node { op, args, width, name, .. }: &Node) -> Self {
        let name = name.as_ref().filter(|_| matches!(op, Op::Constant(_)));
        Key { op: *op, args: args.clone(), width: *width, name: name.cloned() }
    }
}

/// The nodes made so far, with the tables and maps that they refer to. It adds nodes as they are;
/// [`fold`](super::fold()) adds them in their simplest form.
#[derive(Default)]
pub struct Graph {
    nodes: Vec<Node>,
    tables: Vec<Table>,
    maps: Vec<Linear>,
    /// No node gets a name after it has been read.
    names_known: bool,
    // Looked up only, never iterated: its order is not stable.
    known: HashMap<Key, NodeId>,
}

impl Graph {
    /// A graph of these nodes, which refer to these tables and maps. All have their names, and so has what is added.
    pub fn from_parts(nodes: Vec<Node>, tables: Vec<Table>, maps: Vec<Linear>) -> Self {
        let mut known = HashMap::with_capacity(nodes.len());
        for (i, node) in nodes.iter().enumerate() {
            known.entry(Key::of(node)).or_insert(NodeId(i as u32));
        }
        Graph { nodes, tables, maps, names_known: true, known }
    }

    /// The nodes, operands before their users, and the tables and maps.
    pub fn into_parts(self) -> (Vec<Node>, Vec<Table>, Vec<Linear>) {
        (self.nodes, self.tables, self.maps)
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

    /// The node has or may get a name under which parts of it can be read.
    pub fn is_readable(&self, id: NodeId) -> bool {
        !self.names_known || self.node(id).name.is_some()
    }

    /// A table, by index.
    pub fn table(&self, index: usize) -> &Table {
        &self.tables[index]
    }

    /// A linear map, by index.
    pub fn map(&self, index: usize) -> &Linear {
        &self.maps[index]
    }

    /// The index of a table, which is added if it is new.
    pub fn add_table(&mut self, table: &Table) -> usize {
        index_of(&mut self.tables, table)
    }

    /// The index of a linear map, which is added if it is new.
    pub fn add_map(&mut self, map: &Linear) -> usize {
        index_of(&mut self.maps, map)
    }

    /// A constant.
    pub fn literal(&mut self, value: Value, site: Site) -> NodeId {
        self.push(Op::Constant(value), Vec::new(), value.width(), site)
    }

    /// A constant that the hardware knows by a name.
    pub fn named_literal(&mut self, value: Value, name: &str, site: Site) -> NodeId {
        let name = Some(name.to_owned());
        self.intern(Node { op: Op::Constant(value), args: Vec::new(), width: value.width(), name, hint: None, site })
    }

    /// Adds a node, or finds the equal one.
    pub fn push(&mut self, op: Op, args: Vec<NodeId>, width: u32, site: Site) -> NodeId {
        self.intern(Node { op, args, width, name: None, hint: None, site })
    }

    fn intern(&mut self, node: Node) -> NodeId {
        let next = NodeId(self.nodes.len() as u32);
        let id = *self.known.entry(Key::of(&node)).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    /// Names the node, unless it is named already or is named after what it reads.
    pub fn name(&mut self, id: NodeId, name: impl FnOnce() -> String) {
        let node = &mut self.nodes[id.0 as usize];
        if !node.op.is_source() && node.name.is_none() {
            node.name = Some(name());
        }
    }

    /// Offers the node a hint, which it keeps if it has no better one.
    pub fn offer(&mut self, id: NodeId, hint: Option<Hint>) {
        let node = &mut self.nodes[id.0 as usize];
        node.hint = Hint::better(node.hint.take(), hint);
    }

    /// The node under a name: itself, or an alias of it if it has another name or is a source.
    pub fn alias(&mut self, id: NodeId, name: &str, site: Site) -> NodeId {
        self.name(id, || name.to_owned());
        let node = self.node(id);
        // A node that has become constant is printed as a constant.
        if node.name.as_deref() == Some(name) || self.constant(id).is_some() {
            return id;
        }
        let (args, width, name) = (vec![id], node.width, Some(name.to_owned()));
        let same = |node: &Node| node.op == Op::ZeroExtend && node.args == args && node.name == name;
        let known = self.nodes.iter().position(same);
        if known.is_none() {
            self.nodes.push(Node { op: Op::ZeroExtend, args, width, name, hint: None, site });
        }
        NodeId(known.unwrap_or(self.nodes.len() - 1) as u32)
    }
}

fn index_of<T: Clone + PartialEq>(list: &mut Vec<T>, wanted: &T) -> usize {
    list.iter().position(|one| one == wanted).unwrap_or_else(|| {
        list.push(wanted.clone());
        list.len() - 1
    })
}
