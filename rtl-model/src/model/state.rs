// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers, memories and delay lines as values.

use super::{Model, Word};
use crate::netlist::circuit::Collision;
use crate::ram::RamShape;
use crate::signal::{Leaf, LeafSpec, Signal};
use std::cell::Cell;

/// A register.
pub struct CellState<T: Signal> {
    q: Cell<T>,
    initial: T,
    resets: Vec<bool>,
    shape: T::Shape,
}

impl<const N: usize, T: Signal<Logic = Model<N>>> CellState<T> {
    pub(super) fn new(shape: &T::Shape, initial: Option<T>) -> Self {
        let initial = initial.unwrap_or_else(|| T::zero(shape));
        CellState { q: Cell::new(initial), initial, resets: resets(&T::leaves_of(shape, "")), shape: *shape }
    }
    #[inline(always)]
    pub(super) fn get(&self) -> T {
        self.q.get()
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn set(&self, value: T) {
        check_shape(&self.shape, &value);
        self.q.set(value);
    }
    pub(super) fn reset(&self) {
        self.q.set(reset_fields(&self.shape, &self.resets, self.q.get(), self.initial));
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
#[inline(always)]
#[track_caller]
fn check_shape<const N: usize, T: Signal<Logic = Model<N>>>(shape: &T::Shape, value: &T) {
    if !value.fits(shape) {
        shape_error(shape, value);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn shape_error<const N: usize, T: Signal<Logic = Model<N>>>(shape: &T::Shape, value: &T) -> ! {
    let mut leaves = T::leaves_of(shape, "").into_iter();
    value.visit(&mut |leaf| {
        let (expected, width) = (leaves.next().expect("as many leaves as the shape has"), width_of(leaf));
        if expected.width != width {
            super::width_error(&format!("assignment to {}", expected.name), expected.width, width);
        }
    });
    unreachable!("some leaf has another width")
}

fn width_of<const N: usize>(leaf: Leaf<Model<N>>) -> u32 {
    match leaf {
        Leaf::Narrow(x) => x.width(),
        Leaf::Wide(x) => x.width(),
    }
}

/// A memory. Rows are kept as records, so that nothing is packed on the way.
pub struct MemoryState<T: Signal> {
    rows: Vec<Cell<T>>,
    depth: u64,
    address_width: u32,
    latency: u32,
    collision: Collision,
    reads: Vec<Port<T>>,
    write: Cell<Option<(u64, T)>>,
    shape: T::Shape,
}

struct Port<T> {
    request: Cell<Option<u64>>,
    data: Cell<T>,
    registered: Cell<T>,
}

impl<const N: usize, T: Signal<Logic = Model<N>>> MemoryState<T> {
    pub(super) fn new(ram: &RamShape, shape: &T::Shape) -> Self {
        let zero = T::zero(shape);
        let port = || Port { request: Cell::new(None), data: Cell::new(zero), registered: Cell::new(zero) };
        MemoryState {
            rows: vec![Cell::new(zero); ram.depth as usize],
            depth: ram.depth,
            address_width: ram.address_width(),
            latency: ram.latency,
            collision: ram.collision,
            reads: (0..ram.reads).map(|_| port()).collect(),
            write: Cell::new(None),
            shape: *shape,
        }
    }
    #[inline(always)]
    #[track_caller]
    fn check_address(&self, address: Word) {
        if address.width() != self.address_width {
            super::width_error("address", address.width(), self.address_width);
        }
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn read(&self, port: usize, address: Word) {
        self.check_address(address);
        self.reads[port].request.set(Some(address.value()));
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn write(&self, address: Word, value: T) {
        self.check_address(address);
        check_shape(&self.shape, &value);
        self.write.set(Some((address.value(), value)));
    }
    #[inline(always)]
    pub(super) fn data(&self, port: usize) -> T {
        let port = &self.reads[port];
        if self.latency == 2 { port.registered.get() } else { port.data.get() }
    }
    #[inline(always)]
    pub(super) fn clock(&self) {
        let write = self.write.take_copy();
        for port in &self.reads {
            if self.latency == 2 {
                port.registered.set(port.data.get());
            }
            if let Some(address) = port.request.take_copy() {
                let held = self.collision == Collision::Hold && write.is_some_and(|(to, _)| to == address);
                if !held && address < self.depth {
                    port.data.set(self.rows[address as usize].get());
                }
            }
        }
        if let Some((address, value)) = write
            && address < self.depth
        {
            self.rows[address as usize].set(value);
        }
    }
}

trait TakeCopy<T> {
    fn take_copy(&self) -> Option<T>;
}

impl<T: Copy> TakeCopy<T> for Cell<Option<T>> {
    #[inline(always)]
    fn take_copy(&self) -> Option<T> {
        let value = self.get();
        if value.is_some() {
            self.set(None);
        }
        value
    }
}

/// A delay line as a ring.
pub struct LineState<T: Signal> {
    ring: Vec<Cell<T>>,
    next: Cell<usize>,
    zero: T,
    resets: Vec<bool>,
    shape: T::Shape,
}

impl<const N: usize, T: Signal<Logic = Model<N>>> LineState<T> {
    pub(super) fn new(shape: &T::Shape, length: usize) -> Self {
        let zero = T::zero(shape);
        LineState {
            ring: vec![Cell::new(zero); length],
            next: Cell::new(0),
            zero,
            resets: resets(&T::leaves_of(shape, "")),
            shape: *shape,
        }
    }
    #[inline(always)]
    pub(super) fn get(&self) -> T {
        self.ring[self.next.get()].get()
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn shift(&self, value: T) {
        check_shape(&self.shape, &value);
        let next = self.next.get();
        self.ring[next].set(value);
        self.next.set(if next + 1 == self.ring.len() { 0 } else { next + 1 });
    }
    pub(super) fn reset(&self) {
        for cell in &self.ring {
            cell.set(reset_fields(&self.shape, &self.resets, cell.get(), self.zero));
        }
    }
}
