// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entropy header of UET without UDP, where the UDP source port would be (uet.md 1.1).

use crate::headers::layout::header;

header! {
    /// Entropy header of UET without UDP, 4 bytes.
    pub struct Entropy: "uet" {
        /// Entropy value.
        entropy: Bits(16),
        /// Reserved.
        reserved_entropy: Bits(16) = 0,
    }
}
