// SPDX-License-Identifier: MIT OR Apache-2.0
//! UUD requests (uet.md 1.8).

use crate::headers::layout::header;

header! {
    /// UUD request header, 4 bytes.
    pub struct Uud: "uet" {
        /// Type of the packet.
        kind: Bits(5) as "type",
        /// `next_hdr`: which SES header follows (uet.md 1.2).
        next_hdr: Bits(4),
        /// Reserved: no flag has a meaning.
        reserved_flags: Bits(7) = 0,
        /// Reserved.
        reserved: Bits(16) = 0,
    }
}
