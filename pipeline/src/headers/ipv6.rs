// SPDX-License-Identifier: MIT OR Apache-2.0
//! IPv6 without extension headers.

use crate::headers::layout::header;

header! {
    /// IPv6 header, 40 bytes.
    pub struct Ipv6: "ip" {
        /// Version, 6.
        version: Bits(4),
        /// Differentiated services code point.
        dscp: Bits(6),
        /// Explicit congestion notification.
        ecn: Bits(2),
        /// Flow label.
        flow_label: Bits(20),
        /// Bytes after the header.
        payload_length: Bits(16),
        /// Protocol of the payload.
        next_header: Bits(8),
        /// Hop limit.
        hop_limit: Bits(8),
        /// Source address.
        source: Wide(128),
        /// Destination address.
        destination: Wide(128),
    }
}
