// SPDX-License-Identifier: MIT OR Apache-2.0
//! Codes on the ports.

/// Codes of outcomes, as in `reorder`.
pub mod outcome {
    pub use crate::receive::reorder::OUTCOME_WIDTH as WIDTH;
    pub use crate::receive::reorder::outcome::*;
}

/// Codes of commands.
pub mod op {
    pub use crate::receive::reorder::OP_WIDTH as WIDTH;
    pub use crate::receive::reorder::op::*;
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
