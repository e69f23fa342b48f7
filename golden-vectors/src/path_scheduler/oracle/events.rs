// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of a path scheduler.

use super::{Command, Granularity};

/// The settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// A flowlet ends after a gap of this many units of 64 cycles (T3).
    pub flowlet: u64,
    /// Number of GOOD feedbacks that raise the weight; 0 for never (T13).
    pub raise: u64,
    /// Number of consecutive TIMEOUTs with which a sub-path fails; 0 for never (T14).
    pub fail: u64,
}

impl Settings {
    /// The settings after reset of a stage that is made without any of its own.
    pub const DEFAULT: Self = Settings::new(1, 16, 3);

    /// The settings from their values.
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
    /// A packet on a given sub-path.
    Probe,
    /// Code 3, which is not used.
    Nothing,
}

impl Packet {
    /// All kinds in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Data, Self::Retransmission, Self::Probe, Self::Nothing];

    /// The code on `request_kind`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}

/// Kinds of feedback (T12).
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

    /// The code on `feedback_kind`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Index of the QP.
    pub qp: u64,
    /// Kind of the request.
    pub kind: Packet,
    /// Probe: the sub-path.
    pub path: u64,
}

/// A feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// Index of the QP.
    pub qp: u64,
    /// Number of the sub-path.
    pub path: u64,
    /// Kind of the feedback.
    pub kind: Kind,
}

/// An input in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The settings on the ports from this cycle on, with `settings_valid` 1; `None` if it is 0.
    Settings(Option<Settings>),
    /// A command; ignored if `command_ready` is 0 (T16).
    Command(Command),
    /// A feedback; ignored if `feedback_ready` is 0 (T12).
    Feedback(Feedback),
    /// A request.
    Request(Request),
}

/// The state of a sub-path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Absent.
    #[default]
    Absent,
    /// Takes only probes.
    Probing,
    /// Takes packets of the stream.
    Active,
    /// Takes no more packets, and is to be removed.
    Draining,
    /// Has failed.
    Failed,
}

impl State {
    /// All states in the order of their codes.
    pub const ALL: [Self; 5] = [Self::Absent, Self::Probing, Self::Active, Self::Draining, Self::Failed];

    /// The code on `response_state`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}

/// The grant for a request; fields are 0 if it is refused, except where noted (T2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// Clock cycle of the output.
    pub cycle: u64,
    /// QP of the request, also if it is refused.
    pub qp: u64,
    /// True if the request was not refused.
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

/// The response to a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// Clock cycle of the output.
    pub cycle: u64,
    /// The operation code of the command.
    pub op: u64,
    /// Index of the QP.
    pub qp: u64,
    /// Number of the sub-path.
    pub path: u64,
    /// True if the command was done.
    pub done: bool,
    /// True if the QP is open after the command.
    pub open: bool,
    /// The granularity of an open QP.
    pub mode: Option<Granularity>,
    /// The state of the sub-path.
    pub state: State,
    /// Its weight, 0 if it is not active.
    pub weight: u64,
    /// The largest weight.
    pub limit: u64,
    /// True if the sub-path is congested.
    pub congested: bool,
    /// Packets in flight.
    pub in_flight: u64,
}

/// All outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// In the order of their cycles.
    pub grants: Vec<Grant>,
    /// In the order of their cycles.
    pub responses: Vec<Response>,
    /// Requests for a QP that is not open, or of kind 3 (T2).
    pub refused_requests: u64,
    /// Requests for an open QP that no sub-path can take (T2).
    pub no_path_requests: u64,
    /// Feedback for a QP that is not open (T15).
    pub feedback_closed: u64,
    /// Feedback for a sub-path that cannot exist (T15).
    pub feedback_range: u64,
    /// Feedback for a sub-path that is absent, or has nothing in flight (T15).
    pub feedback_absent: u64,
}
