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
    /// Changes the EV space of an open CCC (S18).
    Resize,
}

impl Op {
    /// All operations in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Read, Self::Open, Self::Close, Self::Resize];
}

/// A command with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// The operation.
    pub op: Op,
    /// Index of the CCC.
    pub ccc: u64,
    /// Open: the first EV.
    pub start: u64,
    /// Open: the code of the mode; it may be one that does not exist (S14).
    pub mode: u64,
    /// Open: the CCC ignores feedback (S15).
    pub rod: bool,
    /// Open and resize: the code of the EV space; it may be one that does not exist (S17).
    pub space: u64,
}

impl Command {
    /// A command with mode `bitmap`, not ROD, with all EVs.
    #[must_use]
    pub const fn new(op: Op, ccc: u64, start: u64) -> Self {
        Command { op, ccc, start, mode: Mode::Bitmap.code(), rod: false, space: 0 }
    }

    /// Opens a CCC in a mode.
    #[must_use]
    pub const fn open(ccc: u64, start: u64, mode: Mode) -> Self {
        Self::new(Op::Open, ccc, start).mode(mode.code())
    }

    /// The same command with the mode of this code.
    #[must_use]
    pub const fn mode(self, mode: u64) -> Self {
        Command { mode, ..self }
    }

    /// Resizes an open CCC to the EV space of this code.
    #[must_use]
    pub const fn resize(ccc: u64, code: u64) -> Self {
        Self::new(Op::Resize, ccc, 0).space(code)
    }

    /// The same command with the EV space of this code.
    #[must_use]
    pub const fn space(self, space: u64) -> Self {
        Command { space, ..self }
    }

    /// The same command for ROD.
    #[must_use]
    pub const fn rod(self) -> Self {
        Command { rod: true, ..self }
    }
}
