// SPDX-License-Identifier: MIT OR Apache-2.0
//! State as values.

use crate::called::Called;
use crate::logic::State;
use crate::model::arith::Word;
use crate::model::memory::MemoryState;
use crate::model::state::{CellState, LineState};
use crate::model::values::Model;
use crate::ram_shape::RamShape;
use crate::resets::Resets;
use crate::signal::Signal;
use std::cell::Cell;

impl State for Model {
    type Cell<T: Signal<Logic = Self>> = CellState<T>;
    type Scratch<T: Signal<Logic = Self>> = Cell<T>;
    type Memory<T: Signal<Logic = Self>> = MemoryState<T>;
    type Line<T: Signal<Logic = Self>> = LineState<T>;
    fn cell<T: Signal<Logic = Self>>(called: Called, shape: &T::Shape, init: Option<T>) -> CellState<T> {
        CellState::new(called, shape, init)
    }
    fn cell_get<T: Signal<Logic = Self>>(cell: &CellState<T>) -> T {
        cell.get()
    }
    #[track_caller]
    fn cell_set<T: Signal<Logic = Self>>(cell: &CellState<T>, value: T) {
        cell.set(value);
    }
    fn cell_resets<T: Signal<Logic = Self>>(cell: &CellState<T>, resets: Resets) {
        cell.resets(resets);
    }
    fn scratch<T: Signal<Logic = Self>>(_: &str, initial: T) -> Cell<T> {
        Cell::new(initial)
    }
    fn scratch_get<T: Signal<Logic = Self>>(scratch: &Cell<T>) -> T {
        scratch.get()
    }
    #[track_caller]
    fn scratch_set<T: Signal<Logic = Self>>(scratch: &Cell<T>, value: T) {
        scratch.set(value);
    }
    fn memory<T: Signal<Logic = Self>>(called: Called, ram: &RamShape, shape: &T::Shape) -> MemoryState<T> {
        MemoryState::new(called, ram, shape)
    }
    #[track_caller]
    fn memory_read<T: Signal<Logic = Self>>(memory: &MemoryState<T>, port: usize, address: Word) {
        memory.read(port, address);
    }
    #[track_caller]
    fn memory_write<T: Signal<Logic = Self>>(memory: &MemoryState<T>, address: Word, value: T) {
        memory.write(address, value);
    }
    #[track_caller]
    fn memory_write_lane<T: Signal<Logic = Self>>(memory: &MemoryState<T>, address: Word, lane: Word, value: Word) {
        memory.write_lane(address, lane, value);
    }
    fn memory_data<T: Signal<Logic = Self>>(memory: &MemoryState<T>, port: usize) -> T {
        memory.data(port)
    }
    fn memory_clock<T: Signal<Logic = Self>>(memory: &MemoryState<T>) {
        memory.clock();
    }
    fn line<T: Signal<Logic = Self>>(called: Called, shape: &T::Shape, length: usize) -> LineState<T> {
        LineState::new(called, shape, length)
    }
    fn line_get<T: Signal<Logic = Self>>(line: &LineState<T>) -> T {
        line.get()
    }
    #[track_caller]
    fn line_shift<T: Signal<Logic = Self>>(line: &LineState<T>, value: T) {
        line.shift(value);
    }
    fn line_resets<T: Signal<Logic = Self>>(line: &LineState<T>, resets: Resets) {
        line.resets(resets);
    }
}
