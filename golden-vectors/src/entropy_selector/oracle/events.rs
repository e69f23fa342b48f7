// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of an entropy selector.

/// The settings. Times are in units of 64 cycles, except `rtt`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Cycles of an epoch; less than 64 counts as 64 (S9).
    pub rtt: u64,
    /// A CCC with more marked EVs than this is saturated (S7).
    pub limit: u64,
    /// Seed of the LFSR words of oblivious CCCs (O1).
    pub seed: u64,
    /// Number of new EVs drawn before the ring is used (P4).
    pub explore: u64,
    /// Time for which a ring is frozen (P2).
    pub freeze: u64,
    /// A CCC without requests for this time is idle (N4).
    pub idle: u64,
    /// The time between changes of a single path (N4).
    pub reroute: u64,
}

impl Settings {
    /// The settings of the bitmap; all others are 0.
    #[must_use]
    pub const fn new(rtt: u64, limit: u64) -> Self {
        Settings { rtt, limit, seed: 0, explore: 0, freeze: 0, idle: 0, reroute: 0 }
    }

    /// The same settings with another seed.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        Settings { seed, ..self }
    }

    /// The same settings with another length of exploration and of a freeze.
    #[must_use]
    pub const fn reps(self, explore: u64, freeze: u64) -> Self {
        Settings { explore, freeze, ..self }
    }

    /// The same settings with other times for a single path.
    #[must_use]
    pub const fn path(self, idle: u64, reroute: u64) -> Self {
        Settings { idle, reroute, ..self }
    }
}

impl From<(u64, u64)> for Settings {
    /// The settings from `rtt` and `limit`.
    fn from((rtt, limit): (u64, u64)) -> Self {
        Self::new(rtt, limit)
    }
}

/// Modes: how a CCC selects its EVs (S14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The next EV without a mark.
    Bitmap,
    /// All EVs once per round, in an order that depends on the seed.
    Oblivious,
    /// All EVs in numeric order.
    RoundRobin,
    /// One EV, until it is suspect.
    SinglePath,
    /// EVs that have come back GOOD, from a ring.
    Reps,
    /// EVs that have come back GOOD, else the bitmap.
    Mixed,
    /// The next EV with penalty 0; each request decrements the penalty of an EV that it skips.
    Penalty,
}

impl Mode {
    /// All modes in the order of their codes.
    pub const ALL: [Self; 7] =
        [Self::Bitmap, Self::Oblivious, Self::RoundRobin, Self::SinglePath, Self::Reps, Self::Mixed, Self::Penalty];

    /// All modes as a mask: bit *i* is the mode of code *i*.
    pub const MASK: u64 = (1 << Self::ALL.len()) - 1;

    /// The name in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bitmap => "bitmap",
            Self::Oblivious => "oblivious",
            Self::RoundRobin => "round_robin",
            Self::SinglePath => "single_path",
            Self::Reps => "reps",
            Self::Mixed => "mixed",
            Self::Penalty => "penalty",
        }
    }

    /// The code on `control_mode` and `response_mode`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}

/// Kinds of feedback (S4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Arrived without congestion.
    Good,
    /// Arrived with ECN.
    Ecn,
    /// Trimmed.
    Nack,
    /// Lost.
    Timeout,
}

impl Kind {
    /// All kinds in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Good, Self::Ecn, Self::Nack, Self::Timeout];
}

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
pub struct Control {
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

impl Control {
    /// A command with mode `bitmap`, not ROD, with all EVs.
    #[must_use]
    pub const fn new(op: Op, ccc: u64, start: u64) -> Self {
        Control { op, ccc, start, mode: Mode::Bitmap.code(), rod: false, space: 0 }
    }

    /// Opens a CCC in a mode.
    #[must_use]
    pub const fn open(ccc: u64, start: u64, mode: Mode) -> Self {
        Self::new(Op::Open, ccc, start).mode(mode.code())
    }

    /// The same command with the mode of this code.
    #[must_use]
    pub const fn mode(self, mode: u64) -> Self {
        Control { mode, ..self }
    }

    /// Resizes an open CCC to the EV space of this code.
    #[must_use]
    pub const fn resize(ccc: u64, code: u64) -> Self {
        Self::new(Op::Resize, ccc, 0).space(code)
    }

    /// The same command with the EV space of this code.
    #[must_use]
    pub const fn space(self, space: u64) -> Self {
        Control { space, ..self }
    }

    /// The same command for ROD.
    #[must_use]
    pub const fn rod(self) -> Self {
        Control { rod: true, ..self }
    }
}

/// An input in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The settings from this cycle on.
    Settings(Settings),
    /// A command; outside the sweep it must be one that is accepted.
    Control(Control),
    /// Feedback on an EV of a CCC.
    Feedback(u64, u64, Kind),
    /// A request for a CCC.
    Request(u64),
}

/// The grant for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Clock cycle of the output.
    pub cycle: u64,
    /// CCC of the request.
    pub ccc: u64,
    /// True if the CCC was open.
    pub open: bool,
    /// The EV.
    pub ev: u64,
    /// True if the CCC was saturated, so that marks were ignored.
    pub saturated: bool,
    /// The egress port (S19).
    pub port: u64,
}

/// The response to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// Clock cycle of the output.
    pub cycle: u64,
    /// The operation.
    pub op: Op,
    /// Index of the CCC.
    pub ccc: u64,
    /// True if the command was done.
    pub done: bool,
    /// True if the CCC is open after the command.
    pub open: bool,
    /// Read: the EV granted last, or the one that the bitmap granted last (S14).
    pub last: u64,
    /// Read: the number of marked EVs.
    pub marked: u64,
    /// Read: the code of the mode of an open CCC (S14).
    pub mode: u64,
    /// Read: the exponent of the EV space of an open CCC (S17).
    pub space: u64,
}

/// All outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// In the order of their cycles.
    pub grants: Vec<Grant>,
    /// In the order of their cycles.
    pub responses: Vec<Response>,
    /// Requests for a CCC that is not open (S3).
    pub refused_requests: u64,
    /// Feedback for a CCC that is not open (S8).
    pub feedback_closed: u64,
    /// Feedback for an EV outside the EV space of the CCC (S8).
    pub feedback_range: u64,
}
