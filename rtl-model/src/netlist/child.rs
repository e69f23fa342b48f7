// SPDX-License-Identifier: MIT OR Apache-2.0
//! Children as instances.

use super::circuit::*;
use super::elaborate;
use super::naming::Kept;
use super::net::{Netlist, from_nets, nets};
use super::session::{width_problem, with};
use super::uses::Assigned;
use crate::called::Called;
use crate::signal::Signal;
use crate::stage::{Design, Stage};
use std::panic::Location;

/// An instance of a child module in the netlist.
pub struct ChildNet<D: Design> {
    index: usize,
    name: String,
    input: <<D::Stage<Netlist> as Stage<Netlist>>::In as Signal>::Shape,
    output: <<D::Stage<Netlist> as Stage<Netlist>>::Out as Signal>::Shape,
}

impl<D: Design> ChildNet<D> {
    #[track_caller]
    pub(super) fn new(called: Called, design: &D) -> Self {
        let site = Location::caller();
        let interface = elaborate::module(design, site);
        let (index, name) = with(|b| {
            let name = b.names.add(called, site, Kept::Instance(b.module.instances.len()));
            b.module.instances.push(Instance {
                name: name.clone(),
                scope: called.inside(b.names.scope()).0.to_vec(),
                local: name.clone(),
                module: interface.name.clone(),
                inputs: vec![],
                outputs: interface.outputs.clone(),
                site,
            });
            b.uses.children.push(Assigned::default());
            (b.uses.children.len() - 1, name)
        });
        ChildNet { index, name, input: interface.input_shape, output: interface.output_shape }
    }
    pub(super) fn input_shape(&self) -> <<D::Stage<Netlist> as Stage<Netlist>>::In as Signal>::Shape {
        self.input
    }
    #[track_caller]
    pub(super) fn outputs(&self) -> <D::Stage<Netlist> as Stage<Netlist>>::Out {
        let site = Location::caller();
        with(|b| b.check_clocked(&self.name, |uses| &uses.children[self.index], site));
        let mut i = 0;
        from_nets(&self.output, |width| {
            i += 1;
            with(|b| b.push(Op::InstanceOutput(self.index, i - 1), vec![], width, site))
        })
    }
    #[track_caller]
    pub(super) fn clock(&self, input: &<D::Stage<Netlist> as Stage<Netlist>>::In) {
        let site = Location::caller();
        if !input.fits(&self.input) {
            return width_problem(
                format!("the inputs of `{}` do not fit its ports", self.name),
                "compare with its input_shape()",
            );
        }
        let nets = nets(input);
        with(|b| {
            b.clocked(&self.name, |uses| &mut uses.children[self.index], site);
            let inputs = nets.into_iter().map(|net| b.own(net, site)).collect();
            b.module.instances[self.index].inputs = inputs;
        });
    }
}
