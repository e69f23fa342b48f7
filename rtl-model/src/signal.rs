// SPDX-License-Identifier: MIT OR Apache-2.0
//! The types that can be held, carried and connected: a narrow or wide signal, an array of signals, a record of
//! signals, and any of them as an option of the configuration.

use crate::bits::Bits;
use crate::leaf::LeafSpec;
use crate::logic::{Logic, Shape};
use crate::wide::Wide;
use crate::widths::{self, Widths};
pub use rtl_model_derive::Bundle;

/// One signal inside a record.
#[derive(Clone, Copy, Debug)]
pub enum Leaf<L: Logic> {
    /// A signal of 1 to 64 bits.
    Narrow(L::Narrow),
    /// A signal of 1 to 1024 bits.
    Wide(L::Wide),
}

/// The leaves of a record, in order.
pub fn leaves<T: Signal>(record: &T) -> Vec<Leaf<T::Logic>> {
    let mut leaves = Vec::new();
    record.visit(&mut collect(&mut leaves));
    leaves
}

/// The record of these leaves.
pub(crate) fn record<T: Signal>(shape: &T::Shape, leaves: Vec<Leaf<T::Logic>>) -> T {
    T::build(shape, &mut supply(leaves))
}

// These closures are not written where they are used, as they would be compiled for each type of record.

fn collect<L: Logic>(leaves: &mut Vec<Leaf<L>>) -> impl FnMut(Leaf<L>) {
    |leaf| leaves.push(leaf)
}

fn supply<L: Logic>(leaves: Vec<Leaf<L>>) -> impl FnMut(u32, bool) -> Leaf<L> {
    let mut leaves = leaves.into_iter();
    move |_, _| leaves.next().expect("as many leaves as the shape has")
}

fn zero<L: Logic>(width: u32, wide: bool) -> Leaf<L> {
    match wide {
        false => Leaf::Narrow(L::constant(width, 0)),
        true => Leaf::Wide(L::constant_wide(width, 0)),
    }
}

/// A signal or a record of signals. Records get this from `#[derive(Bundle)]`:
///
/// ```
/// use rtl_model::{Bits, Bundle, Reading, Signal, Model};
///
/// /// One event on its way.
/// #[derive(Bundle)]
/// #[shape(rows: u32)]
/// struct Step<L: Reading> {
///     #[reset]
///     valid: Bits<L>,
///     #[width(rows.ilog2())]
///     row: Bits<L>,
/// }
///
/// let shape = Step::shape(1024);
/// let names: Vec<_> = Step::<Model>::leaves_of(&shape, "read").into_iter().map(|l| (l.name, l.width)).collect();
/// assert_eq!(names, [("read_valid".into(), 1), ("read_row".into(), 10)]);
/// ```
///
/// A field that is a record has a shape of the same parameters or of none, or says its own:
///
/// ```compile_fail
/// # use rtl_model::{Bits, Bundle, Reading};
/// #[derive(Bundle)]
/// struct Inner<L: Reading> {
///     row: Bits<L>,
/// }
///
/// #[derive(Bundle)]
/// #[shape]
/// struct Outer<L: Reading> {
///     inner: Inner<L>,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a signal",
    note = "a binding under `#[name_nets]` whose type is not yet known there needs it: `let sum: Option<u64> = None`"
)]
pub trait Signal: Copy + 'static {
    /// How it is read.
    type Logic: Logic;
    /// Its widths: the same record over [`Shape`].
    type Shape: Copy + Widths;

    /// Hands every leaf to `visit`, in order.
    fn visit(&self, visit: &mut dyn FnMut(Leaf<Self::Logic>));
    /// Builds one from leaves, in order; `next` gets each leaf's width and whether it is wide.
    fn build(shape: &Self::Shape, next: &mut dyn FnMut(u32, bool) -> Leaf<Self::Logic>) -> Self;
    /// Widths of all leaves of this signal.
    fn shape(&self) -> Self::Shape;
    /// Every leaf has the width given by the shape.
    fn fits(&self, shape: &Self::Shape) -> bool;
    /// `c ? a : b`, field by field.
    fn select(c: Bits<Self::Logic>, a: Self, b: Self) -> Self;
    /// `a | b`, field by field.
    fn or(a: Self, b: Self) -> Self;
    /// The signal where the condition holds, else 0 in every field.
    #[track_caller]
    fn gate(self, condition: Bits<Self::Logic>) -> Self {
        Self::select(condition, self, Self::zero(&self.shape()))
    }
    /// The leaves under a name.
    fn leaves_of(shape: &Self::Shape, prefix: &str) -> Vec<LeafSpec> {
        widths::leaves_of(shape, prefix)
    }
    /// A signal of this shape with all bits 0.
    #[track_caller]
    fn zero(shape: &Self::Shape) -> Self {
        Self::build(shape, &mut zero)
    }
}

impl<L: Logic> Signal for Bits<L> {
    type Logic = L;
    type Shape = Bits<Shape>;

