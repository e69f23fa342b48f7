// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[rx]`, the receive path.

use super::{Key, Kind, Value};

pub(super) const KEYS: &[Key] = &[
    key!(
        "rx",
        "tag_is_time",
        "RoCEv2: the Scheduling Tag of data is the time of sending in units of 128 ns, that of ACKs the one-way delay (M32).",
        Kind::Flag,
        Flag,
        rx.tag_is_time
    ),
    key!("rx", "trimmed_dscp", "UET: the DSCP of a trimmed packet.", Kind::Whole(0, 63), Whole, rx.trimmed_dscp),
    key!(
        "rx",
        "trimmed_last_hop_dscp",
        "UET: the DSCP of a packet that was trimmed at the last hop.",
        Kind::Whole(0, 63),
        Whole,
        rx.trimmed_last_hop_dscp
    ),
    key!("rx", "ack_dscp", "UET: the DSCP of ACKs and NACKs.", Kind::Whole(0, 63), Whole, rx.ack_dscp),
];
