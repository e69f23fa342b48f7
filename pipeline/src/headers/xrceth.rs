// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header after the BTH of requests of extended reliable connections.

use crate::headers::layout::header;

header! {
    /// XRC extended transport header (XRCETH), 4 bytes.
    pub struct Xrceth: "xrceth" {
        /// Reserved.
        reserved: Bits(8) = 0,
        /// Shared receive queue.
        srqn: Bits(24),
    }
}
