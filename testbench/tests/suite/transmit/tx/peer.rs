// SPDX-License-Identifier: MIT OR Apache-2.0
//! The other end of PDCs: receives packets through a network that loses, trims, marks, repeats and reorders them, and
//! answers as a receiver of UET does.

use super::checker::{Arrival, Probe};
use std::collections::{BTreeMap, HashSet};
use testbench::device::random::Random;

/// The probabilities of what the network does to a packet or an answer, and the clock cycles that it takes.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    pub loss: f64,
    pub trim: f64,
    /// It comes twice.
    pub repeat: f64,
    pub mark: f64,
    pub delay: (u64, u64),
}

/// What has been received of a PDC.
#[derive(Clone, Debug, Default)]
struct Received {
    /// The first PSN that is missing.
    expected: u64,
    behind: HashSet<u64>,
    /// Nominal sizes of what has been received.
    bytes: u64,
    since_ack: u64,
}

/// A record for the transmit path, and the PSNs that it acknowledges.
#[derive(Clone, Debug)]
pub struct Answer {
    pub pdc: u64,
    /// The credit number in it.
    pub credit: Option<u64>,
    pub fields: Vec<(&'static str, u64)>,
    pub named: Vec<u64>,
}

impl Answer {
    /// The value of a field that it has.
    pub fn get(&self, name: &str) -> u64 {
        self.fields.iter().find(|(field, _)| *field == name).expect("it has this field").1
    }

    /// The same with another value.
    pub fn with(mut self, name: &str, value: u64) -> Self {
        self.fields.iter_mut().find(|(field, _)| *field == name).expect("it has this field").1 = value;
        self
    }

    /// It is an ACK_CC.
    pub fn has_state(&self) -> bool {
        self.get("header_0") >> 27 == 8
    }
}

/// What is on its way.
enum Way {
    Packet {
        arrival: Arrival,
        trimmed: bool,
        marked: bool,
    },
    Answer(Answer),
    /// A CREDIT_REQUEST, of a PDC with this credit target.
    Request(u64, u64),
    Probe(Probe),
}

/// All peers, and the network.
pub struct Peer {
    network: Network,
    random: Random,
    received: Vec<Received>,
    /// By the clock cycle of arrival.
    on_way: BTreeMap<(u64, u64), Way>,
    count: u64,
    credits: Credits,
    /// The credit number of each PDC that gets credit only when it asks.
    granted: Vec<u64>,
    pub nacks: u64,
    /// The peer of this PDC does not answer. Its packets wait.
    mute: Option<u64>,
    unheard: Vec<Arrival>,
}

/// When credit is granted. It comes with ACKs, and by packets of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credits {
    /// Never: PDCs have no RCCC.
    None,
    /// All the time.
    Grow,
    /// A few units for each CREDIT_REQUEST.
    Asked,
    /// The same, but PDC 0 has it all the time.
    AskedBesideOne,
}

/// What a sender may send beyond what has been received, in units of 256 bytes.
const CREDIT: u64 = 40;
/// The most that a CREDIT_REQUEST brings.
const ASKED: u64 = 12;

/// PSNs modulo 2^32.
const fn psn(number: u64) -> u64 {
    number & 0xFFFF_FFFF
}

impl Peer {
    pub fn new(pdcs: u64, network: Network, credits: Credits, seed: u64) -> Self {
        Peer {
            network,
            random: Random::new(seed),
            received: vec![Received::default(); pdcs as usize],
            on_way: BTreeMap::new(),
            count: 0,
            credits,
            granted: vec![0; pdcs as usize],
            nacks: 0,
            mute: None,
            unheard: Vec::new(),
        }
    }

    /// A PDC is opened.
    pub fn open(&mut self, pdc: u64, first: u64) {
        self.received[pdc as usize] = Received { expected: first, ..Received::default() };
        self.granted[pdc as usize] = 0;
        self.unheard.retain(|arrival| arrival.pdc != pdc);
        // What is on its way belongs to the PDC before it.
        self.on_way.retain(|_, way| match way {
            Way::Packet { arrival, .. } => arrival.pdc != pdc,
            Way::Answer(answer) => answer.pdc != pdc,
            Way::Request(of, _) => *of != pdc,
            Way::Probe(probe) => probe.pdc != pdc,
        });
    }

