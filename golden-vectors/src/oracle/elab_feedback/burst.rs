// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bursts of a VP (W3, W7).

use crate::oracle::elab;

/// `now` begins again with 0 there.
const NOWS: u64 = 1 << 24;

/// A burst has so many packets at most.
const PACKETS: u64 = 255;

/// A rate is so much at most.
const RATE: u64 = 0xFFFF_FFFF;

/// Results are told apart so far.
const RESULTS: u64 = 256;

/// The bursts of a VP since it is known with its port.
#[derive(Debug, Default)]
pub struct Bursts {
    /// The number of the last one, its packets, and from when on.
    number: u64,
    packets: u64,
    from: u64,
    /// How long it took to its last packet.
    span: u64,
    /// The last one has a result.
    result: bool,
    /// How many results there were, and how many there had been at the last report.
    results: u64,
    reported: u64,
}

impl Bursts {
    /// A packet with this number arrives; a burst of `enough` packets has a result (W3).
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

    /// W7: the rate of a result that has not been reported. It is reported by that.
    pub fn report(&mut self, unit: u64) -> Option<u64> {
        let new = self.result && self.results != self.reported;
        self.reported = self.results;
        // A span of 0 is one of 2^24 cycles, of which the rows do not say a rate.
        new.then(|| RATE.min(elab::rate((self.packets - 1) * unit, self.span.max(1))))
    }
}

/// `now` of a cycle.
pub const fn now(cycle: u64) -> u64 {
    cycle % NOWS
}
