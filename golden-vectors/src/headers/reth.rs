// SPDX-License-Identifier: MIT OR Apache-2.0
//! The InfiniBand RDMA extended transport header.

use super::layout::header;
use modular_bitfield::prelude::*;

/// OpCodes that carry a RETH: RDMA writes first, only and only with immediate, on RC also the read request.
pub const OPCODES: [u8; 7] = [0x06, 0x0A, 0x0B, 0x0C, 0x26, 0x2A, 0x2B];

header! {
    /// The RDMA header.
    #[bitfield(bits = 128)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Reth: 16 {
        /// Length of the transfer, in bytes.
        pub length: u32,
        /// Remote key.
        pub rkey: u32,
        /// Virtual address.
        pub vaddr: u64,
    }
}
