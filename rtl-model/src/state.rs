// SPDX-License-Identifier: MIT OR Apache-2.0
//! State and variables: [`Reg`], [`Delay`] and [`Var`], and which state is reset.

use crate::bits::Bits;
use crate::called::Called;
use crate::logic::State;
use crate::resets::Resets;
use crate::signal::Signal;

/// A register. `get` is always the flip-flop output, so `clock` reads a register before it assigns it, last pipeline
/// step first (the netlist reports READ AFTER ASSIGN otherwise).
///
/// The synchronous reset acts after `clock` on the same edge, and restores the power-up value: in a record in the
/// fields marked `#[reset]`, for a plain signal if the register is made [`Reg::with_reset`]. It is for control, not for
/// data.
pub struct Reg<T: Signal> {
    cell: <T::Logic as State>::Cell<T>,
}

impl<T: Signal> Reg<T> {
    /// A register that is 0 at power-up, named after the field that it is made for (see
    /// [`name_nets`](crate::name_nets)). Each signal of a record is a register of its own, `field_signal`.
    #[track_caller]
    pub fn new(shape: &T::Shape) -> Self {
        Reg { cell: T::Logic::cell(Called::Field, shape, None) }
    }

    /// One of several registers for a field: named `field_number`, for example after a step of the pipeline.
    #[track_caller]
    pub fn numbered(number: u32, shape: &T::Shape) -> Self {
        Reg { cell: T::Logic::cell(Called::Numbered(number), shape, None) }
    }

    /// A register with a name instead of the field's.
    #[track_caller]
    pub fn named(name: &str, shape: &T::Shape) -> Self {
        Reg { cell: T::Logic::cell(Called::Named(name), shape, None) }
    }

    /// A register with a constant power-up value.
    #[track_caller]
    pub fn starting_at(shape: &T::Shape, initial: T) -> Self {
        Reg { cell: T::Logic::cell(Called::Field, shape, Some(initial)) }
    }

    /// The same with a name in place of the field's.
    #[track_caller]
    pub fn named_starting_at(name: &str, shape: &T::Shape, initial: T) -> Self {
        Reg { cell: T::Logic::cell(Called::Named(name), shape, Some(initial)) }
    }

    /// The reset acts on a plain signal, too, or on an array of plain signals. In a record its marks decide; without any
    /// the netlist reports NOTHING RESET.
    #[track_caller]
    pub fn with_reset(self) -> Self {
        T::Logic::cell_resets(&self.cell, Resets::Plain);
        self
    }

    /// The reset does not act on this register, also where fields are marked.
    pub fn without_reset(self) -> Self {
        T::Logic::cell_resets(&self.cell, Resets::Nothing);
        self
    }

    /// The flip-flop output.
    #[track_caller]
    pub fn get(&self) -> T {
        T::Logic::cell_get(&self.cell)
    }

    /// The outputs of an array of registers, such as the steps of a pipeline.
    #[track_caller]
    pub fn get_all<const N: usize>(row: &[Reg<T>; N]) -> [T; N] {
        // A loop, because a closure would be the caller.
        let mut values = [row[0].get(); N];
        for i in 1..N {
            values[i] = row[i].get();
        }
        values
    }

    /// Sets the value from the next edge on; the last assignment of a clock cycle wins.
    #[track_caller]
    pub fn set(&self, value: T) {
        T::Logic::cell_set(&self.cell, value);
    }

    /// Assigns if `cond` is 1, through a multiplexer.
    #[track_caller]
    pub fn set_if(&self, cond: Bits<T::Logic>, value: T) {
        let old = self.get();
        self.set(T::select(cond, value, old));
    }
}

/// A delay line: `length` registers in series; the reset acts on them as on a [`Reg`] of the same shape.
pub struct Delay<T: Signal> {
    line: <T::Logic as State>::Line<T>,
}

impl<T: Signal> Delay<T> {
    /// A line of `length` registers (at least 1), all 0 at power-up, named after the field and the number of shifts:
    /// `field_1` and so on.
    #[track_caller]
    pub fn new(shape: &T::Shape, length: usize) -> Self {
        Self::called(Called::Field, shape, length)
    }

    /// A line with a name instead of the field's.
    #[track_caller]
    pub fn named(name: &str, shape: &T::Shape, length: usize) -> Self {
        Self::called(Called::Named(name), shape, length)
    }

    #[track_caller]
    fn called(called: Called, shape: &T::Shape, length: usize) -> Self {
        assert!(length >= 1, "a delay line has at least one register");
        Delay { line: T::Logic::line(called, shape, length) }
    }

    /// Like [`Reg::with_reset`], for the whole line.
    #[track_caller]
    pub fn with_reset(self) -> Self {
        T::Logic::line_resets(&self.line, Resets::Plain);
        self
    }

    /// Like [`Reg::without_reset`], for the whole line.
    pub fn without_reset(self) -> Self {
        T::Logic::line_resets(&self.line, Resets::Nothing);
        self
    }

    /// The value that was shifted in `length` shifts ago.
    #[track_caller]
    pub fn get(&self) -> T {
        T::Logic::line_get(&self.line)
    }

    /// Shifts by one; at most once per clock cycle.
    #[track_caller]
    pub fn shift(&self, value: T) {
        T::Logic::line_shift(&self.line, value);
    }
}

/// A value that can be assigned and read back within a clock cycle. It exists only inside one call of `clock` or
/// `outputs`.
pub struct Var<T: Signal> {
    scratch: <T::Logic as State>::Scratch<T>,
}

impl<T: Signal> Var<T> {
    /// A variable with its first value.
    #[track_caller]
    pub fn new(name: &str, initial: T) -> Self {
        Var { scratch: T::Logic::scratch(name, initial) }
    }

    /// The value assigned last in this clock cycle, or the initial value.
    #[track_caller]
    pub fn get(&self) -> T {
        T::Logic::scratch_get(&self.scratch)
    }

    /// Sets a new value with immediate effect.
    #[track_caller]
    pub fn set(&self, value: T) {
        T::Logic::scratch_set(&self.scratch, value);
    }
}
