// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header after the BTH of unreliable datagrams.

use crate::headers::layout::header;

header! {
    /// Datagram extended transport header (DETH), 8 bytes.
    pub struct Deth: "deth" {
        /// Queue key.
        qkey: Bits(32),
        /// Reserved.
        reserved: Bits(8) = 0,
        /// Source queue pair.
        sqpn: Bits(24),
    }
}
