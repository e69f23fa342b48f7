// SPDX-License-Identifier: MIT OR Apache-2.0
//! CRC-32 as linear algebra: all constants of the stage, computed once in plain Rust.
//!
//! A byte is added to the low end of the register, then the register advances by eight zero bits. A message is
//! therefore a sum: the contribution of each byte is the byte, advanced by the bytes that follow, and the initial state
//! is one more contribution. What does not depend on the bytes of the frame (the eight bytes of ones before the IP
//! header, the masked bytes) is in the initial state, and counts as zero in its place.

use rtl_model::{Linear, Table};

/// The polynomial of Ethernet, lowest bit first (RoCEv2 wire facts).
const POLYNOMIAL: u32 = 0xEDB8_8320;
/// The register after eight bytes of ones, and after every message with its own CRC.
const RESIDUE: u32 = 0xDEBB_20E3;

/// Bytes of the IP header that count as ones, or as a constant: IPv4 type of service, time to live, checksum; IPv6
/// version, traffic class, flow label and hop limit.
const MASKED_V4: [(u32, u32); 4] = [(1, 0xFF), (8, 0xFF), (10, 0xFF), (11, 0xFF)];
const MASKED_V6: [(u32, u32); 5] = [(0, 0x6F), (1, 0xFF), (2, 0xFF), (3, 0xFF), (7, 0xFF)];
/// From the UDP header on: its checksum and byte 4 of the BTH.
const MASKED_UDP: [u32; 3] = [6, 7, 12];
/// Bytes of an Ethernet header.
const ETHERNET: u32 = 14;

/// The register after `bytes` zero bytes.
fn advance(state: u32, bytes: u32) -> u32 {
    (0..8 * bytes).fold(state, |state, _| state >> 1 ^ if state & 1 == 1 { POLYNOMIAL } else { 0 })
}

/// The register before `bytes` zero bytes.
fn rewind(state: u32, bytes: u32) -> u32 {
    (0..8 * bytes).fold(state, |state, _| {
        let out = state >> 31;
        (state ^ if out == 1 { POLYNOMIAL } else { 0 }) << 1 | out
    })
}

fn linear(map: impl Fn(u32) -> u32) -> Linear {
    Linear::new(&std::array::from_fn::<_, 32, _>(|bit| map(1 << bit)))
}

/// Linear map that advances the CRC register by `bytes` zero bytes.
pub(super) fn forward(bytes: u32) -> Linear {
    linear(|state| advance(state, bytes)).named(&format!("crc_on_{bytes}"))
}

/// Linear map that rewinds the CRC register by `bytes` zero bytes.
pub(super) fn backward(bytes: u32) -> Linear {
    linear(|state| rewind(state, bytes)).named(&format!("crc_back_{bytes}"))
}

/// The register after a message with its CRC and the zero bytes at the end of a beat of `beat` bytes. The index is the
/// number of other bytes in that beat (0 stands for all).
pub(super) fn residues(beat: u32) -> Table {
    Table::new(32, (0..beat).map(|kept| advance(RESIDUE, (beat - kept) % beat).into())).named("crc_residue")
}

/// The contribution of all constants at the end of the beat with the first byte of the IP header. The index is
/// [`variant`](super::headers): IHL in bits 3:0, tags in 5:4, IPv6 in 6.
pub(super) fn starts(beat: u32) -> Table {
    Table::new(32, (0..128).map(|index| start(beat, index & 15, index >> 4 & 3, index >> 6 == 1).into()))
        .named("crc_start")
}

fn start(beat: u32, ihl: u32, tags: u32, ipv6: bool) -> u32 {
    let (header, masked) = if ipv6 { (40, &MASKED_V6[..]) } else { (4 * ihl, &MASKED_V4[..]) };
    let udp = MASKED_UDP.iter().map(|at| (header + at, 0xFF));
    let ones = masked.iter().copied().chain(udp);
    let state = ones.fold(RESIDUE, |state, (at, value)| state ^ rewind(value, at));
    advance(state, beat - (ETHERNET + 4 * tags) % beat)
}

/// Bytes that count as zero up to the end of the IP header, one bit each, by bits 6:4 of the variant: those before the
/// IP header, and those that [`starts`] includes.
pub(super) fn header_zeros() -> Table {
    Table::new(
        HEADER_ZEROS,
        (0..8).map(|index| {
            let at = ETHERNET + 4 * (index & 3);
            let masked = if index >> 2 == 1 { &MASKED_V6[..] } else { &MASKED_V4[..] };
            masked.iter().fold((1 << at) - 1, |zeros, (byte, _)| zeros | 1 << (at + byte))
        }),
    )
    .named("header_zero_bytes")
}

/// Width of an entry of [`header_zeros`]: one bit per byte from the start of the frame.
pub(super) const HEADER_ZEROS: u32 = 40;

/// The same for UDP and BTH; bit 0 is byte 2 of the UDP header, with which a word of the beat begins.
pub(super) fn udp_zeros() -> u64 {
    MASKED_UDP.iter().fold(0, |zeros, at| zeros | 1 << (at - 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The register after `bytes`, not complemented.
    fn register(state: u32, bytes: &[u8]) -> u32 {
        bytes.iter().fold(state, |state, &byte| advance(state ^ u32::from(byte), 1))
    }

    #[test]
    fn the_residue_is_that_of_ones_and_of_every_message() {
        assert_eq!(register(u32::MAX, &[0xFF; 8]), RESIDUE);
        let crc = !register(u32::MAX, b"123456789");
        assert_eq!(crc, 0xCBF4_3926);
        assert_eq!(register(register(u32::MAX, b"123456789"), &crc.to_le_bytes()), RESIDUE);
    }

    #[test]
    fn back_undoes_on() {
        for bytes in [0, 1, 4, 63, 128] {
            assert_eq!(rewind(advance(0x1234_5678, bytes), bytes), 0x1234_5678);
        }
    }

    #[test]
    fn masked_bytes_are_in_the_start() {
        // An IPv6 header and UDP up to BTH byte 4, in one beat of 128 bytes, after two tags.
        let mut packet: Vec<u8> = (0..61).map(|i| i * 3 + 1).collect();
        packet[0] = 0x6F;
        for at in [1, 2, 3, 7, 46, 47, 52] {
            packet[at] = 0xFF;
        }
        let expected = advance(register(RESIDUE, &packet), 128 - 22 - 61);
        let mut zeroed = packet.clone();
        for at in [0, 1, 2, 3, 7, 46, 47, 52] {
            zeroed[at] = 0;
        }
        let parts = advance(register(0, &zeroed), 128 - 22 - 61) ^ start(128, 9, 2, true);
        assert_eq!(parts, expected);
    }
}
