// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of the stages.

use crate::frame::{BusLayout, LAST_OF_UDP};
use crate::headers::protocols::Protocols;
use crate::headers::side_band::SideBand;

/// Whether the CRC is checked (receive) or inserted (transmit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IcrcMode {
    /// Frames pass unchanged; one with a wrong CRC is marked.
    Check,
    /// The last four bytes of the packet are replaced by the right CRC.
    Insert,
}

/// What makes a frame one of UET.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UetFrames {
    /// UDP destination port; absent if RoCEv2 has it.
    pub port: Option<u16>,
    /// IP protocol of UET without UDP.
    pub protocol: Option<u8>,
}

/// Configuration of the stages `icrc` and `icrc_insert`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IcrcConfig {
    /// Bits of `tdata`: 64, 128, 256, 512 or 1024.
    pub data_width: u32,
    /// Check on receive or insert on transmit.
    pub mode: IcrcMode,
    /// UDP destination port of RoCEv2, if there is its ICRC.
    pub rocev2_port: Option<u16>,
    /// UET, if there is its CRC.
    pub uet: Option<UetFrames>,
    /// Check: the parser before it says of trimmed packets, whose CRC has been cut off, that they are.
    pub trimming: bool,
    /// Widths of `tid`, `tdest` and the user bits of `tuser`, carried with every beat.
    pub side_band: SideBand,
}

impl IcrcConfig {
    /// The default configuration at this bus width in bits: both CRCs.
    pub fn new(data_width: u32, mode: IcrcMode) -> Self {
        Self::of(data_width, mode, &Protocols::default())
    }

    /// The CRCs of the frames of these protocols.
    pub fn of(data_width: u32, mode: IcrcMode, protocols: &Protocols) -> Self {
        let [rocev2_port, uet_port, _] = protocols.ports();
        let protocol = protocols.native().then_some(protocols.uet_protocol);
        let uet = protocols.has_uet_crc().then_some(UetFrames { port: uet_port, protocol });
        let trimming = protocols.trimming && mode == IcrcMode::Check;
        IcrcConfig { data_width, mode, rocev2_port, uet, trimming, side_band: SideBand::NONE }
    }

    pub(super) const fn lanes(self) -> BusLayout {
        // The last masked byte is in the BTH.
        BusLayout { count: self.data_width / 32, last: LAST_OF_UDP + 3 }
    }

    /// Suffix for module names that says which CRCs there are; empty for the default.
    pub(super) fn suffix(&self) -> String {
        let default = IcrcConfig::new(self.data_width, self.mode);
        let mut suffix = String::new();
        if (self.rocev2_port, self.uet) != (default.rocev2_port, default.uet) {
            suffix += "_";
            if let Some(port) = self.rocev2_port {
                suffix += &format!("r{port}");
            }
            if let Some(UetFrames { port, protocol }) = self.uet {
                let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
                suffix += &format!("u{}n{}", number(port.map(u64::from)), number(protocol.map(u64::from)));
            }
        }
        suffix + if self.trimming { "_trim" } else { "" }
    }
}
