// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 6 and 7 of the parser: which transport it is, and how long its headers are.
//!
//! ```text
//!  6 hits say which transport words are in the beat
//!  7 ports compared; OpCode, UET type, B of ELAB looked up, as if the frame were each of the three; the words are kept
//!    for the record
//! ```

use super::network::{IP_WORDS, NetworkSteps, Packet};
use super::transports::{HEADER, Tables, TransportCandidates, WORDS};
use crate::frame::{BusLayout, Link, StepStatus};
use crate::headers::opcode::MpehIndicator;
use crate::headers::protocols::Protocols;
use crate::headers::{Bth, Elab, Udp};
use rtl_model::{Bits, Logic, Reg, Shape, Wide, bits, name_nets, select, when, wide};

/// The inputs of the record, in step 7.
#[name_nets]
pub(super) struct TransportOut<L: Logic> {
    pub lanes: BusLayout,
    pub link: Link<L>,
    pub packet: Packet<L>,
    pub candidates: TransportCandidates<L>,
    pub ip_words: Wide<L>,
    pub ip_hits: Bits<L>,
    pub words: Wide<L>,
    pub hits: Bits<L>,
}

#[name_nets]
impl<L: Logic> TransportOut<L> {
    /// IP word p and whether it is here.
    pub fn ip(&self, p: u32) -> (Bits<L>, Bits<L>) {
        (self.lanes.word(self.ip_words, p), self.ip_hits.bit(p))
    }

    /// Transport word q and whether it is here.
    pub fn word(&self, q: u32) -> (Bits<L>, Bits<L>) {
        (self.lanes.word(self.words, q), self.hits.bit(q))
    }
}

#[name_nets]
pub(super) struct TransportSteps<L: Logic> {
    lanes: BusLayout,
    protocols: Protocols,
    tables: Tables,
    words: [Reg<Wide<L>>; 2],
    hits: [Reg<Bits<L>>; 2],
    ip_words: [Reg<Wide<L>>; 2],
    ip_hits: [Reg<Bits<L>>; 2],
    links: [Reg<Link<L>>; 2],
    packets: [Reg<Packet<L>>; 2],
    candidates: CandidateRegisters<L>,
}

/// The registers of a [`TransportCandidates`]: each is written in the beat that holds its word.
#[name_nets]
struct CandidateRegisters<L: Logic> {
    port: Reg<Bits<L>>,
    rocev2: Reg<Bits<L>>,
    has_mpeh: Reg<Bits<L>>,
    uet: Reg<Bits<L>>,
    uet_crc: Option<Reg<Bits<L>>>,
    elab_b: Reg<Bits<L>>,
    rocev2_data: Option<Reg<Bits<L>>>,
    uet_data: Option<Reg<Bits<L>>>,
}

#[name_nets]
impl<L: Logic> CandidateRegisters<L> {
    fn new(protocols: Protocols) -> Self {
        let shape = TransportCandidates::shape(protocols);
        CandidateRegisters {
            port: Reg::new(&shape.port),
            rocev2: Reg::new(&shape.rocev2),
            has_mpeh: Reg::new(&shape.has_mpeh),
            uet: Reg::new(&shape.uet),
            uet_crc: shape.uet_crc.map(|shape| Reg::named("uet_crc", &shape)),
            elab_b: Reg::new(&shape.elab_b),
            rocev2_data: shape.rocev2_data.map(|shape| Reg::named("rocev2_data", &shape)),
            uet_data: shape.uet_data.map(|shape| Reg::named("uet_data", &shape)),
        }
    }
}

#[name_nets]
impl<L: Logic> TransportSteps<L> {
    pub fn new(lanes: BusLayout, protocols: Protocols) -> Self {
        let data = wide(32 * lanes.count);
        TransportSteps {
            lanes,
            protocols,
            tables: Tables::new(protocols),
            words: [6, 7].map(|i| Reg::numbered(i, &data)),
            hits: [6, 7].map(|i| Reg::numbered(i, &bits(WORDS))),
            ip_words: [6, 7].map(|i| Reg::numbered(i, &data)),
            ip_hits: [6, 7].map(|i| Reg::numbered(i, &bits(IP_WORDS))),
            links: [6, 7].map(|i| Reg::numbered(i, &Link::shape())),
            packets: [6, 7].map(|i| Reg::numbered(i, &Packet::shape(lanes, protocols.trimming))),
            candidates: CandidateRegisters::new(protocols),
        }
    }

