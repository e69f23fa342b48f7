// SPDX-License-Identifier: MIT OR Apache-2.0
//! VLAN tags in front of a frame.

use crate::frame::encode::Frame;
use crate::wire::ethernet::{C_TAG, S_TAG};

/// Every way to tag a frame at most twice.
pub const TAG_SETS: [(&str, &[u16]); 7] = [
    ("untagged", &[]),
    ("c", &[C_TAG]),
    ("s", &[S_TAG]),
    ("cc", &[C_TAG, C_TAG]),
    ("sc", &[S_TAG, C_TAG]),
    ("cs", &[C_TAG, S_TAG]),
    ("ss", &[S_TAG, S_TAG]),
];

/// Adds a set of tags, each with control information of its own.
pub fn tag(frame: Frame, tpids: &[u16]) -> Frame {
    [0x2064, 0x70C8, 0xB12C].iter().zip(tpids).fold(frame, |frame, (&tci, &tpid)| frame.tagged(tpid, tci))
}

/// The tag set that belongs to a counter.
pub fn turn(frame: Frame, counter: usize) -> Frame {
    tag(frame, TAG_SETS[counter % TAG_SETS.len()].1)
}
