// SPDX-License-Identifier: MIT OR Apache-2.0
//! The InfiniBand immediate data header (OpCodes: requirements.md C).

use super::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// Immediate data.
    #[bitfield(bits = 32)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ImmDt: 4 {
        /// What the requester hands to the completion at the other end.
        pub data: u32,
    }
}
