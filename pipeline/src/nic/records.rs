// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header records of received frames go to the host and to the transmit path (row NI4). A record leaves when both have
//! taken it; who has taken it first is not offered it again:
//!
//! ```text
//!  record     R R R S
//!  host       1 . . 1      takes R in the first clock cycle
//!  transmit   . . 1 1      takes R in the third one, with which it leaves
//! ```

use rtl_model::{Bits, Logic, Reg, bits, name_nets};

/// A fork of the stream of records.
#[name_nets]
pub struct RecordFork<L: Logic> {
    /// The record at the front has been taken by the host.
    host_has_it: Reg<Bits<L>>,
    /// It has been taken by the transmit path.
    tx_has_it: Reg<Bits<L>>,
}

impl<L: Logic> Default for RecordFork<L> {
    fn default() -> Self {
        Self::new()
    }
}

#[name_nets]
impl<L: Logic> RecordFork<L> {
    /// Nobody has taken a record.
    pub fn new() -> Self {
        let flag = || Reg::new(&bits(1)).with_reset();
        RecordFork { host_has_it: flag(), tx_has_it: flag() }
    }

    /// There is a record for the host, and for the transmit path.
    pub fn valid(&self, offered: Bits<L>) -> [Bits<L>; 2] {
        [offered & !self.host_has_it.get(), offered & !self.tx_has_it.get()]
    }

    /// A record leaves.
    pub fn ready(&self, ready: [Bits<L>; 2]) -> Bits<L> {
        (self.host_has_it.get() | ready[0]) & (self.tx_has_it.get() | ready[1])
    }

    /// One clock cycle: a record is offered, and both are ready or not.
    pub fn clock(&self, offered: Bits<L>, ready: [Bits<L>; 2]) {
        let stays = offered & !self.ready(ready);
        self.host_has_it.set(stays & (self.host_has_it.get() | ready[0]));
        self.tx_has_it.set(stays & (self.tx_has_it.get() | ready[1]));
    }
}
