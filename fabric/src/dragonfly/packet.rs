// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets, in places that are used again.

use super::route::{Hop, MOST_HOPS, NONE};

/// Number of a packet that is in the network.
pub type PacketId = u32;

/// No packet.
pub const NOBODY: PacketId = PacketId::MAX;

/// A packet.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// When it was made.
    pub born: u32,
    /// The host to which it goes.
    pub destination: u32,
    /// The next one of its queue.
    pub next: PacketId,
    /// How many groups further its destination is.
    pub offset: u16,
    /// Its way.
    pub hops: [Hop; MOST_HOPS],
    /// The hop that comes next.
    pub at: u8,
    /// Links of its way.
    pub links: u8,
    /// How its way came about.
    pub kind: u8,
}

impl Packet {
    /// One whose way is not decided.
    #[must_use]
    pub const fn new(born: u32, destination: u32, offset: u16) -> Self {
        Packet { born, destination, next: NOBODY, offset, hops: [NONE; MOST_HOPS], at: 0, links: 0, kind: 0 }
    }

    /// The next hop.
    #[must_use]
    pub const fn hop(&self) -> Hop {
        self.hops[self.at as usize]
    }
}

/// All packets of a network.
#[derive(Debug, Default)]
pub struct Packets {
    /// By their numbers.
    pub all: Vec<Packet>,
    free: Vec<PacketId>,
}

impl Packets {
    /// A packet enters.
    pub fn enter(&mut self, packet: Packet) -> PacketId {
        if let Some(id) = self.free.pop() {
            self.all[id as usize] = packet;
            return id;
        }
        self.all.push(packet);
        (self.all.len() - 1) as PacketId
    }

    /// A packet leaves.
    pub fn leave(&mut self, id: PacketId) {
        self.free.push(id);
    }

    /// How many there are.
    #[must_use]
    pub const fn inside(&self) -> usize {
        self.all.len() - self.free.len()
    }
}
