// SPDX-License-Identifier: MIT OR Apache-2.0
//! UDP.

use crate::headers::layout::header;

header! {
    /// UDP header, 8 bytes.
    pub struct Udp: "udp" {
        /// Source port: the entropy of the flow.
        source: Bits(16),
        /// Destination port.
        destination: Bits(16),
        /// Length of header and payload in bytes.
        length: Bits(16),
        /// Checksum, 0 for none.
        checksum: Bits(16),
    }
}
