// SPDX-License-Identifier: MIT OR Apache-2.0
//! Codes on the ports.

/// Kinds of the events of `ack`.
pub mod kind {
    /// Width of the code.
    pub const WIDTH: u32 = 2;
    /// An ACK.
    pub const ACK: u64 = 0;
    /// A NACK.
    pub const NACK: u64 = 1;
    /// Credit of RCCC.
    pub const CREDIT: u64 = 2;
    /// The peer has no room.
    pub const BACKOFF: u64 = 3;
}

/// Operations of `send`.
pub mod send_op {
    /// Width of the code.
    pub const WIDTH: u32 = 2;
    /// The turn is over.
    pub const END: u64 = 0;
    /// A new packet.
    pub const NEW: u64 = 1;
    /// A retransmission.
    pub const AGAIN: u64 = 2;
}

/// Codes of commands.
pub mod op {
    /// Width of the code.
    pub const WIDTH: u32 = 3;
    /// Reads the state.
    pub const READ: u64 = 0;
    /// Opens a PDC.
    pub const OPEN: u64 = 1;
    /// Closes a PDC.
    pub const CLOSE: u64 = 2;
    /// Changes the window.
    pub const CHANGE: u64 = 3;
    /// Declares packets lost.
    pub const LOSE: u64 = 4;
    /// Makes a PDC fail.
    pub const FAIL: u64 = 5;
}

/// Why a PDC has failed.
pub mod failure_reason {
    /// Width of the code.
    pub const WIDTH: u32 = 2;
    /// Too many time-outs in a row.
    pub const TIMEOUTS: u64 = 0;
    /// No path is left.
    pub const NO_PATH: u64 = 1;
    /// The peer refuses.
    pub const REFUSED: u64 = 2;
    /// The peer has had no room too often.
    pub const NO_ROOM: u64 = 3;
}

/// Kinds of `event`.
pub mod event_kind {
    /// Width of the code.
    pub const WIDTH: u32 = 3;
    /// An ACK.
    pub const ACK: u64 = 0;
    /// A NACK.
    pub const NACK: u64 = 1;
    /// Credit of RCCC.
    pub const CREDIT: u64 = 2;
    /// A packet was sent, or a turn is over.
    pub const SEND: u64 = 3;
    /// A packet is taken for lost.
    pub const LOSS: u64 = 4;
}

/// Kinds of `outcome`.
pub mod outcome_kind {
    /// Width of the code.
    pub const WIDTH: u32 = 3;
    /// Acknowledged.
    pub const ACKNOWLEDGED: u64 = 0;
    /// Acknowledged while marked for retransmission.
    pub const LATE: u64 = 1;
    /// A NACK.
    pub const NACK: u64 = 2;
    /// Taken for lost.
    pub const LOST: u64 = 3;
    /// Discarded with its PDC.
    pub const DISCARDED: u64 = 4;
    /// Discarded while marked for retransmission.
    pub const DISCARDED_LATE: u64 = 5;
    /// The peer had no room for it: a NACK says so, or it was in flight when a backoff ended.
    pub const NO_ROOM: u64 = 6;
}
