// SPDX-License-Identifier: MIT OR Apache-2.0
//! Codes on the ports.

/// Codes of outcomes, as in `reorder`.
pub mod outcome {
    pub use crate::reorder::OUTCOME_WIDTH as WIDTH;
    pub use crate::reorder::outcome::*;
}

/// Codes of commands.
pub mod op {
    pub use crate::reorder::OP_WIDTH as WIDTH;
    pub use crate::reorder::op::*;
}

/// Codes of what is sent.
pub mod kind {
    /// Width of a code.
    pub const WIDTH: u32 = 2;
    /// An ACK.
    pub const ACK: u64 = 0;
    /// UET: an ACK with the state of the connection.
    pub const ACK_CC: u64 = 1;
    /// A NAK or NACK.
    pub const NAK: u64 = 2;
}

/// UET: reasons of a NACK.
pub mod nack {
    /// Width of a reason.
    pub const WIDTH: u32 = 8;
    /// The packet has been trimmed.
    pub const TRIMMED: u64 = 0x01;
    /// It has been trimmed at the last hop.
    pub const TRIMMED_LASTHOP: u64 = 0x02;
    /// No PDC for a packet with *syn*.
    pub const NO_PDC_AVAIL: u64 = 0x04;
    /// No buffer for the packet.
    pub const NO_PKT_BUFFER: u64 = 0x07;
    /// The PSN is behind the window.
    pub const PSN_OOR_WINDOW: u64 = 0x0B;
    /// No PDC with this identifier.
    pub const INV_DPDCID: u64 = 0x0E;
    /// The PSN of a packet with *syn* is behind the window.
    pub const INVALID_SYN: u64 = 0x15;
    /// The receiver suspects a loss.
    pub const RCVR_INFER_LOSS: u64 = 0x1A;
}
