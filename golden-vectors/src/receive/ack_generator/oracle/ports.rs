// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of the stage. Fields that only one of the protocols has are 0 with the other one.

use super::{Settings, Shape};

/// What became of an arrival in `reorder`, in the order of the codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The expected packet.
    #[default]
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

impl Outcome {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::InOrder,
        Self::Held,
        Self::Duplicate,
        Self::Below,
        Self::Above,
        Self::NoBuffer,
        Self::Unknown,
        Self::Probe,
    ];
}

/// An answer of `reorder`, with fields of the packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Number of the connection.
    pub connection: u64,
    /// What became of it.
    pub outcome: Outcome,
    /// The PSN.
    pub psn: u64,
    /// The expected PSN after it.
    pub expected: u64,
    /// Number of packets received behind the expected PSN.
    pub held: u64,
    /// AckReq, or the flag *ar*.
    pub ack_request: bool,
    /// It is marked (CE).
    pub ecn: bool,
    /// RoCE: the highest PSN received.
    pub highest: u64,
    /// RoCE: the expected PSN is in a gap that has been reported.
    pub suspected: bool,
    /// RoCE: it has arrived after a packet with a higher PSN.
    pub late: bool,
    /// RoCE: the path ID.
    pub path: u64,
    /// RoCE: the flowlet sequence.
    pub flowlet: u64,
    /// RoCE: the last packet of a message.
    pub last: bool,
    /// RoCE: a request of an operation that is not served.
    pub unserved: bool,
    /// RoCE: there is a time stamp.
    pub stamped: bool,
    /// RoCE: the time stamp.
    pub stamp: u64,
    /// UET: PSN of bit 0 of the word.
    pub sack_base: u64,
    /// UET: the SACK word.
    pub sack: u64,
    /// UET: the nominal size.
    pub length: u64,
    /// UET: the flag *syn*.
    pub syn: bool,
    /// UET: the flag *retx*.
    pub retx: bool,
    /// It has been trimmed; RoCE: it matters for a probe.
    pub trimmed: bool,
    /// There was no room for it in front of `reorder`; it matters for a probe.
    pub no_room: bool,
    /// UET: at the last hop.
    pub last_hop: bool,
    /// UET: its EV.
    pub ev: u64,
    /// UET: the probe opaque.
    pub opaque: u64,
    /// UET: what is given back with a reply.
    pub handle: u64,
}

/// A gap that `reorder` reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of the connection.
    pub connection: u64,
    /// First PSN of the gap.
    pub first: u64,
    /// Last PSN of the gap.
    pub last: u64,
    /// RoCE: it has been reported before.
    pub repeated: bool,
}

/// A command (G21).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// 0 *read*, 1 *open*, 2 *close*, 3 *change*.
    pub op: u64,
    /// Number of the connection.
    pub connection: u64,
    /// The first PSN of *open*.
    pub psn: u64,
    /// RoCE, *open*: multipath is on.
    pub multipath: bool,
    /// RoCE, *open* and *change*: it has a timer code of its own.
    pub own_rnr_code: bool,
    /// RoCE, *open* and *change*: that code.
    pub rnr_code: u64,
}

/// Codes of commands.
pub mod op {
    /// Shows the state of a connection.
    pub const READ: u64 = 0;
    /// Opens a connection.
    pub const OPEN: u64 = 1;
    /// Closes it.
    pub const CLOSE: u64 = 2;
    /// Says which timer code its RNR NAKs have.
    pub const CHANGE: u64 = 3;
}

/// The inputs in a clock cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// `None` if `arrival_valid` is 0.
    pub arrival: Option<Arrival>,
    /// `None` if `event_valid` is 0.
    pub report: Option<Report>,
    /// `None` if `command_valid` is 0.
    pub command: Option<Command>,
    /// `None` if `settings_valid` is 0.
    pub settings: Option<Settings>,
    /// `pressure`, UET.
    pub pressure: u64,
    /// `ack_ready`.
    pub ack_ready: bool,
}

/// What is to be sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack {
    /// 0 ACK, 1 ACK_CC, 2 NAK or NACK.
    pub kind: u64,
    /// It is a reply.
    pub reply: bool,
    /// Number of the connection.
    pub connection: u64,
    /// RoCE: there is an MPEH.
    pub multipath: bool,
    /// The PSN.
    pub psn: u64,
    /// RoCE: BECN.
    pub ecn: bool,
    /// RoCE: the syndrome.
    pub syndrome: u64,
    /// RoCE: the MSN.
    pub msn: u64,
    /// RoCE: the path ID.
    pub path: u64,
    /// The flags, of the MPEH or of the prologue.
    pub flags: u64,
    /// RoCE: the flowlet sequence.
    pub flowlet: u64,
    /// RoCE: the Scheduling Tag.
    pub tag: u64,
    /// UET: the reason of a NACK.
    pub code: u64,
    /// UET: ack_psn_offset, or the probe opaque.
    pub psn_offset: u64,
    /// UET: the EV.
    pub ev: u64,
    /// UET: the handle.
    pub handle: u64,
    /// UET: mpr.
    pub mpr: u64,
    /// UET: sack_psn_offset.
    pub sack_offset: u64,
    /// UET: sack_bitmap.
    pub sack: u64,
    /// UET: service_time.
    pub service_time: u64,
    /// UET: rc.
    pub restore: bool,
    /// UET: rcv_cwnd_pend.
    pub pend: u64,
    /// UET: rcvd_bytes.
    pub rcvd_bytes: u64,
    /// UET: ooo_count.
    pub ooo_count: u64,
}

