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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{Body, Data, Packet};

    const LIMITS: Limits = Limits { data: 10_000, headers: 200, mark: Some((2000, 6000)), trim: Some(64) };

    fn packet(psn: u32) -> Packet {
        let data = Data { psn, retx: false, asks: false, trimmed: None, credit_target: 0 };
        let (source, destination, context, flow, ev, marked, sent) = (0, 1, 0, 0, 0, false, 0);
        Packet { source, destination, context, flow, ev, marked, size: 1000, sent, body: Body::Data(data) }
    }

    struct Port {
        packets: Packets,
        queue: Queue,
        random: Random,
    }

    impl Port {
        fn with(count: u32) -> Self {
            let mut port = Port { packets: Packets::default(), queue: Queue::default(), random: Random::new(1, 0) };
            (0..count).for_each(|psn| assert_eq!(port.offer(psn, &LIMITS), None));
            port
        }

        fn offer(&mut self, psn: u32, limits: &Limits) -> Option<PacketId> {
            let id = self.packets.enter(packet(psn));
            self.queue.offer(id, &mut self.packets, limits, Trimmed::OnTheWay, &mut self.random)
        }

        fn take(&mut self) -> Option<Packet> {
            let id = self.queue.take(&mut self.packets, &LIMITS, &mut self.random)?;
            Some(self.packets.leave(id))
        }
    }

    #[test]
    fn marks_depend_on_what_is_left_behind() {
        let marked =
            |waiting: u32| (0..400).filter(|_| Port::with(waiting).take().is_some_and(|packet| packet.marked)).count();
        // 2000 bytes are left behind: not above the lower threshold; 7000 are above the upper one.
        assert_eq!((marked(3), marked(8)), (0, 400));
        // Of one run with many coins: half way between them it is a half.
        let mut port = Port::with(5);
        let mut count = 0;
        for psn in 0..2000 {
            count += u32::from(port.take().is_some_and(|packet| packet.marked));
            port.offer(psn, &LIMITS);
        }
        assert!((900..1100).contains(&count), "{count}");
    }

    #[test]
    fn headers_go_first_and_either_packet_is_trimmed() {
        let mut port = Port::with(10);
        let mut victims = [0, 0];
        for psn in 10..13 {
            assert_eq!(port.offer(psn, &LIMITS), None);
        }
        // 200 bytes are three headers.
        assert!(port.offer(13, &LIMITS).is_some());
        assert_eq!((port.queue.counters.trimmed, port.queue.counters.headers_full), (4, 1));
        for _ in 0..3 {
            let first = port.take().expect("a header");
            let Body::Data(data) = first.body else { panic!("{first:?}") };
            assert_eq!((first.size, first.marked, data.trimmed), (64, false, Some(Trimmed::OnTheWay)));
            victims[usize::from(data.psn < 10)] += 1;
        }
        assert!(port.take().is_some_and(|packet| packet.size == 1000));
        assert_eq!(victims[0] + victims[1], 3);
        let tails = (0..64).filter(|&seed| {
            let mut port = Port::with(10);
            port.random = Random::new(seed, 0);
            port.offer(10, &LIMITS);
            matches!(port.take().expect("a header").body, Body::Data(Data { psn: 9, .. }))
        });
        assert!((16..48).contains(&tails.count()), "as often the one that came before");
    }

    #[test]
    fn without_trimming_the_packet_is_dropped() {
        let mut port = Port::with(10);
        let dropped = port.offer(10, &Limits { trim: None, ..LIMITS }).expect("it does not fit");
        assert_eq!(port.packets.get(dropped).body, packet(10).body);
        assert_eq!((port.queue.counters.full, port.queue.len()), (1, 10));
    }

    #[test]
    fn a_share_is_of_all_limits() {
        let half = Limits { data: 5000, headers: 100, mark: Some((1000, 3000)), trim: Some(64) };
        assert_eq!(LIMITS.share(0.5), half);
    }
}
