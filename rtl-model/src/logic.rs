// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interpretations that a stage is generic over.
//!
//! A record of signals can be interpreted in three ways: as widths ([`Shape`]), as values ([`crate::Model`]) and as
//! nets ([`crate::Netlist`]). The last two can compute, so they are [`Logic`]. Each implements the few functions below;
//! every operator of a stage is defined once on top of them (`bits`, `wide`), so the interpretations cannot differ
//! there.

use crate::constant::Constant;
use crate::names::Called;
use crate::netlist::circuit::Origin;
use crate::ops::{Binary, Unary};
use crate::ram::RamShape;
use crate::signal::Signal;
use crate::stage::{Design, Stage};
use crate::state::Resets;
use crate::tables::{Linear, Table};
use std::fmt::Debug;

/// An interpretation of a record of signals, with its types for narrow (up to 64 bits) and wide signals (up to 1024).
pub trait Reading: Copy + Debug + 'static {
    /// Type of a signal of 1 to 64 bits.
    type Narrow: Copy + Debug;
    /// Type of a signal of 1 to 1024 bits.
    type Wide: Copy + Debug;
}

/// The interpretation in which a record of signals holds their widths.
#[derive(Clone, Copy, Debug)]
pub struct Shape;

impl Reading for Shape {
    type Narrow = u32;
    type Wide = u32;
}

/// An interpretation that computes. Stages are written against `L: Logic`; these functions are called by the types of
/// the language, not by stages. All check widths and report the caller's line.
pub trait Logic: Reading + Sized {
    /// Storage of a [`crate::Reg`].
    type Cell<T: Signal<Logic = Self>>;
    /// Storage of a [`crate::Var`].
    type Scratch<T: Signal<Logic = Self>>;
    /// Storage of a [`crate::Ram`].
    type Memory<T: Signal<Logic = Self>>;
    /// Storage of a [`crate::Delay`].
    type Line<T: Signal<Logic = Self>>;
    /// Storage of a [`crate::Child`]: an instance of another stage.
    type Child<D: Design>;
    /// What a `when` leaves for its `otherwise`.
    type Chain: Copy;
    /// What a `switch` leaves for its next case.
    type Switch: Copy;

    /// Whether nets keep names: true for the netlist, false for values.
    const NAMES: bool = false;

    /// Enters a scope of the hardware, with a comment for its reader.
    fn enter_scope(name: &str, doc: &str);
    /// Leaves the innermost scope entered by `enter_scope`.
    fn leave_scope();

    /// A constant of `width` bits, 1 to 64; `value` must fit.
    fn constant(width: u32, value: u64) -> Self::Narrow;
    /// A constant under a name.
    #[track_caller]
    fn named_constant(width: u32, constant: Constant) -> Self::Narrow {
        Self::constant(width, constant.value)
    }
    /// Width of a narrow signal.
    fn width(a: Self::Narrow) -> u32;
    /// Gives the net its name, followed by an index for one of many.
    fn name(a: Self::Narrow, name: &str, index: Option<usize>);
    /// Offers the net a name, which it takes if it gets no better one.
    fn offer_name(_: Self::Narrow, _: Origin, _: &str) {}
    /// Declares that the stage leaves (part of) an input unread on purpose.
    fn ignore(a: Self::Narrow);
    /// Applies an operator to one operand of up to 64 bits.
    fn unary(op: Unary, a: Self::Narrow) -> Self::Narrow;
    /// Applies an operator to two operands of up to 64 bits.
    fn binary(op: Binary, a: Self::Narrow, b: Self::Narrow) -> Self::Narrow;
    /// Multiplexer: `a` if the one-bit `c` is 1, else `b`; equal widths.
    fn select(c: Self::Narrow, a: Self::Narrow, b: Self::Narrow) -> Self::Narrow;
    /// Concatenation: `high` in the upper bits, `low` in the lower bits.
    fn concat(high: Self::Narrow, low: Self::Narrow) -> Self::Narrow;
    /// `width` bits from `low`.
    fn slice(a: Self::Narrow, low: u32, width: u32) -> Self::Narrow;
    /// Wider, by zeros or by the sign.
    fn extend(a: Self::Narrow, width: u32, signed: bool) -> Self::Narrow;

