// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memories and delay lines as values.

use super::state::{check_shape, reset_fields, resets};
use super::{Model, Word};
use crate::netlist::circuit::Collision;
use crate::ram::RamShape;
use crate::signal::Signal;
use std::cell::Cell;

/// A memory.
pub struct MemoryState<T: Signal> {
    rows: Vec<T::Store>,
    depth: u64,
    address_width: u32,
    latency: u32,
    collision: Collision,
    reads: Vec<Port<T>>,
    writing: Cell<bool>,
    write_address: Cell<u64>,
    write_data: T::Store,
    shape: T::Shape,
}

struct Port<T: Signal> {
    reading: Cell<bool>,
    address: Cell<u64>,
    data: T::Store,
    registered: T::Store,
}

impl<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>> MemoryState<T> {
    pub(super) fn new(ram: &RamShape, shape: &T::Shape) -> Self {
        let port =
            || Port { reading: Cell::new(false), address: Cell::new(0), data: T::store(), registered: T::store() };
        MemoryState {
            rows: (0..ram.depth).map(|_| T::store()).collect(),
            depth: ram.depth,
            address_width: ram.address_width(),
            latency: ram.latency,
            collision: ram.collision,
            reads: (0..ram.reads).map(|_| port()).collect(),
            writing: Cell::new(false),
            write_address: Cell::new(0),
            write_data: T::store(),
            shape: *shape,
        }
    }
    #[inline(always)]
    fn copy(&self, from: &T::Store, to: &T::Store) {
        T::load(from, &self.shape).save(to);
    }
    #[inline(always)]
    #[track_caller]
    fn check_address(&self, address: Word) {
        if CHECKED && address.width() != self.address_width {
            super::width_error("address", address.width(), self.address_width);
        }
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn read(&self, port: usize, address: Word) {
        self.check_address(address);
        self.reads[port].reading.set(true);
        self.reads[port].address.set(address.value());
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn write(&self, address: Word, value: T) {
        self.check_address(address);
        check_shape(&self.shape, &value);
        self.writing.set(true);
        self.write_address.set(address.value());
        value.save(&self.write_data);
    }
    #[inline(always)]
    pub(super) fn data(&self, port: usize) -> T {
        let port = &self.reads[port];
        T::load(if self.latency == 2 { &port.registered } else { &port.data }, &self.shape)
    }
    #[inline(always)]
    pub(super) fn clock(&self) {
        let (writing, to) = (self.writing.replace(false), self.write_address.get());
        for port in &self.reads {
            if self.latency == 2 {
                self.copy(&port.data, &port.registered);
            }
            if port.reading.replace(false) {
                let address = port.address.get();
                let held = self.collision == Collision::Hold && writing && to == address;
                if !held && address < self.depth {
                    self.copy(&self.rows[address as usize], &port.data);
                }
            }
        }
        if writing && to < self.depth {
            self.copy(&self.write_data, &self.rows[to as usize]);
        }
    }
}

/// A delay line as a ring.
pub struct LineState<T: Signal> {
    ring: Vec<T::Store>,
    next: Cell<usize>,
    resets: Vec<bool>,
    shape: T::Shape,
}

impl<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>> LineState<T> {
    pub(super) fn new(shape: &T::Shape, length: usize) -> Self {
        let ring = (0..length).map(|_| T::store()).collect();
        let resets = resets(&T::leaves_of(shape, ""));
        LineState { ring, next: Cell::new(0), resets, shape: *shape }
    }
    #[inline(always)]
    pub(super) fn get(&self) -> T {
        T::load(&self.ring[self.next.get()], &self.shape)
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn shift(&self, value: T) {
        check_shape(&self.shape, &value);
        let next = self.next.get();
        value.save(&self.ring[next]);
        self.next.set(if next + 1 == self.ring.len() { 0 } else { next + 1 });
    }
    pub(super) fn reset(&self) {
        let zero = T::zero(&self.shape);
        for store in &self.ring {
            let now = T::load(store, &self.shape);
            reset_fields(&self.shape, &self.resets, now, zero).save(store);
        }
    }
}
