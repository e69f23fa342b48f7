// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes into a path scheduler and what comes out.

use super::{Control, Granularity};

/// The settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// A flowlet ends after so many units of 64 cycles (T3).
    pub flowlet: u64,
    /// So many GOOD ones raise the weight; 0 is never (T13).
    pub raise: u64,
    /// So many packets lost in a row, and a sub-path fails; 0 is never (T14).
    pub fail: u64,
}

impl Settings {
    /// All of them.
    #[must_use]
    pub const fn new(flowlet: u64, raise: u64, fail: u64) -> Self {
        Settings { flowlet, raise, fail }
    }
}

/// What a request is for (T1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet {
    /// The next packet of the stream.
    Data,
    /// A retransmission.
    Retransmission,
    /// A packet on a sub-path that is named.
    Probe,
    /// None: code 3.
    Nothing,
}

impl Packet {
    /// All kinds in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Data, Self::Retransmission, Self::Probe, Self::Nothing];

    /// As on `request_kind`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}

/// What a feedback says (T12).
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

    /// As on `feedback_kind`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Of which QP.
    pub qp: u64,
    /// For what.
    pub kind: Packet,
    /// Probe: the sub-path.
    pub path: u64,
}

/// A feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// Of which QP.
    pub qp: u64,
    /// On which sub-path.
    pub path: u64,
    /// What it says.
    pub kind: Kind,
}

/// What stands on the inputs in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The settings from this cycle on.
    Settings(Settings),
    /// An operation; nothing comes of it if `control_ready` is 0 (T16).
    Control(Control),
    /// A feedback; nothing comes of it if `feedback_ready` is 0 (T12).
    Feedback(Feedback),
    /// A request.
    Request(Request),
}

/// The state of a sub-path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It is none.
    #[default]
    Absent,
    /// It takes probes alone.
    Probing,
    /// It takes packets of the stream.
    Active,
    /// It takes no more, and is to be removed.
    Draining,
    /// It is broken.
    Failed,
}

impl State {
    /// All states in the order of their codes.
    pub const ALL: [Self; 5] = [Self::Absent, Self::Probing, Self::Active, Self::Draining, Self::Failed];

    /// As on `response_state`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}

/// The answer to a request; all that is not said otherwise is 0 if it is refused (T2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// When.
    pub cycle: u64,
    /// For which QP, also of a refused one.
    pub qp: u64,
    /// It was not refused.
    pub ok: bool,
    /// The sub-path.
    pub path: u64,
    /// Its entropy (T7).
    pub entropy: u64,
    /// The PSN (T6).
    pub psn: u64,
    /// F, S, P and C from bit 0 on (T8).
    pub flags: u64,
    /// The number of the flowlet (T9).
    pub flowlet: u64,
    /// Granularity and weight (T10).
    pub tag: u64,
}

/// The answer to an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// When.
    pub cycle: u64,
    /// The code of the operation.
    pub op: u64,
    /// Of which QP.
    pub qp: u64,
    /// Of which sub-path.
    pub path: u64,
    /// It could be done.
    pub done: bool,
    /// Whether the QP is open now.
    pub open: bool,
    /// The granularity of an open QP.
    pub mode: Option<Granularity>,
    /// The state of the sub-path.
    pub state: State,
    /// Its weight, 0 if it is not active.
    pub weight: u64,
    /// What the weight does not rise above.
    pub limit: u64,
    /// Whether it is congested.
    pub congested: bool,
    /// Packets in flight.
    pub in_flight: u64,
}

/// Everything that comes out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// In the order of the cycles.
    pub grants: Vec<Grant>,
    /// In the order of the cycles.
    pub responses: Vec<Response>,
    /// Requests for a QP that is not open, or of kind 3 (T2).
    pub refused_requests: u64,
    /// Requests of an open QP that no sub-path can take (T2).
    pub no_path_requests: u64,
    /// Feedback for a QP that is not open (T15).
    pub feedback_closed: u64,
    /// Feedback for a sub-path that cannot exist (T15).
    pub feedback_range: u64,
    /// Feedback for a sub-path that is absent, or has nothing in flight (T15).
    pub feedback_absent: u64,
}
