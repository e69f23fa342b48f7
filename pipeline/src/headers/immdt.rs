// SPDX-License-Identifier: MIT OR Apache-2.0
//! Immediate data.

use crate::headers::layout::header;

header! {
    /// Immediate data (ImmDt), 4 bytes.
    pub struct ImmDt: "immdt" {
        /// What the completion at the other end gets.
        data: Bits(32),
    }
}
