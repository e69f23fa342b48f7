// SPDX-License-Identifier: MIT OR Apache-2.0
//! What follows from segment, link and RTT where `[settings]` leaves it to the configuration.

use super::Config;

/// Bytes of a packet before its payload: those of an Ethernet frame of 4150 bytes with 4096 bytes of payload (uet.md 5).
const HEADERS: u64 = 54;
/// Most bytes that an ACK acknowledges unless said otherwise (U29).
const ACK_BYTES: u64 = 16_384;

impl Config {
    /// Bytes of a full packet on the wire.
    pub fn packet_bytes(&self) -> u64 {
        self.settings.packet_bytes.unwrap_or(self.tx.segment + HEADERS)
    }

    /// The nominal size of the largest packet.
    pub fn mtu(&self) -> u64 {
        self.settings.mtu.unwrap_or(self.tx.segment)
    }

    /// Bytes that the link carries in a round trip.
    pub(crate) fn bdp_bytes(&self) -> f64 {
        self.target.link_gbps * 1e3 * self.settings.rtt_us / 8.0
    }

    /// Bytes that one ACK acknowledges. A sender whose window is one or two bandwidth-delay products must hear of a part of
    /// it before it stands still: a quarter of one, but no less than a packet.
    pub fn ack_bytes(&self) -> u64 {
        let bdp = self.bdp_bytes();
        self.settings.ack_bytes.unwrap_or_else(|| ((bdp / 4.0) as u64).min(ACK_BYTES).max(self.mtu()))
    }
}
