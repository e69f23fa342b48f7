// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of the stage.

/// The flag P: the packet is a probe.
pub const PROBE: u64 = 1 << 2;

/// What became of an arrival (R2), in the order of the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The expected packet.
    InOrder,
    /// A packet behind it, which waits.
    Held,
    /// Received before, and waits.
    Duplicate,
    /// Before the expected packet.
    Below,
    /// Behind the window.
    Above,
    /// In the window, but its slot is occupied.
    NoBuffer,
    /// Of no open connection.
    Unknown,
    /// A probe.
    Probe,
}

/// A packet that arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Number of the connection.
    pub connection: u64,
    /// Whether the connection has been found.
    pub found: bool,
    /// The PSN.
    pub psn: u64,
    /// Number of the sub-path.
    pub path: u64,
    /// Flags of the MPEH.
    pub flags: u64,
    /// Length in bytes.
    pub length: u64,
    /// What is delivered for it.
    pub handle: u64,
}

/// A command (R18).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// 0 *read*, 1 *open*, 2 *close*, 3 *change*.
    pub op: u64,
    /// Number of the connection.
    pub connection: u64,
    /// Number of the sub-path that is shown.
    pub path: u64,
    /// The first PSN of *open*.
    pub psn: u64,
    /// *Open* and *change*: the connection has its own tolerance.
    pub own_tolerance: u64,
    /// The largest span that is not reported then.
    pub span: u64,
    /// The largest age that is not reported then.
    pub time: u64,
}

impl Command {
    /// The tolerance that *open* or *change* gives to the connection alone (R18).
    pub(super) fn tolerance(&self) -> Option<Settings> {
        (self.own_tolerance == 1).then_some(Settings { span: self.span, time: self.time })
    }
}

/// Codes of commands.
pub mod op {
    /// Shows the state of a connection.
    pub const READ: u64 = 0;
    /// Opens a connection.
    pub const OPEN: u64 = 1;
    /// Closes it.
    pub const CLOSE: u64 = 2;
    /// Changes its tolerance.
    pub const CHANGE: u64 = 3;
}

/// The tolerance of gaps (R13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// The largest span that is not reported.
    pub span: u64,
    /// The largest age that is not reported.
    pub time: u64,
}

/// The limits of the pool (R38).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limits {
    /// The most cells of a connection.
    pub quota: u64,
    /// The cells that are kept free for packets without which a connection cannot go on.
    pub reserve: u64,
}

/// A beat of a frame. Of a wide bus these are the lowest bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// `tdata`.
    pub data: u64,
    /// `tkeep`.
    pub keep: u64,
    /// `tuser`.
    pub user: u64,
    /// `tlast`.
    pub last: bool,
}

/// The inputs in a clock cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// `None` if `arrival_valid` is 0. With frames, the fields beside the beat.
    pub arrival: Option<Arrival>,
    /// `None` if `s_axis_tvalid` is 0.
    pub beat: Option<Beat>,
    /// `None` if `command_valid` is 0.
    pub command: Option<Command>,
    /// `None` if `settings_valid` is 0.
    pub settings: Option<Settings>,
    /// The limits, which are taken with the settings.
    pub limits: Limits,
    /// `delivery_ready`, or `m_axis_tready`.
    pub delivery_ready: bool,
    /// `event_ready`.
    pub event_ready: bool,
}

/// The answer to an arrival (R4, R5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The arrival.
    pub arrival: Arrival,
    /// What became of it.
    pub outcome: Outcome,
    /// *E*.
    pub expected: u64,
    /// *H*.
    pub highest: u64,
    /// Number of packets held.
    pub held: u64,
    /// It has been overtaken.
    pub late: bool,
    /// *E* is in a gap that has been reported.
    pub suspected: bool,
    /// PSN of bit 0 of the word.
    pub sack_base: u64,
    /// The word.
    pub sack: u64,
}

/// A packet in order (R8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Number of the connection.
    pub connection: u64,
    /// The PSN.
    pub psn: u64,
    /// The handle; with frames, the number of the frame in the order of arrivals.
    pub handle: u64,
}

/// A gap that is reported (R16).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Number of the connection.
    pub connection: u64,
    /// First PSN of the gap.
    pub first: u64,
    /// Last PSN of the gap.
    pub last: u64,
    /// The span was above the tolerance.
    pub by_span: bool,
    /// The age was above it.
    pub by_time: bool,
}

/// The response to a command (R19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// The command.
    pub command: Command,
    /// It was done.
    pub done: bool,
    /// The connection is open.
    pub open: bool,
    /// Packets before *E* have not been read.
    pub draining: bool,
    /// *E*.
    pub expected: u64,
    /// *H*.
    pub highest: u64,
    /// Number of packets held, or discarded when it was closed.
    pub held: u64,
    /// Number of packets that have been overtaken.
    pub reordered: u64,
    /// The most packets held.
    pub depth: u64,
    /// The largest age of a gap.
    pub duration: u64,
    /// Packets of the sub-path.
    pub path_packets: u64,
    /// Time of the last one.
    pub path_time: u64,
}

/// Counters since reset (R21).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Arrivals by outcome, in the order of the codes.
    pub outcomes: [u64; 8],
    /// Arrivals on a sub-path that no connection has.
    pub unknown_paths: u64,
    /// Arrivals without a buffer that lacked cells, were over the quota, or below the reserve (R39).
    pub causes: [u64; 3],
}

/// What the ports of the pool show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolOutputs {
    /// Number of free cells.
    pub free: u64,
    /// The fewest free cells since reset.
    pub low_water: u64,
    /// The beat of the frame that is delivered.
    pub beat: Option<Beat>,
}

/// The outputs in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The tables are being swept.
    pub busy: bool,
    /// An arrival, or a beat, is accepted.
    pub arrival_ready: bool,
    /// A command is accepted.
    pub command_ready: bool,
    /// What is on the ports.
    pub answer: Option<Answer>,
    /// What is on the ports.
    pub delivery: Option<Delivery>,
    /// What is on the ports.
    pub event: Option<Report>,
    /// What is on the ports.
    pub response: Option<Response>,
    /// The counters. On the ports they may come up to 16 cycles later.
    pub counters: Counters,
    /// The pool, if there is one.
    pub pool: Option<PoolOutputs>,
}
