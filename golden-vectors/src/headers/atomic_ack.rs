// SPDX-License-Identifier: MIT OR Apache-2.0
//! The InfiniBand atomic acknowledge extended transport header, behind the AETH of 0x12 (requirements.md C).

use super::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// The answer to an atomic operation.
    #[bitfield(bits = 64)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct AtomicAck: 8 {
        /// The value before the operation.
        pub original: u64,
    }
}
