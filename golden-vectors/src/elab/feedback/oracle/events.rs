// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of an ELAB feedback stage.

/// A transfer of settings (W11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// The registers take the other fields.
    pub valid: bool,
    /// Number of packets with which a burst has a result (W3).
    pub burst: u64,
    /// Cycles for which a pair waits until a report of its own is due; 0 for none (W13).
    pub report_time: u64,
}

impl Settings {
    /// The values after reset (W11).
    pub const RESET: Self = Settings { valid: false, burst: 667, report_time: 51_563 };

    /// The settings with which no report is due.
    #[must_use]
    pub const fn new(burst: u64) -> Self {
        Settings { valid: true, burst, report_time: 0 }
    }

    /// The same with reports of their own after this time.
    #[must_use]
    pub const fn report_time(self, report_time: u64) -> Self {
        Settings { report_time, ..self }
    }
}

/// A packet that arrives (W1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Index of the pair.
    pub pair: u64,
    /// Its UDP source port: the VP.
    pub sport: u64,
    /// True if the packet has the mark CE.
    pub ecn: bool,
    /// Burst_ID; 0 for none.
    pub burst: u64,
}

/// An input in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// What stands on the settings ports from this cycle on.
    Settings(Settings),
    /// Clears a pair; ignored if `command_ready` is 0 (W8).
    Command(u64),
    /// An arrival; ignored if `arrival_ready` is 0 (W1).
    Arrival(Arrival),
    /// A query for a pair.
    Query(u64),
    /// The level of `due_ready` from this cycle on; it is 1 before.
    DueReady(bool),
}

/// The report for a query; fields are 0 if it is refused, except where noted (W4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Clock cycle of the output.
    pub cycle: u64,
    /// Pair of the query, also if it is refused.
    pub pair: u64,
    /// True if the query was not refused.
    pub ok: bool,
    /// VP_ID: the port of the VP.
    pub vp: u64,
    /// VP_RCnt: packets since its last report.
    pub count: u64,
    /// E: a packet was marked since the last report.
    pub ecn: bool,
    /// B: a burst has a result.
    pub probed: bool,
    /// VP_RBurst_Rate.
    pub rate: u64,
}

/// All outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// In the order of their cycles.
    pub reports: Vec<Report>,
    /// Arrivals for a pair that does not exist (W1).
    pub refused_arrivals: u64,
    /// Queries for a pair that does not exist, or in the sweep (W4).
    pub refused_queries: u64,
    /// Queries for a pair without a known VP (W4).
    pub empty_queries: u64,
}
