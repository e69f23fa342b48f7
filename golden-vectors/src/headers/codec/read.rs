// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the bytes of a frame to verdict, record and payload. "Row n" is row n of the table in the module's description.

use super::{
    Elab, Link, Network, Options, Record, Rocev2, Strictness, Transport, Trimmed, Uet, elab, reserved, trimmed,
};
use crate::headers::uet::crc;
use crate::headers::{Addresses, Header, Ipv4, Ipv6, Tag, Udp, ethernet, icrc, ipv4, udp};
use crate::schema::{Reason, Verdict};
use std::ops::Range;

/// What is to be said of a frame. Ranges are those of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Passed or dropped.
    pub verdict: Verdict,
    /// Why it was dropped, or that it is a trimmed packet; otherwise [`Reason::None`].
    pub reason: Reason,
    /// The row of the table that decided.
    pub row: u8,
    /// All headers.
    pub record: Record,
    /// What stands behind the last header that was read, up to the ICRC, the CRC or the end of the layer. The pad bytes that
    /// the BTH counts are part of it.
    pub payload: Range<usize>,
    /// What stands behind the payload and the ICRC or CRC: the rest of the IP packet and the padding of Ethernet.
    pub trailer: Range<usize>,
    /// Whether the ICRC of RoCEv2, or the CRC of UET, is right; `None` if there is none.
    pub icrc: Option<bool>,
    /// ELAB: the header of the transport that is tunnelled, with which the payload begins, where it fits.
    pub inner: Option<Range<usize>>,
    /// What is known of a trimmed packet.
    pub trimmed: Option<Trimmed>,
    /// How many reserved fields are not 0; 0 with [`Strictness::Ignore`], and of a frame that rows 1 to 13 or 17 decide.
    /// Hardware counts the frames of which this is not 0.
    pub reserved: u32,
    /// Whether record, payload and trailer are all of the frame. They lack the options of IPv4 and a wrong ICRC or CRC.
    pub rebuilt: bool,
}

/// A frame of so many bytes is one that nobody sends on purpose: its sender does not stop.
const TOO_LONG: usize = 128 * 1024;

/// A row that drops the frame.
pub(super) type Dropped = (u8, Reason);

/// Reads one frame without FCS.
#[must_use]
pub fn read(frame: &[u8], options: &Options) -> Reading {
    layers(frame, options).unwrap_or_else(|(row, reason)| Reading::dropped(row, reason))
}

impl Reading {
    /// Dropped, and nothing said of the headers.
    pub(crate) fn dropped(row: u8, reason: Reason) -> Self {
        let nothing = Self::passed(row, Record::default(), 0..0, 0..0);
        Self { verdict: Verdict::Drop, reason, rebuilt: false, ..nothing }
    }

    pub(super) fn passed(row: u8, record: Record, payload: Range<usize>, trailer: Range<usize>) -> Self {
        let with_options = matches!(record.network, Some(Network::V4(header)) if header.ihl() > 5);
        Self {
            verdict: Verdict::Ok,
            reason: Reason::None,
            row,
            record,
            payload,
            trailer,
            icrc: None,
            inner: None,
            trimmed: None,
            reserved: 0,
            rebuilt: !with_options,
        }
    }

    /// Rows 14 to 16, once all headers are read.
    fn judged(mut self, options: &Options) -> Self {
        if options.reserved != Strictness::Ignore {
            self.reserved = reserved::count(&self.record, options.mpeh);
        }
        let refused = options.reserved == Strictness::Refuse && self.reserved > 0;
        let (row, reason) = match (options.refuse_icrc && self.icrc == Some(false), refused) {
            (true, _) => (14, Reason::Icrc),
            (false, true) => (15, Reason::Reserved),
            (false, false) => (16, Reason::None),
        };
        let verdict = if reason == Reason::None { Verdict::Ok } else { Verdict::Drop };
        let rebuilt = self.rebuilt && self.icrc != Some(false);
        Self { verdict, reason, row, rebuilt, ..self }
    }
}

