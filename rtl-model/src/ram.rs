// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synchronous memory.
//!
//! ```text
//! latency 1: cycle n: read(address)   n + 1: data()
//! latency 2: cycle n: read(address)   n + 2: data()      (the block RAM's output register)
//! latency 3: cycle n: read(address)   n + 3: data()      (and one more register between it and the logic)
//! ```

use crate::bits::Bits;
use crate::logic::Logic;
use crate::names::Called;
pub use crate::netlist::circuit::Collision;
use crate::ops::index_width;
use crate::signal::{LeafSpec, Signal, width_of};

/// The parameters of a [`Ram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RamShape {
    /// Number of rows; addresses have `index_width(depth)` bits.
    pub depth: u64,
    /// Clock cycles from a read to its data: 1, 2 with the output register, or 3 with one more register after it.
    pub latency: u32,
    /// Behaviour if a row is read and written in the same clock cycle.
    pub collision: Collision,
    /// Number of read ports.
    pub reads: usize,
    /// Equal parts of a row, each written separately ([`Ram::write_lane`]); 1 for rows that are written whole. With
    /// [`Collision::Hold`] a read keeps the old data of the lane that is being written, and reads the others.
    pub lanes: u32,
}

impl RamShape {
    /// One read port, latency 2, the read data held on a collision.
    pub const fn new(depth: u64) -> Self {
        RamShape { depth, latency: 2, collision: Collision::Hold, reads: 1, lanes: 1 }
    }

    /// The same with another latency.
    pub const fn latency(self, latency: u32) -> Self {
        RamShape { latency, ..self }
    }

    /// The same with several read ports.
    pub const fn reads(self, reads: usize) -> Self {
        RamShape { reads, ..self }
    }

    /// The same, but a read returns the row before a write in the same clock cycle.
    pub const fn read_first(self) -> Self {
        RamShape { collision: Collision::ReadFirst, ..self }
    }

    /// The same, but the data of a colliding read are unused.
    pub const fn unused_on_collision(self) -> Self {
        RamShape { collision: Collision::Unused, ..self }
    }

    /// The same with rows written in lanes.
    pub const fn lanes(self, lanes: u32) -> Self {
        RamShape { lanes, ..self }
    }

    /// Checks that such a memory of rows with these leaves is possible.
    #[track_caller]
    fn check(&self, row: &[LeafSpec]) {
        assert!(self.depth >= 1 && self.reads >= 1 && (1..=3).contains(&self.latency), "not a memory: {self:?}");
        let width = width_of(row);
        let whole = row.iter().all(|leaf| leaf.wide && leaf.width == width);
        let lane = width / self.lanes.max(1);
        let lanes = whole && lane * self.lanes == width && lane.is_power_of_two() && lane <= 64;
        assert!(self.lanes == 1 || lanes, "rows of {width} bits have no {} lanes", self.lanes);
    }

    /// Width of an address.
    pub const fn address_width(&self) -> u32 {
        index_width(self.depth)
    }
}

/// A memory of `depth` records with one write port and one or more read ports. Reads and writes are requests that
/// take effect together in `clock`, which the stage calls once at the end of its own. All rows are 0 at power-up.
/// Accesses at or beyond the depth do nothing.
pub struct Ram<T: Signal> {
    memory: <T::Logic as Logic>::Memory<T>,
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
        ram.check(&T::leaves_of(shape, ""));
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
