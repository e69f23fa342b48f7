// SPDX-License-Identifier: MIT OR Apache-2.0
//! The record: all headers of a frame, bit for bit.

use super::{Elab, Part, Rocev2, Uet};
use crate::headers::{Addresses, Ipv4, Ipv6, Tag, Udp};

/// All headers of a frame, except the options of IPv4. The default is the record of nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Ethernet.
    pub link: Option<Link>,
    /// IPv4 or IPv6.
    pub network: Option<Network>,
    /// UDP.
    pub udp: Option<Udp>,
    /// Bytes of the IP packet behind the UDP datagram. They are lawful, and then the first of the trailer.
    pub slack: u16,
    /// What stands behind UDP or IP, if it is one of ours.
    pub transport: Option<Transport>,
    /// UET: a CRC ends the packet.
    pub uet_crc: bool,
}

/// Ethernet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The MAC addresses.
    pub addresses: Addresses,
    /// At most two tags, outermost first.
    pub tags: Vec<Tag>,
    /// The EtherType behind the tags.
    pub ethertype: u16,
}

/// The network header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// IPv4, its options left out.
    V4(Ipv4),
    /// IPv6 without extension headers.
    V6(Ipv6),
}

/// One of our transports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// RoCEv2.
    Rocev2(Rocev2),
    /// Ultra Ethernet.
    Uet(Uet),
    /// ELAB.
    Elab(Elab),
}

impl Network {
    /// Protocol or next header.
    #[must_use]
    pub fn protocol(&self) -> u8 {
        match self {
            Self::V4(header) => header.protocol(),
            Self::V6(header) => header.next_header(),
        }
    }

    /// Whether this is a fragment of an IPv4 packet.
    #[must_use]
    pub fn is_fragment(&self) -> bool {
        matches!(self, Self::V4(header) if header.more_fragments() || header.fragment_offset() != 0)
    }
}

impl Record {
    /// The transport headers as parts, in the order of the wire.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        match &self.transport {
            Some(Transport::Rocev2(headers)) => headers.parts(),
            Some(Transport::Uet(headers)) => headers.parts(),
            Some(Transport::Elab(headers)) => headers.parts(),
            None => Vec::new(),
        }
    }

    /// The name of the transport: `rocev2`, `uet`, `elab`, `udp` or `none`.
    #[must_use]
    pub fn transport_name(&self) -> &'static str {
        match (&self.transport, &self.udp) {
            (Some(Transport::Rocev2(_)), _) => "rocev2",
            (Some(Transport::Uet(_)), _) => "uet",
            (Some(Transport::Elab(_)), _) => "elab",
            (None, Some(_)) => "udp",
            (None, None) => "none",
        }
    }
}
