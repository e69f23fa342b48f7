// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of functions that give names to nets.

use crate::logic::Naming;
use std::cell::Cell;
use std::marker::PhantomData;

thread_local! {
    static OPEN: Cell<u32> = const { Cell::new(0) };
}

/// The number of open calls on this thread.
pub(crate) fn open() -> u32 {
    OPEN.get()
}

/// A call of a function under `#[name_nets]`. If a net has two names, the one given by the outer call is used.
#[must_use = "the call ends when this is dropped"]
pub struct Call<L: Naming>(PhantomData<L>);

impl<L: Naming> Call<L> {
    /// Marks the start of a function call, so that names inside can be told from names outside.
    #[inline]
    pub fn begin() -> Self {
        if L::NAMES {
            OPEN.set(OPEN.get() + 1);
        }
        Call(PhantomData)
    }
}

impl<L: Naming> Drop for Call<L> {
    #[inline]
    fn drop(&mut self) {
        if L::NAMES {
            OPEN.set(OPEN.get() - 1);
        }
    }
}
