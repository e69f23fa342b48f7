// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header of RUD and ROD requests (uet.md 1.3): these ten bytes, two for the context (`pdc`), and four more on the
//! types with congestion control.

use crate::headers::layout::{Signed16, header};
use modular_bitfield::prelude::*;

header! {
    /// What all RUD and ROD requests begin with.
    #[bitfield(bits = 80)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Request: 10 {
        /// Context at the sender.
        pub spdcid: u16,
        /// Packet sequence number.
        pub psn: u32,
        /// Distance from `psn` to the PSN up to which all is cleared.
        pub clear_psn_offset: Signed16,
        /// Reserved flags, masks 0x02 and 0x01.
        pub reserved_10: B2,
        /// The context is being set up: see [`Syn`](super::Syn).
        pub syn: bool,
        /// An acknowledgement is asked for.
        pub ar: bool,
        /// A retransmission.
        pub retx: bool,
        /// Reserved flags, masks 0x40 and 0x20.
        pub reserved_65: B2,
        /// What follows the packet delivery header.
        pub next_hdr: B4,
        /// Type of the packet.
        pub kind: B5,
    }
}

header! {
    /// The last four bytes of a request with congestion control.
    #[bitfield(bits = 32)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct RequestCc: 4 {
        /// Credit that the sender would like to have.
        pub credit_target: B24,
        /// Congestion control context.
        pub ccc_id: u8,
    }
}
