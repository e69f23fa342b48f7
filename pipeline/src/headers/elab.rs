// SPDX-License-Identifier: MIT OR Apache-2.0
//! The info header of ELAB (E04 to E07).

use crate::headers::layout::header;

header! {
    /// The two words that are always there.
    pub struct Elab: "elab" {
        /// Virtual path that the feedback is about (E05).
        vp_id: Bits(16),
        /// Packets received on it since its last report (E05).
        vp_rcnt: Bits(16),
        /// Reserved (E04).
        reserved: Bits(14) = 0,
        /// The rate of a probe follows (E06).
        b: Bits(1),
        /// The path has recently had a packet marked by ECN (E06).
        e: Bits(1),
        /// Number of the probe (E07).
        burst_id: Bits(16),
    }
}

header! {
    /// The third word, if B is set (E04).
    pub struct ElabRate: "elab" {
        /// Rate at which the probe arrived (E06).
        vp_rburst_rate: Bits(32),
    }
}
