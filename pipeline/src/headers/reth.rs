// SPDX-License-Identifier: MIT OR Apache-2.0
//! Behind the BTH of RDMA READ and the first WRITE.

use crate::headers::layout::header;

header! {
    /// RDMA extended transport header (RETH), 16 bytes.
    pub struct Reth: "reth" {
        /// Virtual address.
        vaddr: Bits(64),
        /// Remote key.
        rkey: Bits(32),
        /// Bytes of the transfer.
        length: Bits(32),
    }
}
