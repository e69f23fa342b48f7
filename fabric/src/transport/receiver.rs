// SPDX-License-Identifier: MIT OR Apache-2.0
//! What arrives: which packets are there, and what is said of them (uet.md 1.10, 1.11).
//!
//! There is an ACK for each 16 KiB, for a packet that is marked, asks for it, comes first, or has come before, and when what was
//! asked for has become complete. The base of its bitmap is the rule of uet-htsim, which the standard leaves to the receiver.

use super::bitmap::Bitmap;
use super::{Message, START, Setup};
use crate::packet::{Ack, Body, Data, Nack, Packet};

/// A connection.
#[derive(Debug)]
struct Receiving {
    message: Message,
    /// The PSN behind its last packet.
    end: u32,
    /// The lowest PSN that has not come.
    expected: u32,
    /// Those above it that have.
    arrived: Bitmap,
    /// How many.
    ahead: u32,
    /// Bytes of all packets.
    bytes: u64,
    /// Bytes since the last ACK.
    silent: u64,
    /// An ACK was asked for, and something was missing.
    asked: bool,
    /// It has been said that it is complete.
    told: bool,
}

/// All connections that a host receives.
#[derive(Debug)]
pub struct Receiver {
    setup: Setup,
    connections: Vec<Receiving>,
    duplicates: u64,
    trimmed: u64,
    marked: u64,
    /// Most packets that waited for an earlier one.
    most_ahead: u32,
}

impl Receiver {
    /// With these messages.
    pub fn new(setup: Setup, messages: &[Message]) -> Self {
        let connection = |message: &Message| Receiving {
            message: *message,
            end: START + setup.packets(message.bytes) as u32,
            expected: START,
            arrived: Bitmap::new(setup.window),
            ahead: 0,
            bytes: 0,
            silent: 0,
            asked: false,
            told: false,
        };
        let connections = messages.iter().map(connection).collect();
        Receiver { setup, connections, duplicates: 0, trimmed: 0, marked: 0, most_ahead: 0 }
    }

    /// The message of a connection.
    pub fn message(&self, context: u32) -> Message {
        self.connections[context as usize].message
    }

    /// Whether all of it has come. True once.
    pub fn is_complete(&mut self, context: u32) -> bool {
        let connection = &mut self.connections[context as usize];
        let complete = connection.expected == connection.end && !connection.told;
        connection.told |= complete;
        complete
    }

    /// A packet comes. Returns what is said of it.
    pub fn receive(&mut self, context: u32, packet: &Packet, data: &Data) -> Option<Body> {
        let connection = &mut self.connections[context as usize];
        let known = data.psn < connection.expected || connection.arrived.has(data.psn);
        self.marked += u64::from(packet.marked);
        if known {
            self.duplicates += 1;
            let marked = packet.marked && data.trimmed.is_none();
            return Some(connection.ack(data, marked));
        }
        if let Some(trimmed) = data.trimmed {
            self.trimmed += 1;
            let Data { psn, retx, .. } = *data;
            return Some(Body::Nack(Nack { psn, trimmed, marked: packet.marked, retx }));
        }
        let first = connection.bytes == 0;
        let complete = connection.take(data, packet.size);
        self.most_ahead = self.most_ahead.max(connection.ahead);
        let enough = connection.silent >= self.setup.ack_bytes;
        (first || complete || enough || packet.marked || data.asks).then(|| connection.ack(data, packet.marked))
    }

    /// What it has counted.
    pub fn counters(&self) -> [(&'static str, u64); 4] {
        [
            ("duplicates", self.duplicates),
            ("trimmed packets received", self.trimmed),
            ("marked packets received", self.marked),
            ("most packets out of order", self.most_ahead.into()),
        ]
    }
}

impl Receiving {
    /// A new packet. Returns whether what an ACK was asked for has become complete.
    fn take(&mut self, data: &Data, size: u32) -> bool {
        self.bytes += u64::from(size);
        self.silent += u64::from(size);
        self.asked |= data.asks;
        if data.psn != self.expected {
            self.arrived.set(data.psn);
            self.ahead += 1;
            return false;
        }
        self.expected += 1;
        while self.arrived.has(self.expected) {
            self.arrived.clear(self.expected);
            self.ahead -= 1;
            self.expected += 1;
        }
        let complete = self.ahead == 0 && self.asked;
        self.asked &= !complete;
        complete
    }

    /// Which of 64 PSNs are in the window: the bits of others are those of PSNs before or behind it.
    fn window(&self, base: u32) -> u64 {
        let before = u64::MAX.checked_shl(self.expected.saturating_sub(base)).unwrap_or(0);
        let inside = (self.expected + self.arrived.window()).saturating_sub(base);
        let behind = u64::MAX.checked_shl(inside).unwrap_or(0);
        before & !behind
    }

    /// An ACK for a packet.
    fn ack(&mut self, data: &Data, marked: bool) -> Body {
        self.silent = 0;
        let Data { psn, retx, asks, .. } = *data;
        let base = if marked || asks { psn } else { psn.saturating_sub(63).max(self.expected + 1) };
        let bitmap = self.arrived.bits(base) & self.window(base);
        Body::Ack(Ack {
            cumulative: self.expected - 1,
            trigger: psn,
            base,
            bitmap,
            received: self.bytes.div_ceil(256) as u32 & 0xFF_FFFF,
            marked,
            retx,
        })
    }
}
