// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `request_check` must do, untimed: the contract row by row.
//!
//! "RQn" is row n of `docs/stages/request_check.md`. A packet waits here from its arrival until all before it have come,
//! and is then judged with the state of its connection.

use super::window::{advance, is_before, outcome};
use std::collections::BTreeMap;

/// Causes (RQ4 to RQ6). 0 is none.
pub mod cause {
    /// The packet does not follow the one before it.
    pub const ORDER: u64 = 1;
    /// Its payload does not fit the path MTU.
    pub const SIZE: u64 = 2;
    /// The WRITE has not the length that it announced.
    pub const LENGTH: u64 = 3;
}

/// The most bytes of a WRITE of more than one packet (RQ6).
pub const LONGEST: u64 = 1 << 31;

/// What matters of a packet (RQ2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// It begins a message.
    pub first: bool,
    /// It ends one.
    pub last: bool,
    /// It is of a WRITE and not of a SEND.
    pub write: bool,
    /// Its payload in bytes.
    pub length: u64,
    /// The length in the RETH. It has a meaning in a first or only packet of a WRITE.
    pub dma_length: u64,
}

/// A packet as `reorder` answers it (RQ2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Its connection.
    pub connection: u64,
    /// What became of it.
    pub outcome: u64,
    /// Its PSN.
    pub psn: u64,
    /// The expected PSN after it.
    pub expected: u64,
    /// What is checked of it.
    pub packet: Packet,
}

/// A packet that `reorder` delivers (RQ11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Its connection.
    pub connection: u64,
    /// Its PSN.
    pub psn: u64,
    /// What came with it.
    pub handle: u64,
}

/// An input of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A connection begins (RQ1).
    Open {
        /// The connection.
        connection: u64,
        /// Its first PSN.
        psn: u64,
        /// Its path MTU; 0 if it is not known.
        mtu: u64,
    },
    /// An arrival (RQ2).
    Arrival(Arrival),
    /// A delivery (RQ11).
    Delivery(Delivery),
}

/// What goes to the ACK generator (RQ7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The connection of the arrival.
    pub connection: u64,
    /// The outcome.
    pub outcome: u64,
    /// The PSN.
    pub psn: u64,
    /// The expected PSN.
    pub expected: u64,
    /// A packet was refused.
    pub invalid: bool,
    /// It is the last verdict of its arrival.
    pub last: bool,
}

/// A packet that is not delivered (RQ11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its connection.
    pub connection: u64,
    /// What came with it.
    pub handle: u64,
    /// It is behind the packet that was refused, and not that packet.
    pub behind: bool,
}

/// Whether a connection is in error (RQ13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The cause, 0 if it is not.
    pub cause: u64,
    /// The PSN of the packet that was refused, 0 if it is not in error.
    pub psn: u64,
}

/// A message that has begun and not ended.
#[derive(Clone, Copy, Debug)]
struct Message {
    write: bool,
    /// WRITE: bytes that are still to come, if the path MTU is known.
    left: u64,
}

/// A connection.
#[derive(Clone, Debug, Default)]
struct Connection {
    mtu: u64,
    /// *C* (RQ1).
    checked: u64,
    message: Option<Message>,
    /// 0 while it is not in error.
    cause: u64,
    /// The packet that was refused has been named (RQ11).
    named: bool,
    /// Packets that have been received and not checked (RQ3).
    received: BTreeMap<u64, Packet>,
}

impl Connection {
    /// RQ4 to RQ6: the message that is open behind this packet, or the cause for which it is refused.
    fn judge(&self, packet: &Packet) -> Result<Option<Message>, u64> {
        let &Packet { first, last, write, length, dma_length } = packet;
        // RQ4
        let ordered = match self.message {
            None => first,
            Some(open) => !first && open.write == write,
        };
        if !ordered {
            return Err(cause::ORDER);
        }
        let left = if first { dma_length } else { self.message.map_or(0, |open| open.left) };
        // "`command_mtu` 0 stands for a path MTU that is not known: RQ5 and RQ6 do not apply."
        if self.mtu == 0 {
            return Ok((!last).then_some(Message { write, left: 0 }));
        }
        // RQ5
        let fits = match (first, last) {
            (_, false) => length == self.mtu,
            (false, true) => (1..=self.mtu).contains(&length),
            (true, true) => length <= self.mtu,
        };
        if !fits {
            return Err(cause::SIZE);
        }
        // RQ6
        let announced = !write
            || match (first, last) {
                (_, true) => length == left,
                (true, false) => dma_length > self.mtu && dma_length <= LONGEST,
                (false, false) => length < left,
            };
        if !announced {
            return Err(cause::LENGTH);
        }
        Ok((!last).then(|| Message { write, left: left.saturating_sub(length) }))
    }

