// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds frames. Lengths and checksums come out right unless they are given.

use crate::headers::codec::{MpehIndicator, Rocev2};
use crate::headers::uet::crc;
use crate::headers::{Addresses, Bth, Header, Ipv4, Ipv6, Mpeh, Tag, Udp};
use crate::headers::{ethernet, icrc, ipv4, udp};

/// At least as many bytes as all headers behind a BTH.
const LONGEST: usize = 64;

/// A frame to be built: which headers it has, what is in them, and which lengths lie.
#[derive(Clone, Debug)]
pub struct Frame {
    /// MAC addresses.
    pub addresses: Addresses,
    /// Tags, outermost first.
    pub tags: Vec<Tag>,
    /// EtherType behind the tags; by the network header if not given.
    pub ethertype: Option<u16>,
    /// The network header.
    pub network: Network,
    /// IPv4 total length or IPv6 payload length; right if not given.
    pub ip_length: Option<u16>,
    /// IPv4 header checksum; right if not given.
    pub ip_checksum: Option<u16>,
    /// UDP header.
    pub udp: Option<Udp>,
    /// UDP length; right if not given.
    pub udp_length: Option<u16>,
    /// The headers of RoCEv2, to which an ICRC belongs. Those of other transports are part of the payload.
    pub rocev2: Option<Rocev2>,
    /// A CRC of UET ends the packet.
    pub uet_crc: bool,
    /// What follows the headers.
    pub payload: Vec<u8>,
    /// Bytes behind the IP packet.
    pub trailer: Vec<u8>,
}

/// The network header of a frame.
#[derive(Clone, Debug)]
pub enum Network {
    /// None: the payload follows the EtherType.
    None,
    /// IPv4 with options (a multiple of four bytes, at most 40).
    V4(Ipv4, Vec<u8>),
    /// IPv6 with the bytes of its extension headers.
    V6(Ipv6, Vec<u8>),
}

impl Frame {
    /// A small RoCEv2 SEND over IPv4 without tags.
    #[must_use]
    pub fn v4() -> Self {
        let header = Ipv4::new()
            .with_version(4)
            .with_ihl(5)
            .with_identification(1)
            .with_dont_fragment(true)
            .with_ttl(64)
            .with_protocol(udp::PROTOCOL)
            .with_source(0x0A00_0001)
            .with_destination(0x0A00_0002);
        Self::over(Network::V4(header, Vec::new()))
    }

    /// A small RoCEv2 SEND over IPv6 without tags.
    #[must_use]
    pub fn v6() -> Self {
        let header = Ipv6::new()
            .with_version(6)
            .with_next_header(udp::PROTOCOL)
            .with_hop_limit(64)
            .with_source(0x2001_0DB8 << 96 | 1)
            .with_destination(0x2001_0DB8 << 96 | 2);
        Self::over(Network::V6(header, Vec::new()))
    }

    /// A frame without network header: `ethertype`, then `payload`.
    #[must_use]
    pub fn other(ethertype: u16, payload: Vec<u8>) -> Self {
        let frame = Self { ethertype: Some(ethertype), payload, ..Self::over(Network::None) };
        Self { udp: None, rocev2: None, ..frame }
    }

    fn over(network: Network) -> Self {
        let bth = Bth::new().with_opcode(4).with_pkey(0xFFFF).with_dqpn(0x11).with_ackreq(true).with_psn(5);
        Self {
            addresses: Addresses::new().with_destination(0x0211_2233_4455).with_source(0x0266_7788_99AA),
            tags: Vec::new(),
            ethertype: None,
            network,
            ip_length: None,
            ip_checksum: None,
            udp: Some(Udp::new().with_source(49152).with_destination(udp::ROCEV2)),
            udp_length: None,
            rocev2: Some(Rocev2::new(bth)),
            uet_crc: false,
            payload: Vec::new(),
            trailer: Vec::new(),
        }
    }

    /// The same frame after `change`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// The same frame after `change` to its IPv4 header, if it has one.
    #[must_use]
    pub fn with_v4(mut self, change: impl FnOnce(&mut Ipv4)) -> Self {
        if let Network::V4(header, _) = &mut self.network {
            change(header);
        }
        self
    }

    /// The same frame after `change` to its IPv6 header, if it has one.
    #[must_use]
    pub fn with_v6(mut self, change: impl FnOnce(&mut Ipv6)) -> Self {
        if let Network::V6(header, _) = &mut self.network {
            change(header);
        }
        self
    }

    /// The same frame with one more tag, inside those it has.
    #[must_use]
    pub fn tagged(mut self, tpid: u16, tci: u16) -> Self {
        self.tags.push(Tag::new().with_tpid(tpid).with_tci(tci));
        self
    }

    /// The same frame with IPv4 options and the IHL that counts them.
    #[must_use]
    pub fn with_options(mut self, words: Vec<u8>) -> Self {
        if let Network::V4(header, options) = &mut self.network {
            header.set_ihl((5 + words.len() / 4).min(15) as u8);
            *options = words;
        }
        self
    }

