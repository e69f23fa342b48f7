// SPDX-License-Identifier: MIT OR Apache-2.0
//! The 16 bits that name the context at the receiver in requests and control packets (uet.md 1.3, 1.7).

use crate::headers::layout::header;

header! {
    /// Once it is set up.
    pub struct Dpdcid: "uet" {
        /// Context at the receiver.
        dpdcid: Bits(16),
    }
}

header! {
    /// While it is being set up.
    pub struct Syn: "uet" {
        /// What kind of context is asked for.
        pdc_info: Bits(4),
        /// From the first PSN to this one.
        psn_offset: Bits(12),
    }
}
