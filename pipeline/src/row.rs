// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`Row`]: registers in a row, as many as the latency of a memory asks for.

use rtl_model::{Reg, Signal};

/// The most registers in a row: the longest latency.
pub(crate) const MOST: usize = 3;

/// Registers in a row, the one that a value enters first at 0.
///
/// They lie in an array of fixed size, and a clock names the latency as a constant (`LATENCY`): so the loops over them
/// unroll in the model, which is half as fast otherwise.
pub struct Row<T: Signal> {
    regs: [Option<Reg<T>>; MOST],
    length: usize,
}

impl<T: Signal> Row<T> {
    /// So many registers.
    pub fn new(length: usize, reg: impl Fn(usize) -> Reg<T>) -> Self {
        Row { regs: std::array::from_fn(|i| (i < length).then(|| reg(i))), length }
    }

    /// How many there are.
    #[inline(always)]
    #[expect(clippy::len_without_is_empty, reason = "the configuration says how many, nobody asks whether")]
    pub fn len(&self) -> usize {
        self.length
    }

    #[inline(always)]
    #[track_caller]
    fn reg(&self, i: usize) -> &Reg<T> {
        self.regs[i].as_ref().expect("the row is as long as that")
    }

    /// The output of one.
    #[inline(always)]
    #[track_caller]
    pub fn get(&self, i: usize) -> T {
        self.reg(i).get()
    }

    /// The output of the last one.
    #[inline(always)]
    #[track_caller]
    pub fn last(&self) -> T {
        self.get(self.length - 1)
    }

    /// The outputs of the first `N`.
    #[inline(always)]
    #[track_caller]
    pub fn all<const N: usize>(&self) -> [T; N] {
        self.behind(self.get(0), 0)
    }

    /// `first`, and the outputs of the registers behind it.
    #[inline(always)]
    #[track_caller]
    pub fn after<const N: usize>(&self, first: T) -> [T; N] {
        self.behind(first, 1)
    }

    /// `first` in place 0, and each register so many places behind its own.
    #[inline(always)]
    #[track_caller]
    fn behind<const N: usize>(&self, first: T, places: usize) -> [T; N] {
        // A loop, as `array::map` becomes a call.
        let mut values = [first; N];
        let mut i = 1;
        while i < N {
            values[i] = self.get(i - places);
            i += 1;
        }
        values
    }

    /// One gets a value from the next edge on.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, i: usize, value: T) {
        self.reg(i).set(value);
    }

    /// Each takes over what stands in the one ahead of it, and the first a value.
    #[inline(always)]
    #[track_caller]
    pub fn shift(&self, value: T) {
        for i in (1..MOST).rev() {
            if let [Some(ahead), Some(reg)] = &self.regs[i - 1..=i] {
                reg.set(ahead.get());
            }
        }
        if let Some(first) = &self.regs[0] {
            first.set(value);
        }
    }

    /// For [`rtl_model::Stage::reset`].
    pub fn reset(&self) {
        self.regs.iter().flatten().for_each(Reg::reset);
    }
}
