// SPDX-License-Identifier: MIT OR Apache-2.0
//! The queue of an output port: control before data, ECN, trimming, and drops.
//!
//! Marks are set when a packet leaves, by the data that it leaves behind, with a probability that rises linearly between two
//! thresholds (uet.md 1.13). A data packet that does not fit is trimmed, or, as often, the one that came before it; the header then goes before
//! all data.

use crate::packet::{PacketId, Packets, Trimmed};
use crate::random::Random;
use std::collections::VecDeque;

/// What the queue of a port may hold, and when it marks. Sizes are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most data.
    pub data: u64,
    /// Most control packets and headers.
    pub headers: u64,
    /// Data above which packets are marked at times, and above which always.
    pub mark: Option<(u64, u64)>,
    /// The size to which a packet is trimmed; otherwise it is dropped.
    pub trim: Option<u32>,
}

impl Limits {
    /// A share of all of them.
    #[must_use]
    pub fn share(&self, share: f64) -> Self {
        let part = |bytes: u64| (bytes as f64 * share).round() as u64;
        let mark = self.mark.map(|(low, high)| (part(low), part(high)));
        Limits { data: part(self.data), headers: part(self.headers), mark, trim: self.trim }
    }
}

/// What a queue has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets that were marked.
    pub marked: u64,
    /// Packets that were trimmed.
    pub trimmed: u64,
    /// Data packets for which there was no room.
    pub full: u64,
    /// Headers for which there was no room.
    pub headers_full: u64,
    /// Most data at a time, in bytes.
    pub most: u64,
}

/// The queue of a port.
#[derive(Debug, Default)]
pub struct Queue {
    headers: VecDeque<PacketId>,
    data: VecDeque<PacketId>,
    header_bytes: u64,
    data_bytes: u64,
    /// What it has done.
    pub counters: Counters,
}

impl Queue {
    /// Packets that wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.headers.len() + self.data.len()
    }

    /// Whether none does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.data.is_empty()
    }

    /// Bytes of data that wait.
    #[must_use]
    pub const fn data_bytes(&self) -> u64 {
        self.data_bytes
    }

    /// A packet comes. It waits, or another one leaves the network in its place, or it does.
    pub fn offer(
        &mut self,
        id: PacketId,
        packets: &mut Packets,
        limits: &Limits,
        hop: Trimmed,
        random: &mut Random,
    ) -> Option<PacketId> {
        let packet = packets.get(id);
        let size = u64::from(packet.size);
        if !packet.is_data() {
            return self.offer_header(id, size, limits);
        }
        if self.data_bytes + size <= limits.data {
            self.push(id, size);
            return None;
        }
        let Some(trimmed_size) = limits.trim else {
            self.counters.full += 1;
            return Some(id);
        };
        // One of the two is trimmed. A queue that holds nothing is too small for the packet.
        let victim = match self.data.back() {
            Some(&last) if random.coin() => {
                self.data.pop_back();
                self.data_bytes -= u64::from(packets.get(last).size);
                self.push(id, size);
                last
            }
            _ => id,
        };
        packets.get_mut(victim).trim(trimmed_size, hop);
        self.counters.trimmed += 1;
        self.offer_header(victim, trimmed_size.into(), limits)
    }

    fn push(&mut self, id: PacketId, size: u64) {
        self.data.push_back(id);
        self.data_bytes += size;
        self.counters.most = self.counters.most.max(self.data_bytes);
    }

    fn offer_header(&mut self, id: PacketId, size: u64, limits: &Limits) -> Option<PacketId> {
        if self.header_bytes + size > limits.headers {
            self.counters.headers_full += 1;
            return Some(id);
        }
        self.headers.push_back(id);
        self.header_bytes += size;
        None
    }

    /// The packet that is sent next.
    pub fn take(&mut self, packets: &mut Packets, limits: &Limits, random: &mut Random) -> Option<PacketId> {
        if let Some(id) = self.headers.pop_front() {
            self.header_bytes -= u64::from(packets.get(id).size);
            return Some(id);
        }
        let id = self.data.pop_front()?;
        let packet = packets.get_mut(id);
        self.data_bytes -= u64::from(packet.size);
        if let Some((low, high)) = limits.mark
            && self.data_bytes > low
            && (self.data_bytes > high || random.chance(self.data_bytes - low, high - low))
        {
            packet.marked = true;
            self.counters.marked += 1;
        }
        Some(id)
    }
}
