// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes into an entropy selector and what comes out.

/// The settings. Their times are in units of 64 cycles, but for `rtt`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Cycles of an epoch; less than 64 counts as 64 (S9).
    pub rtt: u64,
    /// More marked EVs than that, and the CCC is saturated (S7).
    pub limit: u64,
    /// Where the words of oblivious CCCs come from (O1).
    pub seed: u64,
    /// So many EVs are drawn before the ring is used (P4).
    pub explore: u64,
    /// A ring is frozen for so long (P2).
    pub freeze: u64,
    /// Without requests for so long, and a CCC is idle (N4).
    pub idle: u64,
    /// The time between changes of a single path (N4).
    pub reroute: u64,
}

impl Settings {
    /// What the bitmap needs; all others are 0.
    #[must_use]
    pub const fn new(rtt: u64, limit: u64) -> Self {
        Settings { rtt, limit, seed: 0, explore: 0, freeze: 0, idle: 0, reroute: 0 }
    }

    /// The same with another seed.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        Settings { seed, ..self }
    }

    /// The same with another length of exploration, and of a freeze.
    #[must_use]
    pub const fn reps(self, explore: u64, freeze: u64) -> Self {
        Settings { explore, freeze, ..self }
    }

    /// The same with other times for a single path.
    #[must_use]
    pub const fn path(self, idle: u64, reroute: u64) -> Self {
        Settings { idle, reroute, ..self }
    }
}

impl From<(u64, u64)> for Settings {
    /// Of `rtt` and `limit`.
    fn from((rtt, limit): (u64, u64)) -> Self {
        Self::new(rtt, limit)
    }
}

/// How a CCC chooses its EVs (S14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The next EV without a mark.
    Bitmap,
    /// All EVs in turns, in an order of the seed.
    Oblivious,
    /// All EVs in the order of their numbers.
    RoundRobin,
    /// One EV, until it is suspect.
    SinglePath,
    /// EVs that were good, from a ring.
    Reps,
    /// EVs that were good, else the bitmap.
    Mixed,
    /// The next EV without a penalty; those that are passed over lose theirs one by one.
    Penalty,
}

impl Mode {
    /// All modes in the order of their codes.
    pub const ALL: [Self; 7] =
        [Self::Bitmap, Self::Oblivious, Self::RoundRobin, Self::SinglePath, Self::Reps, Self::Mixed, Self::Penalty];

    /// All modes as a mask: bit *i* is the mode of code *i*.
    pub const MASK: u64 = (1 << Self::ALL.len()) - 1;

    /// As in the configuration.
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

    /// As on `control_mode` and `response_mode`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}

/// What a feedback says (S4).
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

/// A control operation (S10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Asks for the state.
    Read,
    /// Opens a closed CCC.
    Open,
    /// Closes an open one.
    Close,
    /// Changes the EV space of an open one (S18).
    Resize,
}

impl Op {
    /// All operations in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Read, Self::Open, Self::Close, Self::Resize];
}

/// An operation with all that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// What is asked.
    pub op: Op,
    /// Of which CCC.
    pub ccc: u64,
    /// Open: the first EV.
    pub start: u64,
    /// Open: the code of the mode, also one that there is not (S14).
    pub mode: u64,
    /// Open: the CCC ignores feedback (S15).
    pub rod: bool,
    /// Open and resize: the code of the EV space, also one that there is not (S17).
    pub space: u64,
}

impl Control {
    /// In mode bitmap, not ROD, with all EVs.
    #[must_use]
    pub const fn new(op: Op, ccc: u64, start: u64) -> Self {
        Control { op, ccc, start, mode: Mode::Bitmap.code(), rod: false, space: 0 }
    }

    /// Opens a CCC in a mode.
    #[must_use]
    pub const fn open(ccc: u64, start: u64, mode: Mode) -> Self {
        Self::new(Op::Open, ccc, start).mode(mode.code())
    }

    /// The same with the mode of another code.
    #[must_use]
    pub const fn mode(self, mode: u64) -> Self {
        Control { mode, ..self }
    }

    /// Gives an open CCC the EV space of a code.
    #[must_use]
    pub const fn resize(ccc: u64, code: u64) -> Self {
        Self::new(Op::Resize, ccc, 0).space(code)
    }

    /// The same with the EV space of another code.
    #[must_use]
    pub const fn space(self, space: u64) -> Self {
        Control { space, ..self }
    }

    /// The same for ROD.
    #[must_use]
    pub const fn rod(self) -> Self {
        Control { rod: true, ..self }
    }
}

/// What stands on the inputs in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The settings from this cycle on.
    Settings(Settings),
    /// An operation; outside the sweep it is one that is accepted.
    Control(Control),
    /// A feedback on an EV of a CCC.
    Feedback(u64, u64, Kind),
    /// A request for a CCC.
    Request(u64),
}

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// When.
    pub cycle: u64,
    /// For which CCC.
    pub ccc: u64,
    /// The CCC was open.
    pub open: bool,
    /// The EV.
    pub ev: u64,
    /// The marks were not regarded.
    pub saturated: bool,
    /// The egress port (S19).
    pub port: u64,
}

/// The answer to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// When.
    pub cycle: u64,
    /// What was asked.
    pub op: Op,
    /// Of which CCC.
    pub ccc: u64,
    /// It was possible.
    pub done: bool,
    /// Whether the CCC is open now.
    pub open: bool,
    /// Read: the EV granted last, or the one that the bitmap chose last (S14).
    pub last: u64,
    /// Read: the number of marked EVs.
    pub marked: u64,
    /// Read: the code of the mode of an open CCC (S14).
    pub mode: u64,
    /// Read: the exponent of the EV space of an open CCC (S17).
    pub space: u64,
}

/// Everything that comes out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// In the order of the cycles.
    pub grants: Vec<Grant>,
    /// In the order of the cycles.
    pub responses: Vec<Response>,
    /// Requests for a CCC that is not open (S3).
    pub refused_requests: u64,
    /// Feedback for a CCC that is not open (S8).
    pub feedback_closed: u64,
    /// Feedback for an EV that the CCC has not (S8).
    pub feedback_range: u64,
}
