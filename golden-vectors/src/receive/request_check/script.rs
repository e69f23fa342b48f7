// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of a case while they are being added, each with what `reorder` would say of it.

use super::oracle::{Arrival, Delivery, Event, Packet};
use super::window::{Window, advance, outcome};
use std::collections::BTreeMap;

/// Handles are below this.
const HANDLES: u64 = 1 << 16;

/// The events of a case.
#[derive(Clone, Debug)]
pub struct Script {
    window: u64,
    connections: BTreeMap<u64, Window>,
    events: Vec<Event>,
    handle: u64,
}

impl Script {
    /// No events yet. Connections have a window of so many packets.
    #[must_use]
    pub const fn new(window: u64) -> Self {
        Script { window, connections: BTreeMap::new(), events: Vec::new(), handle: 0 }
    }

    /// Opens a connection. What is to be delivered of it is delivered before (RQ1); what is held is forgotten.
    pub fn open(&mut self, connection: u64, psn: u64, mtu: u64) {
        self.deliver(connection, usize::MAX);
        self.connections.insert(connection, Window::new(self.window, psn));
        self.events.push(Event::Open { connection, psn, mtu });
    }

    /// The window of a connection that has been opened.
    #[must_use]
    pub fn window(&self, connection: u64) -> &Window {
        self.connections.get(&connection).expect("it has been opened")
    }

    /// The expected PSN of a connection, and so much more.
    #[must_use]
    pub fn psn(&self, connection: u64, more: u64) -> u64 {
        advance(self.window(connection).expected(), more)
    }

    /// A packet comes. Returns its outcome.
    pub fn arrive(&mut self, connection: u64, psn: u64, packet: Packet) -> u64 {
        let window = self.connections.get_mut(&connection).expect("it has been opened");
        let outcome = window.arrive(psn, self.handle);
        let expected = window.expected();
        self.events.push(Event::Arrival(Arrival { connection, outcome, psn, expected, packet }));
        self.handle = (self.handle + 1) % HANDLES;
        outcome
    }

    /// A probe comes.
    pub fn probe(&mut self, connection: u64, psn: u64, packet: Packet) {
        let expected = self.window(connection).expected();
        self.events.push(Event::Arrival(Arrival { connection, outcome: outcome::PROBE, psn, expected, packet }));
    }

    /// A packet comes of a connection that is not known. Its number may be that of another one.
    pub fn unknown(&mut self, connection: u64, psn: u64, packet: Packet) {
        let arrival = Arrival { connection, outcome: outcome::UNKNOWN, psn, expected: 0, packet };
        self.events.push(Event::Arrival(arrival));
    }

    /// These packets come in order, and each one is delivered at once.
    pub fn send(&mut self, connection: u64, packets: &[Packet]) {
        for &packet in packets {
            self.arrive(connection, self.psn(connection, 0), packet);
            self.deliver(connection, usize::MAX);
        }
    }

    /// Delivers up to so many packets of a connection.
    pub fn deliver(&mut self, connection: u64, count: usize) {
        let Some(window) = self.connections.get_mut(&connection) else { return };
        for _ in 0..count.min(window.released()) {
            let (psn, handle) = window.deliver().expect("so many are released");
            self.events.push(Event::Delivery(Delivery { connection, psn, handle }));
        }
    }

    /// Delivers all that is to be delivered.
    pub fn settle(&mut self) {
        let connections: Vec<_> = self.connections.keys().copied().collect();
        for connection in connections {
            self.deliver(connection, usize::MAX);
        }
    }

    /// How many events there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.events.len()
    }

    /// There are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// All events, and the deliveries that are left.
    #[must_use]
    pub fn finish(mut self) -> Vec<Event> {
        self.settle();
        self.events
    }
}
