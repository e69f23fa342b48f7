// SPDX-License-Identifier: MIT OR Apache-2.0
//! Behind the BTH of requests of extended reliable connections.

use crate::headers::layout::header;

header! {
    /// The header.
    pub struct Xrceth: "xrceth" {
        /// Reserved.
        reserved: Bits(8) = 0,
        /// Shared receive queue.
        srqn: Bits(24),
    }
}
