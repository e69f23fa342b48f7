// SPDX-License-Identifier: MIT OR Apache-2.0
//! Behind the BTH of acknowledgements and read responses.

use crate::headers::layout::header;

header! {
    /// The header.
    pub struct Aeth: "aeth" {
        /// What is acknowledged or refused; the highest bit is reserved.
        syndrome: Bits(8),
        /// Message sequence number.
        msn: Bits(24),
    }
}