    /// RQ3: checks the packets from *C* on and before `expected`. The first one that is refused ends it (RQ8).
    fn check(&mut self, expected: u64) {
        while self.checked != expected {
            let packet = self.received.remove(&self.checked).expect("RQ3: it has been received");
            match self.judge(&packet) {
                Ok(message) => {
                    self.message = message;
                    self.checked = advance(self.checked, 1);
                }
                Err(cause) => {
                    self.cause = cause;
                    return;
                }
            }
        }
    }
}

/// The stage.
#[derive(Clone, Debug, Default)]
pub struct Oracle {
    connections: BTreeMap<u64, Connection>,
    invalid_requests: u64,
}

impl Oracle {
    /// A stage after reset.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// RQ1: begins a connection.
    pub fn open(&mut self, connection: u64, psn: u64, mtu: u64) {
        self.connections.insert(connection, Connection { mtu, checked: psn, ..Connection::default() });
    }

    /// Takes an arrival. Returns its verdicts, one or two.
    pub fn arrive(&mut self, arrival: &Arrival) -> Vec<Verdict> {
        let &Arrival { connection, outcome: code, psn, expected, packet } = arrival;
        // RQ7: what it is unless RQ8 to RQ10 say otherwise.
        let own = Verdict { connection, outcome: code, psn, expected, invalid: false, last: true };
        // RQ10: it is of no connection.
        if code == outcome::UNKNOWN {
            return vec![own];
        }
        let state = self.connections.entry(connection).or_default();
        let nak = |at| Verdict { outcome: outcome::PROBE, psn: at, expected: at, invalid: true, ..own };
        if state.cause != 0 {
            return vec![match code {
                // RQ9
                outcome::DUPLICATE | outcome::BELOW | outcome::NO_BUFFER => nak(state.checked),
                // RQ10
                _ => Verdict { outcome: outcome::UNKNOWN, ..own },
            }];
        }
        // RQ3
        if code == outcome::IN_ORDER || code == outcome::HELD {
            state.received.insert(psn, packet);
        }
        if code == outcome::IN_ORDER {
            assert_eq!(psn, state.checked, "RQ3: the packets from it on are checked");
            state.check(expected);
        }
        if state.cause == 0 {
            return vec![own];
        }
        // RQ8
        self.invalid_requests = (self.invalid_requests + 1) % (1 << 32);
        state.received.clear();
        let at = state.checked;
        let passed = (at != psn).then_some(Verdict { expected: at, last: false, ..own });
        passed.into_iter().chain([nak(at)]).collect()
    }

    /// RQ11: says whether a packet passes.
    ///
    /// # Errors
    /// If it does not: what is named on `refused`.
    pub fn deliver(&mut self, delivery: &Delivery) -> Result<(), Refused> {
        let &Delivery { connection, psn, handle } = delivery;
        let state = self.connections.entry(connection).or_default();
        if state.cause == 0 || !state.named && is_before(psn, state.checked) {
            return Ok(());
        }
        let behind = state.named || psn != state.checked;
        state.named = true;
        Err(Refused { connection, handle, behind })
    }

    /// RQ13: whether a connection is in error.
    #[must_use]
    pub fn status(&self, connection: u64) -> Status {
        let in_error = self.connections.get(&connection).filter(|state| state.cause != 0);
        in_error.map_or(Status::default(), |state| Status { cause: state.cause, psn: state.checked })
    }

    /// RQ14: the packets that were refused by RQ4 to RQ6.
    #[must_use]
    pub const fn invalid_requests(&self) -> u64 {
        self.invalid_requests
    }
}
