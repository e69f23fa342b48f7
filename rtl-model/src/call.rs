// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of functions that give names to nets.

use std::cell::Cell;

thread_local! {
    static OPEN: Cell<u32> = const { Cell::new(0) };
}

/// The number of open calls on this thread.
pub(crate) fn open() -> u32 {
    OPEN.get()
}

/// A call of a function under `#[name_nets]`. If a net has two names, the one given by the outer call is used.
#[must_use = "the call ends when this is dropped"]
pub struct Call(());

impl Call {
    /// Marks the start of a function call, so that names inside can be told from names outside.
    pub fn begin() -> Self {
        OPEN.set(OPEN.get() + 1);
        Call(())
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        OPEN.set(OPEN.get() - 1);
    }
}
