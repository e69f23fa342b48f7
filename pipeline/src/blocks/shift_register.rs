// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`ShiftRegister`]: a chain of registers, usually as long as the latency of a memory.

use rtl_model::{Reg, Signal};

/// A chain of registers; a value enters at register 0.
pub struct ShiftRegister<T: Signal>(Vec<Reg<T>>);

impl<T: Signal> ShiftRegister<T> {
    /// A chain of `length` registers; `reg` makes register `i`.
    pub fn new(length: usize, reg: impl Fn(usize) -> Reg<T>) -> Self {
        let mut regs = Vec::with_capacity(length);
        for i in 0..length {
            regs.push(reg(i));
        }
        ShiftRegister(regs)
    }

    /// The same chain with registers that reset does not change.
    pub fn without_reset(self) -> Self {
        ShiftRegister(self.0.into_iter().map(Reg::without_reset).collect())
    }

    /// The number of registers.
    #[expect(clippy::len_without_is_empty, reason = "the configuration says how many, nobody asks whether")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The output of register `i`.
    #[track_caller]
    pub fn get(&self, i: usize) -> T {
        self.0[i].get()
    }

    /// The output of the last register.
    #[track_caller]
    pub fn last(&self) -> T {
        self.get(self.len() - 1)
    }

    /// The outputs of all registers, register 0 first.
    #[track_caller]
    pub fn all(&self) -> Vec<T> {
        let mut values = Vec::with_capacity(self.len());
        // A loop, because with a closure the closure would be the tracked caller.
        for reg in &self.0 {
            values.push(reg.get());
        }
        values
    }

    /// Register `i` holds `value` from the next clock edge on.
    #[track_caller]
    pub fn set(&self, i: usize, value: T) {
        self.0[i].set(value);
    }

    /// Every register takes the value of the one before it; register 0, if there is one, takes `value`.
    #[track_caller]
    pub fn shift(&self, value: T) {
        for i in (0..self.len()).rev() {
            self.0[i].set(if i == 0 { value } else { self.0[i - 1].get() });
        }
    }
}
