// SPDX-License-Identifier: MIT OR Apache-2.0
//! The operations as they are asked for (T17).

/// How long packets stay on a sub-path (T3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// As long as it is active.
    Flow,
    /// Until there is a pause.
    Flowlet,
    /// For one packet.
    Packet,
}

impl Granularity {
    /// All of them in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Flow, Self::Flowlet, Self::Packet];

    /// As on `control_granularity`, `response_granularity` and in `grant_tag`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }

    /// The one of a code; `None` for 3.
    #[must_use]
    pub fn of(code: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|granularity| granularity.code() == code)
    }
}

/// What is asked of a scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Asks for the state.
    Read,
    /// Opens a closed QP.
    Open,
    /// Closes an open one.
    Close,
    /// Changes the granularity.
    Regrain,
    /// A sub-path is to be probed.
    Add,
    /// It takes packets.
    Start,
    /// Changes what its weight does not rise above.
    Limit,
    /// It takes no more packets.
    Drain,
    /// It is broken.
    Fail,
    /// It is none any longer.
    Remove,
}

impl Op {
    /// All operations in the order of their codes.
    pub const ALL: [Self; 10] = [
        Self::Read,
        Self::Open,
        Self::Close,
        Self::Regrain,
        Self::Add,
        Self::Start,
        Self::Limit,
        Self::Drain,
        Self::Fail,
        Self::Remove,
    ];

    /// As on `control_op` and `response_op`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }

    /// The one of a code; `None` from 10 on.
    #[must_use]
    pub fn of(code: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.code() == code)
    }
}

/// An operation with all that it takes, as it stands on the ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// The code of what is asked, also one that there is not.
    pub op: u64,
    /// Of which QP.
    pub qp: u64,
    /// Of which sub-path.
    pub path: u64,
    /// Open: the first PSN.
    pub psn: u64,
    /// Open: what the entropy of the sub-paths begins with.
    pub entropy: u64,
    /// Open and regrain: the code of the granularity, also one that there is not.
    pub mode: u64,
    /// Add and limit: the limit. Start: the weight.
    pub weight: u64,
}

impl Control {
    /// An operation on a sub-path with weight 0.
    #[must_use]
    pub const fn new(op: Op, qp: u64, path: u64) -> Self {
        Control { op: op.code(), qp, path, psn: 0, entropy: 0, mode: 0, weight: 0 }
    }

    /// Opens a QP.
    #[must_use]
    pub const fn open(qp: u64, psn: u64, entropy: u64, granularity: Granularity) -> Self {
        Control { psn, entropy, ..Self::new(Op::Open, qp, 0).mode(granularity.code()) }
    }

    /// The same with the granularity of another code.
    #[must_use]
    pub const fn mode(self, mode: u64) -> Self {
        Control { mode, ..self }
    }

    /// The same with another weight.
    #[must_use]
    pub const fn weight(self, weight: u64) -> Self {
        Control { weight, ..self }
    }
}
