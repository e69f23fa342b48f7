// SPDX-License-Identifier: MIT OR Apache-2.0
//! The commands of the path scheduler (T17).

/// Granularity: how long packets stay on a sub-path (T3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// As long as the sub-path is active.
    Flow,
    /// Until there is a gap.
    Flowlet,
    /// For one packet.
    Packet,
    /// For ever: there is one.
    Single,
}

impl Granularity {
    /// Those with several sub-paths, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Flow, Self::Flowlet, Self::Packet];

    /// The code on `command_granularity`, `response_granularity` and in `grant_tag`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }

    /// The granularity with this code, 0 to 3.
    #[must_use]
    pub fn of(code: u64) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::Single]).find(|granularity| granularity.code() == code)
    }
}

/// Operations of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Reads the state.
    Read,
    /// Opens a closed QP.
    Open,
    /// Closes an open QP.
    Close,
    /// Sets the granularity of an open QP.
    Regrain,
    /// Adds a sub-path in state probing.
    Add,
    /// Makes a probing sub-path active.
    Start,
    /// Sets the largest weight of a sub-path.
    Limit,
    /// Stops new packets on a sub-path.
    Drain,
    /// Declares that a sub-path has failed.
    Fail,
    /// Removes a sub-path.
    Remove,
    /// Sets the flowlet time of an open QP.
    Reflow,
    /// Sets the entropy of a sub-path.
    Reroute,
    /// Makes a failed sub-path a probing one.
    Retry,
}

impl Op {
    /// All operations in the order of their codes.
    pub const ALL: [Self; 13] = [
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
        Self::Reflow,
        Self::Reroute,
        Self::Retry,
    ];

    /// The code on `command_op` and `response_op`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }

    /// The operation with this code; `None` from 13 on.
    #[must_use]
    pub fn of(code: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.code() == code)
    }
}

/// A command with its operands, as on the ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// The operation code; it may be one that does not exist.
    pub op: u64,
    /// Index of the QP.
    pub qp: u64,
    /// Number of the sub-path.
    pub path: u64,
    /// Open: the first PSN.
    pub psn: u64,
    /// Add and set entropy: the entropy of the sub-path. Open, with entropies by XOR: that of sub-path 0.
    pub entropy: u64,
    /// Open and set granularity: the code of the granularity.
    pub mode: u64,
    /// Add and limit: the limit. Start: the weight, if it is forced.
    pub weight: u64,
    /// Start: true if `weight` is forced on the sub-path.
    pub force: bool,
    /// Open and set flowlet: the flowlet time; 0 for that of the settings.
    pub flowlet: u64,
}

impl Command {
    /// A command on a sub-path with weight 0; *start* is forced, which means nothing without a weight.
    #[must_use]
    pub const fn new(op: Op, qp: u64, path: u64) -> Self {
        Command { op: op.code(), qp, path, psn: 0, entropy: 0, mode: 0, weight: 0, force: true, flowlet: 0 }
    }

    /// Opens a QP.
    #[must_use]
    pub const fn open(qp: u64, psn: u64, entropy: u64, granularity: Granularity) -> Self {
        Command { psn, entropy, ..Self::new(Op::Open, qp, 0).mode(granularity.code()) }
    }

    /// The same command with the granularity of this code.
    #[must_use]
    pub const fn mode(self, mode: u64) -> Self {
        Command { mode, ..self }
    }

    /// The same command with another weight.
    #[must_use]
    pub const fn weight(self, weight: u64) -> Self {
        Command { weight, ..self }
    }

    /// The same command, not forced.
    #[must_use]
    pub const fn unforced(self) -> Self {
        Command { force: false, ..self }
    }

    /// The same command with another entropy.
    #[must_use]
    pub const fn entropy(self, entropy: u64) -> Self {
        Command { entropy, ..self }
    }

    /// The same command with another flowlet time.
    #[must_use]
    pub const fn flowlet(self, flowlet: u64) -> Self {
        Command { flowlet, ..self }
    }

    /// The sub-path that it addresses: `None` for commands on the QP alone (T25).
    #[must_use]
    pub fn addressed(self) -> Option<u64> {
        let of_qp = matches!(Op::of(self.op), None | Some(Op::Open | Op::Close | Op::Regrain | Op::Reflow));
        (!of_qp).then_some(self.path)
    }
}
