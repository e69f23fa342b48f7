// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 3 to 5 of the parser: the IP header.
//!
//! ```text
//!  3 words turned so that IP word p is in lane p mod N; hits say which IP words are in the beat
//!  4 version, IHL, lengths and protocol; first word behind the IP header
//!  5 words turned so that transport word q is in lane q mod N; lengths of packet and payload
//! ```

use super::Step;
use super::lanes::{Lanes, UNTAGGED};
use super::link::{LENGTH, Link};
use super::record::l3;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Wide, bits, select, when, wide};

/// IP words that are looked at: to the end of an IPv6 header.
pub(super) const IP_WORDS: u32 = 10;
/// Bits of a word number.
const WORD: u32 = 5;

/// What step 4 knows of the IP header.
#[derive(Bundle)]
pub(super) struct Network<L: Reading> {
    /// The version does not fit the EtherType.
    version_bad: Bits<L>,
    /// IPv4 header length in words.
    ihl: Bits<L>,
    /// IPv4 total length or IPv6 payload length.
    length: Bits<L>,
    /// MF or a fragment offset.
    fragment: Bits<L>,
    /// Protocol or next header is UDP.
    is_udp: Bits<L>,
    /// Number of the word behind the IP header.
    end: Bits<L>,
}

/// What step 5 knows of the packet.
#[derive(Bundle)]
pub(super) struct Packet<L: Reading> {
    /// Bytes of the IP packet.
    pub length: Bits<L>,
    /// Bytes behind the IP header.
    pub payload: Bits<L>,
    /// IPv4 total length below the header's own.
    pub too_short: Bits<L>,
    /// The payload is a whole UDP datagram or begins like one.
    pub udp: Bits<L>,
    /// Beats since the one that transport word 0 is in.
    pub since: Bits<L>,
    /// Lane of transport word 0 before the turn.
    pub turn: Bits<L>,
}

pub(super) struct NetworkSteps<L: Logic> {
    lanes: Lanes,
    packet_shape: Packet<Shape>,
    words: [Reg<Wide<L>>; 3],
    hits: [Reg<Bits<L>>; 3],
    links: [Reg<Link<L>>; 3],
    network: Reg<Network<L>>,
    packet: Reg<Packet<L>>,
    turned: Reg<Wide<L>>,
    in_header: Reg<Bits<L>>,
}

/// What later steps take from step 5; `room` and the flags of step 4 are for the verdict.
pub(super) struct NetworkOut<L: Logic> {
    /// Step 5: words by IP lane.
    pub words: Wide<L>,
    /// Step 5: bit p is set if IP word p is in the beat.
    pub hits: Bits<L>,
    /// Step 5.
    pub link: Link<L>,
    /// Step 5.
    pub packet: Packet<L>,
    /// Step 5: words by transport lane.
    pub turned: Wide<L>,
    /// Step 5: bit j is set if IP lane j is part of an IPv4 header.
    pub in_header: Bits<L>,
    /// Step 3.
    pub link_3: Link<L>,
    /// Step 4.
    pub link_4: Link<L>,
    /// Step 4.
    pub network: NetworkFlags<L>,
}

/// What the verdict takes from step 4.
pub(super) struct NetworkFlags<L: Logic> {
    pub version_bad: Bits<L>,
    pub ihl: Bits<L>,
}

impl<L: Logic> NetworkSteps<L> {
    pub fn new(lanes: Lanes) -> Self {
        let data = wide(32 * lanes.count);
        let hits = bits(IP_WORDS);
        let network = Network {
            version_bad: bits(1),
            ihl: bits(4),
            length: bits(16),
            fragment: bits(1),
            is_udp: bits(1),
            end: bits(WORD),
        };
        let packet = Packet {
            length: bits(LENGTH),
            payload: bits(LENGTH),
            too_short: bits(1),
            udp: bits(1),
            since: bits(lanes.index_width()),
            turn: bits(lanes.select_width()),
        };
        NetworkSteps {
            lanes,
            packet_shape: packet,
            words: ["ip_words_3", "ip_words_4", "ip_words_5"].map(|name| Reg::new(name, &data)),
            hits: ["ip_hits_3", "ip_hits_4", "ip_hits_5"].map(|name| Reg::new(name, &hits)),
            links: ["link_3", "link_4", "link_5"].map(|name| Reg::new(name, &Link::<Shape>::new())),
            network: Reg::new("network", &network),
            packet: Reg::new("packet", &packet),
            turned: Reg::new("turned_5", &data),
            in_header: Reg::new("in_header", &bits(lanes.count)),
        }
    }

    /// The widths of step 5.
    pub fn packet_shape(&self) -> Packet<Shape> {
        self.packet_shape
    }

