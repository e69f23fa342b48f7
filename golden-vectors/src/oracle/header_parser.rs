// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the parser of the headers must say of a frame: the decision table of the stage's contract, row by row.
//!
//! "Row n" is row n of the table in `docs/stages/header_parser.md`; "Mnn" is a requirement row of the YD/T draft.

use super::record::{Link, Network, Record, Rocev2};
use crate::schema::{Expect, Reason, Verdict};
use crate::wire::{Addresses, Aeth, Bth, Header, Ipv4, Ipv6, Mpeh, Reth, Tag, Udp};
use crate::wire::{aeth, ethernet, icrc, ipv4, reth, udp};
use serde::Serialize;

/// The oracle's answer. It serialises to the `expect` part of a vector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "Expect")]
pub struct Parsed {
    /// Passed or dropped.
    pub verdict: Verdict,
    /// Why it was dropped; [`Reason::None`] if it was not.
    pub reason: Reason,
    /// What is promised of the record; nothing for a dropped frame.
    pub record: Record,
    /// The row of the contract's table that decided, 1 to 14.
    pub row: u8,
}

impl From<Parsed> for Expect {
    fn from(parsed: Parsed) -> Self {
        let reason = (parsed.verdict == Verdict::Drop).then_some(parsed.reason);
        Self { verdict: parsed.verdict, reason, fields: parsed.record.fields(), frame: None }
    }
}

/// A row that drops the frame.
type Dropped = (u8, Reason);

/// Judges one frame (without FCS); `bad_frame` is the MAC's mark on it.
#[must_use]
pub fn parse(frame: &[u8], bad_frame: bool) -> Parsed {
    let outcome = if bad_frame { Err((1, Reason::BadFrame)) } else { layers(frame) };
    match outcome {
        Ok((row, record)) => Parsed { verdict: Verdict::Ok, reason: Reason::None, record, row },
        Err((row, reason)) => Parsed { verdict: Verdict::Drop, reason, record: Record::default(), row },
    }
}

/// Rows 2 to 14, from the outside in (M11).
fn layers(frame: &[u8]) -> Result<(u8, Record), Dropped> {
    let (link, behind_link) = link(frame).ok_or((2, Reason::CutShort))?;
    let ethertype = link.ethertype;
    let mut record = Record { link: Some(link), ..Record::default() };

    let (network, ip_payload) = match ethertype {
        ethernet::IPV4 => internet4(behind_link)?,
        ethernet::IPV6 => internet6(behind_link)?,
        _ => return Ok((3, record)),
    };
    let fragment = network.fragment == Some(true);
    let protocol = network.protocol;
    record.network = Some(network);
    if fragment || protocol != udp::PROTOCOL {
        return Ok((10, record));
    }

    let (header, datagram) = user_datagram(ip_payload).ok_or((11, Reason::UdpLength))?;
    record.udp = Some(header);
    if header.destination() != udp::ROCEV2 {
        return Ok((12, record));
    }

    record.rocev2 = Some(rocev2(datagram).ok_or((13, Reason::HeaderCut))?);
    Ok((14, record))
}

/// Row 2: addresses, at most two tags, and the EtherType behind them.
fn link(frame: &[u8]) -> Option<(Link, &[u8])> {
    let addresses = Addresses::read(frame)?;
    let mut rest = frame.get(Addresses::LEN..)?;
    let mut tags = Vec::new();
    loop {
        let ethertype = u16::from_be_bytes(rest.get(..2)?.try_into().ok()?);
        if !ethernet::is_tag(ethertype) || tags.len() == 2 {
            return Some((Link { addresses, ethertype, tags }, rest.get(2..)?));
        }
        tags.push(Tag::read(rest)?.tci());
        rest = rest.get(Tag::LEN..)?;
    }
}

/// Rows 4 to 9 for IPv4.
fn internet4(packet: &[u8]) -> Result<(Network, &[u8]), Dropped> {
    let header = Ipv4::read(packet).ok_or((4, Reason::CutShort))?;
    if header.version() != 4 {
        return Err((5, Reason::IpVersion));
    }
    if header.ihl() < 5 {
        return Err((6, Reason::Ihl));
    }
    let header_length = usize::from(header.ihl()) * 4;
    let words = packet.get(..header_length).ok_or((7, Reason::CutShort))?;
    if ipv4::fold(ipv4::word_sum(words)) != 0xFFFF {
        return Err((8, Reason::IpChecksum));
    }
    // Row 9: a slice from behind the header to the end of the packet exists only if both comparisons allow it.
    let payload = packet.get(header_length..usize::from(header.total_length())).ok_or((9, Reason::IpLength))?;
    Ok((Network::from(header), payload))
}

/// Rows 4, 5 and 9 for IPv6.
fn internet6(packet: &[u8]) -> Result<(Network, &[u8]), Dropped> {
    let header = Ipv6::read(packet).ok_or((4, Reason::CutShort))?;
    if header.version() != 6 {
        return Err((5, Reason::IpVersion));
    }
    let end = Ipv6::LEN + usize::from(header.payload_length());
    let payload = packet.get(Ipv6::LEN..end).ok_or((9, Reason::IpLength))?;
    Ok((Network::from(header), payload))
}

/// Row 11: the UDP header and what its length covers behind it. The checksum is not verified.
fn user_datagram(ip_payload: &[u8]) -> Option<(Udp, &[u8])> {
    let header = Udp::read(ip_payload)?;
    Some((header, ip_payload.get(Udp::LEN..usize::from(header.length()))?))
}

/// Row 13: BTH, then MPEH by its bit (M13), then AETH or RETH by OpCode, and room for the ICRC behind them.
fn rocev2(datagram: &[u8]) -> Option<Rocev2> {
    let (mut headers, _icrc) = datagram.split_at(datagram.len().checked_sub(icrc::LEN)?);
    let bth = take::<Bth>(&mut headers)?;
    let opcode = bth.opcode();
    Some(Rocev2 {
        bth,
        mpeh: if bth.mpeh() { Some(take::<Mpeh>(&mut headers)?) } else { None },
        aeth: if aeth::OPCODES.contains(&opcode) { Some(take::<Aeth>(&mut headers)?) } else { None },
        reth: if reth::OPCODES.contains(&opcode) { Some(take::<Reth>(&mut headers)?) } else { None },
    })
}

/// Reads a header and moves behind it.
fn take<H: Header>(bytes: &mut &[u8]) -> Option<H> {
    let header = H::read(bytes)?;
    *bytes = bytes.get(H::LEN..)?;
    Some(header)
}
