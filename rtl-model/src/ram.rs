// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synchronous memory.
//!
//! ```text
//! latency 1: cycle n: read(address)   n + 1: data()
//! latency 2: cycle n: read(address)   n + 2: data()      (the block RAM's output register)
//! latency 3: cycle n: read(address)   n + 3: data()      (and one more register between it and the logic)
//! ```

use crate::bits::Bits;
use crate::called::Called;
use crate::logic::State;
use crate::ram_shape::RamShape;
use crate::signal::Signal;

/// A memory of `depth` records with one write port and one or more read ports. Reads and writes are requests that
/// take effect together in `clock`, which the stage calls once at the end of its own. All rows are 0 at power-up.
/// Accesses at or beyond the depth do nothing.
pub struct Ram<T: Signal> {
    memory: <T::Logic as State>::Memory<T>,
}

impl<T: Signal> Ram<T> {
    /// A memory of rows of this shape, named after the field that it is made for.
    #[track_caller]
    pub fn new(ram: RamShape, shape: &T::Shape) -> Self {
        Self::called(Called::Field, ram, shape)
    }

    /// One of several memories for a field: named `field_number`.
    #[track_caller]
    pub fn numbered(number: u32, ram: RamShape, shape: &T::Shape) -> Self {
        Self::called(Called::Numbered(number), ram, shape)
    }

    /// A memory with a name instead of the field's.
    #[track_caller]
    pub fn named(name: &str, ram: RamShape, shape: &T::Shape) -> Self {
        Self::called(Called::Named(name), ram, shape)
    }

    #[track_caller]
    fn called(called: Called, ram: RamShape, shape: &T::Shape) -> Self {
        ram.check(shape);
        Ram { memory: T::Logic::memory(called, &ram, shape) }
    }

    /// Reads a row on port 0. A port that is not read keeps its data.
    #[track_caller]
    pub fn read(&self, address: Bits<T::Logic>) {
        self.read_port(0, address);
    }

    /// Reads a row on a port.
    #[track_caller]
    pub fn read_port(&self, port: usize, address: Bits<T::Logic>) {
        T::Logic::memory_read(&self.memory, port, address.0);
    }

    /// Writes one row at this clock edge; at most once per clock cycle.
    #[track_caller]
    pub fn write(&self, address: Bits<T::Logic>, value: T) {
        T::Logic::memory_write(&self.memory, address.0, value);
    }

    /// Writes one lane of a row. The memory has wide rows and [`RamShape::lanes`] lanes, a power of two and at most 64
    /// bits wide; `lane` has `index_width(lanes)` bits.
    #[track_caller]
    pub fn write_lane(&self, address: Bits<T::Logic>, lane: Bits<T::Logic>, value: Bits<T::Logic>) {
        T::Logic::memory_write_lane(&self.memory, address.0, lane.0, value.0);
    }

    /// The data of port 0.
    #[track_caller]
    pub fn data(&self) -> T {
        self.data_port(0)
    }

    /// The data of a port.
    #[track_caller]
    pub fn data_port(&self, port: usize) -> T {
        T::Logic::memory_data(&self.memory, port)
    }

    /// The clock edge: the requests of this clock cycle take effect. Called once in every clock cycle, outside of any
    /// `when`.
    #[track_caller]
    pub fn clock(&self) {
        T::Logic::memory_clock(&self.memory);
    }
}
