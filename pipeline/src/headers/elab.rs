// SPDX-License-Identifier: MIT OR Apache-2.0
//! The info header of ELAB (E04 to E07).

use crate::headers::layout::header;

header! {
    /// ELAB info header, the 8 bytes that are always present.
    pub struct Elab: "elab" {
        /// Virtual path that the feedback is about (E05).
        vp_id: Bits(16),
        /// Packets received on that path since its last report (E05).
        vp_rcnt: Bits(16),
        /// Reserved (E04).
        reserved: Bits(14) = 0,
        /// 1 if the measured rate of a burst follows (E06).
        b: Bits(1),
        /// The path has recently had a packet marked by ECN (E06).
        e: Bits(1),
        /// Number of the burst (E07).
        burst_id: Bits(16),
    }
}

header! {
    /// Third word of the ELAB info header, present if B is set (E04).
    pub struct ElabRate: "elab" {
        /// Rate at which the burst arrived (E06).
        vp_rburst_rate: Bits(32),
    }
}