    fn depart(&mut self, now: u64, way: Way) {
        let (low, high) = self.network.delay;
        let at = now + self.random.between(low, high);
        self.count += 1;
        self.on_way.insert((at, self.count), way);
    }

    /// The peer of this PDC does not answer from now on, until `hears`.
    pub fn mutes(&mut self, pdc: u64) {
        self.mute = Some(pdc);
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
        if self.mute == Some(arrival.pdc) {
            self.unheard.push(arrival);
            return;
        }
        let Network { loss, trim, repeat, mark, .. } = self.network;
        for _ in 0..1 + u32::from(self.random.chance(repeat)) {
            if !self.random.chance(loss) {
                let (trimmed, marked) = (self.random.chance(trim), self.random.chance(mark));
                self.depart(now, Way::Packet { arrival, trimmed, marked });
            }
        }
    }

    /// A CREDIT_REQUEST leaves for the peer.
    pub fn request(&mut self, now: u64, pdc: u64, target: u64) {
        if !self.random.chance(self.network.loss) {
            self.depart(now, Way::Request(pdc, target));
        }
    }

    /// A PROBE leaves for the peer.
    pub fn probe(&mut self, now: u64, probe: Probe) {
        if !self.random.chance(self.network.loss) && self.mute != Some(probe.pdc) {
            self.depart(now, Way::Probe(probe));
        }
    }

    /// It is answered by an ACK with flag p and its name, but for those that are lost.
    fn probed(&mut self, now: u64, Probe { pdc, ev, opaque }: Probe) {
        if self.random.chance(self.network.loss) {
            return;
        }
        let cack = psn(self.received[pdc as usize].expected.wrapping_sub(1));
        let named = (0..256).map(|i| psn(cack.wrapping_sub(i))).collect();
        let words = [(7 << 11 | 1 << 3) << 16 | opaque, cack, 0];
        let fields = Self::record((pdc, ev), &words);
        self.depart(now, Way::Answer(Answer { pdc, credit: None, fields, named }));
    }

    /// It arrives: some of what it asks for; if that has been granted already, the number once more.
    fn asked(&mut self, now: u64, pdc: u64, target: u64) {
        let most = self.random.between(1, ASKED);
        let granted = &mut self.granted[pdc as usize];
        let wants = target.wrapping_sub(*granted) & 0xFF_FFFF;
        if wants < 1 << 23 {
            *granted = (*granted + wants.min(most)) & 0xFF_FFFF;
        }
        self.grant(now, pdc);
    }

    /// What arrives in a clock cycle: the records of answers for the transmit path.
    pub fn arrivals(&mut self, now: u64) -> Vec<Answer> {
        let mut answers = Vec::new();
        if now.is_multiple_of(1000) {
            for pdc in 0..self.received.len() as u64 {
                if self.grows(pdc) {
                    self.grant(now, pdc);
                }
            }
        }
        while let Some(entry) = self.on_way.first_entry()
            && entry.key().0 <= now
        {
            match entry.remove() {
                Way::Answer(answer) => answers.push(answer),
                Way::Request(pdc, target) => self.asked(now, pdc, target),
                Way::Probe(probe) => self.probed(now, probe),
                Way::Packet { arrival, trimmed, marked } => {
                    let answer =
                        if trimmed { Some(self.nack(&arrival, marked)) } else { self.receive(&arrival, marked, now) };
                    if let Some(answer) = answer
                        && !self.random.chance(self.network.loss)
                    {
                        self.depart(now, Way::Answer(answer));
                    }
                }
            }
        }
        answers
    }

    /// The fields of each record.
    fn record((pdc, ev): (u64, u64), words: &[u64]) -> Vec<(&'static str, u64)> {
        const WORDS: [&str; 8] =
            ["header_0", "header_1", "header_2", "header_3", "header_4", "header_5", "header_6", "header_7"];
        let mut fields = vec![
            ("found", 1),
            ("connection", pdc),
            ("transport", 3),
            ("udp_0", ev << 16 | 4793),
            ("transport_words", words.len() as u64),
        ];
        fields.extend(WORDS.into_iter().zip(words.iter().map(|word| psn(*word))));
        fields
    }

