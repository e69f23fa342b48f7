// SPDX-License-Identifier: MIT OR Apache-2.0
//! Components as scopes, and stages inside of stages as instances.

use crate::called::Called;
use crate::logic::Hierarchy;
use crate::netlist::child::ChildNet;
use crate::netlist::net::Netlist;
use crate::netlist::session::with;
use crate::signal::Signal;
use crate::stage::{Design, Stage};

impl Hierarchy for Netlist {
    type Child<D: Design> = ChildNet<D>;
    fn enter_scope(name: &str, doc: &str) {
        with(|b| {
            b.names.enter(name);
            if !doc.is_empty() {
                b.module.docs.insert(b.names.scope().to_vec(), doc.to_owned());
            }
        });
    }
    fn leave_scope() {
        with(|b| b.names.leave());
    }
    #[track_caller]
    fn child<D: Design>(called: Called, design: &D) -> ChildNet<D> {
        ChildNet::new(called, design)
    }
    #[track_caller]
    fn child_outputs<D: Design>(child: &ChildNet<D>) -> <D::Stage<Self> as Stage<Self>>::Out {
        child.outputs()
    }
    #[track_caller]
    fn child_clock<D: Design>(child: &ChildNet<D>, input: &<D::Stage<Self> as Stage<Self>>::In) {
        child.clock(input);
    }
    fn child_shape<D: Design>(child: &ChildNet<D>) -> <<D::Stage<Self> as Stage<Self>>::In as Signal>::Shape {
        child.input_shape()
    }
}
