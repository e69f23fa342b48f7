// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes into an ELAB scheduler and what comes out.

/// The settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The share of the newest rate in 256 parts (V11).
    pub alpha: u64,
    /// Reports are gathered for so many units (V10).
    pub window: u64,
    /// A VP is tried again after so many units (V13).
    pub explore: u64,
    /// Packets of a burst; 0 is no bursts (V3).
    pub burst: u64,
}

impl Settings {
    /// All of them.
    #[must_use]
    pub const fn new(alpha: u64, window: u64, explore: u64, burst: u64) -> Self {
        Settings { alpha, window, explore, burst }
    }
}

/// What is asked of a scheduler (V15, V16); code 3 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Asks for the state.
    Read,
    /// A VP takes packets.
    Add,
    /// It is none any longer.
    Remove,
}

impl Op {
    /// All operations in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Read, Self::Add, Self::Remove];

    /// As on `control_op` and `response_op`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }

    /// The one of a code; `None` for 3.
    #[must_use]
    pub fn of(code: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.code() == code)
    }
}

/// An operation with all that it takes, as it stands on the ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// The code of what is asked, also the one that there is not.
    pub op: u64,
    /// Of which pair.
    pub pair: u64,
    /// The port of the VP.
    pub sport: u64,
    /// Add: its bandwidth.
    pub bandwidth: u64,
}

impl Control {
    /// An operation that takes no bandwidth.
    #[must_use]
    pub const fn new(op: Op, pair: u64, sport: u64) -> Self {
        Control { op: op.code(), pair, sport, bandwidth: 0 }
    }

    /// Adds a VP.
    #[must_use]
    pub const fn add(pair: u64, sport: u64, bandwidth: u64) -> Self {
        Control { bandwidth, ..Self::new(Op::Add, pair, sport) }
    }
}

/// A report (V7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Of which pair.
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

/// What stands on the inputs in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The settings from this cycle on.
    Settings(Settings),
    /// An operation; nothing comes of it if `control_ready` is 0 (V14).
    Control(Control),
    /// A report; nothing comes of it if `report_ready` is 0 (V7).
    Report(Report),
    /// A request for a pair.
    Request(u64),
}

/// The answer to a request; all that is not said otherwise is 0 if it is refused (V2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// When.
    pub cycle: u64,
    /// For which pair, also of a refused one.
    pub pair: u64,
    /// It was not refused.
    pub ok: bool,
    /// The number of the VP.
    pub vp: u64,
    /// Its port.
    pub sport: u64,
    /// The number of the burst, 0 for a packet that was drawn (V3).
    pub burst: u64,
}

/// The answer to an operation (V17).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// When.
    pub cycle: u64,
    /// The code of the operation.
    pub op: u64,
    /// Of which pair.
    pub pair: u64,
    /// The port that it was on.
    pub sport: u64,
    /// It could be done.
    pub done: bool,
    /// The VP of that number is present now.
    pub present: bool,
    /// Its port.
    pub port: u64,
    /// Its *B*.
    pub bandwidth: u64,
    /// Its *R*.
    pub rate: u64,
    /// Whether it waits.
    pub probe_armed: bool,
}

/// Everything that comes out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// In the order of the cycles.
    pub grants: Vec<Grant>,
    /// In the order of the cycles.
    pub responses: Vec<Response>,
    /// Requests for a pair that there is not, or in the sweep (V2).
    pub refused_requests: u64,
    /// Requests for a pair without a VP (V2).
    pub no_vp_requests: u64,
    /// Reports for a pair that there is not (V8).
    pub refused_reports: u64,
    /// Reports of a VP that is not present (V8).
    pub absent_reports: u64,
    /// Bursts begun (V3).
    pub bursts: u64,
}