    /// The inputs of the record; valid in step 7.
    pub fn out(&self) -> TransportOut<L> {
        let Protocols { rocev2, uet, elab, .. } = self.protocols;
        let of = |selected: bool, register: &Reg<Bits<L>>, shape: Bits<Shape>| match selected {
            true => register.get(),
            false => Bits::lit(shape.bits(), 0),
        };
        let flag = |selected: bool, register: &Option<Reg<Bits<L>>>| Some(of(selected, register.as_ref()?, bits(1)));
        let shape = TransportCandidates::shape(self.protocols);
        TransportOut {
            lanes: self.lanes,
            link: self.links[1].get(),
            packet: self.packets[1].get(),
            candidates: TransportCandidates {
                port: self.candidates.port.get(),
                rocev2: of(rocev2, &self.candidates.rocev2, shape.rocev2),
                has_mpeh: of(rocev2, &self.candidates.has_mpeh, shape.has_mpeh),
                uet: of(uet, &self.candidates.uet, shape.uet),
                uet_crc: self.candidates.uet_crc.as_ref().map(Reg::get),
                elab_b: of(elab, &self.candidates.elab_b, shape.elab_b),
                rocev2_data: flag(rocev2, &self.candidates.rocev2_data),
                uet_data: flag(uet, &self.candidates.uet_data),
            },
            ip_words: self.ip_words[1].get(),
            ip_hits: self.ip_hits[1].get(),
            words: self.words[1].get(),
            hits: self.hits[1].get(),
        }
    }

    /// Steps 6 and 7; `from` gives the packet of step 5.
    pub fn clock(&self, steps: &StepStatus<L>, from: &NetworkSteps<L>) {
        when(steps.active(6), || {
            self.words[1].set(self.words[0].get());
            self.hits[1].set(self.hits[0].get());
            self.ip_words[1].set(self.ip_words[0].get());
            self.ip_hits[1].set(self.ip_hits[0].get());
            self.links[1].set(self.links[0].get());
            self.packets[1].set(self.packets[0].get());
            self.recognise();
        });
        when(steps.active(5), || {
            let packet = from.packet.get();
            self.words[0].set(from.rotated.get());
            let hits = self.lanes.hits(packet.since, packet.start_lane, WORDS);
            self.hits[0].set(select(packet.ip_seen, hits, Bits::lit(WORDS, 0)));
            self.ip_words[0].set(from.words[2].get());
            self.ip_hits[0].set(from.hits[2].get());
            self.links[0].set(from.links[2].get());
            self.packets[0].set(packet);
        });
    }

    /// Step 6 to 7.
    fn recognise(&self) {
        let (words, hits) = (self.words[0].get(), self.hits[0].get());
        let word = |q: u32| self.lanes.word(words, q);
        let header = |i: u32| word(HEADER + i);
        when(hits.bit(0), || self.candidates.port.set(self.tables.ports(Udp::read(word).destination)));
        when(hits.bit(HEADER), || {
            let first = header(0);
            if self.protocols.rocev2 {
                let opcode = Bth::read(header).opcode;
                self.candidates.rocev2.set(opcode.look_up(&self.tables.opcode));
                if let Some(data) = &self.candidates.rocev2_data {
                    data.set(opcode.look_up(&self.tables.rocev2_data));
                }
            }
            if self.protocols.uet {
                self.candidates.uet.set(first.slice(26, 6).look_up(&self.tables.uet));
                if let Some(crc) = &self.candidates.uet_crc {
                    crc.set(first.slice(27, 5).look_up(&self.tables.uet_crc));
                }
                if let Some(data) = &self.candidates.uet_data {
                    data.set(first.slice(27, 5).look_up(&self.tables.uet_data));
                }
            }
        });
        if self.protocols.elab {
            when(hits.bit(HEADER + 1), || self.candidates.elab_b.set(Elab::read(header).b));
        }
        if self.protocols.rocev2 {
            match self.protocols.mpeh {
                MpehIndicator::Bit => {
                    when(hits.bit(HEADER + 2), || self.candidates.has_mpeh.set(Bth::read(header).mpeh))
                }
                MpehIndicator::OpCode => when(hits.bit(HEADER), || {
                    self.candidates.has_mpeh.set(Bth::read(header).opcode.look_up(&self.tables.indicates_mpeh));
                }),
            };
        }
    }
}
