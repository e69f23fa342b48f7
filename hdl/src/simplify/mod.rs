// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the elaborated netlist to the netlist worth printing: in its simplest form, without what hardware tools do not
//! take, and cut into sections. The result is a [`Module`] again.

mod expand;
mod sections;

pub use sections::Section;

use rtl_model::netlist::branches;
use rtl_model::netlist::circuit::{Module, Statement, Target};
use rtl_model::netlist::{Extent, Live, simplify};

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
    let all = std::mem::take(&mut out.body);
    let mut sections = sections::sections(&out, &live, &all);
    for section in &mut sections {
        branches::open_empty_arms(&mut out.nodes, &mut section.body);
    }
    let mut variables = Vec::with_capacity(out.variables.len());
    for i in 0..out.variables.len() {
        let mut own = branches::filter(&all, &|target| target == Target::Variable(i) && live.variables[i]);
        branches::open_empty_arms(&mut out.nodes, &mut own);
        variables.push(own);
    }
    Simple { module: out, live, sections, variables }
}
