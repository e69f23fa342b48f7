// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Scheduling Tag of an ACK of multipath RoCEv2 that names packets that are missing. The draft leaves it to the implementer (M32):
//!
//! ```text
//!  bits 11:0   how far the first of them is behind the PSN after those acknowledged; all 1 for 0, reported once more
//!       15:12  how many they are, less one
//! ```

/// Width of the distance.
pub const OFFSET_WIDTH: u32 = 12;
/// Width of the number of packets, less one.
pub const NAMED_WIDTH: u32 = 4;
/// The most packets that an ACK names.
pub const NAMED: u64 = 1 << NAMED_WIDTH;
