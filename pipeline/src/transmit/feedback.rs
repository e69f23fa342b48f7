// SPDX-License-Identifier: MIT OR Apache-2.0
//! Codes of feedback, as every stage that takes feedback has them.

/// The packet has arrived without a congestion mark.
pub const GOOD: u64 = 0;
/// The packet has arrived with an ECN mark.
pub const ECN: u64 = 1;
/// The packet has not arrived, or out of order: a NACK.
pub const NACK: u64 = 2;
/// No acknowledgement has come for the packet in time.
pub const TIMEOUT: u64 = 3;
/// UET: a packet was trimmed at the last hop.
pub const LAST_HOP: u64 = 4;