    fn visit(&self, visit: &mut dyn FnMut(Leaf<L>)) {
        visit(Leaf::Narrow(self.0));
    }
    fn build(shape: &Bits<Shape>, next: &mut dyn FnMut(u32, bool) -> Leaf<L>) -> Self {
        match next(shape.0, false) {
            Leaf::Narrow(x) => Bits(x),
            Leaf::Wide(_) => unreachable!("a narrow leaf was asked for"),
        }
    }
    fn shape(&self) -> Bits<Shape> {
        Bits(L::width(self.0))
    }
    fn fits(&self, shape: &Bits<Shape>) -> bool {
        L::width(self.0) == shape.0
    }
    #[track_caller]
    fn select(c: Bits<L>, a: Self, b: Self) -> Self {
        Bits(L::select(c.0, a.0, b.0))
    }
    #[track_caller]
    fn or(a: Self, b: Self) -> Self {
        a | b
    }
}

impl<L: Logic> Signal for Wide<L> {
    type Logic = L;
    type Shape = Wide<Shape>;

    fn visit(&self, visit: &mut dyn FnMut(Leaf<L>)) {
        visit(Leaf::Wide(self.0));
    }
    fn build(shape: &Wide<Shape>, next: &mut dyn FnMut(u32, bool) -> Leaf<L>) -> Self {
        match next(shape.0, true) {
            Leaf::Wide(x) => Wide(x),
            Leaf::Narrow(_) => unreachable!("a wide leaf was asked for"),
        }
    }
    fn shape(&self) -> Wide<Shape> {
        Wide(L::width_wide(self.0))
    }
    fn fits(&self, shape: &Wide<Shape>) -> bool {
        L::width_wide(self.0) == shape.0
    }
    #[track_caller]
    fn select(c: Bits<L>, a: Self, b: Self) -> Self {
        Wide(L::select_wide(c.0, a.0, b.0))
    }
    #[track_caller]
    fn or(a: Self, b: Self) -> Self {
        a | b
    }
}

impl<T: Signal, const N: usize> Signal for [T; N] {
    type Logic = T::Logic;
    type Shape = [T::Shape; N];

    fn visit(&self, visit: &mut dyn FnMut(Leaf<T::Logic>)) {
        for element in self {
            element.visit(visit);
        }
    }
    fn build(shape: &Self::Shape, next: &mut dyn FnMut(u32, bool) -> Leaf<T::Logic>) -> Self {
        each(|i| T::build(&shape[i], next))
    }
    fn shape(&self) -> Self::Shape {
        each(|i| self[i].shape())
    }
    fn fits(&self, shape: &Self::Shape) -> bool {
        self.iter().zip(shape).all(|(element, shape)| element.fits(shape))
    }
    #[track_caller]
    fn select(c: Bits<T::Logic>, a: Self, b: Self) -> Self {
        let mut chosen = a;
        for i in 0..N {
            chosen[i] = T::select(c, a[i], b[i]);
        }
        chosen
    }
    #[track_caller]
    fn or(a: Self, b: Self) -> Self {
        let mut both = a;
        for i in 0..N {
            both[i] = T::or(a[i], b[i]);
        }
        both
    }
}

/// An array of at least one element: less code than `std::array::from_fn`, which also drops what it has made.
fn each<T: Copy, const N: usize>(mut element: impl FnMut(usize) -> T) -> [T; N] {
    let mut all = [element(0); N];
    for (i, one) in all.iter_mut().enumerate().skip(1) {
        *one = element(i);
    }
    all
}

/// A signal that the configuration may leave out: without it there are no ports, registers and leaves. Its presence
/// depends on the configuration alone, never on a value, so a Rust `if` on it means the same in every interpretation.
impl<T: Signal> Signal for Option<T> {
    type Logic = T::Logic;
    type Shape = Option<T::Shape>;

    fn visit(&self, visit: &mut dyn FnMut(Leaf<T::Logic>)) {
        if let Some(value) = self {
            value.visit(visit);
        }
    }
    fn build(shape: &Self::Shape, next: &mut dyn FnMut(u32, bool) -> Leaf<T::Logic>) -> Self {
        shape.as_ref().map(|shape| T::build(shape, next))
    }
    fn shape(&self) -> Self::Shape {
        self.as_ref().map(T::shape)
    }
    fn fits(&self, shape: &Self::Shape) -> bool {
        match (self, shape) {
            (Some(value), Some(shape)) => value.fits(shape),
            (value, shape) => value.is_none() && shape.is_none(),
        }
    }
    /// Both are present or neither is.
    #[track_caller]
    fn select(c: Bits<T::Logic>, a: Self, b: Self) -> Self {
        match (a, b) {
            (Some(a), Some(b)) => Some(T::select(c, a, b)),
            (None, None) => None,
            _ => panic!("a selection between a signal and none"),
        }
    }
    /// Both are present or neither is.
    #[track_caller]
    fn or(a: Self, b: Self) -> Self {
        match (a, b) {
            (Some(a), Some(b)) => Some(T::or(a, b)),
            (None, None) => None,
            _ => panic!("an OR of a signal and none"),
        }
    }
}

/// `c ? a : b` for signals and records of them; `c` has one bit.
#[track_caller]
pub fn select<T: Signal>(c: Bits<T::Logic>, a: T, b: T) -> T {
    T::select(c, a, b)
}
