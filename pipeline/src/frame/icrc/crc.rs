// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CRCs as linear algebra: all constants of the stage, computed once in plain Rust.
//!
//! A byte is added to the low end of the register, then the register advances by eight zero bits. A message is
//! therefore a sum: the contribution of each byte is the byte, advanced by the bytes that follow, and the initial state
//! is one more contribution. What does not depend on the bytes of the frame (the eight bytes of ones before the IP
//! header, the masked bytes) is in the initial state, and counts as zero in its place.

use rtl_model::{Linear, Table};

/// A CRC, by its polynomial and by what it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// The ICRC of RoCEv2: eight bytes of ones, then the packet from the IP header on, with ones for what may change on the way.
    Icrc,
    /// The CRC of UET: the packet from the source address of IP on (uet.md 1.1).
    Uet,
}

/// Offset of the source address in an IPv4 and an IPv6 header.
const SOURCE_V4: u32 = 12;
const SOURCE_V6: u32 = 8;

/// Bytes of the IP header that count as ones, or as a constant: IPv4 type of service, time to live, checksum; IPv6
/// version, traffic class, flow label and hop limit.
const MASKED_V4: [(u32, u32); 4] = [(1, 0xFF), (8, 0xFF), (10, 0xFF), (11, 0xFF)];
const MASKED_V6: [(u32, u32); 5] = [(0, 0x6F), (1, 0xFF), (2, 0xFF), (3, 0xFF), (7, 0xFF)];
/// From the UDP header on: its checksum and byte 4 of the BTH.
const MASKED_UDP: [u32; 3] = [6, 7, 12];
/// Bytes of an Ethernet header.
const ETHERNET: u32 = 14;

impl Code {
    /// Lowest bit first: that of Ethernet (RoCEv2 wire facts), and that of Castagnoli.
    const fn polynomial(self) -> u32 {
        match self {
            Code::Icrc => 0xEDB8_8320,
            Code::Uet => 0x82F6_3B78,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Code::Icrc => "crc",
            Code::Uet => "crc32c",
        }
    }

    /// The register after `bytes` zero bytes.
    fn advance(self, state: u32, bytes: u32) -> u32 {
        (0..8 * bytes).fold(state, |state, _| state >> 1 ^ if state & 1 == 1 { self.polynomial() } else { 0 })
    }

    /// The register before `bytes` zero bytes.
    fn rewind(self, state: u32, bytes: u32) -> u32 {
        (0..8 * bytes).fold(state, |state, _| {
            let out = state >> 31;
            (state ^ if out == 1 { self.polynomial() } else { 0 }) << 1 | out
        })
    }

    /// The register after every message with its own CRC, which makes four bytes of ones of it; for the ICRC also after the
    /// eight bytes of ones.
    fn residue(self) -> u32 {
        self.advance(u32::MAX, 4)
    }

    /// The contribution of all constants at the end of the beat with the first byte of the IP header.
    fn start(self, beat: u32, ihl: u32, tags: u32, ipv6: bool) -> u32 {
        let state = match self {
            Code::Icrc => {
                let (header, masked) = if ipv6 { (40, &MASKED_V6[..]) } else { (4 * ihl, &MASKED_V4[..]) };
                let udp = MASKED_UDP.iter().map(|at| (header + at, 0xFF));
                let ones = masked.iter().copied().chain(udp);
                ones.fold(self.residue(), |state, (at, value)| state ^ self.rewind(value, at))
            }
            Code::Uet => self.rewind(u32::MAX, if ipv6 { SOURCE_V6 } else { SOURCE_V4 }),
        };
        self.advance(state, beat - (ETHERNET + 4 * tags) % beat)
    }

    /// Bytes of an IP header that count as zero.
    fn zeros(self, ipv6: bool) -> u64 {
        match (self, ipv6) {
            (Code::Icrc, true) => MASKED_V6.iter().fold(0, |zeros, (byte, _)| zeros | 1 << byte),
            (Code::Icrc, false) => MASKED_V4.iter().fold(0, |zeros, (byte, _)| zeros | 1 << byte),
            (Code::Uet, true) => (1 << SOURCE_V6) - 1,
            (Code::Uet, false) => (1 << SOURCE_V4) - 1,
        }
    }
}

fn linear(map: impl Fn(u32) -> u32) -> Linear {
    Linear::new(&std::array::from_fn::<_, 32, _>(|bit| map(1 << bit)))
}

impl Code {
    /// Linear map that advances the CRC register by `bytes` zero bytes.
    pub fn forward(self, bytes: u32) -> Linear {
        linear(|state| self.advance(state, bytes)).named(&format!("{}_on_{bytes}", self.name()))
    }

