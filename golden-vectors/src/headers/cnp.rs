// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion notification packet (OpCode 0x81): sixteen zero bytes behind the BTH (requirements.md C).

use super::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// The zero bytes.
    #[bitfield(bits = 128)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Cnp: 16 {
        /// The last eight.
        pub reserved2: u64,
        /// The first eight.
        pub reserved1: u64,
    }
}
