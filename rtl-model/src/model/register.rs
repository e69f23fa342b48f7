// SPDX-License-Identifier: MIT OR Apache-2.0
//! One register as a value.

use crate::signal::Signal;
use std::cell::{Cell, RefCell};

/// A register, shared by the stage and the instance around it.
pub(super) struct Register<T: Signal> {
    q: Cell<T>,
    shape: T::Shape,
    initial: T,
    /// Per leaf: the reset acts on it.
    resets: RefCell<Vec<bool>>,
}

impl<T: Signal> Register<T> {
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
            self.q.set(reset_fields(&self.shape, &resets, self.q.get(), self.initial));
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
