// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sub-path: its packets in flight, and the effect of feedback on its weight (T11 to T14).

use super::{Kind, Settings, Shape, State};

/// The number of packets in flight wraps to 0 at this value (T11).
const NUMBERS: u64 = 1 << 12;

/// Largest value of the timeout count (T14).
const LOST: u64 = 7;

/// A sub-path since reset.
///
/// A packet is in flight until feedback comes for it; neither *remove* nor *close* changes this count.
#[derive(Debug, Default)]
pub struct SubPath {
    pub state: State,
    /// Weight of an active sub-path.
    weight: u64,
    pub limit: u64,
    good: u64,
    lost: u64,
    pub congested: bool,
    /// True if the sub-path has failed by itself and no command has addressed it since (T14, T17).
    pub unseen: bool,
    /// Cycles of the requests that were granted this sub-path.
    packets: Vec<u64>,
    /// Number of these packets for which feedback has been accepted.
    answered: u64,
}

impl SubPath {
    /// T4.
    pub const fn weight(&self) -> u64 {
        match self.state {
            State::Active => self.weight,
            _ => 0,
        }
    }

    /// A request of this cycle is granted this sub-path, for a packet of the stream (T11).
    pub fn packet(&mut self, cycle: u64) {
        self.packets.push(cycle);
    }

    /// T11: packets in flight for an event that takes effect in this cycle.
    pub fn in_flight(&self, shape: Shape, effect: u64) -> u64 {
        let counted = self.packets.partition_point(|&cycle| cycle + shape.counted() <= effect) as u64;
        (counted - self.answered) % NUMBERS
    }

    /// T12: feedback for a sub-path with packets in flight.
    pub fn feedback(&mut self, kind: Kind, settings: Settings) {
        self.answered += 1;
        if self.state == State::Active {
            self.rate(kind, settings.raise);
            self.count_lost(kind, settings.fail);
        }
    }

    /// T13.
    fn rate(&mut self, kind: Kind, raise: u64) {
        self.good = if kind == Kind::Good { self.good + 1 } else { 0 };
        match kind {
            Kind::Good if raise != 0 && self.good >= raise => {
                self.good = 0;
                self.weight = self.limit.min(self.weight + 1);
                self.congested = false;
            }
            Kind::Good => {}
            Kind::Ecn => self.weight = 1.max(self.weight - 1),
            Kind::Nack => self.weight = self.weight.div_ceil(2),
            Kind::Timeout => self.weight = 1,
        }
        if kind != Kind::Good {
            self.congested = true;
        }
    }

    /// T14.
    fn count_lost(&mut self, kind: Kind, fail: u64) {
        self.lost = if kind == Kind::Timeout { LOST.min(self.lost + 1) } else { 0 };
        if fail != 0 && self.lost >= fail {
            self.state = State::Failed;
            self.unseen = true;
        }
    }

    /// T17: a new sub-path without any history.
    pub fn add(&mut self, limit: u64) {
        (self.state, self.limit, self.congested) = (State::Probing, limit, false);
    }

    /// T17.
    pub fn start(&mut self, weight: u64) {
        (self.state, self.weight) = (State::Active, weight.min(self.limit));
        (self.good, self.lost, self.congested) = (0, 0, false);
    }

    /// T17.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
        self.weight = self.weight.min(limit);
    }
}
