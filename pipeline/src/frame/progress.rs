// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frames that have begun, and those that have ended (rows TX19, RX9). A frame begins when the header builder takes its record; it ends
//! with its last beat, which may have to wait for its bytes.
//!
//! ```text
//!  cycle n    the header builder takes a record    `begun` is one more from n + 1 on
//!        m    the last beat leaves on `m_axis`      `ended` is one more from m + 1 on
//! ```

use rtl_model::{Bits, Logic, Reg, Shape, bits, clog2, name_nets, when};

/// More frames than fit into a header builder and the stages behind it, so that numbers of frames under way differ.
const FRAMES: u64 = 64;

/// Counts frames, modulo [`FRAMES`].
#[name_nets]
pub struct Progress<L: Logic> {
    begun: Reg<Bits<L>>,
    ended: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Progress<L> {
    /// Shape of a number of frames.
    pub const fn count() -> Bits<Shape> {
        bits(clog2(FRAMES))
    }

    /// None has begun.
    pub fn new() -> Self {
        let count = Self::count();
        Progress { begun: Reg::new(&count).with_reset(), ended: Reg::new(&count).with_reset() }
    }

    /// How many have begun, and how many have ended.
    pub fn get(&self) -> (Bits<L>, Bits<L>) {
        (self.begun.get(), self.ended.get())
    }

    /// One clock cycle: a frame begins, and one ends.
    pub fn clock(&self, begins: Bits<L>, ends: Bits<L>) {
        when(begins, || self.begun.set(self.begun.get() + 1));
        when(ends, || self.ended.set(self.ended.get() + 1));
    }
}
