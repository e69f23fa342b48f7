// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transports that a pipeline supports, and choices that their specifications leave open. A transport that is not
//! selected costs no logic.

pub use crate::headers::opcode::MpehIndicator;

/// UDP port of RoCEv2.
pub const ROCEV2_PORT: u16 = 4791;
/// UDP port of UET (uet.md 1.1).
pub const UET_PORT: u16 = 4793;
/// IP protocol of UET without UDP: no number is assigned, so the experimental one is customary (uet.md 1.1).
pub const UET_PROTOCOL: u8 = 253;
/// UDP port of the ELAB tunnel (E03 gives no number).
pub const ELAB_PORT: u16 = 7851;
/// IP protocol that the ELAB tunnel carries: TCP.
pub const ELAB_INNER: u8 = 6;
/// DSCP of a trimmed packet, and of one that was trimmed at the last hop: the example of uet.md 1.12.
pub const TRIMMED_DSCPS: [u8; 2] = [16, 18];

/// The supported transports and how they are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protocols {
    /// RoCEv2 with the multipath extension header (MPEH).
    pub rocev2: bool,
    /// Ultra Ethernet (UET), with and without UDP.
    pub uet: bool,
    /// ELAB over UDP to `elab_port`.
    pub elab: bool,
    /// UDP destination port of RoCEv2. Of equal ports, the first selected of RoCEv2, UET and ELAB has it.
    pub rocev2_port: u16,
    /// UDP destination port of UET.
    pub uet_port: u16,
    /// IP protocol of UET without UDP; with 17, UET without UDP is not recognised.
    pub uet_protocol: u8,
    /// Whether UET packets that are not encrypted end with a CRC (uet.md 1.1).
    pub uet_crc: bool,
    /// UDP destination port of ELAB.
    pub elab_port: u16,
    /// IP protocol that the ELAB tunnel carries; the tunnel header does not keep its number (E03).
    pub elab_inner: u8,
    /// How a frame indicates an MPEH.
    pub mpeh: MpehIndicator,
    /// How frames with reserved bits that are not 0 are handled.
    pub reserved: Reserved,
    /// Whether switches may have trimmed packets: one with a trimmed DSCP is judged by what is left of it (uet.md 1.12).
    pub trimming: bool,
    /// DSCP of a trimmed packet; below 64.
    pub trimmed_dscp: u8,
    /// DSCP of a packet that was trimmed at the last hop; below 64.
    pub trimmed_last_hop_dscp: u8,
}

/// How frames with reserved bits that are not 0 are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reserved {
    /// The bits are ignored; the header record contains them.
    #[default]
    Ignore,
    /// Frames with a reserved bit that is not 0 are counted.
    Count,
    /// Frames with a reserved bit that is not 0 are dropped.
    Refuse,
}

impl Default for Protocols {
    fn default() -> Self {
        Protocols {
            rocev2: true,
            uet: true,
            elab: true,
            rocev2_port: ROCEV2_PORT,
            uet_port: UET_PORT,
            uet_protocol: UET_PROTOCOL,
            uet_crc: true,
            elab_port: ELAB_PORT,
            elab_inner: ELAB_INNER,
            mpeh: MpehIndicator::default(),
            reserved: Reserved::default(),
            trimming: false,
            trimmed_dscp: TRIMMED_DSCPS[0],
            trimmed_last_hop_dscp: TRIMMED_DSCPS[1],
        }
    }
}

impl Protocols {
    /// Whether UET without UDP is recognised.
    pub(crate) fn native(&self) -> bool {
        self.uet && self.uet_protocol != 17
    }

    /// Whether there are UET packets that end with a CRC.
    pub fn has_uet_crc(&self) -> bool {
        self.uet && self.uet_crc
    }

    /// The UDP ports that are recognised: RoCEv2, UET, ELAB.
    pub fn ports(&self) -> [Option<u16>; 3] {
        let rocev2 = self.rocev2.then_some(self.rocev2_port);
        let uet = self.uet.then_some(self.uet_port).filter(|&port| rocev2 != Some(port));
        let elab = self.elab.then_some(self.elab_port).filter(|&port| ![rocev2, uet].contains(&Some(port)));
        [rocev2, uet, elab]
    }

    /// Words of the longest transport header, MPEH not counted.
    pub(crate) fn words(&self) -> u32 {
        [(self.rocev2, 11), (self.uet, 10), (self.elab, 3)]
            .iter()
            .filter(|(on, _)| *on)
            .map(|(_, n)| *n)
            .max()
            .unwrap_or(0)
    }

    /// Suffix for module names that identifies this choice; empty for the default.
    pub(crate) fn suffix(&self) -> String {
        let default = Protocols::default();
        if *self == default {
            return String::new();
        }
        let mut suffix = String::new();
        for (on, name) in [(self.rocev2, "r"), (self.uet, "u"), (self.elab, "e")] {
            if on {
                suffix += name;
            }
        }
        let ports = [
            (self.rocev2_port != default.rocev2_port, "r", u64::from(self.rocev2_port)),
            (self.uet_port != default.uet_port, "u", u64::from(self.uet_port)),
            (self.uet_protocol != default.uet_protocol, "n", u64::from(self.uet_protocol)),
            (self.elab_port != default.elab_port, "e", u64::from(self.elab_port)),
            (self.elab_inner != default.elab_inner, "i", u64::from(self.elab_inner)),
        ];
        for (differs, name, number) in ports {
            if differs {
                suffix += &format!("_{name}{number}");
            }
        }
        if self.uet && !self.uet_crc {
            suffix += "_nocrc";
        }
        suffix += match self.mpeh {
            MpehIndicator::Bit => "",
            MpehIndicator::OpCode => "_opcode",
        };
        suffix += match self.reserved {
            Reserved::Ignore => "",
            Reserved::Count => "_count",
            Reserved::Refuse => "_refuse",
        };
        if self.trimming {
            suffix += &format!("_trim{}_{}", self.trimmed_dscp, self.trimmed_last_hop_dscp);
        }
        format!("_{}", suffix.trim_start_matches('_'))
    }
}
