// SPDX-License-Identifier: MIT OR Apache-2.0
//! IPv4 without its options.

use crate::headers::layout::header;

header! {
    /// IPv4 header without options, 20 bytes.
    pub struct Ipv4: "ip" {
        /// Version, 4.
        version: Bits(4),
        /// Length of the header in words.
        ihl: Bits(4),
        /// Differentiated services code point.
        dscp: Bits(6),
        /// Explicit congestion notification.
        ecn: Bits(2),
        /// Length of header and payload in bytes.
        total_length: Bits(16),
        /// Identification.
        id: Bits(16),
        /// The reserved flag.
        reserved: Bits(1),
        /// Must not be fragmented.
        df: Bits(1),
        /// More fragments follow.
        mf: Bits(1),
        /// Offset of the fragment, in units of eight bytes.
        fragment_offset: Bits(13),
        /// Time to live.
        ttl: Bits(8),
        /// Protocol of the payload.
        protocol: Bits(8),
        /// Checksum of the header.
        checksum: Bits(16),
        /// Source address.
        source: Bits(32),
        /// Destination address.
        destination: Bits(32),
    }
}
