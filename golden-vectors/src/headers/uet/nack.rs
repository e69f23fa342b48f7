// SPDX-License-Identifier: MIT OR Apache-2.0
//! The negative acknowledgement (uet.md 1.6), which both of its types begin with.

use crate::headers::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// The negative acknowledgement.
    #[bitfield(bits = 128)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Nack: 16 {
        /// More about it, by code.
        pub payload: u32,
        /// Context at its receiver.
        pub dpdcid: u16,
        /// Context at the sender of this packet.
        pub spdcid: u16,
        /// PSN of the packet.
        pub nack_psn: u32,
        /// More about it, by vendor.
        pub vendor_code: u8,
        /// What was wrong (uet.md 1.9).
        pub nack_code: u8,
        /// Reserved flags, masks 0x04, 0x02 and 0x01.
        pub reserved_210: B3,
        /// About a RUDI packet: `nack_psn` is its identifier.
        pub nt: bool,
        /// The packet that caused this one was a retransmission.
        pub retx: bool,
        /// The packet had been marked by ECN.
        pub m: bool,
        /// Reserved flag, mask 0x40.
        pub reserved_6: bool,
        /// What follows the packet delivery header.
        pub next_hdr: B4,
        /// Type of the packet.
        pub kind: B5,
    }
}
