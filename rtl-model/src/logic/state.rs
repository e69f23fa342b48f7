// SPDX-License-Identifier: MIT OR Apache-2.0
//! State, and variables within a clock cycle.

use super::reading::Reading;
use crate::called::Called;
use crate::ram_shape::RamShape;
use crate::resets::Resets;
use crate::signal::Signal;

/// An interpretation with registers, delay lines, memories and variables.
pub trait State: Reading + Sized {
    /// Storage of a [`crate::Reg`].
    type Cell<T: Signal<Logic = Self>>;
    /// Storage of a [`crate::Var`].
    type Scratch<T: Signal<Logic = Self>>;
    /// Storage of a [`crate::Ram`].
    type Memory<T: Signal<Logic = Self>>;
    /// Storage of a [`crate::Delay`].
    type Line<T: Signal<Logic = Self>>;

    /// A register with its value at power-up. The reset acts on its fields marked `#[reset]`.
    fn cell<T: Signal<Logic = Self>>(called: Called, shape: &T::Shape, init: Option<T>) -> Self::Cell<T>;
    /// The flip-flop output.
    fn cell_get<T: Signal<Logic = Self>>(cell: &Self::Cell<T>) -> T;
    /// The value from the next edge on.
    fn cell_set<T: Signal<Logic = Self>>(cell: &Self::Cell<T>, value: T);
    /// Sets which part of it the reset acts on.
    #[track_caller]
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
    #[track_caller]
    fn line_resets<T: Signal<Logic = Self>>(line: &Self::Line<T>, resets: Resets);
}
