// SPDX-License-Identifier: MIT OR Apache-2.0
//! One register as a value.

use super::values::Model;
use crate::signal::{Leaf, Signal, leaves, record};
use crate::widths::Widths;
use crate::words::Words;
use std::cell::{Cell, RefCell};

/// A register, shared by the stage and the instance around it.
pub(super) struct Register<T: Signal> {
    q: Cell<T>,
    shape: T::Shape,
    initial: T,
    /// Per leaf: the reset acts on it.
    resets: RefCell<Vec<bool>>,
}

impl<T: Signal<Logic = Model>> Register<T> {
    pub(super) fn new(shape: &T::Shape, initial: T, resets: Vec<bool>) -> Self {
        Register { q: Cell::new(initial), shape: *shape, initial, resets: RefCell::new(resets) }
    }
    pub(super) fn get(&self) -> T {
        self.q.get()
    }
    pub(super) fn set(&self, value: T) {
        self.q.set(value);
    }
    pub(super) fn set_resets(&self, leaves: Vec<bool>) {
        self.resets.replace(leaves);
    }
    pub(super) fn shape(&self) -> &T::Shape {
        &self.shape
    }
    /// Applies the synchronous reset: reset fields take their initial value.
    pub(super) fn reset(&self) {
        let resets = self.resets.borrow();
        if resets.contains(&true) {
            self.q.set(record(&self.shape, chosen(&resets, leaves(&self.initial), leaves(&self.q.get()))));
        }
    }
}

fn chosen(resets: &[bool], initial: Vec<Leaf<Model>>, now: Vec<Leaf<Model>>) -> Vec<Leaf<Model>> {
    let both = initial.into_iter().zip(now);
    resets.iter().zip(both).map(|(reset, (initial, now))| if *reset { initial } else { now }).collect()
}

/// A register of any type.
pub(super) trait AnyRegister {
    /// Its widths.
    fn widths(&self) -> &dyn Widths;
    /// The value of a leaf.
    fn leaf(&self, index: usize) -> Words;
    /// The synchronous reset.
    fn reset(&self);
}

impl<T: Signal<Logic = Model>> AnyRegister for Register<T> {
    fn widths(&self) -> &dyn Widths {
        &self.shape
    }
    fn leaf(&self, index: usize) -> Words {
        leaves(&self.q.get())[index].words()
    }
    fn reset(&self) {
        self.reset();
    }
}