/// Rows 2 to 17, from the outside in (M11).
fn layers(frame: &[u8], options: &Options) -> Result<Reading, Dropped> {
    let (link, start) = link(frame).ok_or((2, Reason::CutShort))?;
    if frame.len() >= TOO_LONG {
        return Err((2, Reason::TooLong));
    }
    let ethertype = link.ethertype;
    let mut record = Record { link: Some(link), ..Record::default() };

    if let Some(reading) = trimmed::read(frame, start, &record, options) {
        return reading;
    }
    let (network, packet) = match ethertype {
        ethernet::IPV4 => internet4(frame, start)?,
        ethernet::IPV6 => internet6(frame, start)?,
        _ => return Ok(Reading::passed(3, record, start..frame.len(), frame.len()..frame.len())),
    };
    let behind = packet.end..frame.len();
    record.network = Some(network);
    if network.is_fragment() {
        return Ok(Reading::passed(10, record, packet, behind));
    }

    match network.protocol() {
        udp::PROTOCOL => {}
        protocol if options.uet && protocol == options.uet_protocol => {
            return uet(frame, start, packet, record, options);
        }
        _ => return Ok(Reading::passed(10, record, packet, behind)),
    }

    let (header, datagram) = user_datagram(frame, &packet).ok_or((11, Reason::UdpLength))?;
    record.udp = Some(header);
    record.slack = (packet.end - datagram.end) as u16;
    let port = header.destination();
    if options.rocev2 && port == options.rocev2_port {
        rocev2(frame, start, datagram, record, options)
    } else if options.uet && port == options.uet_port {
        uet(frame, start, datagram, record, options)
    } else if options.elab && port == options.elab_port {
        elab(frame, datagram, record, options)
    } else {
        let behind = datagram.end..frame.len();
        Ok(Reading::passed(12, record, datagram, behind))
    }
}

/// Row 2: addresses, at most two tags, the EtherType behind them, and where that ends.
fn link(frame: &[u8]) -> Option<(Link, usize)> {
    let addresses = Addresses::read(frame)?;
    let mut at = Addresses::LEN;
    let mut tags = Vec::new();
    loop {
        let ethertype = u16::from_be_bytes(frame.get(at..at + 2)?.try_into().ok()?);
        if !ethernet::is_tag(ethertype) || tags.len() == 2 {
            return Some((Link { addresses, tags, ethertype }, at + 2));
        }
        tags.push(Tag::read(frame.get(at..)?)?);
        at += Tag::LEN;
    }
}

/// Rows 4 to 9 for IPv4: the header, and where the payload of the packet lies.
fn internet4(frame: &[u8], start: usize) -> Result<(Network, Range<usize>), Dropped> {
    let packet = frame.get(start..).unwrap_or_default();
    let header = Ipv4::read(packet).ok_or((4, Reason::CutShort))?;
    if header.version() != 4 {
        return Err((5, Reason::IpVersion));
    }
    if header.ihl() < 5 {
        return Err((6, Reason::Ihl));
    }
    let length = usize::from(header.ihl()) * 4;
    let words = packet.get(..length).ok_or((7, Reason::CutShort))?;
    if ipv4::fold(ipv4::word_sum(words)) != 0xFFFF {
        return Err((8, Reason::IpChecksum));
    }
    let payload = start + length..start + usize::from(header.total_length());
    frame.get(payload.clone()).ok_or((9, Reason::IpLength))?;
    Ok((Network::V4(header), payload))
}

/// Rows 4, 5 and 9 for IPv6.
fn internet6(frame: &[u8], start: usize) -> Result<(Network, Range<usize>), Dropped> {
    let header = Ipv6::read(frame.get(start..).unwrap_or_default()).ok_or((4, Reason::CutShort))?;
    if header.version() != 6 {
        return Err((5, Reason::IpVersion));
    }
    let begin = start + Ipv6::LEN;
    let payload = begin..begin + usize::from(header.payload_length());
    frame.get(payload.clone()).ok_or((9, Reason::IpLength))?;
    Ok((Network::V6(header), payload))
}

