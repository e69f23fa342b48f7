// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links in one direction, each with the queue of the port before it.

use crate::event::Time;
use crate::packet::{PacketId, Packets, Trimmed};
use crate::queue::{Limits, Queue};
use crate::random::Random;

/// Number of a link.
pub type LinkId = u32;

/// A place in the network: a host, or a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// The host with this number.
    Host(u32),
    /// The switch with this number.
    Switch(u32),
}

/// A link as a topology has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Where it begins.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
    /// Rate in Mb/s.
    pub rate: u64,
    /// From its beginning to its end.
    pub delay: Time,
}

/// A change of links while a run goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// It carries packets, or loses all of them.
    Up(bool),
    /// Its rate, in Mb/s.
    Rate(u64),
    /// The share of packets that it loses.
    Loss(f64),
    /// The share of bits that it changes, which loses the packet.
    BitErrors(f64),
    /// The share of the queue's limits that are in force.
    Queue(f64),
}

/// Packets of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets that came to the port.
    pub entered: u64,
    /// Packets that came to its end, and their bytes.
    pub left: u64,
    /// Bytes of these.
    pub bytes: u64,
    /// Packets lost because the link was down.
    pub down: u64,
    /// Packets lost by chance.
    pub lost: u64,
    /// Packets with a wrong bit.
    pub broken: u64,
    /// Packets on the wire.
    pub flying: u64,
}

/// What a port does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The packet.
    pub id: PacketId,
    /// When it is at the end of the link; `None` if it is lost.
    pub arrives: Option<Time>,
}

/// How long so many bytes take at a rate in Mb/s.
#[must_use]
pub const fn duration(bytes: u64, rate: u64) -> Time {
    // 8 bits at one Mb/s take 8 us.
    bytes * 8_000_000 / rate
}

/// A link, and the port before it.
#[derive(Debug)]
pub struct Link {
    /// As the topology has it.
    pub wire: Wire,
    /// Its end is a host.
    hop: Trimmed,
    rate: u64,
    up: bool,
    loss: f64,
    /// ln of the share of bits that it does not change.
    good_bits: f64,
    /// Of the queue, at first and now.
    limits: [Limits; 2],
    /// Until then the port sends.
    pub busy: Time,
    /// It will be asked for the next packet then.
    pub asked: bool,
    /// What waits.
    pub queue: Queue,
    /// Its packets.
    pub counters: Counters,
}

impl Link {
    /// A link that is up, with nothing in it.
    #[must_use]
    pub fn new(wire: Wire, limits: Limits) -> Self {
        let hop = if matches!(wire.to, Node::Host(_)) { Trimmed::LastHop } else { Trimmed::OnTheWay };
        let (rate, queue, counters) = (wire.rate, Queue::default(), Counters::default());
        let limits = [limits; 2];
        Link { wire, hop, rate, up: true, loss: 0.0, good_bits: 0.0, limits, busy: 0, asked: false, queue, counters }
    }

    /// Changes it from now on. What is on the wire arrives.
    pub fn change(&mut self, change: Change) {
        match change {
            Change::Up(up) => self.up = up,
            Change::Rate(rate) => self.rate = rate,
            Change::Loss(loss) => self.loss = loss,
            Change::BitErrors(share) => self.good_bits = (-share).ln_1p(),
            Change::Queue(share) => self.limits[1] = self.limits[0].share(share),
        }
    }

    /// A packet comes to the port. Returns the one that is dropped, if one is.
    pub fn offer(&mut self, id: PacketId, packets: &mut Packets, random: &mut Random) -> Option<PacketId> {
        self.counters.entered += 1;
        self.queue.offer(id, packets, &self.limits[1], self.hop, random)
    }

    /// The port sends the next packet, if it has one. It must not be busy.
    pub fn send(&mut self, now: Time, packets: &mut Packets, random: &mut Random) -> Option<Sent> {
        let id = self.queue.take(packets, &self.limits[1], random)?;
        Some(self.put(now, id, packets, random))
    }

    /// A packet goes on the wire without a queue.
    pub fn put(&mut self, now: Time, id: PacketId, packets: &Packets, random: &mut Random) -> Sent {
        self.busy = now + duration(packets.get(id).size.into(), self.rate);
        if !self.up {
            self.counters.down += 1;
            return Sent { id, arrives: None };
        }
        if self.loss > 0.0 && random.real() < self.loss {
            self.counters.lost += 1;
            return Sent { id, arrives: None };
        }
        if self.good_bits < 0.0 && random.real() >= (self.good_bits * 8.0 * f64::from(packets.get(id).size)).exp() {
            self.counters.broken += 1;
            return Sent { id, arrives: None };
        }
        self.counters.flying += 1;
        Sent { id, arrives: Some(self.busy + self.wire.delay) }
    }

    /// A packet is at the end.
    pub const fn arrive(&mut self, bytes: u64) {
        self.counters.flying -= 1;
        self.counters.left += 1;
        self.counters.bytes += bytes;
    }

    /// Whether every packet that came has left, was dropped for a reason that is counted, waits, or is on the wire.
    #[must_use]
    pub fn is_conserved(&self) -> bool {
        let Counters { entered, left, down, lost, broken, flying, .. } = self.counters;
        let dropped = self.queue.counters.full + self.queue.counters.headers_full;
        entered == left + dropped + down + lost + broken + flying + self.queue.len() as u64
    }
}
