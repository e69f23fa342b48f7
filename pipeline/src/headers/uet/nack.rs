// SPDX-License-Identifier: MIT OR Apache-2.0
//! Negative acknowledgements (uet.md 1.6) and the reason codes that the NIC sends (uet.md 1.9).

use crate::headers::layout::header;
use rtl_model::{Bits, Logic, name_nets};

/// Width of a reason code (uet.md 1.9).
pub const WIDTH: u32 = 8;
/// Reason: the packet has been trimmed.
pub const TRIMMED: u64 = 0x01;
/// It has been trimmed at the last hop.
pub const TRIMMED_LASTHOP: u64 = 0x02;
/// No PDC for a packet with *syn*.
pub const NO_PDC_AVAIL: u64 = 0x04;
/// No buffer for the packet.
pub const NO_PKT_BUFFER: u64 = 0x07;
/// The PSN is behind the window.
pub const PSN_OOR_WINDOW: u64 = 0x0B;
/// No PDC with this identifier.
pub const INV_DPDCID: u64 = 0x0E;
/// The PSN of a packet with *syn* is behind the window.
pub const INVALID_SYN: u64 = 0x15;
/// The receiver suspects a loss.
pub const RCVR_INFER_LOSS: u64 = 0x1A;
/// Reasons of the class *retry*: the peer has no room (uet.md 1.9).
pub const RETRY: std::ops::RangeInclusive<u64> = 0x04..=0x0B;
/// Reasons that end the PDC (uet.md 1.9).
pub const FATAL: [u64; 9] = [0x0E, 0x0F, 0x10, 0x11, 0x13, 0x15, 0x16, 0x19, 0xFF];

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

/// The reason is of the class *retry*.
#[name_nets]
pub fn is_retry<L: Logic>(code: Bits<L>) -> Bits<L> {
    code.at_least(*RETRY.start()) & code.at_most(*RETRY.end())
}
