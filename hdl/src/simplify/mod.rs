// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the elaborated netlist to the netlist worth printing: in its simplest form, without what hardware tools do not
//! take, and cut into sections. The result is a [`Module`] again.

mod expand;
mod sections;

pub use sections::Section;

use rtl_model::netlist::branches;
use rtl_model::netlist::circuit::{Module, Statement, Target};
use rtl_model::netlist::{Extent, Graph, Live, simplify};
use std::mem::take;

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
    let mut out = simplify(module, &expand::expand);
    let live = Live::of(&out, Extent::Port);
    let all = take(&mut out.body);
    let mut sections = sections::sections(&out, &live, &all);
    let own = |i| branches::filter(&all, &|target| target == Target::Variable(i) && live.variables[i]);
    let mut variables: Vec<_> = (0..out.variables.len()).map(own).collect();
    let mut graph = Graph::from_parts(take(&mut out.nodes), take(&mut out.tables), take(&mut out.maps));
    for body in sections.iter_mut().map(|section| &mut section.body).chain(&mut variables) {
        branches::open_empty_arms(&mut graph, body);
    }
    (out.nodes, out.tables, out.maps) = graph.into_parts();
    Simple { module: out, live, sections, variables }
}