/// Row 11: the UDP header, and where what it carries lies. The checksum is not verified.
fn user_datagram(frame: &[u8], packet: &Range<usize>) -> Option<(Udp, Range<usize>)> {
    let bytes = frame.get(packet.clone())?;
    let header = Udp::read(bytes)?;
    let payload = Udp::LEN..usize::from(header.length());
    bytes.get(payload.clone())?;
    Some((header, packet.start + payload.start..packet.start + payload.end))
}

/// Row 13: headers, then any payload, then the ICRC, which is the last word of the datagram and covers the IP packet
/// from its `start` (requirements.md C).
fn rocev2(
    frame: &[u8],
    start: usize,
    datagram: Range<usize>,
    record: Record,
    options: &Options,
) -> Result<Reading, Dropped> {
    let cut = (13, Reason::HeaderCut);
    let bytes = frame.get(datagram.clone()).ok_or(cut)?;
    let (mut rest, sent) = bytes.split_last_chunk::<{ icrc::LEN }>().ok_or(cut)?;
    let headers = Rocev2::read(&mut rest, options.mpeh).ok_or(cut)?;
    let end = datagram.end - icrc::LEN;
    let record = Record { transport: Some(Transport::Rocev2(headers)), ..record };
    let reading = Reading::passed(16, record, end - rest.len()..end, datagram.end..frame.len());
    let right = icrc::icrc(frame.get(start..end).ok_or(cut)?) == *sent;
    Ok(Reading { icrc: Some(right), ..reading }.judged(options))
}

/// Row 13: headers, then any payload, then the CRC. Without UDP the entropy header comes first (uet.md 1.1). No field says
/// whether there is a CRC (uet.md 1.1), so [`Options::uet_crc`] does; where there is none, the payload ends the packet.
fn uet(frame: &[u8], start: usize, area: Range<usize>, record: Record, options: &Options) -> Result<Reading, Dropped> {
    let cut = (13, Reason::HeaderCut);
    let mut rest = frame.get(area.clone()).ok_or(cut)?;
    let headers = Uet::read(&mut rest, record.udp.is_none()).ok_or(cut)?;
    let uet_crc = options.uet_crc && crc::TYPES.contains(&headers.kind());
    let (payload, sent) = rest.split_at_checked(rest.len().wrapping_sub(crc::LEN)).filter(|_| uet_crc).unzip();
    if uet_crc && sent.is_none() {
        return Err(cut);
    }
    let payload = payload.unwrap_or(rest).len();
    let end = area.end - if uet_crc { crc::LEN } else { 0 };
    let record = Record { transport: Some(Transport::Uet(headers)), uet_crc, ..record };
    let reading = Reading::passed(16, record, end - payload..end, area.end..frame.len());
    let right = sent.map(|sent| frame.get(start..end).is_some_and(|packet| crc::crc(packet) == *sent));
    Ok(Reading { icrc: right, ..reading }.judged(options))
}

/// Row 13: the info header, then the original transport header and its data (E03).
fn elab(frame: &[u8], datagram: Range<usize>, record: Record, options: &Options) -> Result<Reading, Dropped> {
    let cut = (13, Reason::HeaderCut);
    let mut rest = frame.get(datagram.clone()).ok_or(cut)?;
    let headers = Elab::read(&mut rest).ok_or(cut)?;
    let record = Record { transport: Some(Transport::Elab(headers)), ..record };
    let begin = datagram.end - rest.len();
    let inner = elab::inner(rest, options.tunnelled).map(|header| begin + header.start..begin + header.end);
    let reading = Reading::passed(16, record, begin..datagram.end, datagram.end..frame.len());
    Ok(Reading { inner, ..reading }.judged(options))
}
