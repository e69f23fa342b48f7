// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets, messages, and what can be wrong with them.

use super::oracle::{Packet, cause};

/// The path MTUs of InfiniBand.
pub const MTUS: [u64; 5] = [256, 512, 1024, 2048, 4096];

/// What stands for the length of a RETH where there is none. It must not matter.
pub const NOISE: u64 = 0x9ABC_DEF1;

/// Where a packet stands in its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It begins one of more packets.
    First,
    /// It neither begins nor ends it.
    Middle,
    /// It ends one of more packets.
    Last,
    /// It is a message of its own.
    Only,
}

impl Place {
    /// All places.
    pub const ALL: [Place; 4] = [Place::First, Place::Middle, Place::Last, Place::Only];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Place::First => "first",
            Place::Middle => "middle",
            Place::Last => "last",
            Place::Only => "only",
        }
    }
}

/// What an operation is called.
#[must_use]
pub const fn operation(write: bool) -> &'static str {
    if write { "WRITE" } else { "SEND" }
}

/// A packet of a SEND.
#[must_use]
pub const fn send(place: Place, length: u64) -> Packet {
    let first = matches!(place, Place::First | Place::Only);
    let last = matches!(place, Place::Last | Place::Only);
    Packet { first, last, write: false, length, dma_length: NOISE }
}

/// A packet of a WRITE. `dma_length` is that of a first or only one; others have none.
#[must_use]
pub const fn write(place: Place, length: u64, dma_length: u64) -> Packet {
    let packet = Packet { write: true, ..send(place, length) };
    if packet.first { Packet { dma_length, ..packet } } else { packet }
}

/// A packet of one or the other.
#[must_use]
pub const fn packet(is_write: bool, place: Place, length: u64, dma_length: u64) -> Packet {
    if is_write { write(place, length, dma_length) } else { send(place, length) }
}

/// A legal message of so many bytes.
#[must_use]
pub fn message(is_write: bool, mtu: u64, bytes: u64) -> Vec<Packet> {
    let count = bytes.div_ceil(mtu).max(1);
    let place = |n| match (n == 0, n + 1 == count) {
        (true, true) => Place::Only,
        (true, false) => Place::First,
        (false, true) => Place::Last,
        (false, false) => Place::Middle,
    };
    (0..count).map(|n| packet(is_write, place(n), mtu.min(bytes - n * mtu), bytes)).collect()
}

/// The first `count` packets of endless messages. They are WRITEs and SENDs of one to three packets, or WRITEs alone.
#[must_use]
pub fn stream(only_writes: bool, mtu: u64, count: usize) -> Vec<Packet> {
    let round =
        [(true, 2 * mtu + 77), (false, mtu + 33), (true, 5), (false, 2 * mtu + 3), (false, 19), (true, mtu + 2)];
    let messages = round.into_iter().filter(|&(is_write, _)| is_write || !only_writes);
    messages.cycle().flat_map(|(is_write, bytes)| message(is_write, mtu, bytes)).take(count).collect()
}

/// Changes a legal stream so that this packet is refused with this cause, if none before it is. A wrong length is that of
/// a WRITE. For a middle packet it is the first one of the message that announces too little.
pub fn spoil(packets: &mut [Packet], at: usize, mtu: u64, why: u64) {
    let packet = &mut packets[at];
    match (why, packet.first, packet.last) {
        (cause::ORDER, ..) => packet.first = !packet.first,
        (cause::SIZE, ..) => packet.length = mtu + 1,
        (_, true, true) => packet.dma_length += 1,
        (_, true, false) => packet.dma_length = mtu,
        (_, false, true) => packet.length -= 1,
        (_, false, false) => {
            let first = packets[..at].iter().rposition(|packet| packet.first).expect("the message has begun");
            packets[first].dma_length = (at - first + 1) as u64 * mtu;
        }
    }
}
