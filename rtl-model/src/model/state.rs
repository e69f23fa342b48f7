// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers and delay lines as values.

use super::arith::width_error;
use super::instance;
use super::register::Register;
use super::values::Model;
use crate::called::Called;
use crate::leaf::LeafSpec;
use crate::resets::Resets;
use crate::signal::Signal;
use crate::widths::{Widths, leaves_of, reset_leaves};
use std::rc::Rc;

/// Value of a register in the reference model.
pub struct CellState<T: Signal>(Rc<Register<T>>);

impl<T: Signal<Logic = Model>> CellState<T> {
    pub(super) fn new(called: Called, shape: &T::Shape, initial: Option<T>) -> Self {
        Self::at_step(called, "", shape, initial)
    }
    /// The register of a delay line.
    fn at_step(called: Called, step: &str, shape: &T::Shape, initial: Option<T>) -> Self {
        let initial = initial.unwrap_or_else(|| T::zero(shape));
        let register = Rc::new(Register::new(shape, initial, reset_leaves(shape, Resets::Marked)));
        instance::register(called, step, register.clone());
        CellState(register)
    }
    pub(super) fn get(&self) -> T {
        self.0.get()
    }
    #[track_caller]
    pub(super) fn set(&self, value: T) {
        check_shape(self.0.shape(), &value);
        self.0.set(value);
    }
    pub(super) fn resets(&self, resets: Resets) {
        self.0.set_resets(reset_leaves(self.0.shape(), resets));
    }
}

/// A delay line: its registers; index 0 is the one that a value enters first.
pub struct LineState<T: Signal>(Vec<CellState<T>>);

impl<T: Signal<Logic = Model>> LineState<T> {
    pub(super) fn new(called: Called, shape: &T::Shape, length: usize) -> Self {
        LineState((1..=length).map(|i| CellState::at_step(called, &i.to_string(), shape, None)).collect())
    }
    pub(super) fn get(&self) -> T {
        self.0[self.0.len() - 1].get()
    }
    #[track_caller]
    pub(super) fn shift(&self, value: T) {
        for i in (1..self.0.len()).rev() {
            self.0[i].0.set(self.0[i - 1].get());
        }
        self.0[0].set(value);
    }
    pub(super) fn resets(&self, resets: Resets) {
        for register in &self.0 {
            register.resets(resets);
        }
    }
}

/// The value has the widths of the shape.
#[track_caller]
pub(super) fn check_shape<T: Signal<Logic = Model>>(shape: &T::Shape, value: &T) {
    if !value.fits(shape) {
        shape_error(shape, &value.shape());
    }
}

#[track_caller]
fn shape_error(shape: &dyn Widths, value: &dyn Widths) -> ! {
    let (leaves, value) = (leaves_of(shape, ""), leaves_of(value, ""));
    assert_eq!(leaves.len(), value.len(), "signals of a record, and of what it is assigned");
    for (expected, LeafSpec { width, .. }) in leaves.into_iter().zip(value) {
        if expected.width != width {
            width_error(&format!("assignment to {}", expected.name), expected.width, width);
        }
    }
    unreachable!("some leaf has another width")
}
