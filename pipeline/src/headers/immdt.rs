// SPDX-License-Identifier: MIT OR Apache-2.0
//! Immediate data.

use crate::headers::layout::header;

header! {
    /// Immediate data (ImmDt), 4 bytes.
    pub struct ImmDt: "immdt" {
        /// Data for the completion at the receiver.
        data: Bits(32),
    }
}
