// SPDX-License-Identifier: MIT OR Apache-2.0
//! The other end of QPs: receives packets through a network that loses, marks, repeats and reorders them, and answers as a
//! receiver of multipath RoCEv2 does, with cumulative ACKs that have an MPEH (M25 to M32).

use super::checker::Arrival;
use pipeline::headers::protocols::MpehIndicator;
use std::collections::{BTreeMap, HashSet};
use testbench::device::random::Random;

/// The probabilities of what the network does to a packet or an answer, and what the receiver does.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    pub loss: f64,
    /// It comes twice.
    pub repeat: f64,
    pub mark: f64,
    /// The clock cycles that it takes.
    pub delay: (u64, u64),
    /// The only sub-path with marks, and one that loses all.
    pub marked: Option<u64>,
    pub dead: Option<u64>,
    /// The receiver has no buffer.
    pub unready: f64,
    /// Packets behind a missing one until it is suspected to be lost; it is said by flag L or by a NAK.
    pub tolerance: u64,
}

/// What has been received of a QP.
#[derive(Clone, Debug, Default)]
struct Received {
    /// The first PSN that is missing.
    expected: u64,
    behind: HashSet<u64>,
    /// Packets that came behind it.
    reordered: u64,
    since_ack: u64,
}

/// A record for the transmit path, and the PSNs that it acknowledges.
#[derive(Clone, Debug)]
pub struct Answer {
    pub qp: u64,
    pub fields: Vec<(&'static str, u64)>,
    pub named: Vec<u64>,
}

impl Answer {
    /// The last PSN that it acknowledges, and the sub-path of which it is.
    pub fn said(&self) -> Option<(u64, u64)> {
        let path = self.fields.iter().find(|(name, _)| *name == "mpeh_0").map(|(_, word)| word >> 24);
        self.named.first().copied().zip(path)
    }
}

/// What is on its way.
enum Way {
    Packet { arrival: Arrival, is_marked: bool },
    Answer(Answer),
}

/// Answers of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sent {
    pub acks: u64,
    pub marks: u64,
    /// Flag L, or NAK of a sequence error.
    pub losses: u64,
    /// RNR NAK.
    pub unready: u64,
}

/// All peers, and the network.
pub struct Peer {
    pub network: Network,
    mpeh: MpehIndicator,
    random: Random,
    received: Vec<Received>,
    /// By the clock cycle of arrival.
    on_way: BTreeMap<(u64, u64), Way>,
    count: u64,
    pub sent: Sent,
    /// The peer of this QP does not answer. Its packets wait.
    mute: Option<u64>,
    unheard: Vec<Arrival>,
}

/// Flags of the MPEH of an ACK.
const R: u64 = 1;
const L: u64 = 2;
const P: u64 = 4;
/// Syndromes: no credit is said; RNR NAK, with a time; NAK of a sequence error, and of others.
pub const ACK: u64 = 0x1F;
pub const RNR_NAK: u64 = 0x20;
pub const SEQUENCE_ERROR: u64 = 0x60;
/// Packets for which there is one ACK.
const COALESCED: u64 = 4;
/// PSNs that a cumulative ACK names: more than a window.
const NAMED: u64 = 256;

/// PSNs modulo 2^24.
const fn psn(number: u64) -> u64 {
    number & 0xFF_FFFF
}

/// What an ACK says.
#[derive(Clone, Copy, Debug)]
struct Words {
    syndrome: u64,
    psn: u64,
    path: u64,
    flags: u64,
    is_marked: bool,
    /// The packet that is answered.
    arrived: u64,
}

impl Peer {
    pub fn new(qps: u64, network: Network, mpeh: MpehIndicator, seed: u64) -> Self {
        let received = vec![Received::default(); qps as usize];
        let random = Random::new(seed);
        Peer {
            network,
            mpeh,
            random,
            received,
            on_way: BTreeMap::new(),
            count: 0,
            sent: Sent::default(),
            mute: None,
            unheard: Vec::new(),
        }
    }

    /// A QP is opened.
    pub fn open(&mut self, qp: u64, first: u64) {
        self.received[qp as usize] = Received { expected: first, ..Received::default() };
        self.unheard.retain(|arrival| arrival.qp != qp);
        // What is on its way belongs to the QP before it.
        self.on_way.retain(|_, way| match way {
            Way::Packet { arrival, .. } => arrival.qp != qp,
            Way::Answer(answer) => answer.qp != qp,
        });
    }

