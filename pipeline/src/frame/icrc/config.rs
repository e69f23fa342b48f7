// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of the stages.

use crate::frame::{BusLayout, LAST_OF_UDP};
use crate::headers::protocols::ROCEV2_PORT;
use crate::headers::side_band::SideBand;

/// Whether the ICRC is checked (receive) or inserted (transmit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IcrcMode {
    /// Frames pass unchanged; one with a wrong ICRC is marked.
    Check,
    /// The last four bytes of the datagram are replaced by the right ICRC.
    Insert,
}

/// Configuration of the stages `icrc` and `icrc_insert`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IcrcConfig {
    /// Bits of `tdata`: 64, 128, 256, 512 or 1024.
    pub data_width: u32,
    /// Check on receive or insert on transmit.
    pub mode: IcrcMode,
    /// UDP destination port of RoCEv2.
    pub rocev2_port: u16,
    /// Check: the parser before it says of trimmed packets, whose ICRC has been cut off, that they are.
    pub trimming: bool,
    /// Widths of `tid`, `tdest` and the user bits of `tuser`, carried with every beat.
    pub side_band: SideBand,
}

impl IcrcConfig {
    /// The default configuration at this bus width in bits.
    pub const fn new(data_width: u32, mode: IcrcMode) -> Self {
        IcrcConfig { data_width, mode, rocev2_port: ROCEV2_PORT, trimming: false, side_band: SideBand::NONE }
    }

    pub(super) const fn lanes(self) -> BusLayout {
        // The last masked byte is in the BTH.
        BusLayout { count: self.data_width / 32, last: LAST_OF_UDP + 3 }
    }
}
