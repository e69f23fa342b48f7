// SPDX-License-Identifier: MIT OR Apache-2.0
//! A VP: what has arrived on it, and what of that has been reported (W2, W6).

use super::burst::{Bursts, now};
use super::{Arrival, Report, Settings, Shape};

/// Numbers of packets begin again with 0 there.
const NUMBERS: u64 = 1 << 16;

/// A VP from reset on.
#[derive(Debug, Default)]
pub struct Vp {
    /// Whether it is known, by the cycles from which on this is so.
    known: Vec<(u64, bool)>,
    port: u64,
    /// Packets received and marked, and how many of them there had been at the last report.
    received: u64,
    marked: u64,
    reported: (u64, u64),
    bursts: Bursts,
}

impl Vp {
    /// As of the arrivals and operations that take effect in a cycle or before.
    pub fn known(&self, cycle: u64) -> bool {
        self.known.iter().rev().find(|&&(from, _)| from <= cycle).is_some_and(|&(_, known)| known)
    }

    /// W8.
    pub fn forget(&mut self, cycle: u64) {
        if self.known(cycle) {
            self.known.push((cycle, false));
        }
    }

    /// W2 and W3: a packet in a cycle; the settings are those that count for its burst.
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
