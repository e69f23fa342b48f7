// SPDX-License-Identifier: MIT OR Apache-2.0
//! Extended congestion control behind an acknowledgement. The sources disagree on its contents and mostly on a length
//! of 40 bytes for the whole header, so it is opaque (uet.md 1.6).

use crate::headers::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// The opaque bytes behind the twelve of the acknowledgement.
    #[bitfield(bits = 224)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct AckCcx: 28 {
        /// The last twelve.
        pub ccx_tail: B96,
        /// The first sixteen.
        pub ccx_head: u128,
    }
}
