// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[packet_tracker]`.

use super::Kind::{OneOf, Whole};

section! {
    /// Size of the stage `packet_tracker`.
    PacketTracker: packet_tracker {
        /// Number of PDCs, or QPs of RoCEv2, of the stage `packet_tracker`, per pipeline.
        pdcs: u64 = 1024, OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]);
        /// PSNs of a PDC from the first one that is not acknowledged to the last one sent.
        window: u64 = 256, OneOf(&[64, 128, 256, 512, 1024, 2048, 4096]);
        /// Bits of a PSN: 24 for RoCEv2, 32 for UET.
        psn_bits: u64 = 32, OneOf(&[24, 32]);
        /// Low bits of the EV, or of the sub-path, that are kept for each packet; those above are the same for a PDC.
        ev_bits: u64 = 8, Whole(1, 16);
    }
}
