// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header of RUDI requests and responses (uet.md 1.8).

use crate::headers::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// The RUDI header.
    #[bitfield(bits = 64)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Rudi: 8 {
        /// Identifier of the packet.
        pub pkt_id: u32,
        /// Reserved.
        pub reserved: u16,
        /// Reserved flags, masks 0x08 to 0x01.
        pub reserved_3210: B4,
        /// A retransmission.
        pub retx: bool,
        /// In a response: the request had been marked by ECN. Reserved in a request.
        pub m: bool,
        /// Reserved flag, mask 0x40.
        pub reserved_6: bool,
        /// What follows the packet delivery header.
        pub next_hdr: B4,
        /// Type of the packet.
        pub kind: B5,
    }
}
