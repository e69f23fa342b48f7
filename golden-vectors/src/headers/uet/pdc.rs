// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two bytes that name the context at the receiver, in requests and control packets (uet.md 1.3, 1.7).

use crate::headers::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// Once the context is set up (`syn` is 0).
    #[bitfield(bits = 16)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Dpdcid: 2 {
        /// Context at the receiver.
        pub dpdcid: u16,
    }
}

header! {
    /// While it is being set up (`syn` is 1).
    #[bitfield(bits = 16)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Syn: 2 {
        /// Distance from the first PSN to this one.
        pub psn_offset: B12,
        /// What kind of context is asked for.
        pub pdc_info: B4,
    }
}
