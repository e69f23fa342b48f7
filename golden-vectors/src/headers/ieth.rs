// SPDX-License-Identifier: MIT OR Apache-2.0
//! The InfiniBand invalidate extended transport header, of 0x16 and 0x17 (requirements.md C).

use super::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// Which key a SEND invalidates.
    #[bitfield(bits = 32)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Ieth: 4 {
        /// Remote key.
        pub rkey: u32,
    }
}
