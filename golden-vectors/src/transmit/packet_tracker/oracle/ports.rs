// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of the stage.

use super::shape::OwnTimer;
use super::{Settings, Shape};

/// Kinds of `ack`.
pub mod ack {
    /// An ACK.
    pub const ACK: u64 = 0;
    /// A NACK.
    pub const NACK: u64 = 1;
    /// Credit.
    pub const CREDIT: u64 = 2;
    /// The peer has no room.
    pub const BACKOFF: u64 = 3;
}

/// Codes of operations of `send`. The code 3 is an end too.
pub mod send {
    /// The turn is over.
    pub const END: u64 = 0;
    /// A new packet.
    pub const NEW: u64 = 1;
    /// A packet is sent again.
    pub const AGAIN: u64 = 2;
}

/// Codes of commands.
pub mod op {
    /// Shows the state of a PDC.
    pub const READ: u64 = 0;
    /// Opens a PDC.
    pub const OPEN: u64 = 1;
    /// Closes it.
    pub const CLOSE: u64 = 2;
    /// Changes its window.
    pub const CHANGE: u64 = 3;
    /// Declares packets lost.
    pub const LOSE: u64 = 4;
    /// Makes it fail.
    pub const FAIL: u64 = 5;
}

/// Kinds of events.
pub mod event {
    /// For `ack`: an ACK.
    pub const ACK: u64 = 0;
    /// For `ack`: a NACK.
    pub const NACK: u64 = 1;
    /// For `ack`: credit.
    pub const CREDIT: u64 = 2;
    /// For `send`.
    pub const SEND: u64 = 3;
    /// For `loss`.
    pub const LOSS: u64 = 4;
}

/// Kinds of outcomes.
pub mod outcome {
    /// Acknowledged in flight.
    pub const ACKNOWLEDGED: u64 = 0;
    /// Acknowledged while marked for retransmission.
    pub const LATE: u64 = 1;
    /// Marked by a NACK.
    pub const NACK: u64 = 2;
    /// Taken for lost.
    pub const LOST: u64 = 3;
    /// In flight when the PDC was closed.
    pub const DISCARDED: u64 = 4;
    /// Marked when the PDC was closed.
    pub const DISCARDED_LATE: u64 = 5;
    /// Marked by a NACK for want of room, or at the end of a backoff.
    pub const NO_ROOM: u64 = 6;
}

/// Reasons of failures.
pub mod failure {
    /// Too many time-outs in a row.
    pub const TIMEOUTS: u64 = 0;
    /// No path is left.
    pub const NO_PATH: u64 = 1;
    /// The peer refuses.
    pub const REFUSED: u64 = 2;
    /// The peer has had no room too often.
    pub const NO_ROOM: u64 = 3;
}

/// A PDC that has failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// Number of the PDC.
    pub pdc: u64,
    /// Why.
    pub reason: u64,
    /// If the peer refuses, what it has said.
    pub code: u64,
}

/// An ACK, a NACK, or credit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack {
    /// Number of the PDC.
    pub pdc: u64,
    /// What it is.
    pub kind: u64,
    /// cack_psn or nack_psn.
    pub psn: u64,
    /// `trigger_offset` is there.
    pub triggered: bool,
    /// ack_psn_offset.
    pub trigger_offset: i16,
    /// sack_psn_offset.
    pub sack_offset: i16,
    /// The SACK bitmap.
    pub sack: u64,
    /// `rcvd_bytes` is there.
    pub counted: bool,
    /// rcvd_bytes.
    pub rcvd_bytes: u64,
    /// mpr.
    pub mpr: u64,
    /// m.
    pub marked: bool,
    /// retx.
    pub retx: bool,
    /// ACK, NACK: its EV or sub-path.
    pub ev: u64,
    /// Time of arrival.
    pub arrived: u64,
    /// service_time.
    pub service: u64,
    /// rcv_cwnd_pend.
    pub pend: u64,
    /// rc.
    pub restore: bool,
    /// Code of a NACK; of a backoff that, or the syndrome of an RNR NAK.
    pub reason: u64,
    /// Cumulative credit.
    pub credit: u64,
}

/// A packet to be sent, or the end of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Send {
    /// Number of the PDC.
    pub pdc: u64,
    /// *End*, *new*, *again*.
    pub op: u64,
    /// *New*: nominal size.
    pub size: u64,
    /// *New*, *again*: EV or sub-path.
    pub ev: u64,
    /// *New*: the packet asks for an ACK.
    pub asks: bool,
    /// The turn is over.
    pub last: bool,
}