/// The response to a command (G24).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The command.
    pub command: Command,
    /// It was done.
    pub done: bool,
    /// The connection is open.
    pub open: bool,
    /// It owes an ACK.
    pub draining: bool,
    /// *E*.
    pub expected: u64,
    /// RoCE: *MSN*.
    pub msn: u64,
    /// UET: *total*.
    pub bytes: u64,
}

/// Counters since reset (G25).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// ACKs sent.
    pub acks: u64,
    /// NAKs or NACKs sent.
    pub naks: u64,
    /// Answers to probes sent.
    pub probe_answers: u64,
    /// Arrivals and events that joined an ACK that was due.
    pub merged_causes: u64,
    /// ACKs that became due by time.
    pub expired: u64,
    /// Replies for which there was no room.
    pub dropped_replies: u64,
    /// RoCE: arrivals that are not answered.
    pub refused_arrivals: u64,
    /// Arrivals in the sweep.
    pub busy_arrivals: u64,
    /// Events without effect.
    pub void_events: u64,
}

/// The outputs in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The table is being swept.
    pub busy: bool,
    /// An event is accepted.
    pub event_ready: bool,
    /// A command is accepted.
    pub command_ready: bool,
    /// What is on the ports.
    pub ack: Option<Ack>,
    /// What is on the ports.
    pub response: Option<Response>,
    /// The counters. On the ports they may come up to 16 cycles later.
    pub counters: Counters,
}

/// A change at the input ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An arrival in one cycle.
    Arrival(Arrival),
    /// An event of `reorder` in one cycle. It is lost if `event_ready` is 0.
    Report(Report),
    /// A command in one cycle. It is lost if `command_ready` is 0.
    Command(Command),
    /// The settings ports from this cycle on; `None` if `settings_valid` is 0.
    Settings(Option<Settings>),
    /// `pressure` from this cycle on; it is 0 before.
    Pressure(u64),
    /// The level of `ack_ready` from this cycle on; it is 1 before.
    AckReady(bool),
}

impl Inputs {
    /// The inputs before any event.
    #[must_use]
    pub const fn idle(settings: Option<Settings>) -> Self {
        Inputs { arrival: None, report: None, command: None, settings, pressure: 0, ack_ready: true }
    }

    /// Applies an event.
    pub const fn apply(&mut self, event: Event) {
        match event {
            Event::Arrival(arrival) => self.arrival = Some(arrival),
            Event::Report(report) => self.report = Some(report),
            Event::Command(command) => self.command = Some(command),
            Event::Settings(settings) => self.settings = settings,
            Event::Pressure(pressure) => self.pressure = pressure,
            Event::AckReady(ready) => self.ack_ready = ready,
        }
    }

    /// The same in the next cycle, where there is no arrival, no event and no command.
    pub const fn next(&mut self) {
        self.arrival = None;
        self.report = None;
        self.command = None;
    }
}

/// Whether a value has so many bits.
const fn fits(value: u64, bits: u32) -> bool {
    bits == 64 || value >> bits == 0
}

impl Inputs {
    /// Whether all inputs fit in their ports.
    #[must_use]
    pub fn fit(&self, shape: Shape) -> bool {
        let psns = |psns: &[u64]| psns.iter().all(|&psn| psn < shape.psns());
        let words = |words: &[u64]| words.iter().all(|&word| fits(word, 16));
        let bytes = |bytes: &[u64]| bytes.iter().all(|&byte| fits(byte, 8));
        let known = |connection: u64| connection < shape.connections;
        let arrival = self.arrival.is_none_or(|a| {
            let numbers = psns(&[a.psn, a.expected, a.highest, a.sack_base]) && a.held < 2 * shape.window;
            let fields = words(&[a.flowlet, a.stamp, a.length, a.ev, a.opaque]) && fits(a.path, 8);
            numbers && fields && fits(a.handle, shape.handle_bits) && known(a.connection)
        });
        let report = self.report.is_none_or(|report| psns(&[report.first, report.last]) && known(report.connection));
        let command =
            self.command.is_none_or(|c| fits(c.op, 2) && fits(c.rnr_code, 5) && psns(&[c.psn]) && known(c.connection));
        let settings = self.settings.is_none_or(|s| {
            let large = words(&[s.tick, s.offset, s.trigger]) && fits(s.time | s.no_buffer_time, 20) && fits(s.min, 12);
            large && bytes(&[s.count, s.count_multipath, s.mpr, s.added]) && fits(s.rnr | s.credits, 5)
        });
        arrival && report && command && settings && fits(self.pressure, 7)
    }
}
