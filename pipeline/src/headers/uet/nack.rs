// SPDX-License-Identifier: MIT OR Apache-2.0
//! Negative acknowledgements (uet.md 1.6).

use crate::headers::layout::header;

header! {
    /// The first 16 bytes of both types of NACK.
    pub struct Nack: "uet" {
        /// Type of the packet.
        kind: Bits(5) as "type",
        /// `next_hdr`: which SES header follows (uet.md 1.2).
        next_hdr: Bits(4),
        /// Reserved flag.
        reserved_6: Bits(1) = 0,
        /// 1 if the packet had been marked by ECN.
        m: Bits(1),
        /// 1 if the packet that caused this one was a retransmission.
        retx: Bits(1),
        /// 1 if it is about a RUDI packet.
        nt: Bits(1),
        /// Reserved flags.
        reserved_210: Bits(3) = 0,
        /// Reason code (uet.md 1.9).
        nack_code: Bits(8),
        /// Vendor code of the reason.
        vendor_code: Bits(8),
        /// PSN of the packet.
        nack_psn: Bits(32),
        /// Context at the sender of this packet.
        spdcid: Bits(16),
        /// Context at its receiver.
        dpdcid: Bits(16),
        /// Payload; its meaning depends on `nack_code`.
        payload: Bits(32),
    }
}

header! {
    /// Extended congestion control, opaque.
    pub struct NackCcx: "uet" {
        /// All 16 bytes.
        nccx: Wide(128),
    }
}
