// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transport, as known in step 7, and the presence and lengths of the headers that follow from it.

use super::network::Packet;
use crate::headers::opcode::{EXTENSIONS, MpehIndicator, OpcodeHeaders, is_send_or_write};
use crate::headers::protocols::Protocols;
use crate::headers::record::{HEADER_WORDS, HeaderPresence, transport};
use crate::headers::uet;
use rtl_model::{Bits, Bundle, Constant, Logic, Reading, Table, name_nets, select};

/// Transport words that are examined: UDP 2, MPEH 2, the longest header.
pub(super) const WORDS: u32 = 2 + 2 + HEADER_WORDS as u32;
/// Transport word in which the header after UDP begins.
pub(super) const HEADER: u32 = 2;
/// Bits of a number of words.
const COUNT: u32 = 4;
/// Bits of a number of words of all headers after IP.
pub(super) const NEED: u32 = 5;
/// Bits of a set of extensions.
const SET: u32 = EXTENSIONS.len() as u32;

/// The frame as if it were of each transport. A field is meaningful only if the frame is of that transport.
#[derive(Bundle)]
#[shape(protocols: Protocols)]
pub(super) struct TransportCandidates<L: Reading> {
    /// The UDP port is that of RoCEv2, UET, ELAB: bits 0, 1, 2.
    #[width(3)]
    pub port: Bits<L>,
    /// RoCEv2: set of extensions in bits 12:4, words of the header in 3:0.
    #[width(SET + COUNT)]
    pub rocev2: Bits<L>,
    /// RoCEv2: an MPEH is indicated.
    pub has_mpeh: Bits<L>,
    /// UET: words that must be there in bits 7:4, words of the header in 3:0.
    #[width(2 * COUNT)]
    pub uet: Bits<L>,
    /// UET: a CRC ends the packet.
    #[width(protocols.has_uet_crc().then_some(1))]
    pub uet_crc: Option<Bits<L>>,
    /// ELAB: a rate follows.
    pub elab_b: Bits<L>,
    /// RoCEv2: it carries data of a reliable connection, as switches trim it.
    #[width(protocols.trimming.then_some(1))]
    pub rocev2_data: Option<Bits<L>>,
    /// UET: the same.
    #[width(protocols.trimming.then_some(1))]
    pub uet_data: Option<Bits<L>>,
}

/// How the parts of a [`TransportCandidates`] are found.
pub(super) struct Tables {
    ports: [Option<u16>; 3],
    /// Per OpCode: set of extension headers and words of the header.
    pub opcode: Table,
    /// Per OpCode: an MPEH is indicated.
    pub indicates_mpeh: Table,
    /// Per first six bits of the header: the type, and for TSS whether there is a source identifier.
    pub uet: Table,
    /// Per UET type: a CRC ends the packet.
    pub uet_crc: Table,
    /// Per OpCode: SEND or WRITE of a reliable connection.
    pub rocev2_data: Table,
    /// Per UET type: RUD or ROD request.
    pub uet_data: Table,
}

impl Tables {
    pub fn new(protocols: Protocols) -> Self {
        let opcode_headers = |mark: MpehIndicator| (0..=255).map(move |opcode| OpcodeHeaders::of(opcode, mark));
        let opcode = opcode_headers(protocols.mpeh)
            .map(|opcode_headers| u64::from(opcode_headers.extensions) << COUNT | u64::from(opcode_headers.words));
        let uet = (0..64).map(|first| {
            let (kind, source) = (first >> 1, first & 1 == 1);
            u64::from(uet::words_needed(kind, source)) << COUNT | u64::from(uet::words(kind))
        });
        Tables {
            ports: protocols.ports(),
            opcode: Table::new(SET + COUNT, opcode).named("opcode_extensions"),
            indicates_mpeh: Table::new(
                1,
                opcode_headers(protocols.mpeh).map(|opcode_headers| u64::from(opcode_headers.mpeh)),
            )
            .named("opcode_has_mpeh"),
            uet: Table::new(2 * COUNT, uet).named("uet_words"),
            uet_crc: uet::crc_types(),
            rocev2_data: Table::new(1, (0..=255).map(|opcode| is_send_or_write(opcode, protocols.mpeh).into()))
                .named("is_send_or_write"),
            uet_data: Table::new(1, (0..32).map(|kind| uet::REQUESTS.contains(&kind).into())).named("request_types"),
        }
    }

    /// [`TransportCandidates::port`].
    pub fn ports<L: Logic>(&self, destination: Bits<L>) -> Bits<L> {
        let is = |name: &'static str, port: Option<u16>| match port {
            Some(port) => destination.equals(Constant { path: name, value: u64::from(port) }),
            None => Bits::lit(1, 0),
        };
        let [rocev2, uet, elab] = self.ports;
        let (rocev2, uet, elab) = (is("ROCEV2_PORT", rocev2), is("UET_PORT", uet), is("ELAB_PORT", elab));
        elab.concat(uet).concat(rocev2)
    }
}

