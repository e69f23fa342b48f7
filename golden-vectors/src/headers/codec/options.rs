// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the sources leave open, chosen from outside.

use crate::headers::{elab, udp, uet::prologue};

/// The open choices; the defaults are those of this project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether RoCEv2 is looked for.
    pub rocev2: bool,
    /// Whether UET is looked for.
    pub uet: bool,
    /// Whether ELAB is looked for.
    pub elab: bool,
    /// UDP destination port of RoCEv2. Where ports are equal, RoCEv2 comes before UET, and UET before ELAB.
    pub rocev2_port: u16,
    /// UDP destination port of UET (uet.md 1.1).
    pub uet_port: u16,
    /// IP protocol of UET without UDP (uet.md 1.1). UDP comes first if it is UDP's.
    pub uet_protocol: u8,
    /// Whether packets of UET end with a CRC (uet.md 1.1).
    pub uet_crc: bool,
    /// UDP destination port of the ELAB tunnel (E03).
    pub elab_port: u16,
    /// IP protocol of what the ELAB tunnel carries (E03).
    pub tunnelled: u8,
    /// What announces an MPEH (M13).
    pub mpeh: MpehIndicator,
    /// What reserved bits do that are not 0.
    pub reserved: Strictness,
    /// Whether switches trim packets (uet.md 1.12).
    pub trimming: bool,
    /// DSCP of a trimmed packet.
    pub trimmed_dscp: u8,
    /// DSCP of a packet that was trimmed at the last hop.
    pub trimmed_last_hop_dscp: u8,
    /// Whether a wrong ICRC or CRC drops the frame. The headers of one that passes are read all the same.
    pub refuse_icrc: bool,
}

/// What announces an MPEH behind the BTH (M13; requirements.md C compares the two).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MpehIndicator {
    /// Byte 8 of the BTH, mask 0x40.
    #[default]
    Bit,
    /// OpCode 0xC0 + operation, which otherwise means what that operation means on RC.
    OpCode,
}

/// What reserved bits do that are not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Nothing: they are in the record like everything else.
    #[default]
    Ignore,
    /// The reserved fields that are not 0 are counted.
    Count,
    /// They are counted, and the frame is dropped.
    Refuse,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rocev2: true,
            uet: true,
            elab: true,
            rocev2_port: udp::ROCEV2,
            uet_port: prologue::PORT,
            uet_protocol: prologue::PROTOCOL,
            uet_crc: true,
            elab_port: elab::PORT,
            tunnelled: elab::TUNNELLED,
            mpeh: MpehIndicator::default(),
            reserved: Strictness::default(),
            trimming: false,
            trimmed_dscp: 16,
            trimmed_last_hop_dscp: 18,
            refuse_icrc: true,
        }
    }
}
