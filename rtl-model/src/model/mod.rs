// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reading of a stage as values: the software model.
//!
//! One cell per register, assigned in place: the language makes a clock read a register before it assigns it, so
//! there is nothing to commit at the edge. Widths are checked at every operator; a violation panics with the line of
//! the stage, as it is a mistake in the stage and not in its input.

mod arith;
mod memory;
mod state;
mod watch;

use crate::logic::{Logic, Reading};
use crate::ops::{Binary, Unary, index_width};
use crate::ram::RamShape;
use crate::signal::{Leaf, Signal};
use crate::stage::{Design, Stage};
use crate::tables::{Linear, Table};
use crate::words::Words;
use std::cell::Cell;

pub use arith::Word;
use arith::{check_fits, check_lanes, check_one_bit, check_slice, width_error};
pub use memory::{LineState, MemoryState};
pub use state::CellState;
pub use watch::{Watched, watched};

/// Values. `LIMBS * 64` bits are the widest signal; a smaller number is faster.
///
/// Widths depend on the configuration alone, and [`crate::elaborate`] checks every operator on every path of it. A
/// model whose configuration has been elaborated may therefore leave out `CHECKED`, which nearly doubles its speed.
#[derive(Clone, Copy, Debug)]
pub struct Model<const LIMBS: usize = 16, const CHECKED: bool = true>;

/// Storage of a wide value. Limbs are stored one by one: a wide load right behind narrow stores would stall.
pub struct WideCell<const N: usize>([Cell<u64>; N]);

impl<const N: usize> Default for WideCell<N> {
    fn default() -> Self {
        WideCell(std::array::from_fn(|_| Cell::new(0)))
    }
}

impl<const N: usize, const CHECKED: bool> Reading for Model<N, CHECKED> {
    type Narrow = Word;
    type Wide = Words<N>;
}

