// SPDX-License-Identifier: MIT OR Apache-2.0
//! The multipath extension header (M14 to M32).

use crate::headers::layout::header;

header! {
    /// Multipath extension header (MPEH), 8 bytes (M14).
    pub struct Mpeh: "mpeh" {
        /// Sub-path (M15, M26).
        path_id: Bits(8),
        /// Flags, bit 0 the least significant: on data F, S, P, C (M16 to M19), on acknowledgements R, L, P (M27 to
        /// M29); the rest is reserved.
        flags: Bits(8),
        /// Number of the flowlet (M21, M22, M31).
        flowlet_seq: Bits(16),
        /// Scheduling Tag of the sender (M23), or measured quality (M32); in an ACK with L what is missing (G18).
        sched_tag: Bits(16),
        /// Reserved (M20).
        reserved: Bits(16) = 0,
    }
}