    /// The value of a table; the index is as wide as the table says.
    fn look_up(index: Self::Narrow, table: &Table) -> Self::Narrow;
    /// The image, 32 bits; the operand is as wide as the map says.
    fn linear(a: Self::Narrow, map: &Linear) -> Self::Narrow;

    /// The bytes in reverse order; the width is a multiple of 8.
    fn swap_bytes(a: Self::Narrow) -> Self::Narrow;
    /// Right rotation by `by` units of `unit` bits. The width is `unit << width(by)`.
    fn rotate_wide(a: Self::Wide, by: Self::Narrow, unit: u32) -> Self::Wide;

    /// Lane `index` of `width` bits.
    fn lane(a: Self::Wide, index: Self::Narrow, width: u32) -> Self::Narrow;
    /// One bit per lane of `width` bits: some bit of the lane is 1.
    fn any_each(a: Self::Wide, width: u32) -> Self::Narrow;
    /// Every bit repeated, `width` times.
    fn spread(a: Self::Narrow, width: u32) -> Self::Wide;

    /// A constant of `width` bits, 1 to 1024.
    fn constant_wide(width: u32, value: u64) -> Self::Wide;
    /// Width of a wide signal.
    fn width_wide(a: Self::Wide) -> u32;
    /// Gives the net its name.
    fn name_wide(a: Self::Wide, name: &str, index: Option<usize>);
    /// Offers the net a name, which it takes if it gets no better one.
    fn offer_name_wide(_: Self::Wide, _: Origin, _: &str) {}
    /// Declares that the stage leaves (part of) an input unread on purpose.
    fn ignore_wide(a: Self::Wide);
    /// Bitwise complement of a wide operand.
    fn not_wide(a: Self::Wide) -> Self::Wide;
    /// The other unary operators.
    fn reduce_wide(op: Unary, a: Self::Wide) -> Self::Narrow;
    /// Operators with a result as wide as the operands, or the product.
    fn binary_wide(op: Binary, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Operators with a one-bit result.
    fn compare_wide(op: Binary, a: Self::Wide, b: Self::Wide) -> Self::Narrow;
    /// Shift of a wide operand by the unsigned amount `by`.
    fn shift_wide(op: Binary, a: Self::Wide, by: Self::Narrow) -> Self::Wide;
    /// Multiplexer of wide operands: `a` if the one-bit `c` is 1, else `b`.
    fn select_wide(c: Self::Narrow, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Concatenation of wide operands, `high` in the upper bits.
    fn concat_wide(high: Self::Wide, low: Self::Wide) -> Self::Wide;
    /// `width` bits from `low`, at most 64.
    fn slice_wide(a: Self::Wide, low: u32, width: u32) -> Self::Narrow;
    /// `width` bits from `low`.
    fn part_wide(a: Self::Wide, low: u32, width: u32) -> Self::Wide;
    /// Wider, by zeros or by the sign.
    fn extend_wide(a: Self::Wide, width: u32, signed: bool) -> Self::Wide;
    /// A narrow signal as a wide one of the same width.
    fn widen(a: Self::Narrow) -> Self::Wide;

    /// A register with its value at power-up. The reset acts on its fields marked `#[reset]`.
    fn cell<T: Signal<Logic = Self>>(called: Called, shape: &T::Shape, init: Option<T>) -> Self::Cell<T>;
    /// The flip-flop output.
    fn cell_get<T: Signal<Logic = Self>>(cell: &Self::Cell<T>) -> T;
    /// The value from the next edge on.
    fn cell_set<T: Signal<Logic = Self>>(cell: &Self::Cell<T>, value: T);
    /// Sets which part of it the reset acts on.
    fn cell_resets<T: Signal<Logic = Self>>(cell: &Self::Cell<T>, resets: Resets);

    /// A variable with its first value.
    fn scratch<T: Signal<Logic = Self>>(name: &str, initial: T) -> Self::Scratch<T>;
    /// Value of the variable at this point of the clock cycle.
    fn scratch_get<T: Signal<Logic = Self>>(scratch: &Self::Scratch<T>) -> T;
    /// Sets a new value with immediate effect.
    fn scratch_set<T: Signal<Logic = Self>>(scratch: &Self::Scratch<T>, value: T);

    /// Makes a memory with the shape of a row.
    fn memory<T: Signal<Logic = Self>>(called: Called, ram: &RamShape, shape: &T::Shape) -> Self::Memory<T>;
    /// Requests a read on a port; it takes effect at the clock edge.
    fn memory_read<T: Signal<Logic = Self>>(memory: &Self::Memory<T>, port: usize, address: Self::Narrow);
    /// Requests a write of a row; it takes effect at the clock edge.
    fn memory_write<T: Signal<Logic = Self>>(memory: &Self::Memory<T>, address: Self::Narrow, value: T);
    /// Requests a write of one lane.
    fn memory_write_lane<T: Signal<Logic = Self>>(
        memory: &Self::Memory<T>,
        address: Self::Narrow,
        lane: Self::Narrow,
        value: Self::Narrow,
    );
    /// Data that a port read `latency` clock cycles ago.
    fn memory_data<T: Signal<Logic = Self>>(memory: &Self::Memory<T>, port: usize) -> T;
    /// Clock edge of the memory, after all requests of the cycle.
    fn memory_clock<T: Signal<Logic = Self>>(memory: &Self::Memory<T>);

    /// A delay line of `length` registers. The reset acts on its fields marked `#[reset]`.
    fn line<T: Signal<Logic = Self>>(called: Called, shape: &T::Shape, length: usize) -> Self::Line<T>;
    /// The value that entered `length` shifts ago.
    fn line_get<T: Signal<Logic = Self>>(line: &Self::Line<T>) -> T;
    /// Shifts `value` into the delay line; call it once per clock cycle.
    fn line_shift<T: Signal<Logic = Self>>(line: &Self::Line<T>, value: T);
    /// Sets which part of it the reset acts on.
    fn line_resets<T: Signal<Logic = Self>>(line: &Self::Line<T>, resets: Resets);

    /// Makes an instance of a child stage.
    fn child<D: Design>(called: Called, design: &D) -> Self::Child<D>;
    /// Output ports of the child, from its state.
    fn child_outputs<D: Design>(child: &Self::Child<D>) -> <D::Stage<Self> as Stage<Self>>::Out;
    /// Clock edge of the child with these inputs.
    fn child_clock<D: Design>(child: &Self::Child<D>, input: &<D::Stage<Self> as Stage<Self>>::In);
    /// The shape of its inputs.
    fn child_shape<D: Design>(child: &Self::Child<D>) -> <<D::Stage<Self> as Stage<Self>>::In as Signal>::Shape;

    /// Opens an `if`; `body` is its branch.
    fn when(cond: Self::Narrow, body: &dyn Fn()) -> Self::Chain;
    /// Adds an `else if` branch to the chain.
    fn or_when(chain: Self::Chain, cond: Self::Narrow, body: &dyn Fn()) -> Self::Chain;
    /// Adds the `else` branch and ends the chain.
    fn otherwise(chain: Self::Chain, body: &dyn Fn());
    /// Opens a `case` statement on `subject`.
    fn switch(subject: Self::Narrow) -> Self::Switch;
    /// One value of it.
    fn case(switch: Self::Switch, value: u64, body: &dyn Fn()) -> Self::Switch;
    /// Adds the default branch and ends the `case` statement.
    fn default(switch: Self::Switch, body: &dyn Fn());
}
