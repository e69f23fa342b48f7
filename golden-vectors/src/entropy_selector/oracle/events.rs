// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of an entropy selector.

use super::{Command, Op, Settings};

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

/// An input in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The settings from this cycle on.
    Settings(Settings),
    /// A command; outside the sweep it must be one that is accepted.
    Command(Command),
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
