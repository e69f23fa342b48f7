// SPDX-License-Identifier: MIT OR Apache-2.0
//! Extended congestion control behind a negative acknowledgement, opaque; 32 bytes for the whole header (uet.md 1.6).

use crate::headers::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// The opaque bytes behind the sixteen of the negative acknowledgement.
    #[bitfield(bits = 128)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct NackCcx: 16 {
        /// All of them.
        pub nccx: u128,
    }
}
