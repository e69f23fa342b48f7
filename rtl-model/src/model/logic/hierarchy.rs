// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stages inside of stages as calls.

use crate::called::Called;
use crate::logic::Hierarchy;
use crate::model::instance;
use crate::model::values::Model;
use crate::signal::Signal;
use crate::stage::{Design, Stage};

impl Hierarchy for Model {
    type Child<D: Design> = D::Stage<Self>;
    fn enter_scope(name: &str, _: &str) {
        instance::enter(name);
    }
    fn leave_scope() {
        instance::leave();
    }
    fn child<D: Design>(called: Called, design: &D) -> D::Stage<Self> {
        instance::inside(called, || design.build())
    }
    fn child_outputs<D: Design>(child: &D::Stage<Self>) -> <D::Stage<Self> as Stage<Self>>::Out {
        child.outputs()
    }
    fn child_clock<D: Design>(child: &D::Stage<Self>, input: &<D::Stage<Self> as Stage<Self>>::In) {
        child.clock(input);
    }
    fn child_shape<D: Design>(child: &D::Stage<Self>) -> <<D::Stage<Self> as Stage<Self>>::In as Signal>::Shape {
        child.input_shape()
    }
}
