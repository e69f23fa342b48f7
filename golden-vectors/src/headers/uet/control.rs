// SPDX-License-Identifier: MIT OR Apache-2.0
//! The control packet (uet.md 1.7): these ten bytes, two for the context (`pdc`), then four.

use crate::headers::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// What a control packet begins with.
    #[bitfield(bits = 80)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Control: 10 {
        /// Context at the sender.
        pub spdcid: u16,
        /// Packet sequence number.
        pub psn: u32,
        /// Bits that the answer to a probe returns.
        pub probe_opaque: u16,
        /// Reserved flags, masks 0x02 and 0x01.
        pub reserved_10: B2,
        /// The context is being set up: see [`Syn`](super::Syn).
        pub syn: bool,
        /// An acknowledgement is asked for.
        pub ar: bool,
        /// A retransmission.
        pub retx: bool,
        /// The context it opens is an ordered one.
        pub isrod: bool,
        /// Reserved flag, mask 0x40.
        pub reserved_6: bool,
        /// What it controls, where other types have `next_hdr`.
        pub ctl_type: B4,
        /// Type of the packet.
        pub kind: B5,
    }
}

header! {
    /// What it ends with.
    #[bitfield(bits = 32)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ControlPayload: 4 {
        /// By `ctl_type`.
        pub payload: u32,
    }
}
