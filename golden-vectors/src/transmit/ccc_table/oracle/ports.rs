// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of the stage.

use super::settings::FIELDS;
use super::{Settings, Shape};

/// Kinds of `ack`.
pub mod kind {
    /// An ACK.
    pub const ACK: u64 = 0;
    /// A NACK.
    pub const NACK: u64 = 1;
    /// Credit.
    pub const CREDIT: u64 = 2;
    /// Nothing.
    pub const NONE: u64 = 3;
}

/// Codes of NACKs that the stage knows.
pub mod nack {
    /// The packet was trimmed.
    pub const TRIMMED: u64 = 1;
    /// It was trimmed at the last hop.
    pub const TRIMMED_LASTHOP: u64 = 2;
}

/// Codes of commands.
pub mod op {
    /// Shows the state of a CCC.
    pub const READ: u64 = 0;
    /// Opens a CCC.
    pub const OPEN: u64 = 1;
    /// Closes it.
    pub const CLOSE: u64 = 2;
    /// Changes class and weight.
    pub const CHANGE: u64 = 3;
}

/// An ACK, a NACK, or credit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack {
    /// Number of the CCC.
    pub ccc: u64,
    /// What it is.
    pub kind: u64,
    /// Bytes newly received, in units of 256.
    pub quanta: u64,
    /// Packets in flight that are newly acknowledged.
    pub packets: u64,
    /// Packets marked for retransmission that are newly acknowledged.
    pub rtx_packets: u64,
    /// Their bytes.
    pub rtx_bytes: u64,
    /// m.
    pub marked: bool,
    /// retx.
    pub retx: bool,
    /// `stamp` is there.
    pub timed: bool,
    /// How often the packet was sent again.
    pub rtx_count: u64,
    /// Time of the latest transmission.
    pub stamp: u64,
    /// Time of arrival.
    pub arrived: u64,
    /// Service time.
    pub service: u64,
    /// rcv_cwnd_pend.
    pub pend: u64,
    /// rc.
    pub restore: bool,
    /// Code of a NACK.
    pub reason: u64,
    /// Nominal size of the packet of a NACK.
    pub size: u64,
    /// Cumulative credit.
    pub credit: u64,
}

/// A packet was sent, or a turn is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Send {
    /// Number of the CCC.
    pub ccc: u64,
    /// Nominal size.
    pub size: u64,
    /// A packet was sent.
    pub packet: bool,
    /// It is a retransmission.
    pub retransmission: bool,
    /// The turn is over.
    pub last: bool,
    /// Without a packet: nothing could be sent (C35).
    pub blocked: bool,
}

/// A packet is taken for lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// Number of the CCC.
    pub ccc: u64,
    /// Nominal size.
    pub size: u64,
}

/// New data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Data {
    /// Number of the CCC.
    pub ccc: u64,
    /// Nominal sizes.
    pub bytes: u64,
}

/// An event of one of the four streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Of stream `ack`.
    Ack(Ack),
    /// Of stream `send`.
    Send(Send),
    /// Of stream `loss`.
    Loss(Loss),
    /// Of stream `data`.
    Data(Data),
}

impl Event {
    /// Number of the CCC.
    #[must_use]
    pub const fn ccc(&self) -> u64 {
        match self {
            Event::Ack(Ack { ccc, .. })
            | Event::Send(Send { ccc, .. })
            | Event::Loss(Loss { ccc, .. })
            | Event::Data(Data { ccc, .. }) => *ccc,
        }
    }

    /// Number of the stream.
    #[must_use]
    pub const fn stream(&self) -> usize {
        match self {
            Event::Ack(_) => 0,
            Event::Send(_) => 1,
            Event::Loss(_) => 2,
            Event::Data(_) => 3,
        }
    }
}

/// A command (C32).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// 0 *read*, 1 *open*, 2 *close*, 3 *change*; others do nothing.
    pub op: u64,
    /// Number of the CCC.
    pub ccc: u64,
    /// *Open*: with NSCC.
    pub nscc: bool,
    /// *Open*: with RCCC.
    pub rccc: bool,
    /// *Open*, *change*: the class.
    pub class: u64,
    /// *Open*, *change*: packets of a turn.
    pub weight: u64,
    /// *Close*: also if it is in use.
    pub force: bool,
}

/// A CCC may send.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// Number of the CCC.
    pub ccc: u64,
    /// Bytes that may have been sent when one more packet is sent.
    pub limit: u64,
    /// Packets of the turn.
    pub packets: u64,
    /// Something is marked for retransmission.
    pub retransmission: bool,
    /// Every packet asks for an ACK.
    pub ack_request: bool,
    /// What is asked of the receiver.
    pub credit_target: u64,
}

/// State of a CCC (C26).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// No data, nothing in flight.
    #[default]
    Idle,
    /// No data, something in flight.
    Pending,
    /// Data, may not send.
    Active,
    /// Data, may send.
    Ready,
}

