// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first 16 bits of every UET packet delivery header (uet.md 1.2). What its flags mean depends on its type, so the
//! header of each type lists them again by their names.

use crate::headers::layout::header;
use modular_bitfield::prelude::*;

/// Destination port of UET over UDP (uet.md 1.1).
pub const PORT: u16 = 4793;
/// IP protocol of UET without UDP: no number is assigned, the experimental one is customary (uet.md 1.1).
pub const PROTOCOL: u8 = 253;

/// Encryption or authentication header.
pub const TSS: u8 = 1;
/// Reliable unordered request.
pub const RUD_REQ: u8 = 2;
/// Reliable ordered request.
pub const ROD_REQ: u8 = 3;
/// Reliable unordered idempotent request.
pub const RUDI_REQ: u8 = 4;
/// Its response.
pub const RUDI_RESP: u8 = 5;
/// Unreliable request.
pub const UUD_REQ: u8 = 6;
/// Acknowledgement.
pub const ACK: u8 = 7;
/// Acknowledgement with congestion control.
pub const ACK_CC: u8 = 8;
/// Acknowledgement with extended congestion control.
pub const ACK_CCX: u8 = 9;
/// Negative acknowledgement.
pub const NACK: u8 = 10;
/// Control packet.
pub const CONTROL: u8 = 11;
/// Negative acknowledgement with extended congestion control.
pub const NACK_CCX: u8 = 12;
/// Reliable unordered request with congestion control.
pub const RUD_CC_REQ: u8 = 13;
/// Reliable ordered request with congestion control.
pub const ROD_CC_REQ: u8 = 14;

header! {
    /// What all types have in common.
    #[bitfield(bits = 16)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Prologue: 2 {
        /// Flags.
        pub flags: B7,
        /// What follows; of a control packet, what it controls.
        pub next_hdr: B4,
        /// Type of the packet.
        pub kind: B5,
    }
}
