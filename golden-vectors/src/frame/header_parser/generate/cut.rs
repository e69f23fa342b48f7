// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows 2, 4, 7 and 9: good frames cut after every byte, so that they end inside every header.

use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::samples::rocev2::{kind, random};
use crate::frame::samples::tags::tag;
use crate::headers::codec::encode::Frame;
use crate::headers::ethernet::{C_TAG, S_TAG};
use crate::rng::SplitMix64;

/// Adds the group `cut`: three frames with headers at different places.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("cut", "good frames cut behind every byte");
    let bases = [
        ("v4", "untagged IPv4, BTH, MPEH, AETH", kind(Frame::v4(), 0x11, true)),
        ("v6", "two tags, IPv6, BTH, RETH", tag(kind(Frame::v6(), 0x0A, false), &[S_TAG, C_TAG])),
        (
            "options",
            "one tag, IPv4 with two words of options, BTH",
            tag(Frame::v4().with_options(vec![1; 8]), &[C_TAG]),
        ),
    ];
    for (name, what, frame) in bases {
        let whole = random(frame, rng).bytes();
        for length in 1..=whole.len() {
            let comment = format!("{what}: {length} of {} bytes", whole.len());
            let aim = aim(&["Truncated"], &["R2", "R4", "R7", "R9"]);
            suite.add(format!("{name}-{length}"), comment, aim, whole[..length].to_vec());
        }
    }
}
