// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `reorder` answers for a connection, so that arrivals agree with each other.

use super::oracle::{Arrival, Outcome, Report, Shape};
use std::collections::BTreeSet;

/// A connection of `reorder`. PSNs are counted on without wrap, from the second lap on.
#[derive(Clone, Debug)]
pub struct Receiver {
    shape: Shape,
    /// *E*.
    expected: u64,
    /// The highest number received, and one more.
    end: u64,
    /// What has been received behind *E*.
    behind: BTreeSet<u64>,
    /// End of the last gap that has been reported.
    reported: u64,
}

impl Receiver {
    /// A connection that expects this PSN.
    pub fn new(shape: Shape, psn: u64) -> Self {
        let start = shape.psns() + psn % shape.psns();
        Receiver { shape, expected: start, end: start, behind: BTreeSet::new(), reported: start }
    }

    /// *E*.
    pub const fn expected(&self) -> u64 {
        self.expected % self.shape.psns()
    }

    /// A packet with this PSN.
    pub fn receive(&mut self, psn: u64) -> Arrival {
        let ahead = self.shape.minus(psn, self.expected);
        let number = self.expected + ahead;
        let outcome = if ahead >= self.shape.psns() / 2 {
            Outcome::Below
        } else if self.behind.contains(&number) {
            Outcome::Duplicate
        } else if ahead >= self.shape.window {
            Outcome::Above
        } else if ahead == 0 {
            Outcome::InOrder
        } else {
            Outcome::Held
        };
        let is_new = matches!(outcome, Outcome::InOrder | Outcome::Held);
        let late = is_new && number + 1 < self.end;
        if is_new {
            self.behind.insert(number);
            self.end = self.end.max(number + 1);
            while self.behind.remove(&self.expected) {
                self.expected += 1;
            }
        }
        Arrival { late, ..self.refuse(psn, outcome) }
    }

    /// A packet with this outcome, which is not received.
    pub fn refuse(&self, psn: u64, outcome: Outcome) -> Arrival {
        let psns = self.shape.psns();
        let sack_base = psn % psns / 64 * 64;
        let received = |bit: &u64| {
            let number = self.expected.wrapping_add(self.shape.minus(sack_base + bit, self.expected));
            number - self.expected >= psns / 2 || self.behind.contains(&number)
        };
        Arrival {
            outcome,
            psn: psn % psns,
            expected: self.expected(),
            held: self.behind.len() as u64,
            highest: (self.end - 1) % psns,
            suspected: !self.behind.is_empty() && self.expected < self.reported,
            sack_base,
            sack: if outcome == Outcome::Probe {
                0
            } else {
                (0..64).filter(received).fold(0, |word, bit| word | 1 << bit)
            },
            ..Arrival::default()
        }
    }

    /// The event for the gap that there is, if there is one.
    pub fn report(&mut self, connection: u64) -> Option<Report> {
        let behind = *self.behind.first()?;
        self.reported = behind;
        let psns = self.shape.psns();
        Some(Report { connection, first: self.expected % psns, last: (behind - 1) % psns, repeated: false })
    }
}
