// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header after the BTH of acknowledgements and read responses.

use crate::headers::layout::header;

header! {
    /// ACK extended transport header (AETH), 4 bytes.
    pub struct Aeth: "aeth" {
        /// Kind of acknowledgement and its value; the highest bit is reserved.
        syndrome: Bits(8),
        /// Message sequence number.
        msn: Bits(24),
    }
}
