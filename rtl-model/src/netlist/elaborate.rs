// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a stage with nets for values: its constructor, `outputs` and `clock`, once each.

use super::circuit::{Circuit, Site};
use super::net::{Net, Netlist, from_nets, nets};
use super::problem::{Problem, Report, Title};
use super::session::{Session, with};
use super::uses::Phase;
use super::{checks, prune};
use crate::leaf::LeafSpec;
use crate::signal::Signal;
use crate::stage::{Design, Stage};
use crate::widths::leaves_of;
use std::panic::Location;

/// Elaborates a design: all of its modules, or all problems.
#[track_caller]
pub fn elaborate<D: Design>(design: &D) -> Result<Circuit, Report> {
    let site = Location::caller();
    let session = Session::run(|| {
        module(design, site);
    });
    match session.problems.is_empty() {
        true => Ok(Circuit { modules: session.modules }),
        false => Err(Report { problems: session.problems }),
    }
}

type In<D> = <<D as Design>::Stage<Netlist> as Stage<Netlist>>::In;
type Out<D> = <<D as Design>::Stage<Netlist> as Stage<Netlist>>::Out;

/// The interface of an elaborated module.
pub(super) struct Elaborated<D: Design> {
    pub name: String,
    pub outputs: Vec<(String, u32)>,
    pub input_shape: <In<D> as Signal>::Shape,
    pub output_shape: <Out<D> as Signal>::Shape,
}

/// Elaborates one module and adds it to the circuit, unless an equal one exists.
pub(super) fn module<D: Design>(design: &D, site: Site) -> Elaborated<D> {
    let name = design.module_name();
    Session::with(|session| session.begin(name.clone(), site));
    let stage = design.build::<Netlist>();
    begin_outputs();
    let shape = stage.input_shape();
    let input = from_nets(&shape, inputs(leaves_of(&shape, ""), site));
    let outputs = stage.outputs();
    let output_shape = outputs.shape();
    end_outputs(leaves_of(&output_shape, ""), &nets(&outputs));
    stage.clock(&input);
    drop(stage);
    let outputs = add_module(&name, site);
    Elaborated { name, outputs, input_shape: shape, output_shape }
}

// What follows does not depend on the design, so that it is compiled once.

fn begin_outputs() {
    with(|b| {
        b.names.finish(&mut b.module, &mut b.problems);
        b.phase = Phase::Outputs;
    });
}

fn inputs(leaves: Vec<LeafSpec>, site: Site) -> impl FnMut(u32) -> Net {
    let mut leaves = leaves.into_iter();
    move |width| {
        let spec = leaves.next().expect("as many leaves as the shape has");
        with(|b| b.input(spec, width, site))
    }
}

fn end_outputs(leaves: Vec<LeafSpec>, outputs: &[Net]) {
    with(|b| {
        b.outputs(leaves, outputs);
        b.phase = Phase::Clock;
    });
}

/// Ends the module under construction: prunes it, checks it, and adds it to the circuit. Returns its output ports.
fn add_module(name: &str, site: Site) -> Vec<(String, u32)> {
    let builder = Session::with(|session| session.stack.pop()).expect("begun above");
    let (mut module, uses, mut problems) = builder.finish();
    checks::before_pruning(&module, &uses, &mut problems);
    prune::prune(&mut module);
    checks::after_pruning(&module, &mut problems);
    let ports = module.outputs.iter().map(|o| (o.name.clone(), o.width)).collect();
    Session::with(|session| {
        session.problems.extend(problems.into_list());
        match session.modules.iter().find(|m| m.name == name) {
            Some(same) if same.same_hardware(&module) => {}
            Some(other) => session.problems.push(Problem {
                title: Title::NameClash,
                module: name.to_owned(),
                text: format!("two different modules are called `{name}`"),
                help: "put the whole configuration into module_name()",
                sites: vec![("one", other.site), ("other", site)],
            }),
            None => session.modules.push(module),
        }
    });
    ports
}
