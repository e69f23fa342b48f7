// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns, and the packets that are read in them (R8 to R11).
//!
//! The contract says in which order packets are delivered, and when if the stage is idle, but not in which cycle a packet
//! is read, nor how early a turn is taken. This is the [`Pace`]. What follows from the contract is the same at each.

use super::connection::Connection;
use super::{Delivery, Shape, due};
use std::collections::{BTreeSet, VecDeque};

/// Most packets that are read in a turn (R10).
const TURN: u64 = 16;
/// Most packets that are read and not transferred (R9).
const READ_AHEAD: usize = 16;

/// What the contract leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Cycles from a read to the delivery ports, if nothing is before it: 1 to 15. With more, [`READ_AHEAD`] packets
    /// would not fill every cycle.
    pub output: u64,
    /// Turns that are taken before they can be read.
    pub ahead: usize,
    /// A turn also reads what moves of *E* made ready up to so many cycles after the one that it is for.
    pub peek: u64,
    /// Cycles from one turn of a connection to the next one, if the first one has left something: 1 to 16. With more,
    /// turns would not fill every cycle.
    pub interval: u64,
    /// If both queues have a connection, which one the first turn is taken from.
    pub again_first: bool,
    /// A connection waits [`Shape::turn_interval`] cycles from its last turn to the next one.
    pub rests: bool,
    /// With frames, the cycles from the effect of *open* to the one in which no slot is read, and from that one to the
    /// return of the first cell of each packet discarded by *close* (R34).
    pub pause: Option<(u64, u64)>,
}

impl Pace {
    /// The plainest one.
    pub const LATE: Self =
        Pace { output: 1, ahead: 1, peek: 0, interval: 1, again_first: false, rests: false, pause: None };

    /// Paces that differ in everything.
    pub const ALL: [Self; 6] = [
        Self::LATE,
        Pace { output: 12, interval: 16, again_first: true, rests: true, pause: Some((5, 1)), ..Self::LATE },
        Pace { output: 7, ahead: 2, peek: 3, interval: 8, pause: Some((9, 6)), ..Self::LATE },
        Pace { output: 3, ahead: 4, peek: 5, interval: 10, again_first: true, rests: true, pause: Some((12, 10)) },
        Pace { output: 15, ahead: 9, peek: 8, interval: 6, again_first: false, rests: false, pause: Some((6, 14)) },
        Pace { output: 9, ahead: 3, peek: 1, interval: 2, again_first: true, rests: true, pause: Some((14, 18)) },
    ];
}

/// Numbers of a connection, as turns see them.
#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    /// *E*.
    expected: u64,
    /// All before it have been read, or will be in a turn that has been taken.
    taken: u64,
    /// It is in a queue, or will be.
    waits: bool,
    /// The first cycle in which it can have another turn.
    rested: u64,
}

/// A turn that has been taken.
#[derive(Clone, Copy, Debug)]
struct Turn {
    connection: u64,
    next: u64,
    end: u64,
}

/// Reads packets and delivers them.
#[derive(Clone, Debug)]
pub struct Reader {
    shape: Shape,
    pace: Pace,
    /// Moves of *E*, with the cycle in which a turn can be due for them.
    moves: VecDeque<(u64, u64, u64)>,
    /// The same moves, with the cycle in which other turns see them.
    peeked: VecDeque<(u64, u64, u64)>,
    /// Connections whose last turn left something, with the cycle in which they are queued.
    left: VecDeque<(u64, u64)>,
    readings: Vec<Reading>,
    fresh: VecDeque<u64>,
    again: VecDeque<u64>,
    /// The next turn is taken from `again` if both have a connection.
    prefers_again: bool,
    turns: VecDeque<Turn>,
    /// Packets that have been read, each with the cycle from which it can be on the ports.
    read: VecDeque<(u64, Delivery)>,
    /// Cycles in which no slot is read.
    pauses: BTreeSet<u64>,
}

impl Reader {
    /// Nothing is to be read.
    pub fn new(shape: Shape, pace: Pace) -> Self {
        Reader {
            shape,
            pace,
            moves: VecDeque::new(),
            peeked: VecDeque::new(),
            left: VecDeque::new(),
            readings: vec![Reading::default(); shape.connections as usize],
            fresh: VecDeque::new(),
            again: VecDeque::new(),
            prefers_again: pace.again_first,
            turns: VecDeque::new(),
            read: VecDeque::new(),
            pauses: BTreeSet::new(),
        }
    }

