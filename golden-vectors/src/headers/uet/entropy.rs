// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entropy header of UET directly on IP (uet.md 1.1): it stands where the UDP source port would.

use crate::headers::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// The entropy header.
    #[bitfield(bits = 32)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Entropy: 4 {
        /// Reserved.
        pub reserved_entropy: u16,
        /// Entropy value.
        pub entropy: u16,
    }
}
