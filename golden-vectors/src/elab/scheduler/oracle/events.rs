// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of an ELAB scheduler.

/// A transfer of settings (V20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// The registers take the other fields.
    pub valid: bool,
    /// Weight of the newest rate in 1/256 (V11).
    pub alpha: u64,
    /// Shortest time between two updates of a VP, in units (V10).
    pub window: u64,
    /// Time until an armed VP requests a probe burst, in units (V13).
    pub explore: u64,
    /// Packets per burst; 0 for no bursts (V3).
    pub burst: u64,
    /// Time without an answer after which a VP is dead, in units; 0 for never (V21, V22).
    pub silence: u64,
}

impl Settings {
    /// The values after reset (V20).
    pub const RESET: Self = Settings { valid: false, alpha: 77, window: 20, explore: 32_000, burst: 667, silence: 240 };

    /// The settings from their values; no VP is ever dead.
    #[must_use]
    pub const fn new(alpha: u64, window: u64, explore: u64, burst: u64) -> Self {
        Settings { valid: true, alpha, window, explore, burst, silence: 0 }
    }

    /// The same with this time after which a VP is dead.
    #[must_use]
    pub const fn silence(self, silence: u64) -> Self {
        Settings { silence, ..self }
    }
}

/// Operations of a command (V15, V16); code 3 is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Reads the state of a VP.
    Read,
    /// Adds a VP.
    Add,
    /// Removes a VP.
    Remove,
}

impl Op {
    /// All operations in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Read, Self::Add, Self::Remove];

    /// The code on `command_op` and `response_op`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }

    /// The operation with this code; `None` for 3.
    #[must_use]
    pub fn of(code: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.code() == code)
    }
}

/// A command with its operands, as on the ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// The operation code; it may be the one that does not exist.
    pub op: u64,
    /// Index of the pair.
    pub pair: u64,
    /// The port of the VP.
    pub sport: u64,
    /// Add: the bandwidth limit of the VP.
    pub bandwidth: u64,
}

impl Command {
    /// A command without a bandwidth.
    #[must_use]
    pub const fn new(op: Op, pair: u64, sport: u64) -> Self {
        Command { op: op.code(), pair, sport, bandwidth: 0 }
    }

    /// Adds a VP.
    #[must_use]
    pub const fn add(pair: u64, sport: u64, bandwidth: u64) -> Self {
        Command { bandwidth, ..Self::new(Op::Add, pair, sport) }
    }
}

/// A report (V7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Index of the pair.
    pub pair: u64,
    /// VP_ID: the port of the VP.
    pub vp: u64,
    /// VP_RCnt: packets received.
    pub count: u64,
    /// E: one of them was marked.
    pub ecn: bool,
    /// B: a burst was measured.
    pub probed: bool,
    /// VP_RBurst_Rate.
    pub rate: u64,
}

/// An input in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// What stands on the settings ports from this cycle on.
    Settings(Settings),
    /// A command; ignored if `command_ready` is 0 (V14).
    Command(Command),
    /// A report; ignored if `report_ready` is 0 (V7).
    Report(Report),
    /// A request for a pair.
    Request(u64),
    /// A request for a packet without bytes, which nobody reports (V22).
    Empty(u64),
}

/// The grant for a request; fields are 0 if it is refused, except where noted (V2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// Clock cycle of the output.
    pub cycle: u64,
    /// Pair of the request, also if it is refused.
    pub pair: u64,
    /// True if the request was not refused.
    pub ok: bool,
    /// The number of the VP.
    pub vp: u64,
    /// UDP source port of the VP.
    pub sport: u64,
    /// The number of the burst, 0 for a packet outside of bursts (V3).
    pub burst: u64,
}

/// The response to a command (V17).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// Clock cycle of the output.
    pub cycle: u64,
    /// The operation code of the command.
    pub op: u64,
    /// Index of the pair.
    pub pair: u64,
    /// The UDP source port of the command.
    pub sport: u64,
    /// True if the command was done.
    pub done: bool,
    /// True if the VP of this number is present after the command.
    pub present: bool,
    /// UDP source port of the VP.
    pub port: u64,
    /// *B* of the VP.
    pub bandwidth: u64,
    /// *R* of the VP.
    pub rate: u64,
    /// True if the VP is armed for a probe.
    pub probe_armed: bool,
    /// True if the VP is dead (V22).
    pub dead: bool,
}

/// A VP found dead, or one that has returned (V25).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// Clock cycle of the output.
    pub cycle: u64,
    /// Index of the pair.
    pub pair: u64,
    /// UDP source port of the VP.
    pub sport: u64,
}

/// All outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// In the order of their cycles.
    pub grants: Vec<Grant>,
    /// In the order of their cycles.
    pub responses: Vec<Response>,
    /// VPs found dead, in the order of their cycles (V25).
    pub dead: Vec<Notice>,
    /// VPs that have returned, in the order of their cycles (V25).
    pub returned: Vec<Notice>,
    /// Requests for a pair that does not exist, or in the sweep (V2).
    pub refused_requests: u64,
    /// Requests for a pair without a VP (V2).
    pub no_vp_requests: u64,
    /// Reports for a pair that does not exist (V8).
    pub refused_reports: u64,
    /// Reports of a VP that is not present (V8).
    pub absent_reports: u64,
    /// Bursts begun (V3).
    pub bursts: u64,
    /// VPs found dead (V25).
    pub deaths: u64,
    /// Dead VPs that have returned (V25).
    pub returns: u64,
}
