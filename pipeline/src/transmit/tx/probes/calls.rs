// SPDX-License-Identifier: MIT OR Apache-2.0
//! The QPs that are visited next (row TX49): one that has been opened or has got a sub-path, or from whose peer a probe comes. So a new
//! QP does not wait until all others have been visited. One is taken in a clock cycle, in this order, while there is room; those that are
//! not taken have their turn with all others.
//!
//! ```text
//!  cycle n            a QP calls, and is pushed
//!        n + 2 + l    it is the first one that waits, if no other is before it
//! ```
//!
//! There is no stall. A call is dropped while `PLACES` others are in the memory, or if one of a higher place in the order comes in the same
//! clock cycle. A QP that is not open, or has no sub-path to be probed, costs its visits only.

use super::super::config::TxConfig;
use crate::blocks::fifo::Fifo;
use crate::blocks::table::Access;
use rtl_model::{Bits, Logic, Reg, name_nets, select, when};

/// QPs that may wait.
const PLACES: u64 = 16;

/// QPs that wait for a visit.
#[name_nets]
pub struct Calls<L: Logic> {
    waiting: Fifo<L, Bits<L>>,
    /// The last one that was taken. It is not taken twice while others wait.
    last_called: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Calls<L> {
    pub fn new(config: TxConfig) -> Self {
        Calls { waiting: Fifo::new(PLACES, config.latency(), &config.pdc()), last_called: Reg::new(&config.pdc()) }
    }

    /// The QP that is visited next.
    pub fn first(&self) -> Access<L> {
        Access { valid: self.waiting.valid(), index: self.waiting.front() }
    }

    /// One clock cycle: QPs call; the first one that waits is visited.
    pub fn clock(&self, calls: [Access<L>; 3], visited: Bits<L>) {
        let [opened, added, probed] = calls;
        let others = select(added.valid, added, probed);
        let call = select(opened.valid, opened, others);
        let repeats = self.waiting.valid() & call.index.equals(self.last_called.get());
        let enters = call.valid & !repeats;
        when(enters, || self.last_called.set(call.index));
        self.waiting.clock(enters, || call.index, visited);
    }
}
