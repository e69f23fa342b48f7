// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 3 to 5 of the parser: the IP header.
//!
//! ```text
//!  3 words rotated so that IP word p is in lane p mod N; hits say which IP words are in the beat
//!  4 version, IHL, lengths and protocol; first word after the IP header
//!  5 words rotated so that transport word q is in lane q mod N; lengths of packet and payload
//! ```
//!
//! Transport words 0 and 1 are those of UDP. UET without UDP has an entropy header of one word instead: that is word 1,
//! and word 0 is the last of the IP header, so that all following words have the same numbers.

use super::link::LinkSteps;
use crate::frame::{BusLayout, LENGTH, Link, StepStatus, UNTAGGED};
use crate::headers::protocols::Protocols;
use crate::headers::record::l3;
use rtl_model::{Bits, Bundle, Constant, Logic, Reading, Reg, Wide, bits, constant, name_nets, select, when, wide};

/// IP words that are examined: up to the end of an IPv6 header.
pub(super) const IP_WORDS: u32 = 10;
/// Bits of a word number.
const WORD: u32 = 5;

/// The IP header, as known in step 4.
#[name_nets]
struct Network<L: Logic> {
    /// The IP header of this frame has begun; before that the other fields belong to the previous frame.
    ip_seen: Reg<Bits<L>>,
    version_bad: Reg<Bits<L>>,
    ihl: Reg<Bits<L>>,
    /// IPv4 total length or IPv6 payload length.
    length: Reg<Bits<L>>,
    fragment: Reg<Bits<L>>,
    is_udp: Reg<Bits<L>>,
    /// The IP protocol is that of UET without UDP; valid in step 4.
    is_native: Reg<Bits<L>>,
    /// Number of the word after the IP header.
    header_end: Reg<Bits<L>>,
    /// The DSCP is one of those of trimmed packets.
    dscp_trimmed: Option<Reg<Bits<L>>>,
}

#[name_nets]
impl<L: Logic> Network<L> {
    fn new(protocols: Protocols) -> Self {
        Network {
            ip_seen: Reg::new(&bits(1)),
            version_bad: Reg::new(&bits(1)),
            ihl: Reg::new(&bits(4)),
            length: Reg::new(&bits(16)),
            fragment: Reg::new(&bits(1)),
            is_udp: Reg::new(&bits(1)),
            is_native: Reg::new(&bits(1)),
            header_end: Reg::new(&bits(WORD)),
            dscp_trimmed: protocols.trimming.then(|| Reg::named("dscp_trimmed", &bits(1))),
        }
    }
}

/// The packet, as known in step 5.
#[derive(Bundle)]
#[shape(lanes: BusLayout, trimming: bool)]
pub(super) struct Packet<L: Reading> {
    /// The other fields belong to this frame.
    pub ip_seen: Bits<L>,
    /// Bytes of the IP packet.
    #[width(LENGTH)]
    pub length: Bits<L>,
    /// Bytes after the IP header.
    #[width(LENGTH)]
    pub payload: Bits<L>,
    /// IPv4 total length below the header's own.
    pub too_short: Bits<L>,
    /// UDP, and not a fragment.
    pub udp: Bits<L>,
    /// UET without UDP, and not a fragment.
    pub native: Bits<L>,
    /// The DSCP is one of those of trimmed packets.
    #[width(trimming.then_some(1))]
    pub dscp_trimmed: Option<Bits<L>>,
    /// Number of transport word 0 in the frame.
    #[width(WORD)]
    pub start: Bits<L>,
    /// Beats since the one that transport word 0 is in.
    #[width(lanes.index_width())]
    pub since: Bits<L>,
    /// Lane of transport word 0 before the rotation.
    #[width(lanes.select_width())]
    pub start_lane: Bits<L>,
}