/// A command (D29, D30).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// 0 *read*, 1 *open*, 2 *close*, 3 *change*, 4 *lose*; others do nothing.
    pub op: u64,
    /// Number of the PDC.
    pub pdc: u64,
    /// *Open*: the first PSN.
    pub psn: u64,
    /// *Open*: number of its CCC.
    pub ccc: u64,
    /// *Open*, *change*: most PSNs in the window.
    pub window: u64,
    /// *Open*: the first mpr.
    pub mpr: u64,
    /// *Lose*: the EV.
    pub ev: u64,
    /// *Lose*: whatever the EV.
    pub all: bool,
    /// *Close*: also if packets are not acknowledged.
    pub force: bool,
    /// *Lose*: a PDC that has failed stays so.
    pub stays_failed: bool,
    /// *Fail*: what the peer has said.
    pub code: u64,
    /// *Open*, *change*: the PDC has its own first time-out and limits (D29).
    pub own_timer: bool,
    /// That time-out, in units; 0 for never.
    pub rto: u64,
    /// Time-outs in a row after which it fails with the next one; 16 and above for never.
    pub retries: u64,
    /// Backoffs in a row after which it fails with the next one; 31 for never.
    pub backoff_limit: u64,
    /// After so long without an ACK its last packet is sent again, in units; 0 for never.
    pub tail_probe: u64,
}

impl Command {
    /// The first time-out and the limits that *open* or *change* gives to the PDC alone.
    pub(super) fn timer(&self) -> Option<OwnTimer> {
        let Command { rto, retries, backoff_limit, tail_probe, .. } = *self;
        self.own_timer.then_some(OwnTimer { rto, retries, backoff_limit, tail_probe })
    }
}

/// What `ccc_table` is to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// What it is.
    pub kind: u64,
    /// Number of the PDC.
    pub pdc: u64,
    /// New packets for which the window has room.
    pub room: u64,
    /// Number of the CCC.
    pub ccc: u64,
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
    /// What an ACK or NACK says of its path counts.
    pub feedback: bool,
    /// Its EV or sub-path.
    pub ev: u64,
    /// There is a time of transmission.
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
    /// Nominal size of the packet.
    pub size: u64,
    /// Credit.
    pub credit: u64,
    /// A packet was sent.
    pub packet: bool,
    /// It is a retransmission.
    pub retransmission: bool,
    /// The turn is over.
    pub last: bool,
}

/// What became of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Number of the PDC.
    pub pdc: u64,
    /// Number of the CCC.
    pub ccc: u64,
    /// What it is.
    pub kind: u64,
    /// The PSN.
    pub psn: u64,
    /// EV of its latest transmission.
    pub ev: u64,
    /// Nominal size.
    pub size: u64,
    /// How often it was sent again.
    pub rtx_count: u64,
    /// It made the peer answer.
    pub trigger: bool,
    /// m.
    pub marked: bool,
    /// `age` is a measurement.
    pub timed: bool,
    /// From transmission to arrival.
    pub age: u64,
    /// It is lost, and *B*.
    pub at_base: bool,
}

/// The answer to *new* or *again*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Number of the PDC.
    pub pdc: u64,
    /// Code of the operation.
    pub op: u64,
    /// The packet is to be sent.
    pub ok: bool,
    /// Its PSN.
    pub psn: u64,
    /// Its nominal size.
    pub size: u64,
    /// How often it was sent again, with this time.
    pub rtx_count: u64,
    /// Packets that are still marked, and may be sent.
    pub marked: u64,
    /// Nothing more may be sent for now.
    pub backs_off: bool,
    /// New packets for which there is still room.
    pub room: u64,
}

/// The response to a command. Without `open` all is 0 but what repeats the command, and `done`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// Code of the command.
    pub op: u64,
    /// Number of the PDC.
    pub pdc: u64,
    /// It was done.
    pub done: bool,
    /// The PDC is open.
    pub open: bool,
    /// It has failed.
    pub failed: bool,
    /// Number of its CCC.
    pub ccc: u64,
    /// The base.
    pub base: u64,
    /// The next PSN.
    pub next: u64,
    /// Packets in flight.
    pub in_flight: u64,
    /// Packets marked for retransmission.
    pub marked: u64,
    /// Time-outs in a row.
    pub retries: u64,
    /// Most PSNs in the window.
    pub window: u64,
}

/// Counters since reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Operations for closed PDCs.
    pub closed_events: u64,
    /// ACKs that say more than was sent.
    pub outside_acks: u64,
    /// Old rcvd_bytes.
    pub old_totals: u64,
    /// NACKs without effect.
    pub void_nacks: u64,
    /// Times of transmission from the future.
    pub bad_times: u64,
    /// Packets acknowledged while marked.
    pub late_acks: u64,
    /// New packets without room.
    pub refused_sends: u64,
    /// Retransmissions with no packet marked.
    pub empty_sends: u64,
    /// Packets lost by time.
    pub timeouts: u64,
    /// Packets lost by span.
    pub inferred_losses: u64,
    /// Packets lost by command.
    pub declared_losses: u64,
    /// Backoffs that have begun.
    pub backoffs: u64,
}

