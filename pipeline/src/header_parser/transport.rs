// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 6 and 7 of the parser: which transport it is, and how long its headers are.
//!
//! ```text
//!  6 hits say which transport words are in the beat
//!  7 ports compared; OpCode, UET type, B of ELAB looked up, as if the frame were each of the three; the words still at
//!    hand for the record
//! ```

use super::kinds::{HEADER, Known, Tables, WORDS, known_shape};
use super::network::{IP_WORDS, NetworkSteps, Packet, packet_shape};
use crate::frame::{InSteps, Lanes, Link};
use crate::headers::{Bth, Elab, Udp, opcode::MpehMark};
use crate::protocols::Protocols;
use rtl_model::{Bits, Logic, Reg, Shape, Wide, bits, name_nets, select, when, wide};

/// All that the record is made from, in step 7.
#[name_nets]
pub(super) struct TransportOut<L: Logic> {
    pub lanes: Lanes,
    pub link: Link<L>,
    pub packet: Packet<L>,
    pub known: Known<L>,
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
    lanes: Lanes,
    protocols: Protocols,
    tables: Tables,
    words: [Reg<Wide<L>>; 2],
    hits: [Reg<Bits<L>>; 2],
    ip_words: [Reg<Wide<L>>; 2],
    ip_hits: [Reg<Bits<L>>; 2],
    links: [Reg<Link<L>>; 2],
    packets: [Reg<Packet<L>>; 2],
    known: Known7<L>,
}

/// The registers of a [`Known`]: each is written in the beat that tells.
#[name_nets]
struct Known7<L: Logic> {
    port: Reg<Bits<L>>,
    rocev2: Reg<Bits<L>>,
    has_mpeh: Reg<Bits<L>>,
    uet: Reg<Bits<L>>,
    elab_b: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Known7<L> {
    fn new() -> Self {
        let shape = known_shape();
        Known7 {
            port: Reg::new(&shape.port),
            rocev2: Reg::new(&shape.rocev2),
            has_mpeh: Reg::new(&shape.has_mpeh),
            uet: Reg::new(&shape.uet),
            elab_b: Reg::new(&shape.elab_b),
        }
    }
}

#[name_nets]
impl<L: Logic> TransportSteps<L> {
    pub fn new(lanes: Lanes, protocols: Protocols) -> Self {
        let data = wide(32 * lanes.count);
        TransportSteps {
            lanes,
            protocols,
            tables: Tables::new(protocols),
            words: [6, 7].map(|i| Reg::numbered(i, &data)),
            hits: [6, 7].map(|i| Reg::numbered(i, &bits(WORDS))),
            ip_words: [6, 7].map(|i| Reg::numbered(i, &data)),
            ip_hits: [6, 7].map(|i| Reg::numbered(i, &bits(IP_WORDS))),
            links: [6, 7].map(|i| Reg::numbered(i, &Link::<Shape>::new())),
            packets: [6, 7].map(|i| Reg::numbered(i, &packet_shape(lanes))),
            known: Known7::new(),
        }
    }

    /// Step 7.
    pub fn out(&self) -> TransportOut<L> {
        let Protocols { rocev2, uet, elab, .. } = self.protocols;
        let of = |selected: bool, register: &Reg<Bits<L>>, shape: Bits<Shape>| match selected {
            true => register.get(),
            false => Bits::lit(shape.bits(), 0),
        };
        let shape = known_shape();
        TransportOut {
            lanes: self.lanes,
            link: self.links[1].get(),
            packet: self.packets[1].get(),
            known: Known {
                port: self.known.port.get(),
                rocev2: of(rocev2, &self.known.rocev2, shape.rocev2),
                has_mpeh: of(rocev2, &self.known.has_mpeh, shape.has_mpeh),
                uet: of(uet, &self.known.uet, shape.uet),
                elab_b: of(elab, &self.known.elab_b, shape.elab_b),
            },
            ip_words: self.ip_words[1].get(),
            ip_hits: self.ip_hits[1].get(),
            words: self.words[1].get(),
            hits: self.hits[1].get(),
        }
    }

    /// `from`: step 5.
    pub fn clock(&self, steps: &InSteps<L>, from: &NetworkSteps<L>) {
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
            self.words[0].set(from.turned.get());
            let hits = self.lanes.hits(packet.since, packet.turn, WORDS);
            self.hits[0].set(select(packet.begun, hits, Bits::lit(WORDS, 0)));
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
        when(hits.bit(0), || self.known.port.set(self.tables.ports(Udp::read(word).destination)));
        when(hits.bit(HEADER), || {
            let first = header(0);
            if self.protocols.rocev2 {
                self.known.rocev2.set(Bth::read(header).opcode.look_up(&self.tables.opcode));
            }
            if self.protocols.uet {
                self.known.uet.set(first.slice(26, 6).look_up(&self.tables.uet));
            }
        });
        if self.protocols.elab {
            when(hits.bit(HEADER + 1), || self.known.elab_b.set(Elab::read(header).b));
        }
        if self.protocols.rocev2 {
            match self.protocols.mpeh {
                MpehMark::Bit => when(hits.bit(HEADER + 2), || self.known.has_mpeh.set(Bth::read(header).mpeh)),
                MpehMark::OpCode => when(hits.bit(HEADER), || {
                    self.known.has_mpeh.set(Bth::read(header).opcode.look_up(&self.tables.announces));
                }),
            };
        }
    }
}
