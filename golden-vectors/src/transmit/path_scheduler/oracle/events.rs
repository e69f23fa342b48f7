// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of a path scheduler.

use super::{Command, Granularity, Settings};

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
    /// The answer to a probe.
    Answer,
    /// A mark on the sub-path of a packet that is not named.
    Mark,
    /// Not sent, or given up with its connection: nothing is known of the path.
    Return,
    /// A packet that is not named has arrived over the sub-path.
    Arrived,
}

impl Kind {
    /// All kinds in the order of their codes.
    pub const ALL: [Self; 8] =
        [Self::Good, Self::Ecn, Self::Nack, Self::Timeout, Self::Answer, Self::Mark, Self::Return, Self::Arrived];

    /// The kinds that rate packets of the stream.
    pub const STREAM: [Self; 4] = [Self::Good, Self::Ecn, Self::Nack, Self::Timeout];

    /// The kind with this code.
    #[must_use]
    pub fn of(code: u64) -> Self {
        Self::ALL.into_iter().find(|kind| kind.code() == code).unwrap_or(Self::Arrived)
    }

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
    /// The code of its kind.
    pub kind: u64,
    /// The RTT of the packet in units of 64 cycles; 0 for no sample.
    pub rtt: u64,
    /// The answer to a probe: the bandwidth of the sub-path, in units of weights.
    pub bandwidth: u64,
}

impl Feedback {
    /// A feedback without RTT.
    #[must_use]
    pub const fn new(qp: u64, path: u64, kind: Kind) -> Self {
        Feedback { qp, path, kind: kind.code(), rtt: 0, bandwidth: 0 }
    }

    /// The answer to a probe.
    #[must_use]
    pub const fn answer(qp: u64, path: u64, bandwidth: u64) -> Self {
        Feedback { bandwidth, ..Self::new(qp, path, Kind::Answer) }
    }

    /// The same feedback with this RTT.
    #[must_use]
    pub const fn rtt(self, rtt: u64) -> Self {
        Feedback { rtt, ..self }
    }
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
    /// The level of `event_ready` from this cycle on; it is 1 before.
    Ready(bool),
    /// The level of `lost_ready` from this cycle on; it is 1 before.
    LostReady(bool),
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
    /// Takes only probes; one was answered.
    Probed,
}

impl State {
    /// All states in the order of their codes.
    pub const ALL: [Self; 6] = [Self::Absent, Self::Probing, Self::Active, Self::Draining, Self::Failed, Self::Probed];

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
    /// Its weight, 0 if it is neither active nor probed.
    pub weight: u64,
    /// The largest weight.
    pub limit: u64,
    /// True if the sub-path is congested.
    pub congested: bool,
    /// True if it is avoided.
    pub avoided: bool,
    /// True if it is full.
    pub full: bool,
    /// Packets in flight.
    pub in_flight: u64,
    /// Its window that follows marks, in packets.
    pub window: u64,
}

/// What is reported of a QP (T25).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The first cycle in which `event_valid` is 1.
    pub cycle: u64,
    /// The last one, in which it is taken; `None` if `event_ready` stays 0.
    pub last: Option<u64>,
    /// Index of the QP.
    pub qp: u64,
    /// The sub-path of the first cause.
    pub path: u64,
    /// True if another sub-path has a cause too.
    pub more: bool,
    /// The causes.
    pub causes: Causes,
}

/// Sub-paths of a QP whose packets are lost (T29).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// The first cycle in which `lost_valid` is 1.
    pub cycle: u64,
    /// The last one, in which it is taken; `None` if `lost_ready` stays 0.
    pub last: Option<u64>,
    /// Index of the QP.
    pub qp: u64,
    /// A bit for each sub-path.
    pub paths: u64,
    /// True if the QP has none left, and does not wait.
    pub all_failed: bool,
}

/// Causes of an event (T25).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    /// A sub-path failed by itself.
    pub failed: bool,
    /// It was the last active one.
    pub all_failed: bool,
    /// A sub-path is avoided.
    pub congested: bool,
    /// A sub-path was full.
    pub saturated: bool,
}

impl Causes {
    /// True if there is any.
    #[must_use]
    pub const fn any(self) -> bool {
        self.failed || self.all_failed || self.congested || self.saturated
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Causes {
            failed: self.failed || other.failed,
            all_failed: self.all_failed || other.all_failed,
            congested: self.congested || other.congested,
            saturated: self.saturated || other.saturated,
        }
    }
}

/// All outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// In the order of their cycles.
    pub grants: Vec<Grant>,
    /// In the order of their cycles.
    pub responses: Vec<Response>,
    /// In the order of their cycles.
    pub reports: Vec<Report>,
    /// In the order of their cycles.
    pub lost: Vec<Lost>,
    /// Requests for a QP that is not open, or of kind 3 (T2).
    pub refused_requests: u64,
    /// Other requests for an open QP that no sub-path can take (T2).
    pub no_path_requests: u64,
    /// Requests for an open QP whose active sub-paths are all full (T2).
    pub full_requests: u64,
    /// Feedback for a QP that is not open (T15).
    pub feedback_closed: u64,
    /// Feedback for a sub-path that cannot exist (T15).
    pub feedback_range: u64,
    /// Feedback for a sub-path that is absent or has nothing in flight, and answers to probes for one that takes none
    /// (T15).
    pub feedback_absent: u64,
}
