// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CRC of UET behind the payload (uet.md 1.1).

use super::prologue;
use crc::{CRC_32_ISCSI, Crc};
use std::ops::RangeInclusive;

/// CRC-32C.
static CASTAGNOLI: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// Its length in bytes.
pub const LEN: usize = 4;

/// The types of the packets that end with one. One that is encrypted has none, and nothing is known of reserved types.
pub const TYPES: RangeInclusive<u8> = prologue::RUD_REQ..=prologue::ROD_CC_REQ;

/// The CRC, as sent, over an IP packet up to where the CRC will stand: CRC-32C from the source address on.
#[must_use]
pub fn crc(packet: &[u8]) -> [u8; LEN] {
    let v6 = packet.first().is_some_and(|byte| byte >> 4 == 6);
    let source = if v6 { 8 } else { 12 };
    CASTAGNOLI.checksum(packet.get(source..).unwrap_or_default()).to_le_bytes()
}