    /// The same frame after `change` to the headers of RoCEv2, if it has them.
    #[must_use]
    pub fn with_rocev2(mut self, change: impl FnOnce(&mut Rocev2)) -> Self {
        if let Some(headers) = &mut self.rocev2 {
            change(headers);
        }
        self
    }

    /// The same frame after `change` to the base transport header, if it has one.
    #[must_use]
    pub fn with_bth(self, change: impl FnOnce(&mut Bth)) -> Self {
        self.with_rocev2(|headers| change(&mut headers.bth))
    }

    /// The same frame with an OpCode and the headers that it asks for (all zero), without an MPEH.
    #[must_use]
    pub fn with_opcode(self, opcode: u8) -> Self {
        self.with_rocev2(|headers| {
            let mut bytes = Vec::new();
            headers.bth.with_opcode(opcode).with_mpeh(false).write(&mut bytes);
            bytes.resize(bytes.len() + LONGEST, 0);
            *headers = Rocev2::read(&mut bytes.as_slice(), MpehIndicator::Bit).unwrap_or(*headers);
        })
    }

    /// The same frame with an MPEH and the bit that announces it.
    #[must_use]
    pub fn with_mpeh(self, mpeh: Mpeh) -> Self {
        self.with_rocev2(|headers| {
            headers.bth.set_mpeh(true);
            headers.mpeh = Some(mpeh);
        })
    }

    /// The same frame with a CRC of UET at the end of the packet.
    #[must_use]
    pub fn with_uet_crc(self) -> Self {
        Self { uet_crc: true, ..self }
    }

    /// The frame without UDP: `payload` follows the IP header, whose protocol is `protocol`.
    #[must_use]
    pub fn with_protocol(mut self, protocol: u8, payload: Vec<u8>) -> Self {
        match &mut self.network {
            Network::V4(header, _) => header.set_protocol(protocol),
            Network::V6(header, _) => header.set_next_header(protocol),
            Network::None => {}
        }
        Self { udp: None, rocev2: None, payload, ..self }
    }

    /// The frame with UDP to another port: `payload` follows the UDP header.
    #[must_use]
    pub fn with_port(mut self, port: u16, payload: Vec<u8>) -> Self {
        self.udp.iter_mut().for_each(|udp| udp.set_destination(port));
        Self { rocev2: None, payload, ..self }
    }

    /// Length of Ethernet header and tags.
    #[must_use]
    pub fn link_length(&self) -> usize {
        Addresses::LEN + Tag::LEN * self.tags.len() + 2
    }

    /// The bytes of the frame, without FCS.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.addresses.write(&mut out);
        self.tags.iter().for_each(|tag| tag.write(&mut out));
        let by_network = match self.network {
            Network::V4(..) => ethernet::IPV4,
            Network::V6(..) => ethernet::IPV6,
            Network::None => 0,
        };
        out.extend(self.ethertype.unwrap_or(by_network).to_be_bytes());
        let start = out.len();
        let transport = self.transport();
        self.write_network(transport.len(), &mut out);
        out.extend(transport);
        let packet = out.get(start..).unwrap_or_default();
        let end = if self.rocev2.is_some() { icrc::icrc(packet) } else { crc::crc(packet) };
        out.extend(&end[..self.end()]);
        out.extend(&self.trailer);
        out
    }

    /// Network header and what belongs to it, in front of `payload` bytes (ICRC and CRC not counted).
    fn write_network(&self, payload: usize, out: &mut Vec<u8>) {
        let payload = payload + self.end();
        match &self.network {
            Network::None => {}
            Network::V4(header, options) => {
                let length = self.ip_length.unwrap_or((Ipv4::LEN + options.len() + payload) as u16);
                let mut header = header.with_total_length(length).with_checksum(0);
                let mut words = Vec::new();
                header.write(&mut words);
                words.extend(options);
                header.set_checksum(self.ip_checksum.unwrap_or(!ipv4::fold(ipv4::word_sum(&words))));
                header.write(out);
                out.extend(options);
            }
            Network::V6(header, extensions) => {
                let length = self.ip_length.unwrap_or((extensions.len() + payload) as u16);
                header.with_payload_length(length).write(out);
                out.extend(extensions);
            }
        }
    }

    /// Bytes of the ICRC or CRC.
    fn end(&self) -> usize {
        if self.rocev2.is_some() || self.uet_crc { icrc::LEN } else { 0 }
    }

    /// UDP and what it carries, up to ICRC or CRC.
    fn transport(&self) -> Vec<u8> {
        let mut inner = Vec::new();
        self.rocev2.iter().flat_map(Rocev2::parts).for_each(|part| inner.extend(part.bytes));
        inner.extend(&self.payload);
        let length = self.udp_length.unwrap_or((Udp::LEN + inner.len() + self.end()) as u16);
        let mut out = Vec::new();
        self.udp.iter().for_each(|udp| udp.with_length(length).write(&mut out));
        out.extend(inner);
        out
    }
}