/// The headers present and their lengths.
#[derive(Bundle)]
#[shape(trimming: bool)]
pub(super) struct Headers<L: Reading> {
    /// Transport code: one of [`transport`].
    #[width(3)]
    pub transport: Bits<L>,
    /// 1 if UET is directly on IP.
    pub native: Bits<L>,
    /// Which headers follow the BTH; valid for RoCEv2.
    pub has: HeaderPresence<L>,
    /// Words of the transport header, MPEH not counted.
    #[width(COUNT)]
    pub words: Bits<L>,
    /// Words after IP that must be present.
    #[width(NEED)]
    pub required_words: Bits<L>,
    /// Words after IP that are not payload, including the ICRC or CRC.
    #[width(NEED)]
    pub overhead_words: Bits<L>,
    /// Number of the word after the headers, counted from one word after the start of the frame.
    #[width(6)]
    pub end: Bits<L>,
    /// By DSCP, type or OpCode a trimmed packet. If the word with the type is not in the frame, it is that of another one.
    #[width(trimming.then_some(1))]
    pub trimmed: Option<Bits<L>>,
}

#[name_nets]
impl<L: Logic> TransportCandidates<L> {
    fn rocev2_words(&self) -> Bits<L> {
        self.rocev2.truncate(COUNT)
    }

    fn elab_words(&self) -> Bits<L> {
        select(self.elab_b, Bits::lit(COUNT, 3), Bits::lit(COUNT, 2))
    }

    /// 1 if the frame is RoCEv2, UET, ELAB, in this order.
    pub fn kinds(&self, packet: &Packet<L>) -> [Bits<L>; 3] {
        let port = |i: u32| packet.udp & self.port.bit(i);
        [port(0), port(1) | packet.native, port(2)]
    }

    /// There is an MPEH.
    pub fn mpeh(&self, packet: &Packet<L>) -> Bits<L> {
        packet.udp & self.port.bit(0) & self.has_mpeh
    }

    /// Step 7: all of it.
    pub fn headers(&self, packet: &Packet<L>) -> Headers<L> {
        let [rocev2, uet, elab] = self.kinds(packet);
        let mpeh = self.mpeh(packet);
        let lit = |value: u64| Bits::lit(COUNT, value);
        let none = lit(0);
        let by_kind = |of_uet: Bits<L>| {
            select(rocev2, self.rocev2_words(), none)
                | select(uet, of_uet, none)
                | select(elab, self.elab_words(), none)
        };
        let words = by_kind(self.uet.truncate(COUNT));
        let ahead = select(packet.native, Bits::lit(NEED, 1), Bits::lit(NEED, 2));
        let crc = self.uet_crc.map_or(rocev2, |uet_crc| rocev2 | uet & uet_crc);
        let more = select(mpeh, Bits::lit(NEED, 2), Bits::lit(NEED, 0)) + crc.extend(NEED);
        let needed = by_kind(self.uet.slice(COUNT, COUNT)).extend(NEED) + ahead;
        let trimmed = self.trimmed(packet, rocev2, uet);
        let kind = |value: u64| Bits::lit(3, value);
        let ours = select(elab, kind(transport::ELAB), kind(transport::UDP));
        let ours = select(rocev2, kind(transport::ROCEV2), select(uet, kind(transport::UET), ours));
        let headers = Headers {
            transport: select(packet.udp | packet.native, ours, kind(transport::NONE)),
            native: packet.native,
            has: HeaderPresence::of(mpeh, self.rocev2.slice(COUNT, SET)),
            words,
            required_words: needed + more,
            overhead_words: words.extend(NEED) + ahead + more,
            end: packet.start.extend(6) + words.extend(6) + select(mpeh, Bits::lit(6, 3), Bits::lit(6, 1)),
            trimmed,
        };
        match trimmed {
            // UDP, BTH and of an MPEH its first word, or the headers of UET: the rest may have been cut off, ICRC or CRC with it.
            Some(trimmed) => Headers {
                required_words: select(
                    trimmed,
                    select(rocev2, Bits::lit(NEED, 5) + mpeh.extend(NEED), needed),
                    headers.required_words,
                ),
                ..headers
            },
            None => headers,
        }
    }

    /// [`Headers::trimmed`].
    fn trimmed(&self, packet: &Packet<L>, rocev2: Bits<L>, uet: Bits<L>) -> Option<Bits<L>> {
        Some(packet.dscp_trimmed? & (rocev2 & self.rocev2_data? | uet & self.uet_data?))
    }

    /// Step 7: the last word of the headers is in the beat with these hits.
    pub fn complete(&self, packet: &Packet<L>, hits: Bits<L>) -> Bits<L> {
        let [rocev2, uet, elab] = self.kinds(packet);
        // The last of `words` words from word `first` on is here; with 0 words, as at power-up, never.
        let at = |first: u32, words: Bits<L>| {
            let hits = hits.slice(first, WORDS - first).concat(Bits::lit(1, 0));
            (hits >> words).bit(0)
        };
        let plain = at(HEADER, self.rocev2_words());
        let shifted = at(HEADER + 2, self.rocev2_words());
        // For a type without headers the word of the type itself must be here.
        let uet_words = self.uet.truncate(COUNT);
        let uet_words = select(uet_words.any(), uet_words, Bits::lit(COUNT, 1));
        let none = Bits::lit(1, 0);
        let ours = select(rocev2, select(self.has_mpeh, shifted, plain), none)
            | select(uet, at(HEADER, uet_words), none)
            | select(elab, select(self.elab_b, hits.bit(HEADER + 2), hits.bit(HEADER + 1)), none);
        select(rocev2 | uet | elab, ours, hits.bit(1))
    }
}
