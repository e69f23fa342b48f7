// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes into an entropy selector and what comes out, and the cycles in between.

use std::collections::BTreeMap;

/// The size of a selector, and how long its memories take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of CCCs.
    pub cccs: u64,
    /// Number of EVs of a CCC.
    pub evs: u64,
    /// Cycles from address to row of the memories: 1, 2 or 3. The rows call it *l*.
    pub ram_latency: u64,
}

impl Shape {
    /// With memories of latency 2.
    #[must_use]
    pub const fn new(cccs: u64, evs: u64) -> Self {
        Shape { cccs, evs, ram_latency: 2 }
    }

    /// The same with memories of another latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// As groups of vectors give it.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { cccs, evs, ram_latency } = self;
        [("cccs", cccs), ("evs", evs), ("ram_latency", ram_latency)].map(|(name, x)| (name.to_owned(), x)).into()
    }

    /// Cycles from a request to its grant (S1).
    #[must_use]
    pub const fn grant(self) -> u64 {
        self.ram_latency + 6
    }

    /// Cycles from a feedback to the first request that sees it (S5).
    #[must_use]
    pub const fn sight(self) -> u64 {
        self.ram_latency + 6
    }

    /// Cycles from a request to the `limit` that is applied to it (S9).
    #[must_use]
    pub const fn limit(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from an operation to its effect and response (S10).
    #[must_use]
    pub const fn effect(self) -> u64 {
        self.ram_latency + 18
    }

    /// A read knows the grants of requests so many cycles behind it (S11).
    #[must_use]
    pub const fn read_grants(self) -> u64 {
        11 - self.ram_latency
    }

    /// A read knows the feedback of so many cycles behind it (S11).
    #[must_use]
    pub const fn read_feedback(self) -> u64 {
        10 - self.ram_latency
    }

    /// A read counts what is in force in the epoch of so many cycles behind it (S11).
    #[must_use]
    pub const fn read_epoch(self) -> u64 {
        self.ram_latency + 16
    }

    /// Operations are at least so many cycles apart; `control_ready` is 1 again by then (S10).
    #[must_use]
    pub const fn operations(self) -> u64 {
        self.ram_latency + 19
    }
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
