// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames with so many zeros behind them that they may be too long.

use crate::frame::encode::Frame;

/// The shortest frame that is too long, in bytes.
pub const LIMIT: usize = 128 * 1024;

/// The frame with as many zeros behind it as make it `length` bytes long.
pub fn padded(frame: &Frame, length: usize) -> Vec<u8> {
    let mut bytes = frame.bytes();
    bytes.resize(length, 0);
    bytes
}