    /// The connection begins with this number, as the effect of a command in this cycle. Nothing of it is to be read.
    pub fn opened(&mut self, cycle: u64, connection: u64, start: u64) {
        self.readings[connection as usize] = Reading { expected: start, taken: start, waits: false, rested: 0 };
        self.pauses.extend(self.paces_frames().map(|(opened, _)| cycle + opened));
    }

    /// The first cell of a packet that was discarded is returned in this cycle.
    pub fn discarded(&mut self, cycle: u64) {
        self.pauses.extend(self.paces_frames().map(|(_, ahead)| cycle - ahead));
    }

    fn paces_frames(&self) -> Option<(u64, u64)> {
        self.pace.pause.filter(|_| self.shape.pool.is_some())
    }

    /// An arrival in this cycle moved *E*.
    pub fn moved(&mut self, cycle: u64, connection: u64, expected: u64) {
        let seen = cycle + self.shape.delivery() - self.pace.output;
        self.moves.push_back((seen, connection, expected));
        self.peeked.push_back((seen - self.pace.peek, connection, expected));
    }

    /// What is on the ports in this cycle.
    pub fn on_ports(&self, cycle: u64) -> Option<Delivery> {
        self.read.front().filter(|(from, _)| *from <= cycle).map(|&(_, delivery)| delivery)
    }

    /// Takes a turn and reads a packet, if there are any; this comes before the arrival of the cycle (R8).
    pub fn clock(&mut self, cycle: u64, connections: &mut [Connection]) {
        while let Some((_, connection, expected)) = due(&mut self.peeked, cycle, |&(from, ..)| from) {
            self.readings[connection as usize].expected = expected;
        }
        while let Some((_, connection, expected)) = due(&mut self.moves, cycle, |&(from, ..)| from) {
            let reading = &mut self.readings[connection as usize];
            if !reading.waits && reading.taken < expected {
                reading.waits = true;
                self.fresh.push_back(connection);
            }
        }
        while let Some((_, connection)) = due(&mut self.left, cycle, |&(from, _)| from) {
            self.again.push_back(connection);
        }
        if self.turns.len() < self.pace.ahead {
            self.take(cycle);
        }
        self.read(cycle, connections);
    }

    /// Takes the next turn (R10).
    fn take(&mut self, cycle: u64) {
        let both = !self.fresh.is_empty() && !self.again.is_empty();
        let from_again = if both { self.prefers_again } else { self.fresh.is_empty() };
        let queue = if from_again { &mut self.again } else { &mut self.fresh };
        let Some(&connection) = queue.front() else { return };
        let reading = &mut self.readings[connection as usize];
        if self.pace.rests && cycle < reading.rested {
            return;
        }
        queue.pop_front();
        self.prefers_again = !from_again;
        reading.rested = cycle + self.shape.turn_interval();
        let (next, end) = (reading.taken, reading.expected.min(reading.taken + TURN));
        reading.taken = end;
        reading.waits = end < reading.expected;
        if reading.waits {
            self.left.push_back((cycle + self.pace.interval, connection));
        }
        self.turns.push_back(Turn { connection, next, end });
    }

    /// Reads the next packet of the first turn.
    fn read(&mut self, cycle: u64, connections: &mut [Connection]) {
        let pauses = self.pauses.remove(&cycle);
        let reads = self.read.len() < READ_AHEAD && !pauses;
        let Some(turn) = self.turns.front_mut().filter(|_| reads) else { return };
        let connection = &mut connections[turn.connection as usize];
        assert!(turn.next == connection.base && turn.next < connection.expected, "cycle {cycle}: {turn:?}");
        let handle = connection.read(cycle, self.shape.judged());
        let delivery = Delivery { connection: turn.connection, psn: turn.next % self.shape.psns(), handle };
        self.read.push_back((cycle + self.pace.output, delivery));
        turn.next += 1;
        if turn.next == turn.end {
            self.turns.pop_front();
        }
    }

    /// Whether a packet of the connection has been read and not transferred.
    pub fn holds(&self, connection: u64) -> bool {
        self.read.iter().any(|(_, delivery)| delivery.connection == connection)
    }

    /// The packet on the ports is transferred in this cycle; with frames, its last beat is.
    pub fn transfer(&mut self) {
        self.read.pop_front();
    }
}
