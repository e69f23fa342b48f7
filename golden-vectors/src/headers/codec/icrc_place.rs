// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the ICRC of a frame stands, by what its headers say of lengths.
//!
//! "Row n" is row n of the table in `docs/stages/icrc.md`. This does not use [`read`](super::read()): the stages `icrc`
//! and `icrc_insert` also find the ICRC in frames that the parser drops.

use crate::headers::{Addresses, Header, Ipv4, Ipv6, Tag, Udp, ethernet, icrc, udp};
use std::ops::Range;

/// The shortest datagram: UDP, BTH, ICRC.
const SHORTEST: usize = 8 + 12 + icrc::LEN;

/// Where the ICRC belongs, if the headers say that there is one; it may lie beyond the frame.
#[must_use]
pub fn place(frame: &[u8]) -> Option<Range<usize>> {
    place_at(frame, udp::ROCEV2)
}

/// The same with RoCEv2 at another UDP port.
#[must_use]
pub fn place_at(frame: &[u8], port: u16) -> Option<Range<usize>> {
    covered(frame, port).ok().map(|(covered, _)| covered.end..covered.end + icrc::LEN)
}

/// Rows 2 to 8 but for the frame's own length: from the IP header to where the ICRC begins, and the end of the packet.
pub fn covered(frame: &[u8], port: u16) -> Result<(Range<usize>, usize), u8> {
    let (start, _) = link(frame)?;
    let (datagram, packet) = network(frame, start)?;
    let header = frame.get(datagram..).and_then(Udp::read).ok_or(6)?;
    if header.destination() != port {
        return Err(7);
    }
    let length = usize::from(header.length());
    if length < SHORTEST || datagram + length > packet {
        return Err(8);
    }
    Ok((start..datagram + length - icrc::LEN, packet))
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

/// Rows 4 to 6: where UDP begins, and where the packet ends.
pub fn network(frame: &[u8], start: usize) -> Result<(usize, usize), u8> {
    let (_, ethertype) = link(frame)?;
    let packet = &frame[start..];
    if ethertype == ethernet::IPV6 {
        let header = Ipv6::read(packet).ok_or(6)?;
        return match (header.version(), header.next_header()) {
            (6, udp::PROTOCOL) => Ok((start + Ipv6::LEN, start + Ipv6::LEN + usize::from(header.payload_length()))),
            (6, _) => Err(5),
            _ => Err(4),
        };
    }
    let header = Ipv4::read(packet).ok_or(6)?;
    if header.version() != 4 || header.ihl() < 5 {
        return Err(4);
    }
    if header.more_fragments() || header.fragment_offset() != 0 || header.protocol() != udp::PROTOCOL {
        return Err(5);
    }
    let (length, total) = (usize::from(header.ihl()) * 4, usize::from(header.total_length()));
    if total < length { Err(6) } else { Ok((start + length, start + total)) }
}
