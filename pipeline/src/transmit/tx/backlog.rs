// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which round-trip times say nothing of a path, as frames had to wait in front of the wire (row TX43). The time of a packet runs from
//! the clock cycle in which it was sent, not from that in which its frame left.

use crate::transmit::packet_tracker::TIME_WIDTH;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, when};

/// As many packets that wait for their frames, as a power of two, delay the next one.
const WAITING_LOG: u32 = 2;
/// After so many units without any, as a power of two, no packet is under way that was sent meanwhile.
const OLD_LOG: u32 = TIME_WIDTH - 1;
/// A frame may still be on its way through the header builder for so many units.
const SLACK: u64 = 16;

/// When packets last waited.
#[name_nets]
pub struct Backlog<L: Logic> {
    last: Reg<Bits<L>>,
    /// That is not long ago.
    is_recent: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Backlog<L> {
    pub fn new() -> Self {
        Backlog { last: Reg::new(&bits(TIME_WIDTH)), is_recent: Reg::new(&bits(1)).with_reset() }
    }

    /// A packet of this age may have waited.
    pub fn has_delayed(&self, age: Bits<L>, now: Bits<L>) -> Bits<L> {
        let ago = now - self.last.get();
        self.is_recent.get() & (age.extend(TIME_WIDTH + 1) + SLACK).at_least(ago.extend(TIME_WIDTH + 1))
    }

    /// One clock cycle: so many packets wait, or the MAC pauses.
    pub fn clock(&self, now: Bits<L>, waiting: Bits<L>, paused: Bits<L>) {
        let waits = waiting.slice(WAITING_LOG, waiting.width() - WAITING_LOG).any() | paused;
        let is_old = (now - self.last.get()).bit(OLD_LOG);
        when(waits, || self.last.set(now));
        self.is_recent.set(waits | self.is_recent.get() & !is_old);
    }
}
