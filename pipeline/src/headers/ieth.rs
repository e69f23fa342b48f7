// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header after the BTH of a SEND that invalidates.

use crate::headers::layout::header;

header! {
    /// Invalidate extended transport header (IETH), 4 bytes.
    pub struct Ieth: "ieth" {
        /// Remote key.
        rkey: Bits(32),
    }
}
