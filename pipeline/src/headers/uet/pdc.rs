// SPDX-License-Identifier: MIT OR Apache-2.0
//! The 16 bits that identify the context at the receiver in requests and control packets (uet.md 1.3, 1.7).

use crate::headers::layout::header;

header! {
    /// Context at the receiver, after it is set up.
    pub struct Dpdcid: "uet" {
        /// Context at the receiver.
        dpdcid: Bits(16),
    }
}

header! {
    /// Context at the receiver, while it is being set up.
    pub struct Syn: "uet" {
        /// Kind of context that is requested.
        pdc_info: Bits(4),
        /// This PSN minus the first PSN.
        psn_offset: Bits(12),
    }
}
