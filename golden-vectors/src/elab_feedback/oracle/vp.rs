// SPDX-License-Identifier: MIT OR Apache-2.0
//! A VP: packets that have arrived on it, and packets that have been reported (W2, W6).

use super::burst::{Bursts, now};
use super::{Arrival, Report, Settings, Shape};

/// Packet counts wrap to 0 at this value.
const NUMBERS: u64 = 1 << 16;

/// A VP since reset.
#[derive(Debug, Default)]
pub struct Vp {
    /// Whether the VP is known, with the cycle from which each value is valid.
    known: Vec<(u64, bool)>,
    port: u64,
    /// Packets received and marked so far, and at the last report.
    received: u64,
    marked: u64,
    reported: (u64, u64),
    bursts: Bursts,
}

impl Vp {
    /// Whether the VP is known after the arrivals and commands that take effect up to this cycle.
    pub fn known(&self, cycle: u64) -> bool {
        self.known.iter().rev().find(|&&(from, _)| from <= cycle).is_some_and(|&(_, known)| known)
    }

    /// W8.
    pub fn forget(&mut self, cycle: u64) {
        if self.known(cycle) {
            self.known.push((cycle, false));
        }
    }

    /// W2 and W3: a packet in this cycle; `settings` are those that apply to its burst.
    pub fn arrive(&mut self, shape: Shape, cycle: u64, arrival: Arrival, settings: Settings) {
        if !self.known(cycle) || self.port != arrival.sport {
            let known = std::mem::take(&mut self.known);
            *self = Vp { known, port: arrival.sport, ..Vp::default() };
            if !self.known(cycle) {
                self.known.push((cycle, true));
            }
        }
        self.received = (self.received + 1) % NUMBERS;
        self.marked = (self.marked + u64::from(arrival.ecn)) % NUMBERS;
        self.bursts.arrive(arrival.burst, now(cycle + shape.timing()), settings.burst);
    }

    /// W6 and W7.
    pub fn report(&mut self, shape: Shape) -> Report {
        let (received, marked) = std::mem::replace(&mut self.reported, (self.received, self.marked));
        let rate = self.bursts.report(shape.unit);
        Report {
            ok: true,
            vp: self.port,
            count: (self.received + NUMBERS - received) % NUMBERS,
            ecn: self.marked != marked,
            probed: rate.is_some(),
            rate: rate.unwrap_or_default(),
            ..Report::default()
        }
    }
}
