// SPDX-License-Identifier: MIT OR Apache-2.0
//! The InfiniBand base transport header, as RoCEv2 carries it behind UDP.

use super::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// The base transport header. One of the reserved bits of byte 8 announces an MPEH (M13; this project's choice of
    /// bit).
    #[bitfield(bits = 96)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Bth: 12 {
        /// Packet sequence number.
        pub psn: B24,
        /// The six reserved bits below the MPEH bit.
        pub reserved2: B6,
        /// An MPEH stands behind this header (byte 8, mask 0x40).
        pub mpeh: bool,
        /// Acknowledge request.
        pub ackreq: bool,
        /// Destination queue pair.
        pub dqpn: B24,
        /// The six reserved bits behind FECN and BECN.
        pub reserved1: B6,
        /// Backward congestion notification.
        pub becn: bool,
        /// Forward congestion notification.
        pub fecn: bool,
        /// Partition key.
        pub pkey: u16,
        /// Transport version, 0.
        pub tver: B4,
        /// Number of pad bytes behind the payload.
        pub pad: B2,
        /// Migration request.
        pub migreq: bool,
        /// Solicited event.
        pub se: bool,
        /// Operation code: transport in the upper three bits, operation in the lower five.
        pub opcode: u8,
    }
}