    #[inline(always)]
    pub fn out(&self) -> NetworkOut<L> {
        let network = self.network.get();
        NetworkOut {
            words: self.words[2].get(),
            hits: self.hits[2].get(),
            link: self.links[2].get(),
            packet: self.packet.get(),
            turned: self.turned.get(),
            in_header: self.in_header.get(),
            link_3: self.links[0].get(),
            link_4: self.links[1].get(),
            network: NetworkFlags { version_bad: network.version_bad, ihl: network.ihl },
        }
    }

    /// `steps`: the beats in steps 2, 3 and 4. `words`, `link`: step 2.
    #[inline(always)]
    pub fn clock(&self, steps: [Step<L>; 3], words: Wide<L>, link: Link<L>) {
        let [step_2, step_3, step_4] = steps;
        when(step_4.active, || self.behind(step_4.index));
        when(step_3.active, || {
            self.words[1].set(self.words[0].get());
            self.hits[1].set(self.hits[0].get());
            self.links[1].set(self.links[0].get());
            self.read();
        });
        when(step_2.active, || {
            let start = Bits::lit(3, UNTAGGED as u64) + link.tags.extend(3);
            let width = self.lanes.select_width();
            let turn = if width > 3 { start.extend(width) } else { start.truncate(width) };
            self.words[0].set(words.rotate_right(turn, 32));
            let hit = |p: u32| self.lanes.holds(step_2.index, link.tags, UNTAGGED + p);
            self.hits[0].set((1..IP_WORDS).fold(hit(0), |low, p| hit(p).concat(low)));
            self.links[0].set(link);
        });
    }

    /// Step 3 to 4.
    #[inline(always)]
    fn read(&self) {
        let (words, hits, link) = (self.words[0].get(), self.hits[0].get(), self.links[0].get());
        let word = |p: u32| self.lanes.word(words, p);
        let ipv6 = link.l3.bit(1);
        let old = self.network.get();
        let first = word(0);
        let version = select(ipv6, Bits::lit(4, 6), Bits::lit(4, 4));
        let ihl = select(hits.bit(0), first.slice(24, 4), old.ihl);
        let header = select(ipv6, Bits::lit(4, IP_WORDS as u64), first.slice(24, 4));
        let start = link.tags.extend(WORD) + UNTAGGED as u64;
        let second = word(1);
        let ipv6_length = hits.bit(1) & ipv6;
        let length = select(ipv6_length, second.slice(16, 16), first.slice(0, 16));
        let protocol = select(ipv6, second.slice(8, 8), word(2).slice(16, 8));
        let has_protocol = select(ipv6, hits.bit(1), hits.bit(2));
        self.network.set(Network {
            version_bad: select(hits.bit(0), first.slice(28, 4).differs(version), old.version_bad),
            ihl,
            length: select(ipv6_length | (hits.bit(0) & !ipv6), length, old.length),
            fragment: select(hits.bit(1), second.slice(0, 14).any() & !ipv6, old.fragment),
            is_udp: select(has_protocol, protocol.equals(17), old.is_udp),
            end: select(hits.bit(0), start + header.extend(WORD), old.end),
        });
    }

    /// Step 4 to 5.
    #[inline(always)]
    fn behind(&self, index: Bits<L>) {
        let (words, network, link) = (self.words[1].get(), self.network.get(), self.links[1].get());
        let ipv6 = link.l3.bit(1);
        let width = self.lanes.select_width();
        // The IP words are turned already, by the words ahead of the IP header.
        let header = select(ipv6, Bits::lit(4, IP_WORDS as u64), network.ihl);
        self.turned.set(words.rotate_right(header.truncate(width), 32));
        let header_bytes = network.ihl.concat(Bits::lit(2, 0)).extend(LENGTH);
        let length = network.length.extend(LENGTH);
        self.packet.set(Packet {
            length: length + select(ipv6, Bits::lit(LENGTH, 40), Bits::lit(LENGTH, 0)),
            payload: length - select(ipv6, Bits::lit(LENGTH, 0), header_bytes),
            too_short: !ipv6 & length.less(header_bytes),
            udp: network.is_udp & !network.fragment & link.l3.any(),
            since: index - network.end.slice(width, WORD - width).extend(self.lanes.index_width()),
            turn: network.end.truncate(width),
        });
        self.words[2].set(words);
        self.hits[2].set(self.hits[1].get());
        self.links[2].set(link);
        let in_header = |lane| self.in_header(index, lane, network.end, link);
        self.in_header.set((1..self.lanes.count).fold(in_header(0), |low, lane| in_header(lane).concat(low)));
    }

    /// The word in an IP lane lies between the EtherType and the end of an IPv4 header.
    #[inline(always)]
    fn in_header(&self, index: Bits<L>, lane: u32, end: Bits<L>, link: Link<L>) -> Bits<L> {
        let width = self.lanes.select_width();
        let start = link.tags.extend(WORD) + UNTAGGED as u64;
        let source = (start + lane as u64).truncate(width);
        let word = index.concat(source).truncate(WORD);
        word.at_least(start) & word.less(end) & link.l3.equals(l3::IPV4)
    }
}
