// SPDX-License-Identifier: MIT OR Apache-2.0
//! VLAN tags for a frame. They move all later headers by 4 or 8 bytes.

use crate::headers::codec::encode::Frame;
use crate::headers::ethernet::{C_TAG, S_TAG};

/// All sets of at most two tags, with their names.
pub const TAG_SETS: [(&str, &[u16]); 7] = [
    ("untagged", &[]),
    ("c", &[C_TAG]),
    ("s", &[S_TAG]),
    ("cc", &[C_TAG, C_TAG]),
    ("sc", &[S_TAG, C_TAG]),
    ("cs", &[C_TAG, S_TAG]),
    ("ss", &[S_TAG, S_TAG]),
];

/// Adds tags with these TPIDs. Each has different control information.
pub fn tag(frame: Frame, tpids: &[u16]) -> Frame {
    [0x2064, 0x70C8, 0xB12C].iter().zip(tpids).fold(frame, |frame, (&tci, &tpid)| frame.tagged(tpid, tci))
}

/// Adds the tag set number `counter`, modulo the number of sets. A loop that counts meets all of them.
pub fn turn(frame: Frame, counter: usize) -> Frame {
    tag(frame, TAG_SETS[counter % TAG_SETS.len()].1)
}
