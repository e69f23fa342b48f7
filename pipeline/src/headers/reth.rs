// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header after the BTH of RDMA READ and the first WRITE.

use crate::headers::layout::header;

header! {
    /// RDMA extended transport header (RETH), 16 bytes.
    pub struct Reth: "reth" {
        /// Virtual address.
        vaddr: Bits(64),
        /// Remote key.
        rkey: Bits(32),
        /// Length of the transfer in bytes.
        length: Bits(32),
    }
}
