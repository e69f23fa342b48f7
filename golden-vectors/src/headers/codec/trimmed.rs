// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a switch has left of a packet (uet.md 1.12), row 17. The switch may have left the lengths of IP and UDP as they
//! were, or have changed those of both or of IP alone.

use super::read::{Dropped, Reading};
use super::rocev2::carries_data;
use super::{Network, Options, Record, Rocev2, Transport, Uet};
use crate::headers::uet::{crc, prologue};
use crate::headers::{Header, Ipv4, Ipv6, Udp, ethernet, icrc, udp};
use crate::schema::Reason;
use std::ops::Range;

/// What is known of a trimmed packet beside what it has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trimmed {
    /// Bytes in whole words of its transport header that are left.
    pub left: usize,
    /// Place in the frame of the first byte behind all its headers, be it there or not.
    pub payload_offset: usize,
    /// The bytes of payload that its lengths speak of; 0 if they end before.
    pub payload_length: usize,
}

/// More bytes than the headers of RoCEv2 have.
const LONGEST: usize = 64;
/// The BTH, and the first word of an MPEH.
const BTH: usize = 12;
const MPEH_WORD: usize = 4;

/// Reads a trimmed packet whose IP header begins at `start`; `None` if it is none.
pub(super) fn read(frame: &[u8], start: usize, record: &Record, options: &Options) -> Option<Result<Reading, Dropped>> {
    let packet = frame.get(start..)?;
    let (network, dscp, length, sent) = match record.link.as_ref()?.ethertype {
        ethernet::IPV4 => internet4(packet)?,
        ethernet::IPV6 => internet6(packet)?,
        _ => return None,
    };
    let says = [options.trimmed_dscp, options.trimmed_last_hop_dscp].contains(&dscp);
    if !options.trimming || !says || network.is_fragment() {
        return None;
    }
    let begin = start + length;
    let area = begin..frame.len().min(begin + sent);
    let record = Record { network: Some(network), ..record.clone() };
    match network.protocol() {
        udp::PROTOCOL => over_udp(frame, area, record, options),
        protocol if options.uet && protocol == options.uet_protocol => {
            is_request(frame.get(area.clone())?.get(4..)?).then(|| uet(frame, area, sent, record, options))
        }
        _ => None,
    }
}

/// Header, DSCP, length of the header, and bytes behind it as its length says.
type Internet = (Network, u8, usize, usize);

fn internet4(packet: &[u8]) -> Option<Internet> {
    let header = Ipv4::read(packet).filter(|header| header.version() == 4 && header.ihl() >= 5)?;
    let length = usize::from(header.ihl()) * 4;
    packet.get(..length)?;
    let sent = usize::from(header.total_length()).checked_sub(length)?;
    Some((Network::V4(header), header.dscp(), length, sent))
}

fn internet6(packet: &[u8]) -> Option<Internet> {
    let header = Ipv6::read(packet).filter(|header| header.version() == 6)?;
    Some((Network::V6(header), header.dscp(), Ipv6::LEN, header.payload_length().into()))
}

/// The first word of a packet delivery header is there and is that of a RUD or ROD request.
fn is_request(delivery: &[u8]) -> bool {
    let requests = [prologue::RUD_REQ, prologue::ROD_REQ, prologue::RUD_CC_REQ, prologue::ROD_CC_REQ];
    delivery.get(..4).is_some_and(|word| requests.contains(&(word[0] >> 3)))
}

fn over_udp(frame: &[u8], area: Range<usize>, record: Record, options: &Options) -> Option<Result<Reading, Dropped>> {
    let header = Udp::read(frame.get(area.clone())?)?;
    let datagram = area.start + Udp::LEN..area.end;
    let bytes = frame.get(datagram.clone())?;
    let word = bytes.get(..4)?;
    let (port, record) = (header.destination(), Record { udp: Some(header), ..record });
    let is_rocev2 = options.rocev2 && port == options.rocev2_port;
    let is_uet = !is_rocev2 && options.uet && port == options.uet_port;
    if !(is_rocev2 && carries_data(word[0], options.mpeh) || is_uet && is_request(word)) {
        return None;
    }
    let Some(sent) = usize::from(header.length()).checked_sub(Udp::LEN) else {
        return Some(Err((11, Reason::UdpLength)));
    };
    Some(match is_rocev2 {
        true => rocev2(frame, datagram, sent, record, options),
        false => uet(frame, datagram, sent, record, options),
    })
}

/// Row 13 for `sent` bytes behind UDP, of which those in `area` are left.
fn rocev2(
    frame: &[u8],
    area: Range<usize>,
    sent: usize,
    record: Record,
    options: &Options,
) -> Result<Reading, Dropped> {
    let cut = (13, Reason::HeaderCut);
    let bytes = frame.get(area.clone()).ok_or(cut)?;
    bytes.get(..BTH).ok_or(cut)?;
    let filled = [bytes, &[0; LONGEST]].concat();
    let headers = Rocev2::read(&mut filled.as_slice(), options.mpeh).ok_or(cut)?;
    let needed = BTH + if headers.mpeh.is_some() { MPEH_WORD } else { 0 };
    if bytes.len().min(sent) < needed {
        return Err(cut);
    }
    let length = headers.parts().iter().map(|part| part.bytes.len()).sum();
    let record = Record { transport: Some(Transport::Rocev2(headers)), ..record };
    Ok(reading(frame, area, record, length, sent.saturating_sub(icrc::LEN)))
}

/// Row 13 for UET: its headers are whole.
fn uet(frame: &[u8], area: Range<usize>, sent: usize, record: Record, options: &Options) -> Result<Reading, Dropped> {
    let cut = (13, Reason::HeaderCut);
    let bytes = frame.get(area.clone()).ok_or(cut)?;
    let mut rest = bytes;
    let headers = Uet::read(&mut rest, record.udp.is_none()).ok_or(cut)?;
    let length = bytes.len() - rest.len();
    if sent < length {
        return Err(cut);
    }
    let record = Record { transport: Some(Transport::Uet(headers)), uet_crc: options.uet_crc, ..record };
    let behind = if options.uet_crc { crc::LEN } else { 0 };
    Ok(reading(frame, area, record, length, sent.saturating_sub(behind)))
}

/// Row 17: headers of so many bytes in front of what was sent.
fn reading(frame: &[u8], area: Range<usize>, record: Record, headers: usize, sent: usize) -> Reading {
    let payload_offset = area.start + headers;
    let trimmed = Trimmed { left: area.len() & !3, payload_offset, payload_length: sent.saturating_sub(headers) };
    let passed = Reading::passed(17, record, payload_offset.min(area.end)..area.end, area.end..frame.len());
    Reading { reason: Reason::Trimmed, trimmed: Some(trimmed), rebuilt: false, ..passed }
}
