// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`ShiftRegister`]: registers in a row, as many as the latency of a memory asks for.

use rtl_model::{Reg, Signal};

/// Registers in a row, the one that a value enters first at 0.
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

    /// The reset acts on none of them.
    pub fn without_reset(self) -> Self {
        ShiftRegister(self.0.into_iter().map(Reg::without_reset).collect())
    }

    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "the configuration says how many, nobody asks whether")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The output of one.
    #[track_caller]
    pub fn get(&self, i: usize) -> T {
        self.0[i].get()
    }

    /// The output of the last one.
    #[track_caller]
    pub fn last(&self) -> T {
        self.get(self.len() - 1)
    }

    /// The outputs of all.
    #[track_caller]
    pub fn all(&self) -> Vec<T> {
        let mut values = Vec::with_capacity(self.len());
        // A loop, as a closure would be the caller.
        for reg in &self.0 {
            values.push(reg.get());
        }
        values
    }

    /// One gets a value from the next edge on.
    #[track_caller]
    pub fn set(&self, i: usize, value: T) {
        self.0[i].set(value);
    }

    /// Each takes over what stands in the one ahead of it, and the first, if there is one, a value.
    #[track_caller]
    pub fn shift(&self, value: T) {
        for i in (0..self.len()).rev() {
            self.0[i].set(if i == 0 { value } else { self.0[i - 1].get() });
        }
    }
}
