// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frames that have begun, and those that have ended (row TX19). A frame begins when the header builder takes its record; it ends
//! with its last beat, which may have to wait for its bytes.
//!
//! ```text
//!  cycle n    the header builder takes a record    `begun` is one more from n + 1 on
//!        m    the last beat leaves on `m_axis`      `ended` is one more from m + 1 on
//! ```

use super::config::PACKETS;
use rtl_model::{Bits, Logic, Reg, bits, clog2, name_nets, when};

/// Counts frames, modulo 64: far fewer are under way at a time.
#[name_nets]
pub struct Frames<L: Logic> {
    begun: Reg<Bits<L>>,
    ended: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Frames<L> {
    pub fn new() -> Self {
        let count = bits(clog2(2 * PACKETS));
        Frames { begun: Reg::new(&count).with_reset(), ended: Reg::new(&count).with_reset() }
    }

    /// How many have begun, and how many have ended.
    pub fn progress(&self) -> (Bits<L>, Bits<L>) {
        (self.begun.get(), self.ended.get())
    }

    /// One clock cycle: a frame begins, and one ends.
    pub fn clock(&self, begins: Bits<L>, ends: Bits<L>) {
        when(begins, || self.begun.set(self.begun.get() + 1));
        when(ends, || self.ended.set(self.ended.get() + 1));
    }
}
