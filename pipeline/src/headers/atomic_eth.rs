// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header after the BTH of atomic operations.

use crate::headers::layout::header;

header! {
    /// Atomic extended transport header (AtomicETH), 28 bytes.
    pub struct AtomicEth: "atomic_eth" {
        /// Virtual address.
        vaddr: Bits(64),
        /// Remote key.
        rkey: Bits(32),
        /// Value to be swapped in or added.
        swap: Bits(64),
        /// Value that the old value is compared with.
        compare: Bits(64),
    }
}
