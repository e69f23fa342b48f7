// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of an entropy selector.

use super::{Command, Op, SettingsPorts};

/// Kinds of feedback (S4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Arrived without congestion.
    Good,
    /// Arrived with ECN.
    Ecn,
    /// Trimmed, not at the last hop.
    Nack,
    /// Lost.
    Timeout,
    /// Trimmed at the last hop.
    LastHop,
    /// A code from 5 to 7, which has no meaning.
    Unknown(u64),
}

impl Kind {
    /// All kinds in the order of their codes.
    pub const ALL: [Self; 5] = [Self::Good, Self::Ecn, Self::Nack, Self::Timeout, Self::LastHop];

    /// The kind of a code.
    #[must_use]
    pub fn of(code: u64) -> Self {
        Self::ALL.into_iter().find(|kind| kind.code() == code).unwrap_or(Self::Unknown(code))
    }

    /// The code on `feedback_kind`.
    #[must_use]
    pub const fn code(self) -> u64 {
        match self {
            Self::Good => 0,
            Self::Ecn => 1,
            Self::Nack => 2,
            Self::Timeout => 3,
            Self::LastHop => 4,
            Self::Unknown(code) => code,
        }
    }

    /// Whether it says that another EV would be better.
    #[must_use]
    pub const fn marks(self) -> bool {
        matches!(self, Self::Ecn | Self::Nack | Self::Timeout)
    }
}

/// The EV of a feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ev {
    /// The number on the wire.
    Wire(u64),
    /// The number on the wire that is this far behind EV 0 of the CCC, modulo 2^16 (S22). For a closed CCC EV 0 is
    /// the first number of the range.
    Own(u64),
}

/// An input in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// What stands on the ports of the settings from this cycle on.
    Settings(SettingsPorts),
    /// A command; outside the sweep it must be one that is accepted.
    Command(Command),
    /// Feedback on an EV of a CCC.
    Feedback(u64, Ev, Kind),
    /// An event that asks a CCC to move; it must be one that is accepted (N5).
    Reroute(u64),
    /// A request for a CCC, with a bit for each free port.
    Request(u64, u64),
}

/// The grant for a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// Clock cycle of the output.
    pub cycle: u64,
    /// CCC of the request.
    pub ccc: u64,
    /// True if the CCC was open and the port free.
    pub open: bool,
    /// True if the port was not free (S20).
    pub blocked: bool,
    /// The EV on the wire.
    pub ev: u64,
    /// The EV as the rules count it. It is not an output.
    pub index: u64,
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
    /// Read: the RTT class of an open CCC (S14).
    pub class: u64,
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
    /// Requests whose port was not free (S20).
    pub blocked_requests: u64,
    /// Feedback for a CCC that is not open (S8).
    pub feedback_closed: u64,
    /// Feedback for an EV that the CCC does not have (S8).
    pub feedback_range: u64,
}
