// SPDX-License-Identifier: MIT OR Apache-2.0
//! RUDI requests and responses (uet.md 1.8).

use crate::headers::layout::header;

header! {
    /// RUDI request or response header, 8 bytes.
    pub struct Rudi: "uet" {
        /// Type of the packet.
        kind: Bits(5) as "type",
        /// `next_hdr`: which SES header follows (uet.md 1.2).
        next_hdr: Bits(4),
        /// Reserved flag.
        reserved_6: Bits(1) = 0,
        /// In a response: 1 if the request had been marked by ECN.
        m: Bits(1),
        /// 1 if the packet is a retransmission.
        retx: Bits(1),
        /// Reserved flags.
        reserved_3210: Bits(4) = 0,
        /// Reserved.
        reserved: Bits(16) = 0,
        /// Identifier of the packet.
        pkt_id: Bits(32),
    }
}
