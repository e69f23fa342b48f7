// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transport security header (uet.md 1.8). It is recognised, and its length is; what it holds is passed as it is.

use crate::headers::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// Its first word.
    #[bitfield(bits = 32)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Tss: 4 {
        /// Secure domain.
        pub sdi: B24,
        /// Association number.
        pub an: bool,
        /// Reserved.
        pub reserved: bool,
        /// A source identifier is present.
        pub sp: bool,
        /// Type of the packet.
        pub kind: B5,
    }
}

/// Length without source identifier, in bytes: this word, then epoch and counter.
pub const LEN: usize = 12;
/// Length of the source identifier.
pub const SOURCE_LEN: usize = 4;
