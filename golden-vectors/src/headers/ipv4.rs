// SPDX-License-Identifier: MIT OR Apache-2.0
//! IPv4 (RFC 791, with the differentiated services and ECN bits of RFC 2474 and RFC 3168).

use super::network_order;
use modular_bitfield::prelude::*;

/// The fixed part of an IPv4 header.
#[bitfield(bits = 160)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipv4 {
    /// Destination address.
    pub destination: u32,
    /// Source address.
    pub source: u32,
    /// Header checksum.
    pub checksum: u16,
    /// Protocol of the payload.
    pub protocol: u8,
    /// Time to live.
    pub ttl: u8,
    /// Place of this fragment, in units of eight bytes.
    pub fragment_offset: B13,
    /// More fragments follow.
    pub more_fragments: bool,
    /// Must not be fragmented.
    pub dont_fragment: bool,
    /// The reserved flag.
    pub reserved: bool,
    /// Identification.
    pub identification: u16,
    /// Length of header and payload, in bytes.
    pub total_length: u16,
    /// Explicit congestion notification.
    pub ecn: B2,
    /// Differentiated services code point.
    pub dscp: B6,
    /// Header length in units of four bytes.
    pub ihl: B4,
    /// Version, 4.
    pub version: B4,
}
network_order!(Ipv4, 20);

/// The plain sum of the 16-bit words of a header, carries not yet folded in. An odd last byte counts as a high byte.
#[must_use]
pub fn word_sum(header: &[u8]) -> u32 {
    header.chunks(2).map(|pair| u32::from(pair[0]) << 8 | pair.get(1).map_or(0, |&low| u32::from(low))).sum()
}

/// The ones' complement sum: carries added back until there are none.
#[must_use]
pub fn fold(mut sum: u32) -> u16 {
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    sum as u16
}
