// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a skid buffer must do, cycle by cycle: the rows "Bn" of the section on `skid_buffer` in `docs/blocks.md`.

use crate::blocks::queue::Queue;

/// The size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Bits of an item.
    pub width: u64,
}

/// A skid buffer from reset on.
#[derive(Clone, Debug)]
pub struct SkidBuffer {
    first_cycle: bool,
    /// At most two.
    items: Vec<u64>,
}

impl SkidBuffer {
    /// In the first cycle after reset.
    #[must_use]
    pub const fn new() -> Self {
        SkidBuffer { first_cycle: true, items: Vec::new() }
    }
}

impl Default for SkidBuffer {
    fn default() -> Self {
        Self::new()
    }
}

impl Queue for SkidBuffer {
    /// B2.
    fn ready(&self) -> bool {
        self.items.len() < 2 && !self.first_cycle
    }

    /// B3.
    fn front(&self) -> Option<u64> {
        self.items.first().copied()
    }

    fn level(&self) -> Option<u64> {
        None
    }

    fn clock(&mut self, push: Option<u64>, pop: bool) {
        // B1, B2
        let pushed = push.filter(|_| self.ready());
        // B4
        if pop && !self.items.is_empty() {
            self.items.remove(0);
        }
        self.items.extend(pushed);
        self.first_cycle = false;
    }
}