    fn depart(&mut self, now: u64, way: Way) {
        let (low, high) = self.network.delay;
        let at = now + self.random.between(low, high);
        self.count += 1;
        self.on_way.insert((at, self.count), way);
    }

    /// The peer of this QP does not answer from now on, until `hears`.
    pub fn mutes(&mut self, qp: u64) {
        self.mute = Some(qp);
    }

    /// It answers again, also what has come meanwhile. The number of these packets.
    pub fn hears(&mut self, now: u64) -> usize {
        self.mute = None;
        let unheard = std::mem::take(&mut self.unheard);
        unheard.iter().for_each(|arrival| self.packet(now, *arrival));
        unheard.len()
    }

    /// What a peer that does not answer has received.
    pub fn unheard(&self) -> &[Arrival] {
        &self.unheard
    }

    /// A packet leaves for the peer.
    pub fn packet(&mut self, now: u64, arrival: Arrival) {
        if self.mute == Some(arrival.qp) {
            self.unheard.push(arrival);
            return;
        }
        let Network { loss, repeat, mark, marked, dead, .. } = self.network;
        for _ in 0..1 + u32::from(self.random.chance(repeat)) {
            if !self.random.chance(loss) && dead != Some(arrival.path) {
                let is_marked = self.random.chance(mark) && marked.is_none_or(|path| path == arrival.path);
                self.depart(now, Way::Packet { arrival, is_marked });
            }
        }
    }

    /// What arrives in a clock cycle: the records of answers for the transmit path.
    pub fn arrivals(&mut self, now: u64) -> Vec<Answer> {
        let mut answers = Vec::new();
        while let Some(entry) = self.on_way.first_entry()
            && entry.key().0 <= now
        {
            match entry.remove() {
                Way::Answer(answer) => answers.push(answer),
                Way::Packet { arrival, is_marked } => {
                    if let Some(answer) = self.receive(&arrival, is_marked) {
                        let Network { loss, repeat, .. } = self.network;
                        for _ in 0..1 + u32::from(self.random.chance(repeat)) {
                            if !self.random.chance(loss) {
                                self.depart(now, Way::Answer(answer.clone()));
                            }
                        }
                    }
                }
            }
        }
        answers
    }

    /// The answer to a packet, if it has one.
    fn receive(&mut self, arrival: &Arrival, is_marked: bool) -> Option<Answer> {
        let Network { unready, tolerance, .. } = self.network;
        let is_unready = self.random.chance(unready);
        let of = &mut self.received[arrival.qp as usize];
        let is_old = psn(of.expected.wrapping_sub(arrival.psn + 1)) < 1 << 23;
        let in_order = arrival.psn == of.expected && of.behind.is_empty();
        let (Arrival { qp, path, psn: arrived, .. }, first) = (*arrival, of.expected);
        if is_unready && in_order {
            // The packet is dropped: what was before it is acknowledged, and it comes again after 10 to 40 us.
            self.sent.unready += 1;
            let syndrome = RNR_NAK | self.random.between(1, 4);
            return Some(self.answer(qp, Words { syndrome, psn: first, path, flags: 0, is_marked, arrived }));
        }
        let is_new = !is_old && of.behind.insert(arrival.psn);
        while of.behind.remove(&of.expected) {
            of.expected = psn(of.expected + 1);
        }
        let is_missing = !of.behind.is_empty();
        of.reordered = if !is_missing || of.expected != first { 0 } else { of.reordered + 1 };
        of.since_ack += 1;
        // What is behind a gap, what closes one, and marks are said at once.
        let due = arrival.asks || !is_new || !in_order || is_marked || of.since_ack >= COALESCED;
        if !due {
            return None;
        }
        of.since_ack = 0;
        let (expected, is_lost) = (of.expected, is_missing && of.reordered >= tolerance);
        let flags = if is_missing { R } else { 0 };
        self.sent.losses += u64::from(is_lost);
        let words = match is_lost {
            true if self.random.chance(0.3) => {
                Words { syndrome: SEQUENCE_ERROR, psn: expected, path, flags, is_marked, arrived }
            }
            _ => {
                let flags = flags | if is_lost { L } else { 0 };
                Words { syndrome: ACK, psn: psn(expected.wrapping_sub(1)), path, flags, is_marked, arrived }
            }
        };
        Some(self.answer(qp, words))
    }