/// The inputs in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// `None` if `ack_valid` is 0.
    pub ack: Option<Ack>,
    /// `None` if `send_valid` is 0.
    pub send: Option<Send>,
    /// `None` if `command_valid` is 0.
    pub command: Option<Command>,
    /// `None` if `settings_valid` is 0.
    pub settings: Option<Settings>,
    /// `event_ready`.
    pub event_ready: bool,
    /// `outcome_ready`.
    pub outcome_ready: bool,
    /// `failure_ready`.
    pub failure_ready: bool,
    /// `paused`.
    pub paused: bool,
}

/// The outputs in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The tables are being swept.
    pub busy: bool,
    /// Nothing waits, is under way, or is open.
    pub quiet: bool,
    /// An event of `ack` has been accepted and not yet entered.
    pub ack_waiting: bool,
    /// The time.
    pub now: u64,
    /// An event of `ack` is accepted.
    pub ack_ready: bool,
    /// An event of `send` is accepted.
    pub send_ready: bool,
    /// A command is accepted.
    pub command_ready: bool,
    /// What is on the ports.
    pub event: Option<Event>,
    /// What is on the ports.
    pub outcome: Option<Outcome>,
    /// The PDC that has failed.
    pub failure: Option<Failure>,
    /// What is on the ports.
    pub sent: Option<Sent>,
    /// What is on the ports.
    pub response: Option<Response>,
    /// The counters. On the ports they may come later.
    pub counters: Counters,
}

/// A change at the input ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// An event of `ack` in one cycle. It is lost if `ack_ready` is 0.
    Ack(Ack),
    /// An event of `send` in one cycle. It is lost if `send_ready` is 0.
    Send(Send),
    /// A command in one cycle. It is lost if `command_ready` is 0.
    Command(Command),
    /// The settings ports from this cycle on; `None` if `settings_valid` is 0.
    Settings(Option<Settings>),
    /// The level of `event_ready` from this cycle on; it is 1 before.
    EventReady(bool),
    /// The level of `outcome_ready` from this cycle on; it is 1 before.
    OutcomeReady(bool),
    /// The level of `failure_ready` from this cycle on; it is 1 before.
    FailureReady(bool),
    /// The level of `paused` from this cycle on; it is 0 before.
    Paused(bool),
}

impl Inputs {
    /// The inputs before any change.
    #[must_use]
    pub const fn idle(settings: Option<Settings>) -> Self {
        let (event_ready, outcome_ready, failure_ready) = (true, true, true);
        Inputs {
            ack: None,
            send: None,
            command: None,
            settings,
            event_ready,
            outcome_ready,
            failure_ready,
            paused: false,
        }
    }

    /// Applies a change.
    pub const fn apply(&mut self, change: Change) {
        match change {
            Change::Ack(ack) => self.ack = Some(ack),
            Change::Send(send) => self.send = Some(send),
            Change::Command(command) => self.command = Some(command),
            Change::Settings(settings) => self.settings = settings,
            Change::EventReady(ready) => self.event_ready = ready,
            Change::OutcomeReady(ready) => self.outcome_ready = ready,
            Change::FailureReady(ready) => self.failure_ready = ready,
            Change::Paused(paused) => self.paused = paused,
        }
    }

    /// The same in the next cycle, where there is no event and no command.
    pub const fn next(&mut self) {
        self.ack = None;
        self.send = None;
        self.command = None;
    }

    /// Whether all inputs fit in their ports.
    #[must_use]
    pub fn fit(&self, shape: Shape) -> bool {
        let fit = |values: &[(u64, u32)]| values.iter().all(|&(value, bits)| value >> bits == 0);
        let known = |pdc: u64| pdc < shape.pdcs;
        let ack = self.ack.is_none_or(|a| {
            let wide = [(a.psn, shape.psn_bits), (a.rcvd_bytes, 24), (a.credit, 24), (a.arrived, 20), (a.ev, 16)];
            let small = [(a.kind, 2), (a.mpr, 8), (a.service, 16), (a.pend, 7), (a.reason, 8)];
            known(a.pdc) && fit(&wide) && fit(&small)
        });
        let send = self.send.is_none_or(|s| known(s.pdc) && fit(&[(s.op, 2), (s.size, 14), (s.ev, 16)]));
        let command = self.command.is_none_or(|c| {
            let numbers = c.ccc < shape.cccs.next_power_of_two().max(2) && c.window < 2 * shape.window;
            known(c.pdc)
                && numbers
                && fit(&[
                    (c.op, 3),
                    (c.psn, shape.psn_bits),
                    (c.mpr, 8),
                    (c.ev, 16),
                    (c.code, 8),
                    (c.rto, 26),
                    (c.retries, 5),
                ])
        });
        let settings = self.settings.is_none_or(|s| {
            fit(&[(s.tick, 16), (s.rto, 26), (s.retries, 5)]) && s.span < shape.window //
        });
        ack && send && command && settings
    }
}
