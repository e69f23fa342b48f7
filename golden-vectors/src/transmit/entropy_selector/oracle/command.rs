// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands on a CCC.

use super::Mode;

/// Operations of a command (S10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Reads the state.
    Read,
    /// Opens a closed CCC.
    Open,
    /// Closes an open CCC.
    Close,
    /// Changes the EV space and the RTT class of an open CCC (S18).
    Resize,
    /// Asks a single path to move (N6).
    Reroute,
    /// A code from 5 to 7, which is no operation.
    Unknown(u64),
}

impl Op {
    /// All operations in the order of their codes.
    pub const ALL: [Self; 5] = [Self::Read, Self::Open, Self::Close, Self::Resize, Self::Reroute];

    /// The operation of a code.
    #[must_use]
    pub fn of(code: u64) -> Self {
        Self::ALL.into_iter().find(|op| op.code() == code).unwrap_or(Self::Unknown(code))
    }

    /// The code on `command_op` and `response_op`.
    #[must_use]
    pub const fn code(self) -> u64 {
        match self {
            Self::Read => 0,
            Self::Open => 1,
            Self::Close => 2,
            Self::Resize => 3,
            Self::Reroute => 4,
            Self::Unknown(code) => code,
        }
    }
}

/// A command with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// The operation.
    pub op: Op,
    /// Index of the CCC.
    pub ccc: u64,
    /// Open: the first EV if `fixed`, and the residue of a group (S21).
    pub start: u64,
    /// Open: the first EV is `start`, not a random one.
    pub fixed: bool,
    /// Open: log2 of the stride of the group (S21).
    pub stride: u64,
    /// Open: the code of the mode; it may be one that does not exist (S14).
    pub mode: u64,
    /// Open: the CCC ignores feedback (S15).
    pub rod: bool,
    /// Open and resize: the code of the EV space; it may be one that does not exist (S17).
    pub space: u64,
    /// Open and resize: log2 of the CCC's RTT in units of `rtt` (S9).
    pub class: u64,
}

impl Command {
    /// A command with mode `bitmap` and a fixed start, not ROD, with all EVs, in class 0.
    #[must_use]
    pub const fn new(op: Op, ccc: u64, start: u64) -> Self {
        let mode = Mode::Bitmap.code();
        Command { op, ccc, start, fixed: true, stride: 0, mode, rod: false, space: 0, class: 0 }
    }

    /// Opens a CCC in a mode, from EV `start` on.
    #[must_use]
    pub const fn open(ccc: u64, start: u64, mode: Mode) -> Self {
        Self::new(Op::Open, ccc, start).mode(mode.code())
    }

    /// The same command with the mode of this code.
    #[must_use]
    pub const fn mode(self, mode: u64) -> Self {
        Command { mode, ..self }
    }

    /// The same command with a random start.
    #[must_use]
    pub const fn random(self) -> Self {
        Command { fixed: false, ..self }
    }

    /// The same command in a group of this stride, as its log2.
    #[must_use]
    pub const fn stride(self, stride: u64) -> Self {
        Command { stride, ..self }
    }

    /// Resizes an open CCC of class 0 to the EV space of this code.
    #[must_use]
    pub const fn resize(ccc: u64, code: u64) -> Self {
        Self::new(Op::Resize, ccc, 0).space(code)
    }

    /// The same command with the EV space of this code.
    #[must_use]
    pub const fn space(self, space: u64) -> Self {
        Command { space, ..self }
    }

    /// The same command in this RTT class.
    #[must_use]
    pub const fn class(self, class: u64) -> Self {
        Command { class, ..self }
    }

    /// The same command for ROD.
    #[must_use]
    pub const fn rod(self) -> Self {
        Command { rod: true, ..self }
    }
}
