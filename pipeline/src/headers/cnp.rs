// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bytes after the BTH of a congestion notification.

use crate::headers::layout::header;

header! {
    /// The 16 bytes of a congestion notification packet after the BTH.
    pub struct Cnp: "cnp" {
        /// Reserved, bytes 0 to 7; all 0.
        reserved1: Bits(64) = 0,
        /// Reserved, bytes 8 to 15; all 0.
        reserved2: Bits(64) = 0,
    }
}
