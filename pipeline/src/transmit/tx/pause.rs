// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the MAC takes no frames, as when it has been told to pause (row TX39). Packets that wait for it are not late, so timers
//! stand still. A MAC that is slower than the bus lets beats wait for the time of a frame: that is no pause.

use rtl_model::{Bits, Logic, Reg, bits, name_nets, select};

/// Clock cycles for which a beat waits before it is a pause: 2 to the power of this.
const PAUSE_LOG: u32 = 10;

/// Counts the clock cycles for which a beat has waited.
#[name_nets]
pub struct Pause<L: Logic> {
    waited: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Pause<L> {
    pub fn new() -> Self {
        Pause { waited: Reg::new(&bits(PAUSE_LOG + 1)).with_reset() }
    }

    /// The MAC takes no frames.
    pub fn paused(&self) -> Bits<L> {
        self.waited.get().bit(PAUSE_LOG)
    }

    /// One clock cycle: a beat waits.
    pub fn clock(&self, waits: Bits<L>) {
        let waited = self.waited.get();
        let more = select(self.paused(), waited, waited + 1);
        self.waited.set(more.gate(waits));
    }
}