#[name_nets]
pub(super) struct NetworkSteps<L: Logic> {
    lanes: BusLayout,
    protocols: Protocols,
    /// Steps 3, 4, 5: words by IP lane.
    pub words: [Reg<Wide<L>>; 3],
    /// Steps 3, 4, 5: bit p is set if IP word p is in the beat.
    pub hits: [Reg<Bits<L>>; 3],
    /// Steps 3, 4, 5.
    pub links: [Reg<Link<L>>; 3],
    header: Network<L>,
    /// Packet lengths and start of the transport header; valid in step 5.
    pub packet: Reg<Packet<L>>,
    /// Step 5: words by transport lane.
    pub rotated: Reg<Wide<L>>,
    /// Step 5: bit j is set if IP lane j is part of an IPv4 header.
    pub in_header: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> NetworkSteps<L> {
    pub fn new(lanes: BusLayout, protocols: Protocols) -> Self {
        let data = wide(32 * lanes.count);
        NetworkSteps {
            lanes,
            protocols,
            words: [3, 4, 5].map(|i| Reg::numbered(i, &data)),
            hits: [3, 4, 5].map(|i| Reg::numbered(i, &bits(IP_WORDS))),
            links: [3, 4, 5].map(|i| Reg::numbered(i, &Link::shape())),
            header: Network::new(protocols),
            packet: Reg::new(&Packet::shape(lanes, protocols.trimming)),
            rotated: Reg::numbered(5, &data),
            in_header: Reg::new(&bits(lanes.count)),
        }
    }

    /// Step 4: the version does not fit the EtherType.
    pub fn version_bad(&self) -> Bits<L> {
        self.header.version_bad.get()
    }

    /// Step 4: IPv4 header length in words.
    pub fn ihl(&self) -> Bits<L> {
        self.header.ihl.get()
    }

    /// `from`: steps 0 to 2.
    pub fn clock(&self, steps: &StepStatus<L>, from: &LinkSteps<L>) {
        when(steps.active(4), || self.behind(steps.index(4)));
        when(steps.active(3), || {
            self.words[1].set(self.words[0].get());
            self.hits[1].set(self.hits[0].get());
            self.links[1].set(self.links[0].get());
            self.read(steps.first(3));
        });
        when(steps.active(2), || {
            let link = from.link();
            let start = link.tags.extend(3) + UNTAGGED as u64;
            let width = self.lanes.select_width();
            let rotation = if width > 3 { start.extend(width) } else { start.truncate(width) };
            self.words[0].set(from.words_2.get().rotate_right(rotation, 32));
            self.hits[0].set(self.lanes.hits(steps.index(2), start, IP_WORDS));
            self.links[0].set(link);
        });
    }

    /// Step 3 to 4.
    fn read(&self, first: Bits<L>) {
        let (words, hits, link) = (self.words[0].get(), self.hits[0].get(), self.links[0].get());
        let word = |p: u32| self.lanes.word(words, p);
        let ipv6 = link.l3.bit(1);
        self.header.ip_seen.set(hits.bit(0) | (!first & self.header.ip_seen.get()));
        when(hits.bit(0), || {
            let first = word(0);
            let version = select(ipv6, Bits::lit(4, 6), Bits::lit(4, 4));
            self.header.version_bad.set(first.slice(28, 4).differs(version));
            self.header.ihl.set(first.slice(24, 4));
            self.header.length.set(first.slice(0, 16));
            let header = select(ipv6, Bits::lit(4, IP_WORDS as u64), first.slice(24, 4));
            if let Some(dscp_trimmed) = &self.header.dscp_trimmed {
                let dscp = select(ipv6, first.slice(22, 6), first.slice(18, 6));
                let is = |name: &'static str, of: u8| dscp.equals(Constant { path: name, value: of.into() });
                let Protocols { trimmed_dscp, trimmed_last_hop_dscp, .. } = self.protocols;
                let last_hop = is("TRIMMED_LAST_HOP_DSCP", trimmed_last_hop_dscp);
                dscp_trimmed.set(is("TRIMMED_DSCP", trimmed_dscp) | last_hop);
            }
            self.header.header_end.set(link.tags.extend(WORD) + UNTAGGED as u64 + header.extend(WORD));
        });
        when(hits.bit(1), || {
            let second = word(1);
            self.header.fragment.set(second.slice(0, 14).any() & !ipv6);
            when(ipv6, || {
                self.header.length.set(second.slice(16, 16));
                self.protocol(second.slice(8, 8));
            });
        });
        when(hits.bit(2) & !ipv6, || self.protocol(word(2).slice(16, 8)));
    }

    fn protocol(&self, number: Bits<L>) {
        self.header.is_udp.set(number.equals(constant!("IP_PROTOCOL_UDP", 17)));
        if self.protocols.native() {
            self.header.is_native.set(number.equals(constant!("IP_PROTOCOL_UET", self.protocols.uet_protocol as u64)));
        }
    }

    /// Step 4 to 5.
    fn behind(&self, index: Bits<L>) {
        let (words, link) = (self.words[1].get(), self.links[1].get());
        let (ihl, end) = (self.header.ihl.get(), self.header.header_end.get());
        let ipv6 = link.l3.bit(1);
        let width = self.lanes.select_width();
        let is_native = if self.protocols.native() { self.header.is_native.get() } else { Bits::lit(1, 0) };
        let whole = !self.header.fragment.get() & link.l3.any();
        let start = end - is_native.extend(WORD);
        // The IP words are already rotated by the number of words before the IP header.
        let header = select(ipv6, Bits::lit(4, IP_WORDS as u64), ihl) - is_native.extend(4);
        let rotation = if width > 4 { header.extend(width) } else { header.truncate(width) };
        self.rotated.set(words.rotate_right(rotation, 32));
        let header_bytes = ihl.concat(Bits::lit(2, 0)).extend(LENGTH);
        let length = self.header.length.get().extend(LENGTH);
        self.packet.set(Packet {
            ip_seen: self.header.ip_seen.get(),
            length: length + select(ipv6, Bits::lit(LENGTH, 40), Bits::lit(LENGTH, 0)),
            payload: length - select(ipv6, Bits::lit(LENGTH, 0), header_bytes),
            too_short: !ipv6 & length.less(header_bytes),
            udp: self.header.is_udp.get() & whole,
            native: is_native & whole,
            dscp_trimmed: self.header.dscp_trimmed.as_ref().map(Reg::get),
            start,
            since: match width {
                WORD => index,
                _ => index - start.slice(width, WORD - width).extend(self.lanes.index_width()),
            },
            start_lane: start.truncate(width),
        });
        self.words[2].set(words);
        self.hits[2].set(self.hits[1].get());
        self.links[2].set(link);
        let in_header = |lane| self.is_in_header(index, lane, end, link);
        self.in_header.set((1..self.lanes.count).fold(in_header(0), |low, lane| in_header(lane).concat(low)));
    }

    /// The word in an IP lane is between the EtherType and the end of an IPv4 header.
    fn is_in_header(&self, index: Bits<L>, lane: u32, end: Bits<L>, link: Link<L>) -> Bits<L> {
        let width = self.lanes.select_width();
        let start = link.tags.extend(WORD) + UNTAGGED as u64;
        let source = (start + lane as u64).truncate(width);
        let word = index.concat(source);
        let within = word.at_least(start.extend(word.width())) & word.less(end.extend(word.width()));
        within & link.l3.equals(constant!(l3::IPV4))
    }
}
