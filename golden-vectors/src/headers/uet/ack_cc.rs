// SPDX-License-Identifier: MIT OR Apache-2.0
//! Congestion control behind an acknowledgement (uet.md 1.5): twelve bytes, then eight of a state by `cc_type`.

use crate::headers::layout::{Signed16, header};
use modular_bitfield::prelude::*;

/// `cc_type` of [`NsccState`].
pub const NSCC: u8 = 0;
/// `cc_type` of [`CreditState`].
pub const CREDIT: u8 = 1;

header! {
    /// What all kinds of congestion control have in common.
    #[bitfield(bits = 96)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct AckCc: 12 {
        /// What has arrived out of order; bit 0 is the least significant one.
        pub sack_bitmap: u64,
        /// Distance from `cack_psn` to bit 0 of the bitmap.
        pub sack_psn_offset: Signed16,
        /// Range of PSNs that may be under way, in units of 128.
        pub mpr: u8,
        /// Reserved.
        pub cc_flags: B4,
        /// Kind of the state: see [`NSCC`] and [`CREDIT`].
        pub cc_type: B4,
    }
}

header! {
    /// State of the network signalled congestion control.
    #[bitfield(bits = 64)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct NsccState: 8 {
        /// Packets held out of order.
        pub ooo_count: u16,
        /// Bytes received, in units of 256.
        pub rcvd_bytes: B24,
        /// Penalty that the receiver asks for.
        pub rcv_cwnd_pend: B7,
        /// Restore the window.
        pub rc: bool,
        /// From the packet's arrival to the acknowledgement, in units of 128 ns.
        pub service_time: u16,
    }
}

header! {
    /// State of the receiver's credit.
    #[bitfield(bits = 64)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct CreditState: 8 {
        /// Packets held out of order.
        pub ooo_count: u16,
        /// Reserved.
        pub reserved_credit: B24,
        /// Credit.
        pub credit: B24,
    }
}

header! {
    /// A state of a reserved kind, as it is.
    #[bitfield(bits = 64)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct OtherState: 8 {
        /// Its bits.
        pub cc_state: u64,
    }
}
