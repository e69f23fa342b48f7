// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes into an entropy selector and what comes out, and the cycles in between.

/// Cycles from a request to its grant (S1).
pub const GRANT: u64 = 8;
/// Cycles from a feedback to the first request that sees it (S5).
pub const SIGHT: u64 = 8;
/// Cycles from a request to the `limit` that is applied to it (S9).
pub const LIMIT: u64 = 3;
/// Cycles from an operation to its effect and response (S10).
pub const EFFECT: u64 = 20;
/// A read knows the grants of requests so many cycles behind it (S11).
pub const READ_GRANTS: u64 = 9;
/// A read knows the feedback of so many cycles behind it (S11).
pub const READ_FEEDBACK: u64 = 8;
/// A read counts what is in force in the epoch of so many cycles behind it (S11).
pub const READ_EPOCH: u64 = 18;
/// Operations are at least so many cycles apart; `control_ready` is 1 again by then (S10).
pub const OPERATIONS: u64 = 21;

/// The size of a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of CCCs.
    pub cccs: u64,
    /// Number of EVs of a CCC.
    pub evs: u64,
}

/// `settings_rtt` and `settings_limit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Cycles of an epoch; less than 64 counts as 64.
    pub rtt: u64,
    /// More marked EVs than that, and the CCC is saturated.
    pub limit: u64,
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
    /// None: code 3.
    Nothing,
}

impl Op {
    /// All operations in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Read, Self::Open, Self::Close, Self::Nothing];
}

/// What stands on the inputs in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The settings from this cycle on.
    Settings(Settings),
    /// An operation; outside the sweep it is one that is accepted.
    Control(Op, u64, u64),
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
    /// Read: the EV granted last.
    pub last: u64,
    /// Read: the number of marked EVs.
    pub marked: u64,
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
    /// Feedback for an EV that does not exist (S8).
    pub feedback_range: u64,
}
