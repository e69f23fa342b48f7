// SPDX-License-Identifier: MIT OR Apache-2.0
//! From record, payload and trailer to the bytes of a frame.

use super::{Network, Record, Transport};
use crate::headers::uet::crc;
use crate::headers::{Header, Ipv4, Udp, ethernet, icrc, ipv4};

/// The frame with these headers: lengths, IPv4 header checksum, and ICRC or CRC come out right, everything else as the record
/// has it.
///
/// `trailer` stands behind the UDP datagram or, without UDP, behind the IP packet. Lengths are kept modulo 2^16.
#[must_use]
pub fn write(record: &Record, payload: &[u8], trailer: &[u8]) -> Vec<u8> {
    let record = record.settled(payload.len(), trailer.len());
    let mut out = Vec::new();
    if let Some(link) = &record.link {
        link.addresses.write(&mut out);
        link.tags.iter().for_each(|tag| tag.write(&mut out));
        out.extend(link.ethertype.to_be_bytes());
    }
    let start = out.len();
    match record.network {
        Some(Network::V4(header)) => header.write(&mut out),
        Some(Network::V6(header)) => header.write(&mut out),
        None => {}
    }
    record.udp.iter().for_each(|header| header.write(&mut out));
    record.parts().iter().for_each(|part| out.extend(&part.bytes));
    out.extend(payload);
    let end = record.end(out.get(start..).unwrap_or_default());
    out.extend(end);
    out.extend(trailer);
    out
}

impl Record {
    /// The record that the frame made of this one has: EtherType, IP version, IHL, lengths and IPv4 header checksum
    /// follow from what there is.
    #[must_use]
    pub fn settled(&self, payload: usize, trailer: usize) -> Self {
        let mut record = self.clone();
        record.slack = if record.udp.is_some() { usize::from(record.slack).min(trailer) as u16 } else { 0 };
        let headers: usize = record.parts().iter().map(|part| part.bytes.len()).sum();
        let mut length = headers + payload + record.end(&[]).len();
        if let Some(header) = &mut record.udp {
            length += Udp::LEN;
            header.set_length(length as u16);
        }
        length += usize::from(record.slack);
        let ethertype = record.network.as_mut().map(|network| network.settle(length));
        if let (Some(link), Some(ethertype)) = (&mut record.link, ethertype) {
            link.ethertype = ethertype;
        }
        record
    }

    /// The ICRC or CRC that belongs behind an IP packet.
    fn end(&self, packet: &[u8]) -> Vec<u8> {
        match self.transport {
            Some(Transport::Rocev2(_)) => icrc::icrc(packet).into(),
            Some(Transport::Uet(_)) if self.uet_crc => crc::crc(packet).into(),
            _ => Vec::new(),
        }
    }
}

impl Network {
    /// Fits the header to a payload of `length` bytes; the EtherType that announces it.
    fn settle(&mut self, length: usize) -> u16 {
        match self {
            Self::V4(header) => {
                let total = (Ipv4::LEN + length) as u16;
                let fitted = header.with_version(4).with_ihl(5).with_total_length(total);
                *header = checked(fitted);
                ethernet::IPV4
            }
            Self::V6(header) => {
                *header = header.with_version(6).with_payload_length(length as u16);
                ethernet::IPV6
            }
        }
    }
}

/// The header with a right checksum. One that is right stays: 0 and 0xFFFF are the same sum, and a frame may have
/// either.
fn checked(header: Ipv4) -> Ipv4 {
    let sum = |header: Ipv4| {
        let mut words = Vec::new();
        header.write(&mut words);
        ipv4::fold(ipv4::word_sum(&words))
    };
    if sum(header) == 0xFFFF { header } else { header.with_checksum(!sum(header.with_checksum(0))) }
}
