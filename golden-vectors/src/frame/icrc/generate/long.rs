// SPDX-License-Identifier: MIT OR Apache-2.0
//! Very long frames. A byte counter that wraps makes the packet look longer than the frame (row 6).

use crate::frame::icrc::suite::Frames;
use crate::frame::samples::padded::{LIMIT, padded};
use crate::headers::codec::encode::Frame;

/// Adds the group `long`: all frames are padded up to the limit of the header parser and beyond.
pub fn add(frames: &mut Frames) {
    frames.group("long", "frames that the header parser calls too long: what stands behind the packet does not count");
    let flags: &[&str] = &["Long", "Padding"];
    for (id, length, frame) in [
        ("under", LIMIT - 1, Frame::v4()),
        ("at", LIMIT, Frame::v6()),
        ("over", LIMIT + 1, Frame::v4().tagged(0x8100, 1)),
        ("beat", LIMIT + 128, Frame::v6()),
        ("twice", 2 * LIMIT + 60, Frame::v4()),
    ] {
        let text = format!("{length} bytes, all but the first of them padding");
        frames.add(id, text, (flags, &["R10", "R6"]), padded(&frame, length));
    }
    let mut bytes = padded(&Frame::v4(), LIMIT);
    bytes[50] ^= 1;
    frames.add("bad", "a changed bit of the BTH", (flags, &["R9"]), bytes);
    let none = padded(&Frame::v4().with_port(53, vec![1; 20]), 2 * LIMIT + 300);
    frames.add("udp", "no RoCEv2", (flags, &["R7"]), none);
    frames.add("after", "a right frame behind them", (&["StaleState"], &["R10"]), Frame::v4().bytes());
}
