// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interpretation of a stage with values: the reference, with which all others are compared.
//!
//! It is simple, not fast; the compiled netlist is fast. One cell per register is assigned in place: the language makes
//! `clock` read a register before it assigns it, so there is nothing to commit at the edge. Widths are checked at every
//! operator; a violation panics with the line of the stage, because it is an error of the stage and not of its input.

mod arith;
mod instance;
mod memory;
mod state;

use crate::logic::{Logic, Reading};
use crate::names::Called;
use crate::ops::{Binary, Unary, index_width};
use crate::ram::RamShape;
use crate::signal::{Leaf, Signal};
use crate::stage::{Design, Stage};
use crate::state::Resets;
use crate::tables::{Linear, Table};
use crate::words::Words;
use std::cell::Cell;

pub use arith::Word;
use arith::{check_fits, check_lanes, check_one_bit, check_slice, width_error};
pub use instance::{Instance, Watched};
pub use memory::MemoryState;
pub use state::{CellState, LineState};

/// The interpretation with values: the reference model.
#[derive(Clone, Copy, Debug)]
pub struct Model;

impl Reading for Model {
    type Narrow = Word;
    type Wide = Words;
}

impl Leaf<Model> {
    /// The value, whatever its width.
    fn words(self) -> Words {
        match self {
            Leaf::Narrow(x) => Words::from_u64(x.width(), x.value()),
            Leaf::Wide(x) => x,
        }
    }
}

/// Reads a record from limbs: each signal takes `ceil(width / 64)` of them, in order.
pub fn read_limbs<T: Signal<Logic = Model>>(shape: &T::Shape, limbs: &[u64]) -> T {
    let mut at = 0;
    T::build(shape, &mut |width, wide| match wide {
        false => {
            at += 1;
            Leaf::Narrow(Word::cut(width, limbs[at - 1]))
        }
        true => {
            let from = &limbs[at..at + width.div_ceil(64) as usize];
            at += from.len();
            Leaf::Wide(Words::from_limbs(width, from))
        }
    })
}

/// Writes a record to limbs, laid out as [`read_limbs`] reads them.
pub fn write_limbs<T: Signal<Logic = Model>>(value: &T, limbs: &mut [u64]) {
    let mut at = 0;
    value.visit(&mut |leaf: Leaf<Model>| {
        let value = leaf.words();
        limbs[at..at + value.used().len()].copy_from_slice(value.used());
        at += value.used().len();
    });
}

impl Logic for Model {
    type Cell<T: Signal<Logic = Self>> = CellState<T>;
    type Scratch<T: Signal<Logic = Self>> = Cell<T>;
    type Memory<T: Signal<Logic = Self>> = MemoryState<T>;
    type Line<T: Signal<Logic = Self>> = LineState<T>;
    type Child<D: Design> = D::Stage<Self>;
    type Chain = bool;
    type Switch = (Word, bool);

    #[track_caller]
    fn constant(width: u32, value: u64) -> Word {
        check_fits(width, value);
        Word::known(width, value)
    }
    fn width(a: Word) -> u32 {
        a.width()
    }
    fn name(_: Word, _: &str, _: Option<usize>) {}
    fn ignore(_: Word) {}
    #[track_caller]
    fn unary(op: Unary, a: Word) -> Word {
        a.unary(op)
    }
    #[track_caller]
    fn binary(op: Binary, a: Word, b: Word) -> Word {
        match op.width(a.width(), b.width()) {
            Some(width) if width <= 64 => {}
            _ => width_error("operator", a.width(), b.width()),
        }
        a.binary(op, b)
    }
    #[track_caller]
    fn select(c: Word, a: Word, b: Word) -> Word {
        check_one_bit(c);
        if a.width() != b.width() {
            width_error("select", a.width(), b.width());
        }
        let value = if c.value() != 0 { a.value() } else { b.value() };
        Word::known(a.width(), value)
    }
    #[track_caller]
    fn concat(high: Word, low: Word) -> Word {
        let width = high.width() + low.width();
        if width > 64 {
            width_error("concatenation to more than 64 bits", high.width(), low.width());
        }
        Word::known(width, high.value() << low.width() | low.value())
    }
    #[track_caller]
    fn slice(a: Word, low: u32, width: u32) -> Word {
        check_slice(a.width(), low, width, 64);
        Word::cut(width, a.value() >> low)
    }
    #[track_caller]
    fn extend(a: Word, width: u32, signed: bool) -> Word {
        if width < a.width() || width > 64 {
            width_error("extension", a.width(), width);
        }
        if signed { Word::cut(width, a.signed() as u64) } else { Word::known(width, a.value()) }
    }

    #[track_caller]
    fn look_up(index: Word, table: &Table) -> Word {
        if index.width() != table.index_width() {
            width_error("table", index.width(), table.index_width());
        }
        Word::known(table.width(), table.at(index.value()))
    }
    #[track_caller]
    fn linear(a: Word, map: &Linear) -> Word {
        if a.width() != map.width() {
            width_error("linear map", a.width(), map.width());
        }
        Word::known(32, map.of(a.value()).into())
    }

    #[track_caller]
    fn swap_bytes(a: Word) -> Word {
        if !a.width().is_multiple_of(8) {
            width_error("bytes", a.width(), 8);
        }
        Word::known(a.width(), a.value().swap_bytes() >> (64 - a.width()))
    }
    #[track_caller]
    fn rotate_wide(a: Words, by: Word, unit: u32) -> Words {
        if a.width() != unit << by.width() {
            width_error("rotation", a.width(), unit << by.width());
        }
        a.rotate_right(by.value() as u32 * unit)
    }

