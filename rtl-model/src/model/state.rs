// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers and delay lines as values.

use super::{Model, instance, width_error};
use crate::names::Called;
use crate::signal::{LeafSpec, Signal};
use crate::state::Resets;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Value of a register in the reference model.
pub struct CellState<T: Signal>(Rc<Register<T>>);

/// A register, shared by the stage and the instance around it.
pub(super) struct Register<T: Signal> {
    q: Cell<T>,
    shape: T::Shape,
    initial: T,
    /// Per leaf: the reset acts on it.
    resets: RefCell<Vec<bool>>,
}

impl<T: Signal<Logic = Model>> CellState<T> {
    pub(super) fn new(called: Called, shape: &T::Shape, initial: Option<T>) -> Self {
        Self::at_step(called, "", shape, initial)
    }
    /// The register of a delay line.
    fn at_step(called: Called, step: &str, shape: &T::Shape, initial: Option<T>) -> Self {
        let initial = initial.unwrap_or_else(|| T::zero(shape));
        let resets = RefCell::new(Resets::Marked.of_leaves::<T>(shape));
        let register = Rc::new(Register { q: Cell::new(initial), shape: *shape, initial, resets });
        instance::register(called, step, &register);
        CellState(register)
    }
    pub(super) fn get(&self) -> T {
        self.0.q.get()
    }
    #[track_caller]
    pub(super) fn set(&self, value: T) {
        check_shape(&self.0.shape, &value);
        self.0.q.set(value);
    }
    pub(super) fn resets(&self, resets: Resets) {
        self.0.resets.replace(resets.of_leaves::<T>(&self.0.shape));
    }
}

impl<T: Signal<Logic = Model>> Register<T> {
    pub(super) fn get(&self) -> T {
        self.q.get()
    }
    pub(super) fn shape(&self) -> &T::Shape {
        &self.shape
    }
    /// Applies the synchronous reset: reset fields take their initial value.
    pub(super) fn reset(&self) {
        let resets = self.resets.borrow();
        if resets.contains(&true) {
            self.q.set(reset_fields(&self.shape, &resets, self.q.get(), self.initial));
        }
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
            self.0[i].0.q.set(self.0[i - 1].get());
        }
        self.0[0].set(value);
    }
    pub(super) fn resets(&self, resets: Resets) {
        for register in &self.0 {
            register.resets(resets);
        }
    }
}

fn reset_fields<T: Signal>(shape: &T::Shape, resets: &[bool], now: T, initial: T) -> T {
    let mut fields = Vec::new();
    now.visit(&mut |leaf| fields.push(leaf));
    let mut i = 0;
    initial.visit(&mut |leaf| {
        if resets[i] {
            fields[i] = leaf;
        }
        i += 1;
    });
    let mut fields = fields.into_iter();
    T::build(shape, &mut |_, _| fields.next().expect("as many leaves as the shape has"))
}

/// The value has the widths of the shape.
#[track_caller]
pub(super) fn check_shape<T: Signal<Logic = Model>>(shape: &T::Shape, value: &T) {
    if !value.fits(shape) {
        shape_error(T::leaves_of(shape, ""), T::leaves_of(&value.shape(), ""));
    }
}

#[track_caller]
fn shape_error(leaves: Vec<LeafSpec>, value: Vec<LeafSpec>) -> ! {
    assert_eq!(leaves.len(), value.len(), "signals of a record, and of what it is assigned");
    for (expected, LeafSpec { width, .. }) in leaves.into_iter().zip(value) {
        if expected.width != width {
            width_error(&format!("assignment to {}", expected.name), expected.width, width);
        }
    }
    unreachable!("some leaf has another width")
}
