// SPDX-License-Identifier: MIT OR Apache-2.0
//! Negative acknowledgements (uet.md 1.6).

use crate::headers::layout::header;

header! {
    /// What both types begin with.
    pub struct Nack: "uet" {
        /// Type of the packet.
        kind: Bits(5) as "type",
        /// What follows.
        next_hdr: Bits(4),
        /// Reserved flag.
        reserved_6: Bits(1) = 0,
        /// The packet had been marked by ECN.
        m: Bits(1),
        /// The packet that caused this one was a retransmission.
        retx: Bits(1),
        /// About a RUDI packet.
        nt: Bits(1),
        /// Reserved flags.
        reserved_210: Bits(3) = 0,
        /// What was wrong (uet.md 1.9).
        nack_code: Bits(8),
        /// More about it, by vendor.
        vendor_code: Bits(8),
        /// PSN of the packet.
        nack_psn: Bits(32),
        /// Context at the sender of this packet.
        spdcid: Bits(16),
        /// Context at its receiver.
        dpdcid: Bits(16),
        /// More about it, by code.
        payload: Bits(32),
    }
}

header! {
    /// Extended congestion control, opaque.
    pub struct NackCcx: "uet" {
        /// All of it.
        nccx: Wide(128),
    }
}
