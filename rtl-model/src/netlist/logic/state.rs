// SPDX-License-Identifier: MIT OR Apache-2.0
//! State as registers, memories and variables of the netlist.

use crate::called::Called;
use crate::logic::State;
use crate::netlist::memory::MemoryNet;
use crate::netlist::net::{Net, Netlist};
use crate::netlist::state::{self, LineNet, RegisterNet, VariableNet};
use crate::ram_shape::RamShape;
use crate::resets::Resets;
use crate::signal::Signal;
use std::panic::Location;

impl State for Netlist {
    type Cell<T: Signal<Logic = Self>> = RegisterNet<T>;
    type Scratch<T: Signal<Logic = Self>> = VariableNet<T>;
    type Memory<T: Signal<Logic = Self>> = MemoryNet<T>;
    type Line<T: Signal<Logic = Self>> = LineNet<T>;
    #[track_caller]
    fn cell<T: Signal<Logic = Self>>(called: Called, shape: &T::Shape, init: Option<T>) -> RegisterNet<T> {
        state::register(called, "", shape, init, Location::caller())
    }
    #[track_caller]
    fn cell_get<T: Signal<Logic = Self>>(cell: &RegisterNet<T>) -> T {
        cell.get()
    }
    #[track_caller]
    fn cell_set<T: Signal<Logic = Self>>(cell: &RegisterNet<T>, value: T) {
        cell.set(value);
    }
    #[track_caller]
    fn cell_resets<T: Signal<Logic = Self>>(cell: &RegisterNet<T>, resets: Resets) {
        cell.resets(resets);
    }
    #[track_caller]
    fn scratch<T: Signal<Logic = Self>>(name: &str, initial: T) -> VariableNet<T> {
        state::variable(name, initial)
    }
    #[track_caller]
    fn scratch_get<T: Signal<Logic = Self>>(scratch: &VariableNet<T>) -> T {
        scratch.get()
    }
    #[track_caller]
    fn scratch_set<T: Signal<Logic = Self>>(scratch: &VariableNet<T>, value: T) {
        scratch.set(value);
    }
    #[track_caller]
    fn memory<T: Signal<Logic = Self>>(called: Called, ram: &RamShape, shape: &T::Shape) -> MemoryNet<T> {
        MemoryNet::new(called, ram, shape)
    }
    #[track_caller]
    fn memory_read<T: Signal<Logic = Self>>(memory: &MemoryNet<T>, port: usize, address: Net) {
        memory.read(port, address);
    }
    #[track_caller]
    fn memory_write<T: Signal<Logic = Self>>(memory: &MemoryNet<T>, address: Net, value: T) {
        memory.write(address, value);
    }
    #[track_caller]
    fn memory_write_lane<T: Signal<Logic = Self>>(memory: &MemoryNet<T>, address: Net, lane: Net, value: Net) {
        memory.write_lane(address, lane, value);
    }
    #[track_caller]
    fn memory_data<T: Signal<Logic = Self>>(memory: &MemoryNet<T>, port: usize) -> T {
        memory.data(port)
    }
    #[track_caller]
    fn memory_clock<T: Signal<Logic = Self>>(memory: &MemoryNet<T>) {
        memory.clock();
    }
    #[track_caller]
    fn line<T: Signal<Logic = Self>>(called: Called, shape: &T::Shape, length: usize) -> LineNet<T> {
        state::line(called, shape, length)
    }
    #[track_caller]
    fn line_get<T: Signal<Logic = Self>>(line: &LineNet<T>) -> T {
        line.last().get()
    }
    #[track_caller]
    fn line_shift<T: Signal<Logic = Self>>(line: &LineNet<T>, value: T) {
        line.shift(value);
    }
    #[track_caller]
    fn line_resets<T: Signal<Logic = Self>>(line: &LineNet<T>, resets: Resets) {
        line.resets(resets);
    }
}