/// Reads a record from limbs: each signal takes `ceil(width / 64)` of them, in order.
#[inline(always)]
pub fn read_limbs<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>>(
    shape: &T::Shape,
    limbs: &[u64],
) -> T {
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
#[inline(always)]
pub fn write_limbs<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>>(
    value: &T,
    limbs: &mut [u64],
) {
    let mut at = 0;
    value.visit(&mut |leaf| match leaf {
        Leaf::Narrow(x) => {
            limbs[at] = x.value();
            at += 1;
        }
        Leaf::Wide(x) => {
            let used = x.width().div_ceil(64) as usize;
            limbs[at..at + used].copy_from_slice(&x.limbs()[..used]);
            at += used;
        }
    });
}

impl<const N: usize, const CHECKED: bool> Logic for Model<N, CHECKED> {
    type NarrowCell = Cell<u64>;
    type WideCell = WideCell<N>;
    type Cell<T: Signal<Logic = Self>> = CellState<T>;
    type Scratch<T: Signal<Logic = Self>> = Cell<T>;
    type Memory<T: Signal<Logic = Self>> = MemoryState<T>;
    type Line<T: Signal<Logic = Self>> = LineState<T>;
    type Child<D: Design> = D::Stage<Self>;
    type Chain = bool;
    type Switch = (Word, bool);

    #[inline(always)]
    #[track_caller]
    fn constant(width: u32, value: u64) -> Word {
        check_fits::<CHECKED>(width, value);
        Word::known(width, value)
    }
    #[inline(always)]
    fn width(a: Word) -> u32 {
        a.width()
    }
    #[inline(always)]
    fn name(_: Word, _: &str, _: Option<usize>) {}
    #[inline(always)]
    fn ignore(_: Word) {}
    #[inline(always)]
    #[track_caller]
    fn unary(op: Unary, a: Word) -> Word {
        a.unary(op)
    }
    #[inline(always)]
    #[track_caller]
    fn binary(op: Binary, a: Word, b: Word) -> Word {
        if CHECKED {
            match op.width(a.width(), b.width()) {
                Some(width) if width <= 64 => {}
                _ => width_error("operator", a.width(), b.width()),
            }
        }
        a.binary(op, b)
    }
    #[inline(always)]
    #[track_caller]
    fn select(c: Word, a: Word, b: Word) -> Word {
        check_one_bit::<CHECKED>(c);
        if CHECKED && a.width() != b.width() {
            width_error("select", a.width(), b.width());
        }
        let value = if c.value() != 0 { a.value() } else { b.value() };
        Word::known(a.width(), value)
    }
    #[inline(always)]
    #[track_caller]
    fn concat(high: Word, low: Word) -> Word {
        let width = high.width() + low.width();
        if CHECKED && width > 64 {
            width_error("concatenation to more than 64 bits", high.width(), low.width());
        }
        Word::known(width, high.value() << low.width() | low.value())
    }
    #[inline(always)]
    #[track_caller]
    fn slice(a: Word, low: u32, width: u32) -> Word {
        check_slice::<CHECKED>(a.width(), low, width, 64);
        Word::cut(width, a.value() >> low)
    }
    #[inline(always)]
    #[track_caller]
    fn extend(a: Word, width: u32, signed: bool) -> Word {
        if CHECKED && (width < a.width() || width > 64) {
            width_error("extension", a.width(), width);
        }
        if signed { Word::cut(width, a.signed() as u64) } else { Word::known(width, a.value()) }
    }

    #[inline(always)]
    #[track_caller]
    fn look_up(index: Word, table: &Table) -> Word {
        if CHECKED && index.width() != table.index_width() {
            width_error("table", index.width(), table.index_width());
        }
        Word::known(table.width(), table.at(index.value()))
    }
    #[inline(always)]
    #[track_caller]
    fn linear(a: Word, map: &Linear) -> Word {
        if CHECKED && a.width() != map.width() {
            width_error("linear map", a.width(), map.width());
        }
        Word::known(32, map.of(a.value()).into())
    }

    #[inline(always)]
    #[track_caller]
    fn swap_bytes(a: Word) -> Word {
        if CHECKED && !a.width().is_multiple_of(8) {
            width_error("bytes", a.width(), 8);
        }
        Word::known(a.width(), a.value().swap_bytes() >> (64 - a.width()))
    }
    #[inline(always)]
    #[track_caller]
    fn rotate_wide(a: Words<N>, by: Word, unit: u32) -> Words<N> {
        if CHECKED && a.width() != unit << by.width() {
            width_error("rotation", a.width(), unit << by.width());
        }
        a.rotate_right(by.value() as u32 * unit)
    }

    #[inline(always)]
    #[track_caller]
    fn lane(a: Words<N>, index: Word, width: u32) -> Word {
        check_lanes::<CHECKED>(a.width(), width);
        if CHECKED && index.width() != index_width((a.width() / width).into()) {
            width_error("lane", index.width(), index_width((a.width() / width).into()));
        }
        Word::known(width, a.lane(index.value(), width))
    }
    #[inline(always)]
    #[track_caller]
    fn any_each(a: Words<N>, width: u32) -> Word {
        check_lanes::<CHECKED>(a.width(), width);
        Word::known(a.width() / width, a.any_each(width))
    }
    #[inline(always)]
    #[track_caller]
    fn spread(a: Word, width: u32) -> Words<N> {
        check_lanes::<CHECKED>(a.width() * width, width);
        check_capacity::<N>(a.width() * width);
        Words::spread(a.value(), a.width(), width)
    }

    #[inline(always)]
    #[track_caller]
    fn constant_wide(width: u32, value: u64) -> Words<N> {
        check_fits::<CHECKED>(width.min(64), value);
        check_capacity::<N>(width);
        Words::from_u64(width, value)
    }
    #[inline(always)]
    fn width_wide(a: Words<N>) -> u32 {
        a.width()
    }
    #[inline(always)]
    fn name_wide(_: Words<N>, _: &str, _: Option<usize>) {}
    #[inline(always)]
    fn ignore_wide(_: Words<N>) {}
    #[inline(always)]
    fn not_wide(a: Words<N>) -> Words<N> {
        a.not()
    }
    #[inline(always)]
    fn reduce_wide(op: Unary, a: Words<N>) -> Word {
        Word::cut(op.width(a.width()), Words::unary(op, a).low())
    }
    #[inline(always)]
    #[track_caller]
    fn binary_wide(op: Binary, a: Words<N>, b: Words<N>) -> Words<N> {
        match op.width(a.width(), b.width()) {
            Some(width) => check_capacity::<N>(width),
            None => width_error("operator", a.width(), b.width()),
        }
        Words::binary(op, a, b)
    }
    #[inline(always)]
    #[track_caller]
    fn compare_wide(op: Binary, a: Words<N>, b: Words<N>) -> Word {
        if CHECKED && a.width() != b.width() {
            width_error("comparison", a.width(), b.width());
        }
        Word::cut(1, Words::binary(op, a, b).low())
    }
    #[inline(always)]
    fn shift_wide(op: Binary, a: Words<N>, by: Word) -> Words<N> {
        let by = by.value().min(u32::MAX as u64) as u32;
        match op {
            Binary::Shl => a.shl(by),
            Binary::Shr => a.shr(by),
            _ => a.shr_signed(by),
        }
    }
    #[inline(always)]
    #[track_caller]
    fn select_wide(c: Word, a: Words<N>, b: Words<N>) -> Words<N> {
        check_one_bit::<CHECKED>(c);
        if CHECKED && a.width() != b.width() {
            width_error("select", a.width(), b.width());
        }
        if c.value() != 0 { a } else { b }
    }
    #[inline(always)]
    #[track_caller]
    fn concat_wide(high: Words<N>, low: Words<N>) -> Words<N> {
        check_capacity::<N>(high.width() + low.width());
        high.concat(low)
    }
    #[inline(always)]
    #[track_caller]
    fn slice_wide(a: Words<N>, low: u32, width: u32) -> Word {
        check_slice::<CHECKED>(a.width(), low, width, 64);
        Word::known(width, a.slice_u64(low, width))
    }
    #[inline(always)]
    #[track_caller]
    fn part_wide(a: Words<N>, low: u32, width: u32) -> Words<N> {
        check_slice::<CHECKED>(a.width(), low, width, 1024);
        a.slice(low, width)
    }
    #[inline(always)]
    #[track_caller]
    fn extend_wide(a: Words<N>, width: u32, signed: bool) -> Words<N> {
        if CHECKED && width < a.width() {
            width_error("extension", a.width(), width);
        }
        check_capacity::<N>(width);
        if signed { a.sign_extend(width) } else { a.resize(width) }
    }
    #[inline(always)]
    fn widen(a: Word) -> Words<N> {
        Words::from_u64(a.width(), a.value())
    }

    #[inline(always)]
    fn load(cell: &Cell<u64>, width: u32) -> Word {
        Word::known(width, cell.get())
    }
    #[inline(always)]
    fn save(cell: &Cell<u64>, value: Word) {
        cell.set(value.value());
    }
    #[inline(always)]
    fn load_wide(cell: &WideCell<N>, width: u32) -> Words<N> {
        Words::known(width, std::array::from_fn(|i| cell.0[i].get()))
    }
    #[inline(always)]
    fn save_wide(cell: &WideCell<N>, value: Words<N>) {
        for (cell, limb) in cell.0.iter().zip(value.limbs()) {
            cell.set(*limb);
        }
    }

    fn cell<T: Signal<Logic = Self>>(name: &str, shape: &T::Shape, init: Option<T>) -> CellState<T> {
        CellState::new(name, shape, init)
    }
    #[inline(always)]
    fn cell_get<T: Signal<Logic = Self>>(cell: &CellState<T>) -> T {
        cell.get()
    }
    #[inline(always)]
    #[track_caller]
    fn cell_set<T: Signal<Logic = Self>>(cell: &CellState<T>, value: T) {
        cell.set(value);
    }
    fn cell_reset<T: Signal<Logic = Self>>(cell: &CellState<T>) {
        cell.reset();
    }

    #[inline(always)]
    fn scratch<T: Signal<Logic = Self>>(_: &str, initial: T) -> Cell<T> {
        Cell::new(initial)
    }
    #[inline(always)]
    fn scratch_get<T: Signal<Logic = Self>>(scratch: &Cell<T>) -> T {
        scratch.get()
    }
    #[inline(always)]
    #[track_caller]
    fn scratch_set<T: Signal<Logic = Self>>(scratch: &Cell<T>, value: T) {
        scratch.set(value);
    }

    fn memory<T: Signal<Logic = Self>>(name: &str, ram: &RamShape, shape: &T::Shape) -> MemoryState<T> {
        MemoryState::new(name, ram, shape)
    }
    #[inline(always)]
    #[track_caller]
    fn memory_read<T: Signal<Logic = Self>>(memory: &MemoryState<T>, port: usize, address: Word) {
        memory.read(port, address);
    }
    #[inline(always)]
    #[track_caller]
    fn memory_write<T: Signal<Logic = Self>>(memory: &MemoryState<T>, address: Word, value: T) {
        memory.write(address, value);
    }
    #[inline(always)]
    #[track_caller]
    fn memory_write_lane<T: Signal<Logic = Self>>(memory: &MemoryState<T>, address: Word, lane: Word, value: Word) {
        memory.write_lane(address, lane, value);
    }
    #[inline(always)]
    fn memory_data<T: Signal<Logic = Self>>(memory: &MemoryState<T>, port: usize) -> T {
        memory.data(port)
    }
    #[inline(always)]
    fn memory_clock<T: Signal<Logic = Self>>(memory: &MemoryState<T>) {
        memory.clock();
    }

    fn line<T: Signal<Logic = Self>>(name: &str, shape: &T::Shape, length: usize) -> LineState<T> {
        LineState::new(name, shape, length)
    }
    #[inline(always)]
    fn line_get<T: Signal<Logic = Self>>(line: &LineState<T>) -> T {
        line.get()
    }
    #[inline(always)]
    #[track_caller]
    fn line_shift<T: Signal<Logic = Self>>(line: &LineState<T>, value: T) {
        line.shift(value);
    }
    fn line_reset<T: Signal<Logic = Self>>(line: &LineState<T>) {
        line.reset();
    }

    fn child<D: Design>(name: &str, design: &D) -> D::Stage<Self> {
        watch::inside(name, || design.build())
    }
    #[inline(always)]
    fn child_outputs<D: Design>(child: &D::Stage<Self>) -> <D::Stage<Self> as Stage<Self>>::Out {
        child.outputs()
    }
    #[inline(always)]
    fn child_clock<D: Design>(child: &D::Stage<Self>, input: &<D::Stage<Self> as Stage<Self>>::In) {
        child.clock(input);
    }
    fn child_reset<D: Design>(child: &D::Stage<Self>) {
        child.reset();
    }
    fn child_shape<D: Design>(child: &D::Stage<Self>) -> <<D::Stage<Self> as Stage<Self>>::In as Signal>::Shape {
        child.input_shape()
    }

    #[inline(always)]
    #[track_caller]
    fn when(cond: Word, body: impl Fn()) -> bool {
        check_one_bit::<CHECKED>(cond);
        let taken = cond.value() != 0;
        if taken {
            body();
        }
        taken
    }
    #[inline(always)]
    #[track_caller]
    fn or_when(taken: bool, cond: Word, body: impl Fn()) -> bool {
        check_one_bit::<CHECKED>(cond);
        if !taken && cond.value() != 0 {
            body();
            return true;
        }
        taken
    }
    #[inline(always)]
    fn otherwise(taken: bool, body: impl Fn()) {
        if !taken {
            body();
        }
    }
    #[inline(always)]
    fn switch(subject: Word) -> (Word, bool) {
        (subject, false)
    }
    #[inline(always)]
    #[track_caller]
    fn case((subject, taken): (Word, bool), value: u64, body: impl Fn()) -> (Word, bool) {
        check_fits::<CHECKED>(subject.width(), value);
        if subject.value() == value {
            body();
            return (subject, true);
        }
        (subject, taken)
    }
    #[inline(always)]
    fn default((_, taken): (Word, bool), body: impl Fn()) {
        if !taken {
            body();
        }
    }
}

#[inline(always)]
#[track_caller]
fn check_capacity<const N: usize>(width: u32) {
    if width > Words::<N>::MAX_WIDTH {
        width_error("wider than this model's limbs", width, Words::<N>::MAX_WIDTH);
    }
}
