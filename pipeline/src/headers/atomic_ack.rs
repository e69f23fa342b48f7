// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header after the AETH that answers an atomic operation.

use crate::headers::layout::header;

header! {
    /// Atomic ACK extended transport header, 8 bytes.
    pub struct AtomicAck: "atomic_ack" {
        /// The value before the operation.
        original: Bits(64),
    }
}
