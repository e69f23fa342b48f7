// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames near the length limit: padding of zeros makes a short frame too long.

use crate::headers::codec::encode::Frame;

/// Length in bytes of the shortest frame that is too long (row 2 of the header parser).
pub const LIMIT: usize = 128 * 1024;

/// Appends zeros to a frame until it has `length` bytes.
pub fn padded(frame: &Frame, length: usize) -> Vec<u8> {
    let mut bytes = frame.bytes();
    bytes.resize(length, 0);
    bytes
}
