// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the ICRC or CRC of a frame stands, by what its headers say of lengths.
//!
//! "Row n" is row n of the table in `docs/stages/icrc.md`. This does not use [`read`](super::read()): the stages `icrc`
//! and `icrc_insert` also find the CRC in frames that the parser drops.

use super::Options;
use crate::headers::uet::{Entropy, crc};
use crate::headers::{Addresses, Header, Ipv4, Ipv6, Tag, Udp, ethernet, icrc, udp};
use std::ops::Range;

/// The shortest datagrams: UDP, BTH, ICRC; and UDP, the shortest header of UET, CRC.
const SHORTEST_ROCEV2: usize = 8 + 12 + icrc::LEN;
const SHORTEST_UET: usize = 8 + 4 + crc::LEN;
/// The shortest packet of UET behind IP: entropy header, the shortest header, CRC.
const SHORTEST_NATIVE: usize = Entropy::LEN + 4 + crc::LEN;

/// A CRC at the end of a packet. Both are as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// That of RoCEv2.
    Icrc,
    /// That of UET.
    Uet,
}

impl Code {
    /// The CRC, as sent, over an IP packet up to where the CRC will stand.
    #[must_use]
    pub fn of(self, packet: &[u8]) -> [u8; icrc::LEN] {
        match self {
            Self::Icrc => icrc::icrc(packet),
            Self::Uet => crc::crc(packet),
        }
    }
}

/// Where the CRC belongs, if the headers say that there is one; it may lie beyond the frame.
#[must_use]
pub fn place(frame: &[u8], options: &Options) -> Option<Range<usize>> {
    covered(frame, options).ok().map(|(_, covered, _)| covered.end..covered.end + icrc::LEN)
}

/// The frame with the right CRC in its place, as far as that is in the frame.
#[must_use]
pub fn filled(mut frame: Vec<u8>, options: &Options) -> Vec<u8> {
    if let Ok((code, covered, _)) = covered(&frame, options) {
        let crc = code.of(frame.get(covered.clone()).unwrap_or_default());
        let place = frame.get_mut(covered.end..).unwrap_or_default();
        place.iter_mut().zip(crc).for_each(|(byte, crc)| *byte = crc);
    }
    frame
}

/// Rows 2 to 8 but for the frame's own length: which CRC, from the IP header to where it begins, and the end of the packet.
pub fn covered(frame: &[u8], options: &Options) -> Result<(Code, Range<usize>, usize), u8> {
    let (start, _) = link(frame)?;
    let (layer_4, packet, protocol) = network(frame, start, options)?;
    let uet = |shortest: usize, end: usize, at: usize| {
        if end < layer_4 + shortest {
            return Err(8);
        }
        let kind = frame.get(at).ok_or(6)? >> 3;
        let range = start..end - crc::LEN;
        if crc::TYPES.contains(&kind) { Ok((Code::Uet, range, packet)) } else { Err(8) }
    };
    if protocol != udp::PROTOCOL {
        return uet(SHORTEST_NATIVE, packet, layer_4 + Entropy::LEN);
    }
    let header = frame.get(layer_4..).and_then(Udp::read).ok_or(6)?;
    let is = |on: bool, port: u16| on && header.destination() == port;
    let is_rocev2 = is(options.rocev2, options.rocev2_port);
    if !is_rocev2 && !is(options.uet && options.uet_crc, options.uet_port) {
        return Err(7);
    }
    let end = layer_4 + usize::from(header.length());
    if end > packet {
        return Err(8);
    }
    match is_rocev2 {
        true if end < layer_4 + SHORTEST_ROCEV2 => Err(8),
        true => Ok((Code::Icrc, start..end - icrc::LEN, packet)),
        false => uet(SHORTEST_UET, end, layer_4 + Udp::LEN),
    }
}

/// Rows 2 and 3: where the IP header begins, and the EtherType.
pub fn link(frame: &[u8]) -> Result<(usize, u16), u8> {
    let mut at = Addresses::LEN;
    let mut tags = 0;
    loop {
        let bytes = frame.get(at..at + 2).ok_or(2)?;
        let ethertype = u16::from_be_bytes([bytes[0], bytes[1]]);
        if tags < 2 && ethernet::is_tag(ethertype) {
            (tags, at) = (tags + 1, at + Tag::LEN);
            continue;
        }
        return match ethertype {
            ethernet::IPV4 | ethernet::IPV6 => Ok((at + 2, ethertype)),
            _ => Err(3),
        };
    }
}

/// Rows 4 to 6: where that begins which the IP header carries, where the packet ends, and the protocol: that of UDP, or of UET
/// without UDP.
pub fn network(frame: &[u8], start: usize, options: &Options) -> Result<(usize, usize, u8), u8> {
    let (_, ethertype) = link(frame)?;
    let packet = &frame[start..];
    let native = options.uet && options.uet_crc;
    let is_known = |protocol: u8| protocol == udp::PROTOCOL || native && protocol == options.uet_protocol;
    if ethertype == ethernet::IPV6 {
        let header = Ipv6::read(packet).ok_or(6)?;
        let (begin, length) = (start + Ipv6::LEN, usize::from(header.payload_length()));
        return match (header.version(), header.next_header()) {
            (6, protocol) if is_known(protocol) => Ok((begin, begin + length, protocol)),
            (6, _) => Err(5),
            _ => Err(4),
        };
    }
    let header = Ipv4::read(packet).ok_or(6)?;
    if header.version() != 4 || header.ihl() < 5 {
        return Err(4);
    }
    if header.more_fragments() || header.fragment_offset() != 0 || !is_known(header.protocol()) {
        return Err(5);
    }
    let (length, total) = (usize::from(header.ihl()) * 4, usize::from(header.total_length()));
    if total < length { Err(6) } else { Ok((start + length, start + total, header.protocol())) }
}
