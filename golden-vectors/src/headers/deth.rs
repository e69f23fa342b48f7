// SPDX-License-Identifier: MIT OR Apache-2.0
//! The InfiniBand datagram extended transport header, of all UD OpCodes.

use super::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// What a datagram says of its sender.
    #[bitfield(bits = 64)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Deth: 8 {
        /// Source queue pair.
        pub sqpn: B24,
        /// Reserved.
        pub reserved: u8,
        /// Queue key.
        pub qkey: u32,
    }
}
