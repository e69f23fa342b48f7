// SPDX-License-Identifier: MIT OR Apache-2.0
//! A VP: packets that have arrived on it, and packets that have been reported (W2, W6).

use super::burst::{Bursts, now};
use super::{Arrival, Report, Settings, Shape};

/// Packet counts wrap to 0 at this value.
const NUMBERS: u64 = 1 << 16;

/// New VPs are counted modulo this value (W7).
const NEW_VPS: u64 = 256;

/// The state of a VP at its last report.
#[derive(Clone, Copy, Debug, Default)]
struct Reported {
    new_vps: u64,
    received: u64,
    marked: u64,
    results: u64,
}

/// A VP since reset.
#[derive(Debug, Default)]
pub struct Vp {
    /// Whether the VP is known, with the cycle from which each value is valid.
    known: Vec<(u64, bool)>,
    port: u64,
    /// How often it has been new since reset.
    new_vps: u64,
    /// Packets received and marked since it is known with this port.
    received: u64,
    marked: u64,
    bursts: Bursts,
    reported: Reported,
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
            let new_vps = (self.new_vps + 1) % NEW_VPS;
            *self = Vp { known, port: arrival.sport, new_vps, reported: self.reported, ..Vp::default() };
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
        // Of a new VP nothing has been reported (W2).
        let Reported { received, marked, results, .. } =
            if self.reported.new_vps == self.new_vps { self.reported } else { Reported::default() };
        let rate = self.bursts.report(shape.unit, results);
        self.reported = Reported {
            new_vps: self.new_vps,
            received: self.received,
            marked: self.marked,
            results: self.bursts.results,
        };
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