    fn nack(&mut self, arrival: &Arrival, marked: bool) -> Answer {
        self.nacks += 1;
        let (kind, code) = if self.random.chance(0.2) { (12, 2) } else { (10, 1) };
        let flags = u64::from(marked) << 5 | u64::from(arrival.retx) << 4;
        let words = [(kind << 11 | flags) << 16 | code << 8, arrival.psn, 0, 0];
        let fields = Self::record((arrival.pdc, arrival.ev), &words);
        Answer { pdc: arrival.pdc, credit: None, fields, named: Vec::new() }
    }

    /// The PDC gets credit without asking.
    fn grows(&self, pdc: u64) -> bool {
        self.credits == Credits::Grow || self.credits == Credits::AskedBesideOne && pdc == 0
    }

    /// The credit number of a PDC: packets that were lost have used some, so it also grows with time.
    fn credit(&self, pdc: u64, now: u64) -> u64 {
        match self.grows(pdc) {
            true => (self.received[pdc as usize].bytes / 256 + CREDIT + now / 256) & 0xFF_FFFF,
            false => self.granted[pdc as usize],
        }
    }

    /// Credit comes alone.
    fn grant(&mut self, now: u64, pdc: u64) {
        if self.random.chance(self.network.loss) {
            return;
        }
        let credit = self.credit(pdc, now);
        let words = [(11 << 11 | 7 << 7) << 16, 0, 0, credit];
        let fields = Self::record((pdc, 0), &words);
        self.depart(now, Way::Answer(Answer { pdc, credit: Some(credit), fields, named: Vec::new() }));
    }

    fn receive(&mut self, arrival: &Arrival, marked: bool, now: u64) -> Option<Answer> {
        let of = &mut self.received[arrival.pdc as usize];
        let is_old = psn(of.expected.wrapping_sub(arrival.psn + 1)) < 1 << 31;
        // What is behind a gap, and what closes one, is said at once.
        let in_order = arrival.psn == of.expected && of.behind.is_empty();
        let is_new = !is_old && of.behind.insert(arrival.psn);
        while of.behind.remove(&of.expected) {
            of.expected = psn(of.expected + 1);
        }
        of.bytes += if is_new { arrival.size } else { 0 };
        of.since_ack += arrival.size;
        let due = arrival.ack_request || !is_new || !in_order || of.since_ack >= 1024;
        if !due {
            return None;
        }
        of.since_ack = 0;
        // The newest of the rest are in the bitmap, which begins with the first one that is missing, or before it.
        let cack = psn(of.expected.wrapping_sub(1));
        let before = self.random.below(8);
        let base = psn(of.expected.wrapping_sub(before));
        let bits: Vec<u64> = of.behind.iter().map(|&at| psn(at.wrapping_sub(base))).filter(|&bit| bit < 64).collect();
        let sack = bits.iter().fold(0, |sack, bit| sack | 1 << bit);
        let total = (of.bytes / 256) & 0xFF_FFFF;
        // Some answers say no more than which PSN is missing: what they have behind it means nothing.
        let kind = if self.random.chance(0.9) { 8 } else { 7 + 2 * self.random.below(2) };
        let mut named: Vec<u64> = (0..256).map(|i| psn(cack.wrapping_sub(i))).collect();
        if kind == 8 {
            named.extend(bits.iter().map(|bit| psn(base + bit)));
        }
        let flags = u64::from(marked) << 5 | u64::from(arrival.retx) << 4;
        let offset = psn(arrival.psn.wrapping_sub(cack)) & 0xFFFF;
        let credit = (kind == 8 && self.credits != Credits::None).then(|| self.credit(arrival.pdc, now));
        let (cc_type, state) = match credit {
            Some(credit) => (1, [credit << 8, 0]),
            None => (0, [total >> 16, (total & 0xFFFF) << 16]),
        };
        let words = [
            (kind << 11 | flags) << 16 | offset,
            cack,
            0,
            cc_type << 28 | psn(base.wrapping_sub(cack)) & 0xFFFF,
            sack >> 32,
            sack,
            state[0],
            state[1],
        ];
        let fields = Self::record((arrival.pdc, arrival.ev), &words);
        Some(Answer { pdc: arrival.pdc, credit, fields, named })
    }
}
