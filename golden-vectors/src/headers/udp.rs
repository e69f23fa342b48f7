// SPDX-License-Identifier: MIT OR Apache-2.0
//! UDP (RFC 768).

use super::network_order;
use modular_bitfield::prelude::*;

/// Protocol number of UDP.
pub const PROTOCOL: u8 = 17;
/// Destination port of RoCEv2.
pub const ROCEV2: u16 = 4791;

/// The UDP header.
#[bitfield(bits = 64)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Udp {
    /// Checksum; 0 where the sender made none.
    pub checksum: u16,
    /// Length of header and payload, in bytes.
    pub length: u16,
    /// Destination port.
    pub destination: u16,
    /// Source port.
    pub source: u16,
}
network_order!(Udp, 8);