    /// Linear map that rewinds the CRC register by `bytes` zero bytes.
    pub fn backward(self, bytes: u32) -> Linear {
        linear(|state| self.rewind(state, bytes)).named(&format!("{}_back_{bytes}", self.name()))
    }

    /// The register after a message with its CRC and the zero bytes at the end of a beat of `beat` bytes. The index is the
    /// number of other bytes in that beat (0 stands for all).
    pub fn residues(self, beat: u32) -> Table {
        let after = |kept| self.advance(self.residue(), (beat - kept) % beat);
        Table::new(32, (0..beat).map(|kept| after(kept).into())).named(&format!("{}_residue", self.name()))
    }

    /// The contribution of all constants at the end of the beat with the first byte of the IP header. The index is
    /// [`variant`](super::headers): IHL in bits 3:0, tags in 5:4, IPv6 in 6.
    pub fn starts(self, beat: u32) -> Table {
        Table::new(32, (0..128).map(|index| self.start(beat, index & 15, index >> 4 & 3, index >> 6 == 1).into()))
            .named(&format!("{}_start", self.name()))
    }

    /// Bytes that count as zero up to the end of the IP header, one bit each, by bits 6:4 of the variant: those before the
    /// IP header, and those that [`Self::starts`] includes or that are not covered.
    pub fn header_zeros(self) -> Table {
        Table::new(
            HEADER_ZEROS,
            (0..8).map(|index| {
                let at = ETHERNET + 4 * (index & 3);
                ((1 << at) - 1) | (self.zeros(index >> 2 == 1) << at)
            }),
        )
        .named(&format!("{}_zero_bytes", self.name()))
    }

    /// The same for UDP and BTH; bit 0 is byte 2 of the UDP header, with which a word of the beat begins.
    pub fn udp_zeros(self) -> u64 {
        match self {
            Code::Icrc => MASKED_UDP.iter().fold(0, |zeros, at| zeros | 1 << (at - 2)),
            Code::Uet => 0,
        }
    }
}

/// Width of an entry of [`Code::header_zeros`]: one bit per byte from the start of the frame.
pub(super) const HEADER_ZEROS: u32 = 40;

#[cfg(test)]
mod tests {
    use super::*;

    /// The register after `bytes`, not complemented.
    fn register(code: Code, state: u32, bytes: &[u8]) -> u32 {
        bytes.iter().fold(state, |state, &byte| code.advance(state ^ u32::from(byte), 1))
    }

    /// The check values of CRC-32 and CRC-32C.
    #[test]
    fn the_residue_is_that_of_every_message() {
        for (code, check) in [(Code::Icrc, 0xCBF4_3926), (Code::Uet, 0xE306_9283)] {
            let crc = !register(code, u32::MAX, b"123456789");
            assert_eq!(crc, check);
            let after = register(code, register(code, u32::MAX, b"123456789"), &crc.to_le_bytes());
            assert_eq!(after, code.residue());
        }
        assert_eq!(register(Code::Icrc, u32::MAX, &[0xFF; 8]), Code::Icrc.residue());
    }

    #[test]
    fn back_undoes_on() {
        for (code, bytes) in [0, 1, 4, 63, 128].into_iter().flat_map(|bytes| [(Code::Icrc, bytes), (Code::Uet, bytes)])
        {
            assert_eq!(code.rewind(code.advance(0x1234_5678, bytes), bytes), 0x1234_5678);
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
        let code = Code::Icrc;
        let expected = code.advance(register(code, code.residue(), &packet), 128 - 22 - 61);
        let mut zeroed = packet.clone();
        for at in [0, 1, 2, 3, 7, 46, 47, 52] {
            zeroed[at] = 0;
        }
        let parts = code.advance(register(code, 0, &zeroed), 128 - 22 - 61) ^ code.start(128, 9, 2, true);
        assert_eq!(parts, expected);
    }

    #[test]
    fn uet_starts_at_the_source_address() {
        for (ipv6, source) in [(false, 12), (true, 8)] {
            let packet: Vec<u8> = (0..61).map(|i| i * 4 + 2).collect();
            let expected = Code::Uet.advance(register(Code::Uet, u32::MAX, &packet[source..]), 128 - 18 - 61);
            let mut zeroed = packet.clone();
            zeroed[..source].fill(0);
            let parts = Code::Uet.advance(register(Code::Uet, 0, &zeroed), 128 - 18 - 61);
            assert_eq!(parts ^ Code::Uet.start(128, 5, 1, ipv6), expected);
        }
    }
}
