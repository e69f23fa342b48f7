// SPDX-License-Identifier: MIT OR Apache-2.0
//! IPv6 (RFC 8200).

use super::network_order;
use modular_bitfield::prelude::*;

/// The fixed IPv6 header.
#[bitfield(bits = 320)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipv6 {
    /// Destination address.
    pub destination: u128,
    /// Source address.
    pub source: u128,
    /// Hop limit.
    pub hop_limit: u8,
    /// Type of what follows: an extension header or the payload's protocol.
    pub next_header: u8,
    /// Length of what follows, in bytes.
    pub payload_length: u16,
    /// Flow label.
    pub flow_label: B20,
    /// Explicit congestion notification.
    pub ecn: B2,
    /// Differentiated services code point.
    pub dscp: B6,
    /// Version, 6.
    pub version: B4,
}
network_order!(Ipv6, 40);
