// SPDX-License-Identifier: MIT OR Apache-2.0
//! The InfiniBand atomic extended transport header, of the requests 0x13 and 0x14 (requirements.md C).

use super::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// The request of an atomic operation.
    #[bitfield(bits = 224)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct AtomicEth: 28 {
        /// What the old value is compared with.
        pub compare: u64,
        /// What is swapped in or added.
        pub swap: u64,
        /// Remote key.
        pub rkey: u32,
        /// Virtual address.
        pub vaddr: u64,
    }
}
