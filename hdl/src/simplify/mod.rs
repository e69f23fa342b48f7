// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the elaborated netlist to the netlist worth printing: duplicates are merged, constants folded, constant
//! conditions resolved, dead nets and empty branches removed. The result is a [`Module`] again.

mod body;
mod expand;
mod fold;
mod graph;
mod live;
mod sections;

pub use live::Live;
pub use sections::Section;

use graph::Graph;
use rtl_model::netlist::circuit::{Module, Node, NodeId, Op, Statement, Target};

/// A module ready for printing.
pub struct Simple {
    /// Its nodes, ports and state. The body is in the fields below.
    pub module: Module,
    /// Its parts that are printed.
    pub live: Live,
    /// Its sections, each with registers and the statements that assign them.
    pub sections: Vec<Section>,
    /// Per variable, the statements that assign it.
    pub variables: Vec<Vec<Statement>>,
}

/// Simplifies a module.
pub fn module(module: &Module) -> Simple {
    let mut graph = Graph::default();
    let mut map: Vec<NodeId> = Vec::with_capacity(module.nodes.len());
    for node in &module.nodes {
        let args: Vec<_> = node.args.iter().map(|arg| map[arg.0 as usize]).collect();
        map.push(match node.op {
            Op::Lane | Op::Rotate { .. } => expand::expand(&mut graph, node, args),
            _ => graph.add(Node { args, ..node.clone() }),
        });
    }
    let new = |id: NodeId| map[id.0 as usize];

    let mut out = module.clone();
    for output in &mut out.outputs {
        output.value = new(output.value);
    }
    for variable in &mut out.variables {
        variable.default = new(variable.default);
    }
    for memory in &mut out.memories {
        memory.write = memory.write.map(new);
        for read in &mut memory.reads {
            read.enable = new(read.enable);
            read.address = new(read.address);
        }
    }
    for instance in &mut out.instances {
        for input in &mut instance.inputs {
            *input = new(*input);
        }
    }
    out.body = body::resolve(&mut graph, &module.body, &new);
    out.nodes = graph.into_nodes();

    let live = Live::of(&out);
    let all = std::mem::take(&mut out.body);
    let mut sections = sections::sections(&out, &live, &all);
    for section in &mut sections {
        body::open_empty_arms(&mut out.nodes, &mut section.body);
    }
    let mut variables = Vec::with_capacity(out.variables.len());
    for i in 0..out.variables.len() {
        let mut own = body::filter(&all, &|target| target == Target::Variable(i) && live.variables[i]);
        body::open_empty_arms(&mut out.nodes, &mut own);
        variables.push(own);
    }
    Simple { module: out, live, sections, variables }
}
