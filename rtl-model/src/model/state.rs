// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers and delay lines as values.

use super::{Model, instance, width_error};
use crate::signal::{LeafSpec, Signal};
use std::cell::Cell;
use std::rc::Rc;

/// A register.
pub struct CellState<T: Signal> {
    q: Rc<Cell<T>>,
    shape: T::Shape,
    initial: T,
    resets: Vec<bool>,
}

impl<T: Signal<Logic = Model>> CellState<T> {
    pub(super) fn new(name: &str, shape: &T::Shape, initial: Option<T>) -> Self {
        let initial = initial.unwrap_or_else(|| T::zero(shape));
        let q = Rc::new(Cell::new(initial));
        instance::leaves(name, shape, &q);
        CellState { q, shape: *shape, initial, resets: resets(&T::leaves_of(shape, "")) }
    }
    pub(super) fn get(&self) -> T {
        self.q.get()
    }
    #[track_caller]
    pub(super) fn set(&self, value: T) {
        check_shape(&self.shape, &value);
        self.q.set(value);
    }
    pub(super) fn reset(&self) {
        self.q.set(reset_fields(&self.shape, &self.resets, self.get(), self.initial));
    }
}

/// A delay line: its registers, the one that a value enters first at 0.
pub struct LineState<T: Signal> {
    registers: Vec<Rc<Cell<T>>>,
    shape: T::Shape,
    resets: Vec<bool>,
}

impl<T: Signal<Logic = Model>> LineState<T> {
    pub(super) fn new(name: &str, shape: &T::Shape, length: usize) -> Self {
        let mut registers = Vec::with_capacity(length);
        for i in 1..=length {
            let register = Rc::new(Cell::new(T::zero(shape)));
            instance::leaves(&format!("{name}_{i}"), shape, &register);
            registers.push(register);
        }
        LineState { registers, shape: *shape, resets: resets(&T::leaves_of(shape, "")) }
    }
    pub(super) fn get(&self) -> T {
        self.registers[self.registers.len() - 1].get()
    }
    #[track_caller]
    pub(super) fn shift(&self, value: T) {
        check_shape(&self.shape, &value);
        shift(&self.registers);
        self.registers[0].set(value);
    }
    pub(super) fn reset(&self) {
        let zero = T::zero(&self.shape);
        for register in &self.registers {
            register.set(reset_fields(&self.shape, &self.resets, register.get(), zero));
        }
    }
}

/// Each takes over what stands in the one ahead of it; the first stays as it is.
pub(super) fn shift<T: Copy>(registers: &[Rc<Cell<T>>]) {
    for i in (1..registers.len()).rev() {
        registers[i].set(registers[i - 1].get());
    }
}

fn resets(leaves: &[LeafSpec]) -> Vec<bool> {
    leaves.iter().map(|leaf| leaf.reset).collect()
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
