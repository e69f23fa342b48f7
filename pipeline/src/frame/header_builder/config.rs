// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of the stage.

use crate::headers::protocols::Protocols;
use crate::headers::side_band::SideBand;

/// The UDP checksum of the frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UdpChecksum {
    /// UDP checksum 0: the sender has computed none.
    #[default]
    Zero,
    /// UDP checksum as recorded.
    Recorded,
}

/// Configuration of the stage `header_builder`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderBuilderConfig {
    /// Bits of `tdata`: 64, 128, 256, 512 or 1024.
    pub data_width: u32,
    /// How the UDP checksum is filled in.
    pub udp_checksum: UdpChecksum,
    /// The transports whose frames it builds.
    pub protocols: Protocols,
    /// UET: the place of the CRC is put behind what comes on `s_axis`. Otherwise it comes with it.
    pub appends_crc: bool,
    /// Widths of `tid`, `tdest` and the user bits of `tuser`, carried from the record into every beat of its frame.
    pub side_band: SideBand,
}

impl HeaderBuilderConfig {
    /// The default configuration at this bus width in bits.
    pub fn new(data_width: u32) -> Self {
        HeaderBuilderConfig {
            data_width,
            udp_checksum: UdpChecksum::default(),
            protocols: Protocols::default(),
            appends_crc: false,
            side_band: SideBand::NONE,
        }
    }

    /// Clock cycles from a record in to the first beat of its frame out.
    pub const fn latency(self) -> usize {
        8
    }

    /// Clock cycles from a beat of the payload in to the beat with its first byte out.
    pub const fn payload_latency(self) -> usize {
        4
    }
}
