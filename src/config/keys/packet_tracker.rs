// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[packet_tracker]`.

use super::{Key, Kind, Value};

pub(super) const KEYS: &[Key] = &[
    key!(
        "packet_tracker",
        "pdcs",
        "Number of PDCs, or QPs of RoCEv2, of the stage `packet_tracker`, per pipeline.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]),
        Whole,
        packet_tracker.pdcs
    ),
    key!(
        "packet_tracker",
        "window",
        "PSNs of a PDC from the first one that is not acknowledged to the last one sent.",
        Kind::OneOf(&[64, 128, 256, 512, 1024, 2048, 4096]),
        Whole,
        packet_tracker.window
    ),
    key!(
        "packet_tracker",
        "psn_bits",
        "Bits of a PSN: 24 for RoCEv2, 32 for UET.",
        Kind::OneOf(&[24, 32]),
        Whole,
        packet_tracker.psn_bits
    ),
    key!(
        "packet_tracker",
        "ev_bits",
        "Low bits of the EV, or of the sub-path, that are kept for each packet; those above are the same for a PDC.",
        Kind::Whole(1, 16),
        Whole,
        packet_tracker.ev_bits
    ),
];
