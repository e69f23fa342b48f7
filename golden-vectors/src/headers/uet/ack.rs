// SPDX-License-Identifier: MIT OR Apache-2.0
//! The acknowledgement (uet.md 1.4), which all three of its types begin with.

use crate::headers::layout::{Signed16, header};
use modular_bitfield::prelude::*;

header! {
    /// The acknowledgement.
    #[bitfield(bits = 96)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Ack: 12 {
        /// Context at its receiver.
        pub dpdcid: u16,
        /// Context at the sender of the acknowledgement.
        pub spdcid: u16,
        /// All up to this PSN has arrived.
        pub cack_psn: u32,
        /// Distance from `cack_psn` to the acknowledged PSN; with `p`, the bits that the probe carried.
        pub ack_psn_offset: Signed16,
        /// Reserved flag, mask 0x01.
        pub reserved_0: bool,
        /// What is asked of the other side: 1 clear, 2 close.
        pub req: B2,
        /// The answer to a probe.
        pub p: bool,
        /// The packet that caused this one was a retransmission.
        pub retx: bool,
        /// An acknowledged packet had been marked by ECN.
        pub m: bool,
        /// Reserved flag, mask 0x40.
        pub reserved_6: bool,
        /// What follows the packet delivery header.
        pub next_hdr: B4,
        /// Type of the packet.
        pub kind: B5,
    }
}
