// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sub-path: its packets in flight, and what feedback makes of its weight (T11 to T14).

use super::{Kind, Settings, Shape, State};

/// In flight are so many at most; the number begins again with 0 (T11).
const NUMBERS: u64 = 1 << 12;

/// So many are lost at most (T14).
const LOST: u64 = 7;

/// A sub-path from reset on.
///
/// A packet is in flight until a feedback says otherwise: neither removing the sub-path nor closing the QP forgets it.
#[derive(Debug, Default)]
pub struct SubPath {
    pub state: State,
    /// Of an active one.
    weight: u64,
    pub limit: u64,
    good: u64,
    lost: u64,
    pub congested: bool,
    /// It has failed by itself, and no operation has named it since (T14, T17).
    pub unseen: bool,
    /// The cycles of the requests that were granted it.
    packets: Vec<u64>,
    /// How many of them feedback has been accepted for.
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

    /// A request of this cycle is granted it, for a packet of the stream (T11).
    pub fn packet(&mut self, cycle: u64) {
        self.packets.push(cycle);
    }

    /// T11, for what takes effect in a cycle.
    pub fn in_flight(&self, shape: Shape, effect: u64) -> u64 {
        let counted = self.packets.partition_point(|&cycle| cycle + shape.counted() <= effect) as u64;
        (counted - self.answered) % NUMBERS
    }

    /// T12, of a sub-path that has something in flight.
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

    /// T17: a new one, of which nothing is known.
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
