// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time, and the visits of connections (G3, G19, G20).

use super::connection::{Connection, Owes};
use super::{Past, Shape, take_at};
use std::collections::VecDeque;

/// Times wrap to 0 at this value.
const TIMES: u64 = 1 << 20;

/// The clock: the sum of all ticks, 16 bits of it behind the point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock(u64);

impl Clock {
    /// `time` of the present cycle.
    pub const fn time(self) -> u64 {
        self.0 >> 16
    }

    /// One cycle with this tick.
    pub const fn tick(&mut self, tick: u64) {
        self.0 = (self.0 + tick) % (TIMES << 16);
    }
}

/// Time from one to another, modulo 2 to the 20th.
pub const fn age(from: u64, to: u64) -> u64 {
    to.wrapping_sub(from) % TIMES
}

/// What the visits are doing.
#[derive(Clone, Copy, Debug)]
enum State {
    /// There are visits from this cycle on.
    Visiting(u64),
    /// An expiry of this connection waits.
    Expiry(u64),
}

/// A visit.
#[derive(Clone, Copy, Debug)]
struct Visit {
    cycle: u64,
    connection: u64,
    waiting: bool,
    since: u64,
}

/// Visits all connections in turn.
#[derive(Debug)]
pub struct Visits {
    shape: Shape,
    state: State,
    /// The connection that is visited next.
    next: u64,
    /// Visits that have not been compared.
    visits: VecDeque<Visit>,
}

impl Visits {
    /// The first visit is that of connection 0, in the first cycle without `busy`.
    pub fn new(shape: Shape) -> Self {
        Visits { shape, state: State::Visiting(shape.sweep()), next: 0, visits: VecDeque::new() }
    }

    /// The expiry that waits.
    pub const fn expiry(&self) -> Option<u64> {
        match self.state {
            State::Expiry(connection) => Some(connection),
            State::Visiting(_) => None,
        }
    }

    /// The expiry enters in this cycle: visits go on in the next one.
    pub const fn entered(&mut self, cycle: u64) {
        self.state = State::Visiting(cycle + 1);
    }

    /// The visit of this cycle, which sees the passes with effect before it, and the comparison of an earlier one.
    pub fn clock(&mut self, cycle: u64, connections: &[Connection], past: &Past) {
        let State::Visiting(from) = self.state else { return };
        if cycle < from {
            return;
        }
        let connection = &connections[self.next as usize];
        let (waiting, since) = (connection.owes == Owes::Waiting, connection.since);
        self.visits.push_back(Visit { cycle, connection: self.next, waiting, since });
        self.next = (self.next + 1) % self.shape.connections;
        let compare = self.shape.compare();
        let Some(visit) = take_at(&mut self.visits, cycle, |visit| visit.cycle + compare) else { return };
        // G19: the age is from the cycle before this one, the limit of this one.
        let age = age(visit.since, past.before(1).time);
        let limit = past.before(0).settings.time;
        if visit.waiting && limit != 0 && age >= limit {
            // G20: the visits after it have no effect.
            self.visits.clear();
            self.next = (visit.connection + 1) % self.shape.connections;
            self.state = State::Expiry(visit.connection);
        }
    }
}
