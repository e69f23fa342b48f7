// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stages, their configurations, and stages inside stages.

use crate::called::Called;
use crate::logic::Logic;
use crate::signal::Signal;

/// A synchronous state machine. The declaration of a register says whether the synchronous reset acts on it:
/// [`crate::Reg`].
pub trait Stage<L: Logic> {
    /// Bundle of all input ports.
    type In: Signal<Logic = L>;
    /// Bundle of all output ports.
    type Out: Signal<Logic = L>;

    /// The widths of the input ports.
    fn input_shape(&self) -> <Self::In as Signal>::Shape;
    /// The outputs, including `ready`: from state alone.
    fn outputs(&self) -> Self::Out;
    /// One rising edge, last pipeline step first.
    fn clock(&self, input: &Self::In);
}

/// A stage with its configuration, which can be built in every interpretation.
pub trait Design {
    /// The stage in one interpretation.
    type Stage<L: Logic>: Stage<L>;

    /// Name of its module, with the configuration in it (`tally_r1024w32`): different hardware in one circuit never has
    /// the same name. The printer of a circuit may rename it: `Circuit::rename`.
    fn module_name(&self) -> String;
    /// Builds an instance of the stage for the interpretation `L`.
    fn build<L: Logic>(&self) -> Self::Stage<L>;
}

/// A stage inside a stage: a module instance in the RTL, a call in the model.
pub struct Child<L: Logic, D: Design> {
    child: L::Child<D>,
}

impl<L: Logic, D: Design> Child<L, D> {
    /// An instance of a design, named after the field that it is made for (see [`name_nets`](crate::name_nets)).
    #[track_caller]
    pub fn new(design: &D) -> Self {
        Child { child: L::child(Called::Field, design) }
    }

    /// One of several instances for a field: named `field_number`.
    #[track_caller]
    pub fn numbered(number: u32, design: &D) -> Self {
        Child { child: L::child(Called::Numbered(number), design) }
    }

    /// An instance with a name instead of the field's.
    #[track_caller]
    pub fn named(name: &str, design: &D) -> Self {
        Child { child: L::child(Called::Named(name), design) }
    }

    /// The widths of its inputs.
    pub fn input_shape(&self) -> <<D::Stage<L> as Stage<L>>::In as Signal>::Shape {
        L::child_shape(&self.child)
    }

    /// Output ports of the child, from its state.
    #[track_caller]
    pub fn outputs(&self) -> <D::Stage<L> as Stage<L>>::Out {
        L::child_outputs(&self.child)
    }

    /// Its clock edge; called once in every clock cycle, outside of any `when`.
    #[track_caller]
    pub fn clock(&self, input: &<D::Stage<L> as Stage<L>>::In) {
        L::child_clock(&self.child, input);
    }
}