    fn answer(&mut self, qp: u64, words: Words) -> Answer {
        self.sent.acks += 1;
        self.sent.marks += u64::from(words.is_marked);
        // NAKs name what is before their PSN.
        let last = if words.syndrome == ACK { words.psn } else { words.psn.wrapping_sub(1) };
        let named = (0..NAMED).map(|i| psn(last.wrapping_sub(i))).collect();
        Answer { qp, fields: self.record(qp, words), named }
    }

    /// The record of an ACK.
    fn record(&mut self, qp: u64, words: Words) -> Vec<(&'static str, u64)> {
        let Words { syndrome, psn, path, flags, is_marked, arrived } = words;
        let (opcode, indicator) = match self.mpeh {
            MpehIndicator::Bit => (0x11, 1 << 30),
            MpehIndicator::OpCode => (0xD1, 0),
        };
        // What means nothing: the partition key, QP, number of the message, flowlet.
        let any = self.random.bits();
        vec![
            ("found", 1),
            ("connection", qp),
            ("transport", 2),
            ("udp_0", any >> 48 << 16 | 4791),
            ("has_mpeh", 1),
            ("has_aeth", 1),
            ("transport_words", 4),
            ("mpeh_0", path << 24 | flags << 16 | any & 0xFFFF),
            // The tag names the packet that has arrived; with L it says which packets are lost: the next one alone.
            ("mpeh_1", if flags & L == 0 { (arrived & 0xFFFF) << 16 } else { 0 }),
            ("header_0", opcode << 24 | any & 0xFFFF),
            ("header_1", u64::from(is_marked) << 30 | any & 0xFF_FFFF),
            ("header_2", indicator | psn),
            ("header_3", syndrome << 24 | any & 0xFF_FFFF),
        ]
    }

    /// The record of an answer that the network did not make, marked or not. With flag L the next PSN is taken for lost.
    pub fn says(
        &mut self,
        qp: u64,
        (syndrome, at): (u64, u64),
        path: u64,
        (is_lost, is_marked): (bool, bool),
    ) -> Vec<(&'static str, u64)> {
        let flags = if is_lost { R | L } else { 0 };
        self.record(qp, Words { syndrome, psn: psn(at), path, flags, is_marked, arrived: at })
    }

    /// The record of a frame that has no effect (row TX33): were it an ACK, it would acknowledge all up to `last`, and mark
    /// a sub-path.
    pub fn other(&mut self, qp: u64, last: u64) -> Vec<(&'static str, u64)> {
        let path = self.random.below(4);
        let mut fields =
            self.record(qp, Words { syndrome: ACK, psn: last, path, flags: 0, is_marked: true, arrived: last });
        let is_bit = self.mpeh == MpehIndicator::Bit;
        let mut set = |name: &str, change: fn(u64) -> u64| {
            let (_, value) = fields.iter_mut().find(|(field, _)| *field == name).expect("it is there");
            *value = change(*value);
        };
        match self.random.below(7) {
            0 => set("found", |_| 0),
            // An answer to a probe.
            1 => set("mpeh_0", |word| word | P << 16),
            // The OpCode of the other way to indicate an MPEH.
            2 if is_bit => set("header_0", |word| word | 0xC0 << 24),
            // Without MPEH it would have an effect (row TX53), but is of no connection.
            2 | 3 => {
                set("found", |_| 0);
                set("has_mpeh", |_| 0);
                set("header_0", |word| word & 0xFF_FFFF | 0x11 << 24);
                set("header_2", |word| word & 0xFF_FFFF);
            }
            // The OpCode of a SEND, of an answer to an atomic operation, of another transport.
            4 => set("header_0", |word| word & 0xC0FF_FFFF | 0x04 << 24),
            5 => set("header_0", |word| word & 0xC0FF_FFFF | 0x12 << 24),
            _ => set("transport", |_| 3),
        }
        fields
    }
}
