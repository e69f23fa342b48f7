// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ethernet II and IEEE 802.1Q: addresses, then any number of tags, then the EtherType.

use super::network_order;
use modular_bitfield::prelude::*;

/// EtherType of IPv4.
pub const IPV4: u16 = 0x0800;
/// EtherType of IPv6.
pub const IPV6: u16 = 0x86DD;
/// EtherType of a customer tag (C-TAG).
pub const C_TAG: u16 = 0x8100;
/// EtherType of a service tag (S-TAG), the outer one of "QinQ".
pub const S_TAG: u16 = 0x88A8;

/// The two MAC addresses in front of everything else, destination first.
#[bitfield(bits = 96)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// Source address.
    pub source: B48,
    /// Destination address.
    pub destination: B48,
}
network_order!(Addresses, 12);

/// A tag: its own EtherType and the tag control information (priority 3, drop eligible 1, VLAN 12).
#[bitfield(bits = 32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Tag control information.
    pub tci: u16,
    /// EtherType of the tag, [`C_TAG`] or [`S_TAG`].
    pub tpid: u16,
}
network_order!(Tag, 4);

impl Tag {
    /// Priority code point.
    #[must_use]
    pub fn pcp(&self) -> u8 {
        (self.tci() >> 13) as u8
    }

    /// Drop eligible indicator.
    #[must_use]
    pub fn dei(&self) -> bool {
        self.tci() & 0x1000 != 0
    }

    /// Number of the virtual network.
    #[must_use]
    pub fn vid(&self) -> u16 {
        self.tci() & 0x0FFF
    }
}

/// Whether an EtherType announces a tag.
#[must_use]
pub const fn is_tag(ethertype: u16) -> bool {
    matches!(ethertype, C_TAG | S_TAG)
}