    #[track_caller]
    fn lane(a: Words, index: Word, width: u32) -> Word {
        check_lanes(a.width(), width);
        if index.width() != index_width((a.width() / width).into()) {
            width_error("lane", index.width(), index_width((a.width() / width).into()));
        }
        Word::known(width, a.lane(index.value(), width))
    }
    #[track_caller]
    fn any_each(a: Words, width: u32) -> Word {
        check_lanes(a.width(), width);
        Word::known(a.width() / width, a.any_each(width))
    }
    #[track_caller]
    fn spread(a: Word, width: u32) -> Words {
        check_lanes(a.width() * width, width);
        check_capacity(a.width() * width);
        Words::spread(a.value(), a.width(), width)
    }

    #[track_caller]
    fn constant_wide(width: u32, value: u64) -> Words {
        check_fits(width.min(64), value);
        check_capacity(width);
        Words::from_u64(width, value)
    }
    fn width_wide(a: Words) -> u32 {
        a.width()
    }
    fn name_wide(_: Words, _: &str, _: Option<usize>) {}
    fn ignore_wide(_: Words) {}
    fn not_wide(a: Words) -> Words {
        a.not()
    }
    fn reduce_wide(op: Unary, a: Words) -> Word {
        Word::cut(op.width(a.width()), Words::unary(op, a).low())
    }
    #[track_caller]
    fn binary_wide(op: Binary, a: Words, b: Words) -> Words {
        match op.width(a.width(), b.width()) {
            Some(width) => check_capacity(width),
            None => width_error("operator", a.width(), b.width()),
        }
        Words::binary(op, a, b)
    }
    #[track_caller]
    fn compare_wide(op: Binary, a: Words, b: Words) -> Word {
        if a.width() != b.width() {
            width_error("comparison", a.width(), b.width());
        }
        Word::cut(1, Words::binary(op, a, b).low())
    }
    fn shift_wide(op: Binary, a: Words, by: Word) -> Words {
        let by = by.value().min(u32::MAX as u64) as u32;
        match op {
            Binary::Shl => a.shl(by),
            Binary::Shr => a.shr(by),
            _ => a.shr_signed(by),
        }
    }
    #[track_caller]
    fn select_wide(c: Word, a: Words, b: Words) -> Words {
        check_one_bit(c);
        if a.width() != b.width() {
            width_error("select", a.width(), b.width());
        }
        if c.value() != 0 { a } else { b }
    }
    #[track_caller]
    fn concat_wide(high: Words, low: Words) -> Words {
        check_capacity(high.width() + low.width());
        high.concat(low)
    }
    #[track_caller]
    fn slice_wide(a: Words, low: u32, width: u32) -> Word {
        check_slice(a.width(), low, width, 64);
        Word::known(width, a.slice_u64(low, width))
    }
    #[track_caller]
    fn part_wide(a: Words, low: u32, width: u32) -> Words {
        check_slice(a.width(), low, width, 1024);
        a.slice(low, width)
    }
    #[track_caller]
    fn extend_wide(a: Words, width: u32, signed: bool) -> Words {
        if width < a.width() {
            width_error("extension", a.width(), width);
        }
        check_capacity(width);
        if signed { a.sign_extend(width) } else { a.resize(width) }
    }
    fn widen(a: Word) -> Words {
        Words::from_u64(a.width(), a.value())
    }

    fn enter_scope(name: &str, _: &str) {
        instance::enter(name);
    }
    fn leave_scope() {
        instance::leave();
    }

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

    fn child<D: Design>(called: Called, design: &D) -> D::Stage<Self> {
        instance::inside(called, || design.build())
    }
    fn child_outputs<D: Design>(child: &D::Stage<Self>) -> <D::Stage<Self> as Stage<Self>>::Out {
        child.outputs()
    }
    fn child_clock<D: Design>(child: &D::Stage<Self>, input: &<D::Stage<Self> as Stage<Self>>::In) {
        child.clock(input);
    }
    fn child_shape<D: Design>(child: &D::Stage<Self>) -> <<D::Stage<Self> as Stage<Self>>::In as Signal>::Shape {
        child.input_shape()
    }

    #[track_caller]
    fn when(cond: Word, body: &dyn Fn()) -> bool {
        check_one_bit(cond);
        let taken = cond.value() != 0;
        if taken {
            body();
        }
        taken
    }
    #[track_caller]
    fn or_when(taken: bool, cond: Word, body: &dyn Fn()) -> bool {
        check_one_bit(cond);
        if !taken && cond.value() != 0 {
            body();
            return true;
        }
        taken
    }
    fn otherwise(taken: bool, body: &dyn Fn()) {
        if !taken {
            body();
        }
    }
    fn switch(subject: Word) -> (Word, bool) {
        (subject, false)
    }
    #[track_caller]
    fn case((subject, taken): (Word, bool), value: u64, body: &dyn Fn()) -> (Word, bool) {
        check_fits(subject.width(), value);
        if subject.value() == value {
            body();
            return (subject, true);
        }
        (subject, taken)
    }
    fn default((_, taken): (Word, bool), body: &dyn Fn()) {
        if !taken {
            body();
        }
    }
}

#[track_caller]
fn check_capacity(width: u32) {
    if width > Words::MAX_WIDTH {
        width_error("wider than a signal can be", width, Words::MAX_WIDTH);
    }
}
