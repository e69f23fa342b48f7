// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers as values.

use super::Model;
use super::watch::Mirror;
use crate::signal::{Leaf, LeafSpec, Signal};

/// A register.
pub struct CellState<T: Signal> {
    q: T::Store,
    shape: T::Shape,
    rest: Box<Rest<T>>,
}

/// What a clock does not need, out of its way: registers that lie close together are in the cache together.
struct Rest<T: Signal> {
    initial: T,
    resets: Vec<bool>,
    mirror: Mirror,
}

impl<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>> CellState<T> {
    pub(super) fn new(name: &str, shape: &T::Shape, initial: Option<T>) -> Self {
        let initial = initial.unwrap_or_else(|| T::zero(shape));
        let q = T::store();
        initial.save(&q);
        let mirror = Mirror::of_leaves::<N, CHECKED, T>(name, shape);
        mirror.show(&initial);
        let resets = resets(&T::leaves_of(shape, ""));
        CellState { q, shape: *shape, rest: Box::new(Rest { initial, resets, mirror }) }
    }
    #[inline(always)]
    pub(super) fn get(&self) -> T {
        T::load(&self.q, &self.shape)
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn set(&self, value: T) {
        check_shape(&self.shape, &value);
        value.save(&self.q);
        if CHECKED {
            self.rest.mirror.show(&value);
        }
    }
    pub(super) fn reset(&self) {
        self.set(reset_fields(&self.shape, &self.rest.resets, self.get(), self.rest.initial));
    }
}

pub(super) fn resets(leaves: &[LeafSpec]) -> Vec<bool> {
    leaves.iter().map(|leaf| leaf.reset).collect()
}

pub(super) fn reset_fields<T: Signal>(shape: &T::Shape, resets: &[bool], now: T, initial: T) -> T {
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
#[inline(always)]
#[track_caller]
pub(super) fn check_shape<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>>(
    shape: &T::Shape,
    value: &T,
) {
    if CHECKED && !value.fits(shape) {
        shape_error(shape, value);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn shape_error<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>>(
    shape: &T::Shape,
    value: &T,
) -> ! {
    let leaves = T::leaves_of(shape, "");
    let mut widths = Vec::new();
    value.visit(&mut |leaf| widths.push(width_of(leaf)));
    assert_eq!(leaves.len(), widths.len(), "signals of a record, and of what it is assigned");
    for (expected, width) in leaves.into_iter().zip(widths) {
        if expected.width != width {
            super::width_error(&format!("assignment to {}", expected.name), expected.width, width);
        }
    }
    unreachable!("some leaf has another width")
}

fn width_of<const N: usize, const CHECKED: bool>(leaf: Leaf<Model<N, CHECKED>>) -> u32 {
    match leaf {
        Leaf::Narrow(x) => x.width(),
        Leaf::Wide(x) => x.width(),
    }
}
