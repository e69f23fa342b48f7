// SPDX-License-Identifier: MIT OR Apache-2.0
//! The invariant CRC of RoCEv2.

use crc::{CRC_32_ISO_HDLC, Crc};

/// The CRC of Ethernet.
static ETHERNET: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Length of the ICRC behind the payload, in bytes.
pub const LEN: usize = 4;

/// The ICRC, as sent, over an IP packet without extension headers, up to where the ICRC will stand.
///
/// The fields that may change on the way count as ones: IPv4 type of service, time to live and header checksum; IPv6 traffic
/// class, flow label and hop limit; the UDP checksum; byte 4 of the BTH.
#[must_use]
pub fn icrc(packet: &[u8]) -> [u8; LEN] {
    let mut masked = packet.to_vec();
    let v6 = packet.first().is_some_and(|byte| byte >> 4 == 6);
    let (variant, udp): (&[usize], usize) = if v6 {
        (&[1, 2, 3, 7], 40)
    } else {
        (&[1, 8, 10, 11], packet.first().map_or(0, |byte| usize::from(byte & 0xF) * 4))
    };
    for &at in variant.iter().chain(&[udp + 6, udp + 7, udp + 12]) {
        if let Some(byte) = masked.get_mut(at) {
            *byte = 0xFF;
        }
    }
    if let (true, Some(first)) = (v6, masked.first_mut()) {
        *first |= 0x0F;
    }
    let mut digest = ETHERNET.digest();
    // In place of the LRH of InfiniBand.
    digest.update(&[0xFF; 8]);
    digest.update(&masked);
    digest.finalize().to_le_bytes()
}