/// The response to a command. Without `open` all is 0 but what repeats the command, and `done`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// Code of the command.
    pub op: u64,
    /// Number of the CCC.
    pub ccc: u64,
    /// It was done.
    pub done: bool,
    /// The CCC is open.
    pub open: bool,
    /// Its state.
    pub state: State,
    /// It is in turn.
    pub granted: bool,
    /// It has NSCC.
    pub nscc: bool,
    /// It has RCCC.
    pub rccc: bool,
    /// Its class.
    pub class: u64,
    /// Packets of a turn.
    pub weight: u64,
    /// Data not yet sent.
    pub backlog: u64,
    /// Bytes to be sent again.
    pub rtx_backlog: u64,
    /// Packets to be sent again.
    pub waiting_rtx: u64,
    /// Packets in flight.
    pub inflight_pkts: u64,
    /// Bytes in flight.
    pub inflight: i64,
    /// The window.
    pub cwnd: u64,
    /// Its upper bound.
    pub max_wnd: u64,
    /// Lowest RTT.
    pub base_rtt: u64,
    /// The filtered delay.
    pub delay: u64,
    /// Credit.
    pub credit: i64,
    /// What is asked of the receiver.
    pub credit_target: u64,
}

/// Counters since reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Events without effect (C4).
    pub closed_events: u64,
    /// Refused ACKs, NACKs and losses.
    pub excess_acks: u64,
    /// Refused sends.
    pub excess_sends: u64,
    /// Sends for which a count would have gone below 0.
    pub short_backlogs: u64,
    /// Refused data.
    pub refused_data: u64,
    /// Refused credit.
    pub stale_credits: u64,
    /// Time stamps from the future.
    pub bad_times: u64,
    /// Adjustments.
    pub adjustments: u64,
    /// Adjustments without effect.
    pub void_adjustments: u64,
    /// Quick adapts that fired.
    pub quick_adapts: u64,
    /// Takes without a grant.
    pub unready_turns: u64,
}

/// The inputs in a clock cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The four streams of events; `None` if `valid` is 0.
    pub events: [Option<Event>; 4],
    /// `None` if `command_valid` is 0.
    pub command: Option<Command>,
    /// `None` if `settings_valid` is 0.
    pub settings: Option<Settings>,
    /// `grant_ready`.
    pub grant_ready: bool,
}

/// The outputs in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The tables are being swept.
    pub busy: bool,
    /// `ready` of the four streams of events.
    pub ready: [bool; 4],
    /// A command is accepted.
    pub command_ready: bool,
    /// What is on the ports.
    pub grant: Option<Grant>,
    /// What is on the ports.
    pub response: Option<Response>,
    /// The counters. On the ports they may come later.
    pub counters: Counters,
}

/// A change at the input ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// An event in one cycle. It is lost if its `ready` is 0.
    Event(Event),
    /// A command in one cycle. It is lost if `command_ready` is 0.
    Command(Command),
    /// The settings ports from this cycle on; `None` if `settings_valid` is 0.
    Settings(Option<Settings>),
    /// The level of `grant_ready` from this cycle on; it is 1 before.
    GrantReady(bool),
}

impl Inputs {
    /// The inputs before any change.
    #[must_use]
    pub const fn idle(settings: Option<Settings>) -> Self {
        Inputs { events: [None; 4], command: None, settings, grant_ready: true }
    }

    /// Applies a change.
    pub const fn apply(&mut self, change: Change) {
        match change {
            Change::Event(event) => self.events[event.stream()] = Some(event),
            Change::Command(command) => self.command = Some(command),
            Change::Settings(settings) => self.settings = settings,
            Change::GrantReady(ready) => self.grant_ready = ready,
        }
    }

    /// The same in the next cycle, where there is no event and no command.
    pub const fn next(&mut self) {
        self.events = [None; 4];
        self.command = None;
    }

    /// Whether all inputs fit in their ports.
    #[must_use]
    pub fn fit(&self, shape: Shape) -> bool {
        let known = |ccc: u64| ccc < shape.cccs.next_power_of_two().max(2);
        let events = self.events.iter().enumerate().all(|(stream, event)| {
            event.is_none_or(|event| event.stream() == stream && known(event.ccc()) && event_fits(&event))
        });
        let command = self.command.is_none_or(|c| fit(&[(c.op, 3), (c.class, 2), (c.weight, 4)]) && known(c.ccc));
        let settings = self.settings.is_none_or(|settings| {
            settings.values().iter().zip(FIELDS).all(|(&value, (_, width))| fits(value, width)) //
        });
        events && command && settings
    }
}

/// Whether a value has so many bits.
const fn fits(value: u64, bits: u32) -> bool {
    value >> bits == 0
}

fn fit(values: &[(u64, u32)]) -> bool {
    values.iter().all(|&(value, bits)| fits(value, bits))
}

fn event_fits(event: &Event) -> bool {
    match *event {
        Event::Ack(a) => {
            let counts = [(a.quanta, 16), (a.packets, 16), (a.rtx_packets, 16), (a.rtx_bytes, 28), (a.credit, 24)];
            let times = [(a.rtx_count, 2), (a.stamp, 20), (a.arrived, 20), (a.service, 16)];
            fit(&counts) && fit(&times) && fit(&[(a.kind, 2), (a.pend, 7), (a.reason, 8), (a.size, 14)])
        }
        Event::Send(Send { size, .. }) | Event::Loss(Loss { size, .. }) => fits(size, 14),
        Event::Data(data) => fits(data.bytes, 40),
    }
}
