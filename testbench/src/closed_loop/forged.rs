// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames as a stranger makes them: those of a connection with other fields, and with right sums.

use crate::network::{FrameBytes, Headers};
use golden_vectors::headers::codec::{Options, icrc_place};
use std::ops::Range;

/// What a stranger may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The source address.
    Source,
    /// The destination address.
    Destination,
    /// The P_Key, or the SPDCID.
    Context,
    /// The destination QP, or the DPDCID.
    Key,
    /// The PSN.
    Psn,
    /// The destination port of UDP.
    Port,
}

/// A frame that is being made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forged {
    frame: FrameBytes,
    headers: Headers,
    rocev2: bool,
}

impl Forged {
    /// From a frame of RoCEv2 or UET over UDP; `None` if it is something else.
    pub fn of(frame: &[u8], rocev2: bool) -> Option<Self> {
        let headers = Headers::of(frame).filter(|headers| headers.is_udp)?;
        Some(Forged { frame: frame.to_vec(), headers, rocev2 })
    }

    /// Where a field is.
    fn place(&self, field: Field) -> Range<usize> {
        let Headers { ip, is_ipv6, transport, .. } = self.headers;
        let header = transport + 8;
        let (start, length) = match (field, is_ipv6, self.rocev2) {
            (Field::Source, false, _) => (ip + 12, 4),
            (Field::Source, true, _) => (ip + 8, 16),
            (Field::Destination, false, _) => (ip + 16, 4),
            (Field::Destination, true, _) => (ip + 24, 16),
            (Field::Port, ..) => (transport + 2, 2),
            (Field::Context, _, true) => (header + 2, 2),
            (Field::Context, _, false) => (header + 8, 2),
            (Field::Key, _, true) => (header + 5, 3),
            (Field::Key, _, false) => (header + 10, 2),
            (Field::Psn, _, true) => (header + 9, 3),
            (Field::Psn, _, false) => (header + 4, 4),
        };
        start..start + length
    }

    /// How many bits a field has.
    pub fn bits(&self, field: Field) -> u32 {
        8 * self.place(field).len() as u32
    }

    /// The value of a field.
    pub fn get(&self, field: Field) -> u128 {
        self.frame[self.place(field)].iter().fold(0, |value, byte| value << 8 | u128::from(*byte))
    }

    /// Gives a field another value.
    pub fn set(&mut self, field: Field, value: u128) {
        let place = self.place(field);
        let bytes = value.to_be_bytes();
        self.frame[place.clone()].copy_from_slice(&bytes[bytes.len() - place.len()..]);
    }

    /// Writes bytes so far behind the UDP header.
    pub fn write(&mut self, offset: usize, bytes: &[u8]) {
        let at = self.headers.transport + 8 + offset;
        self.frame[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// The same with one bit of a field inverted, the lowest of which has number 0.
    #[must_use]
    pub fn flipped(mut self, field: Field, bit: u32) -> Self {
        self.set(field, self.get(field) ^ 1 << bit);
        self
    }

    /// The frame, with the checksum of IPv4, and the ICRC of RoCEv2 or the CRC of UET.
    pub fn finish(mut self) -> FrameBytes {
        let Headers { ip, is_ipv6, transport, .. } = self.headers;
        if !is_ipv6 {
            self.frame[ip + 10..ip + 12].fill(0);
            let words =
                self.frame[ip..transport].chunks_exact(2).map(|word| u32::from(word[0]) << 8 | u32::from(word[1]));
            let sum = words.sum::<u32>();
            let sum = (sum & 0xFFFF) + (sum >> 16);
            let sum = (sum & 0xFFFF) + (sum >> 16);
            self.frame[ip + 10..ip + 12].copy_from_slice(&(!sum as u16).to_be_bytes());
        }
        icrc_place::filled(self.frame, &Options::default())
    }
}
