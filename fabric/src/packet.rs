// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets, and the places where they are kept while they are in the network.

use crate::event::Time;

/// Number of a packet that is in the network.
pub type PacketId = u32;

/// What a data packet says (RUD request).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// The PSN.
    pub psn: u32,
    /// It is a retransmission.
    pub retx: bool,
    /// It asks for an ACK.
    pub asks: bool,
    /// Its payload was cut off, and where.
    pub trimmed: Option<Trimmed>,
    /// What is asked of the receiver: cumulative, in units of credit.
    pub credit_target: u32,
}

/// Where a packet was trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trimmed {
    /// On its way, where another path may help.
    OnTheWay,
    /// Before the link to its destination.
    LastHop,
}

/// What an ACK says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack {
    /// All PSNs up to this one are received.
    pub cumulative: u32,
    /// The PSN of the packet that it answers.
    pub trigger: u32,
    /// The PSN of bit 0 of the bitmap.
    pub base: u32,
    /// PSNs that are received.
    pub bitmap: u64,
    /// Bytes received so far, in units of 256.
    pub received: u32,
    /// m: the packet came with a mark.
    pub marked: bool,
    /// The packet was a retransmission.
    pub retx: bool,
}

/// What a NACK says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nack {
    /// The PSN.
    pub psn: u32,
    /// Where it was trimmed.
    pub trimmed: Trimmed,
    /// The packet came with a mark.
    pub marked: bool,
    /// The packet was a retransmission.
    pub retx: bool,
}

/// What a packet says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Payload.
    Data(Data),
    /// What has arrived.
    Ack(Ack),
    /// What has been trimmed.
    Nack(Nack),
    /// Cumulative credit.
    Credit(u32),
}

/// A packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Host from which it comes.
    pub source: u32,
    /// Host to which it goes.
    pub destination: u32,
    /// Number of the connection at the destination (PDCID).
    pub context: u32,
    /// What switches take for the flow, besides the EV.
    pub flow: u32,
    /// The entropy value (UDP source port).
    pub ev: u16,
    /// ECN-CE.
    pub marked: bool,
    /// Bytes on the wire.
    pub size: u32,
    /// When it was sent first.
    pub sent: Time,
    /// What it says.
    pub body: Body,
}

impl Packet {
    /// Whether it is data that has its payload: the rest is control, and small.
    #[must_use]
    pub const fn is_data(&self) -> bool {
        matches!(self.body, Body::Data(Data { trimmed: None, .. }))
    }

    /// Cuts off the payload.
    pub const fn trim(&mut self, size: u32, at: Trimmed) {
        if let Body::Data(data) = &mut self.body {
            data.trimmed = Some(at);
            self.size = size;
        }
    }
}

/// All packets in the network.
#[derive(Debug, Default)]
pub struct Packets {
    packets: Vec<Packet>,
    free: Vec<PacketId>,
}

impl Packets {
    /// A packet enters.
    pub fn enter(&mut self, packet: Packet) -> PacketId {
        if let Some(id) = self.free.pop() {
            self.packets[id as usize] = packet;
            return id;
        }
        self.packets.push(packet);
        (self.packets.len() - 1) as PacketId
    }

    /// A packet leaves: it is delivered, or dropped.
    pub fn leave(&mut self, id: PacketId) -> Packet {
        self.free.push(id);
        self.packets[id as usize]
    }

    /// A packet.
    #[must_use]
    pub fn get(&self, id: PacketId) -> &Packet {
        &self.packets[id as usize]
    }

    /// A packet, to be marked or trimmed.
    pub fn get_mut(&mut self, id: PacketId) -> &mut Packet {
        &mut self.packets[id as usize]
    }

    /// How many are in the network.
    #[must_use]
    pub const fn inside(&self) -> usize {
        self.packets.len() - self.free.len()
    }
}
