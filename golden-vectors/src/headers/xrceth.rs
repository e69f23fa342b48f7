// SPDX-License-Identifier: MIT OR Apache-2.0
//! The InfiniBand XRC extended transport header, of all XRC requests.

use super::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// Which shared receive queue a request is for.
    #[bitfield(bits = 32)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Xrceth: 4 {
        /// Shared receive queue.
        pub srqn: B24,
        /// Reserved.
        pub reserved: u8,
    }
}
