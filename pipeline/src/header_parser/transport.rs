// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 6 and 7 of the parser: UDP, BTH and what follows it.
//!
//! ```text
//!  6 hits say which transport words are in the beat
//!  7 RoCEv2 by port, MPEH by flag, AETH or RETH by opcode; the words still at hand for the record
//! ```

use super::network::{IP_WORDS, NetworkSteps, Packet, packet_shape};
use crate::frame::{InSteps, Lanes, Link};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Wide, bits, select, when, wide};

/// Transport words that are looked at: UDP 2, BTH 3, MPEH 2, RETH 4.
const WORDS: u32 = 11;
/// UDP port of RoCEv2.
const ROCEV2_PORT: u64 = 4791;
/// Opcodes with an AETH: RC READ RESPONSE FIRST, LAST and ONLY, ACKNOWLEDGE, ATOMIC ACKNOWLEDGE.
const AETH: [u64; 5] = [0x0D, 0x0F, 0x10, 0x11, 0x12];
/// Opcodes with a RETH: WRITE FIRST, ONLY and ONLY WITH IMMEDIATE of RC and UC, RC READ REQUEST.
const RETH: [u64; 7] = [0x06, 0x0A, 0x0B, 0x0C, 0x26, 0x2A, 0x2B];

/// What step 7 knows of the datagram.
#[derive(Bundle)]
pub(super) struct Transport<L: Reading> {
    pub is_rocev2: Bits<L>,
    pub has_mpeh: Bits<L>,
    pub has_aeth: Bits<L>,
    pub has_reth: Bits<L>,
}

/// All that the record is made from, in step 7.
pub(super) struct TransportOut<L: Logic> {
    pub lanes: Lanes,
    pub link: Link<L>,
    pub packet: Packet<L>,
    pub transport: Transport<L>,
    pub ip_words: Wide<L>,
    pub ip_hits: Bits<L>,
    pub words: Wide<L>,
    pub hits: Bits<L>,
}

impl<L: Logic> TransportOut<L> {
    /// IP word p and whether it is here.
    #[inline(always)]
    pub fn ip(&self, p: u32) -> (Bits<L>, Bits<L>) {
        (self.lanes.word(self.ip_words, p), self.ip_hits.bit(p))
    }

    /// Transport word q and whether it is here.
    #[inline(always)]
    pub fn word(&self, q: u32) -> (Bits<L>, Bits<L>) {
        (self.lanes.word(self.words, q), self.hits.bit(q))
    }

    /// Word i of the header behind BTH and MPEH.
    #[inline(always)]
    pub fn extension(&self, i: u32) -> (Bits<L>, Bits<L>) {
        let ((plain, plain_here), (shifted, shifted_here)) = (self.word(5 + i), self.word(7 + i));
        let mpeh = self.transport.has_mpeh;
        (select(mpeh, shifted, plain), select(mpeh, shifted_here, plain_here))
    }

    /// The last word of the headers is here.
    #[inline(always)]
    pub fn complete(&self, first_layer: Bits<L>) -> Bits<L> {
        let Transport { is_rocev2, has_mpeh, has_aeth, has_reth } = self.transport;
        let hit = |q: u32| self.hits.bit(q);
        let plain = select(has_mpeh, hit(6), hit(4));
        let rocev2 = select(has_reth, self.extension(3).1, select(has_aeth, self.extension(0).1, plain));
        let udp = select(is_rocev2, rocev2, hit(1));
        let addresses = select(self.link.l3.bit(1), self.ip_hits.bit(9), self.ip_hits.bit(4));
        select(self.link.l3.any(), select(self.packet.udp, udp, addresses), first_layer)
    }
}

pub(super) struct TransportSteps<L: Logic> {
    lanes: Lanes,
    words: [Reg<Wide<L>>; 2],
    hits: [Reg<Bits<L>>; 2],
    ip_words: [Reg<Wide<L>>; 2],
    ip_hits: [Reg<Bits<L>>; 2],
    links: [Reg<Link<L>>; 2],
    packets: [Reg<Packet<L>>; 2],
    is_rocev2: Reg<Bits<L>>,
    has_mpeh: Reg<Bits<L>>,
    has_aeth: Reg<Bits<L>>,
    has_reth: Reg<Bits<L>>,
}

impl<L: Logic> TransportSteps<L> {
    pub fn new(lanes: Lanes) -> Self {
        let data = wide(32 * lanes.count);
        let flag = |name: &str| Reg::new(name, &bits(1));
        TransportSteps {
            lanes,
            words: ["words_6", "words_7"].map(|name| Reg::new(name, &data)),
            hits: ["hits_6", "hits_7"].map(|name| Reg::new(name, &bits(WORDS))),
            ip_words: ["ip_words_6", "ip_words_7"].map(|name| Reg::new(name, &data)),
            ip_hits: ["ip_hits_6", "ip_hits_7"].map(|name| Reg::new(name, &bits(IP_WORDS))),
            links: ["link_6", "link_7"].map(|name| Reg::new(name, &Link::<Shape>::new())),
            packets: ["packet_6", "packet_7"].map(|name| Reg::new(name, &packet_shape(lanes))),
            is_rocev2: flag("is_rocev2"),
            has_mpeh: flag("has_mpeh"),
            has_aeth: flag("has_aeth"),
            has_reth: flag("has_reth"),
        }
    }

    /// Step 7.
    #[inline(always)]
    pub fn out(&self) -> TransportOut<L> {
        TransportOut {
            lanes: self.lanes,
            link: self.links[1].get(),
            packet: self.packets[1].get(),
            transport: Transport {
                is_rocev2: self.is_rocev2.get(),
                has_mpeh: self.has_mpeh.get(),
                has_aeth: self.has_aeth.get(),
                has_reth: self.has_reth.get(),
            },
            ip_words: self.ip_words[1].get(),
            ip_hits: self.ip_hits[1].get(),
            words: self.words[1].get(),
            hits: self.hits[1].get(),
        }
    }

    /// `from`: step 5.
    #[inline(always)]
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
            self.hits[0].set(self.lanes.hits(packet.since, packet.turn, WORDS));
            self.ip_words[0].set(from.words[2].get());
            self.ip_hits[0].set(from.hits[2].get());
            self.links[0].set(from.links[2].get());
            self.packets[0].set(packet);
        });
    }

    /// Step 6 to 7.
    #[inline(always)]
    fn recognise(&self) {
        let (words, hits) = (self.words[0].get(), self.hits[0].get());
        let word = |q: u32| self.lanes.word(words, q);
        when(hits.bit(0), || self.is_rocev2.set(word(0).slice(0, 16).equals(ROCEV2_PORT)));
        when(hits.bit(2), || {
            let opcode = word(2).slice(24, 8);
            let one_of = |codes: &[u64]| {
                codes[1..].iter().fold(opcode.equals(codes[0]), |found, &code| found | opcode.equals(code))
            };
            self.has_aeth.set(one_of(&AETH));
            self.has_reth.set(one_of(&RETH));
        });
        when(hits.bit(4), || self.has_mpeh.set(word(4).bit(30)));
    }
}
