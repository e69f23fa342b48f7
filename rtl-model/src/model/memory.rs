// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memories as values.

use super::arith::{Word, width_error};
use super::instance;
use super::state::check_shape;
use super::stored::Rows;
use super::values::Model;
use crate::called::Called;
use crate::ops::index_width;
use crate::ram_shape::{Collision, RamShape};
use crate::signal::{Leaf, Signal, leaves, record};
use crate::widths::width_of;
use crate::words::Words;
use std::cell::Cell;
use std::rc::Rc;

/// A memory, with the requests of this clock cycle.
pub struct MemoryState<T: Signal> {
    ram: RamShape,
    shape: T::Shape,
    lane_width: u32,
    rows: Rc<[Cell<T>]>,
    reads: Vec<Port<T>>,
    write: Cell<Option<Write<T>>>,
}

/// State of one read port: pending address and data registers.
struct Port<T: Signal> {
    address: Cell<Option<u64>>,
    /// One register per cycle of latency: the row that was read last, and the registers after it.
    data: Vec<Rc<Cell<T>>>,
}

/// A write request: row or lane, and data.
#[derive(Clone, Copy)]
struct Write<T> {
    address: u64,
    what: What<T>,
}

#[derive(Clone, Copy)]
enum What<T> {
    Row(T),
    /// Which lane, and its value.
    Lane(u64, u64),
}

impl<T: Signal<Logic = Model>> MemoryState<T> {
    pub(super) fn new(called: Called, ram: &RamShape, shape: &T::Shape) -> Self {
        let (zero, width) = (T::zero(shape), width_of(shape));
        let mut reads = Vec::with_capacity(ram.reads);
        for port in 0..ram.reads {
            let mut data = Vec::new();
            for suffix in suffixes(ram, port) {
                let register = Rc::new(Cell::new(zero));
                instance::row(called, &suffix, width, register.clone());
                data.push(register);
            }
            reads.push(Port { address: Cell::new(None), data });
        }
        let rows: Rc<[Cell<T>]> = vec![Cell::new(zero); ram.depth as usize].into();
        instance::memory(called, Box::new(Rows { shape: *shape, rows: rows.clone() }));
        MemoryState { ram: *ram, shape: *shape, lane_width: width / ram.lanes, rows, reads, write: Cell::new(None) }
    }
    #[track_caller]
    fn check_address(&self, address: Word) {
        if address.width() != self.ram.address_width() {
            width_error("address", address.width(), self.ram.address_width());
        }
    }
    #[track_caller]
    pub(super) fn read(&self, port: usize, address: Word) {
        self.check_address(address);
        self.reads[port].address.set(Some(address.value()));
    }
    #[track_caller]
    pub(super) fn write(&self, address: Word, value: T) {
        self.check_address(address);
        check_shape(&self.shape, &value);
        self.write.set(Some(Write { address: address.value(), what: What::Row(value) }));
    }
    #[track_caller]
    pub(super) fn write_lane(&self, address: Word, lane: Word, value: Word) {
        self.check_address(address);
        if value.width() != self.lane_width || lane.width() != index_width(self.ram.lanes.into()) {
            width_error("lane", value.width(), self.lane_width);
        }
        self.write.set(Some(Write { address: address.value(), what: What::Lane(lane.value(), value.value()) }));
    }
    pub(super) fn data(&self, port: usize) -> T {
        let data = &self.reads[port].data;
        data[data.len() - 1].get()
    }
    pub(super) fn clock(&self) {
        let write = self.write.take();
        for port in &self.reads {
            shift(&port.data);
            let address = port.address.take();
            if let Some(row) = address.and_then(|address| self.rows.get(address as usize)) {
                let met = write.filter(|write| address == Some(write.address));
                let met = met.filter(|_| self.ram.collision != Collision::ReadFirst);
                port.data[0].set(self.read_beside(met, row.get(), port.data[0].get()));
            }
        }
        if let Some(write) = write
            && let Some(row) = self.rows.get(write.address as usize)
        {
            row.set(match write.what {
                What::Row(value) => value,
                What::Lane(lane, value) => self.with_lane(row.get(), lane, value),
            });
        }
    }
    /// Result of a read of `row` on a port with collision mode hold: the lane or row that is being written keeps
    /// `held`.
    fn read_beside(&self, write: Option<Write<T>>, row: T, held: T) -> T {
        match write.map(|write| write.what) {
            None => row,
            Some(What::Row(_)) => held,
            Some(What::Lane(lane, _)) => self.with_lane(row, lane, self.lane(held, lane)),
        }
    }
    fn lane(&self, row: T, lane: u64) -> u64 {
        only_leaf(&row).lane(lane, self.lane_width)
    }
    fn with_lane(&self, row: T, lane: u64, value: u64) -> T {
        record(&self.shape, vec![Leaf::Wide(only_leaf(&row).with_lane(lane, self.lane_width, value))])
    }
}

/// Rows with lanes are one wide signal.
fn only_leaf<T: Signal<Logic = Model>>(row: &T) -> Words {
    leaves(row)[0].words()
}

/// Each register takes over the value of the previous one; the first is unchanged.
fn shift<T: Copy>(registers: &[Rc<Cell<T>>]) {
    for i in (1..registers.len()).rev() {
        registers[i].set(registers[i - 1].get());
    }
}

/// The data registers of a port with their names in the Verilog: `rows_data`, or `rows_data_0` and so on with several
/// ports. From latency 2 on `rows_data_row` precedes it, and at latency 3 `rows_data_block` is between the two.
fn suffixes(ram: &RamShape, port: usize) -> Vec<String> {
    let data = if ram.reads == 1 { "data".to_owned() } else { format!("data_{port}") };
    match ram.latency {
        1 => vec![data],
        2 => vec![format!("{data}_row"), data],
        _ => vec![format!("{data}_row"), format!("{data}_block"), data],
    }
}
