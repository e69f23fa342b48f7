// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ELAB info header (E04 to E07), first behind the tunnel's UDP header (E03).

use super::layout::header;
use modular_bitfield::prelude::*;

/// Destination port of the tunnel. The source says only that there is one (E03); this is the choice of this project.
pub const PORT: u16 = 7851;
/// IP protocol of what the tunnel carries, TCP: its number does not survive the tunnel, so both ends know it.
pub const TUNNELLED: u8 = 6;

header! {
    /// The two words that are always there.
    #[bitfield(bits = 64)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Elab: 8 {
        /// Number of the probe (E07).
        pub burst_id: u16,
        /// The virtual path has recently had a packet marked by ECN (E06).
        pub e: bool,
        /// A probe's rate stands behind this header (E06).
        pub b: bool,
        /// Reserved (E04).
        pub reserved: B14,
        /// Packets received on that virtual path since its last report (E05).
        pub vp_rcnt: u16,
        /// Virtual path that the feedback is about (E05).
        pub vp_id: u16,
    }
}

header! {
    /// The third word, when B is set (E04).
    #[bitfield(bits = 32)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ElabRate: 4 {
        /// Rate at which the probe arrived (E06).
        pub vp_rburst_rate: u32,
    }
}
