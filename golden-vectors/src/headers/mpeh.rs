// SPDX-License-Identifier: MIT OR Apache-2.0
//! The multipath extension header (M14 to M32).

use super::layout::header;
use modular_bitfield::prelude::*;

header! {
    /// The multipath extension header.
    #[bitfield(bits = 64)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Mpeh: 8 {
        /// Reserved, 0 (M20).
        pub reserved: u16,
        /// Written by the sender's scheduler for the switches (M23), or measured quality in an acknowledgement (M32).
        pub sched_tag: u16,
        /// Number of the flowlet (M21, M22, M31).
        pub flowlet_seq: u16,
        /// Flags; see [`DataFlags`] and [`AckFlags`].
        pub flags: u8,
        /// Number of the sub-path (M15, M26).
        pub path_id: u8,
    }
}

header! {
    /// Flags on a data packet. Bit 0 is the least significant one (the draft leaves it open).
    #[bitfield(bits = 8)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct DataFlags: 1 {
        /// F, bit 0: first packet of a flowlet (M16).
        pub flowlet_boundary: bool,
        /// S, bit 1: the sender has switched the sub-path (M17).
        pub path_switch: bool,
        /// P, bit 2: probe (M18).
        pub probe: bool,
        /// C, bit 3: the sender has sensed congestion (M19).
        pub congestion: bool,
        /// Bits 4 to 7, 0 (M20).
        pub reserved: B4,
    }
}

header! {
    /// Flags on an acknowledgement.
    #[bitfield(bits = 8)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct AckFlags: 1 {
        /// R, bit 0: reordering across sub-paths (M27).
        pub reordering: bool,
        /// L, bit 1: loss is suspected (M28).
        pub loss: bool,
        /// P, bit 2: a probe's response (M29).
        pub probe_response: bool,
        /// Bits 3 to 7, 0 (M30).
        pub reserved: B5,
    }
}
