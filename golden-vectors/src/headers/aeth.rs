// SPDX-License-Identifier: MIT OR Apache-2.0
//! The InfiniBand acknowledge extended transport header.

use super::layout::header;
use modular_bitfield::prelude::*;

/// OpCodes that carry an AETH: read responses first, last and only, acknowledge, atomic acknowledge.
pub const OPCODES: [u8; 5] = [0x0D, 0x0F, 0x10, 0x11, 0x12];

header! {
    /// The acknowledge header.
    #[bitfield(bits = 32)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Aeth: 4 {
        /// Message sequence number.
        pub msn: B24,
        /// What is acknowledged or refused; see [`Syndrome`].
        pub syndrome: u8,
    }
}

header! {
    /// The parts of a syndrome.
    #[bitfield(bits = 8)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Syndrome: 1 {
        /// Credit count, timer or NAK code, by kind.
        pub value: B5,
        /// 0 ACK, 1 receiver not ready, 3 NAK.
        pub kind: B2,
        /// Reserved.
        pub reserved: bool,
    }
}
