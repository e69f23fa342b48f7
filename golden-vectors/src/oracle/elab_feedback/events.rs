// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes into an ELAB feedback and what comes out.

/// The settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// A burst of so many packets has a result (W3).
    pub burst: u64,
}

impl Settings {
    /// All of them.
    #[must_use]
    pub const fn new(burst: u64) -> Self {
        Settings { burst }
    }
}

/// A packet that arrives (W1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Of which pair.
    pub pair: u64,
    /// Its UDP source port: the VP.
    pub sport: u64,
    /// It is marked.
    pub ecn: bool,
    /// Burst_ID; 0 for none.
    pub burst: u64,
}

/// What stands on the inputs in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The settings from this cycle on.
    Settings(Settings),
    /// Forgets a pair; nothing comes of it if `control_ready` is 0 (W8).
    Control(u64),
    /// An arrival; nothing comes of it if `arrival_ready` is 0 (W1).
    Arrival(Arrival),
    /// An query for a pair.
    Query(u64),
}

/// The answer to an query; all that is not said otherwise is 0 if it is refused (W4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// When.
    pub cycle: u64,
    /// For which pair, also of a refused one.
    pub pair: u64,
    /// It was not refused.
    pub ok: bool,
    /// VP_ID: the port of the VP.
    pub vp: u64,
    /// VP_RCnt: packets since its last report.
    pub count: u64,
    /// E: marks since its last report.
    pub ecn: bool,
    /// B: a burst has a result.
    pub probed: bool,
    /// VP_RBurst_Rate.
    pub rate: u64,
}

/// Everything that comes out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// In the order of the cycles.
    pub reports: Vec<Report>,
    /// Arrivals for a pair that there is not (W1).
    pub refused_arrivals: u64,
    /// Queries for a pair that there is not, or in the sweep (W4).
    pub refused_queries: u64,
    /// Queries for a pair without a known VP (W4).
    pub empty_queries: u64,
}
