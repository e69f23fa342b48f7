// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bursts of a VP (W3, W7).

use crate::elab;

/// `now` wraps to 0 at this value.
pub const NOWS: u64 = 1 << 24;

/// Largest number of packets counted per burst.
const PACKETS: u64 = 65535;

/// Largest rate.
const RATE: u64 = 0xFFFF_FFFF;

/// Results are counted modulo this value.
const RESULTS: u64 = 256;

/// The bursts of a VP since it became known with its port.
#[derive(Debug, Default)]
pub struct Bursts {
    /// Number of the last burst, its packets, and the time at which it began.
    number: u64,
    packets: u64,
    from: u64,
    /// Time from its first to its last packet.
    span: u64,
    /// True if the last burst has a result.
    result: bool,
    /// Number of results so far.
    pub results: u64,
}

impl Bursts {
    /// A packet with this Burst_ID arrives; a burst with `enough` packets has a result (W3).
    pub fn arrive(&mut self, number: u64, now: u64, enough: u64) {
        if number != 0 && number != self.number {
            (self.number, self.packets, self.from, self.result) = (number, 1, now, false);
        } else if number != 0 && !self.result && self.packets != 0 {
            self.packets = PACKETS.min(self.packets + 1);
            self.span = (now + NOWS - self.from) % NOWS;
            if self.packets >= enough.max(2) {
                self.end();
            }
        } else if number == 0 && !self.result {
            match self.packets {
                0 => {}
                1 => self.packets = 0,
                _ => self.end(),
            }
        }
    }

    fn end(&mut self) {
        self.result = true;
        self.results = (self.results + 1) % RESULTS;
    }

    /// W7: the rate of a result that has not been reported; `reported` is the number of results at the last report.
    pub fn report(&self, unit: u64, reported: u64) -> Option<u64> {
        let new = self.result && self.results != reported;
        // A span of 0 means 2^24 cycles; it counts as 1 (W7).
        new.then(|| RATE.min(elab::rate((self.packets - 1) * unit, self.span.max(1))))
    }
}

/// `now` of a cycle.
pub const fn now(cycle: u64) -> u64 {
    cycle % NOWS
}
