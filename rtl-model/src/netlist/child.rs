// SPDX-License-Identifier: MIT OR Apache-2.0
//! Children as instances.

use super::circuit::*;
use super::elaborate::{self, Elaborated};
use super::naming::Kept;
use super::net::{Net, Netlist, from_nets, nets};
use super::session::{width_problem, with};
use super::uses::Assigned;
use crate::called::Called;
use crate::signal::Signal;
use crate::stage::{Design, Stage};
use std::panic::Location;

/// An instance of a child module in the netlist.
pub struct ChildNet<D: Design> {
    ports: Ports,
    input: <<D::Stage<Netlist> as Stage<Netlist>>::In as Signal>::Shape,
    output: <<D::Stage<Netlist> as Stage<Netlist>>::Out as Signal>::Shape,
}

impl<D: Design> ChildNet<D> {
    #[track_caller]
    pub(super) fn new(called: Called, design: &D) -> Self {
        let site = Location::caller();
        let Elaborated { name, outputs, input_shape, output_shape } = elaborate::module(design, site);
        ChildNet { ports: Ports::new(called, name, outputs, site), input: input_shape, output: output_shape }
    }
    pub(super) fn input_shape(&self) -> <<D::Stage<Netlist> as Stage<Netlist>>::In as Signal>::Shape {
        self.input
    }
    #[track_caller]
    pub(super) fn outputs(&self) -> <D::Stage<Netlist> as Stage<Netlist>>::Out {
        from_nets(&self.output, self.ports.outputs(Location::caller()))
    }
    #[track_caller]
    pub(super) fn clock(&self, input: &<D::Stage<Netlist> as Stage<Netlist>>::In) {
        let site = Location::caller();
        if !input.fits(&self.input) {
            return width_problem(
                format!("the inputs of `{}` do not fit its ports", self.ports.name),
                "compare with its input_shape()",
            );
        }
        self.ports.clock(nets(input), site);
    }
}

/// The part that does not depend on the design.
struct Ports {
    index: usize,
    name: String,
}

impl Ports {
    fn new(called: Called, module: String, outputs: Vec<(String, u32)>, site: Site) -> Self {
        with(|b| {
            let name = b.names.add(called, site, Kept::Instance(b.module.instances.len()));
            b.module.instances.push(Instance {
                name: name.clone(),
                scope: called.inside(b.names.scope()).0.to_vec(),
                local: name.clone(),
                module,
                inputs: vec![],
                outputs,
                site,
            });
            b.uses.children.push(Assigned::default());
            Ports { index: b.uses.children.len() - 1, name }
        })
    }

    fn outputs(&self, site: Site) -> impl FnMut(u32) -> Net {
        with(|b| b.check_clocked(&self.name, |uses| &uses.children[self.index], site));
        let (instance, mut port) = (self.index, 0..);
        move |width| {
            let port = port.next().expect("it has no end");
            with(|b| b.push(Op::InstanceOutput(instance, port), vec![], width, site))
        }
    }

    fn clock(&self, inputs: Vec<Net>, site: Site) {
        with(|b| {
            b.clocked(&self.name, |uses| &mut uses.children[self.index], site);
            let inputs = inputs.into_iter().map(|net| b.own(net, site)).collect();
            b.module.instances[self.index].inputs = inputs;
        });
    }
}
