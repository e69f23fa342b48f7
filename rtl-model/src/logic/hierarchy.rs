// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scopes inside of a stage, and stages inside of stages.

use super::Logic;
use super::reading::Reading;
use crate::called::Called;
use crate::signal::Signal;
use crate::stage::{Design, Stage};

/// An interpretation in which stages consist of components and other stages.
pub trait Hierarchy: Reading + Sized {
    /// Storage of a [`crate::Child`]: an instance of another stage.
    type Child<D: Design>
    where
        Self: Logic;

    /// Enters a scope of the hardware, with a comment for its reader.
    fn enter_scope(name: &str, doc: &str);
    /// Leaves the innermost scope entered by `enter_scope`.
    fn leave_scope();

    /// Makes an instance of a child stage.
    fn child<D: Design>(called: Called, design: &D) -> Self::Child<D>
    where
        Self: Logic;
    /// Output ports of the child, from its state.
    fn child_outputs<D: Design>(child: &Self::Child<D>) -> <D::Stage<Self> as Stage<Self>>::Out
    where
        Self: Logic;
    /// Clock edge of the child with these inputs.
    fn child_clock<D: Design>(child: &Self::Child<D>, input: &<D::Stage<Self> as Stage<Self>>::In)
    where
        Self: Logic;
    /// The shape of its inputs.
    fn child_shape<D: Design>(child: &Self::Child<D>) -> <<D::Stage<Self> as Stage<Self>>::In as Signal>::Shape
    where
        Self: Logic;
}
