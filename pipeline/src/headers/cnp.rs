// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bytes behind the BTH of a congestion notification.

use crate::headers::layout::header;

header! {
    /// The bytes.
    pub struct Cnp: "cnp" {
        /// The first eight.
        reserved1: Bits(64) = 0,
        /// The last eight.
        reserved2: Bits(64) = 0,
    }
}
