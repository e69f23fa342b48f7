// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header of UUD requests (uet.md 1.8).

use crate::headers::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// The UUD header.
    #[bitfield(bits = 32)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Uud: 4 {
        /// Reserved.
        pub reserved: u16,
        /// Reserved: no flag has a meaning.
        pub reserved_flags: B7,
        /// What follows the packet delivery header.
        pub next_hdr: B4,
        /// Type of the packet.
        pub kind: B5,
    }
}
