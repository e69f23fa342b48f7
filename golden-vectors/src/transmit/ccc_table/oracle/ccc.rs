// SPDX-License-Identifier: MIT OR Apache-2.0
//! A CCC: its state, what a pass counts in it, and what it leaves.

use super::adjustment::Adjustment;
use super::settings::sat28;
use super::{Ack, Counters, Data, Event, Loss, Send, Settings, Shape, State, kind};

/// What a pass takes effect with (C3).
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The size.
    pub shape: Shape,
    /// The effective settings of cycle *p*.
    pub settings: &'a Settings,
    /// *now*.
    pub now: u64,
}

impl Moment<'_> {
    /// So much later, modulo 2^20.
    pub const fn after(&self, units: u64) -> u64 {
        (self.now + units) % (1 << 20)
    }

    /// Whether a deadline is reached.
    pub const fn reached(&self, deadline: u64) -> bool {
        self.now.wrapping_sub(deadline) % (1 << 20) < 15 << 16
    }
}

/// What the headers of a packet have at most (C27).
const HEADERS: u64 = 512;

/// A CCC. All of it is 0 after the sweep.
#[derive(Clone, Debug, Default)]
pub struct Ccc {
    /// It is open.
    pub open: bool,
    /// It has NSCC.
    pub nscc: bool,
    /// It has RCCC.
    pub rccc: bool,
    /// Class of its grants.
    pub class: u64,
    /// Packets of a turn.
    pub weight: u64,

    /// Data not yet sent.
    pub backlog: u64,
    /// Packets to be sent again.
    pub waiting_rtx: u64,
    /// Their bytes.
    pub rtx_backlog: u64,
    /// Packets in flight.
    pub inflight_pkts: u64,
    /// Bytes in flight, with NSCC.
    pub inflight: i64,
    /// The cumulative credit that came last.
    pub credit_number: u64,

    /// The lowest RTT.
    pub base_rtt: u64,
    /// *A*.
    pub filtered: u64,

    /// Bytes still to be ignored.
    pub ignore: u64,
    /// Bytes received since the last evaluation.
    pub achieved: u64,
    /// When quick adapt is evaluated again.
    pub qa_end: u64,
    /// It has been evaluated.
    pub qa_started: bool,
    /// A NACK has asked for it.
    pub trigger: bool,

    /// The window.
    pub cwnd: u64,
    /// The window before the receiver's penalty.
    pub saved: u64,
    /// There is one.
    pub is_saved: bool,
    /// Bytes received without delay.
    pub fi_count: u64,
    /// Fast increase goes on.
    pub increase: bool,
    /// How often the window was set; 6 bits.
    pub sets: u64,

    /// What fair and proportional increase have summed up.
    pub inc_bytes: u64,
    /// Bytes received since the last adjustment.
    pub received: u64,
    /// When the next adjustment is due.
    pub adjust_end: u64,
    /// When a decrease is possible again.
    pub decrease_end: u64,

    /// Credit.
    pub credit: i64,
    /// It is not from the receiver.
    pub speculative: bool,

    /// It is in the queue of a class.
    pub listed: bool,
    /// It is in turn.
    pub in_turn: bool,
    /// It has been unblocked since the take of its turn (C35).
    pub unblocked: bool,
    /// It could send nothing in its last turn, and is not to be listed (C35).
    pub blocked: bool,

    /// After the last pass.
    pub state: State,
    /// What may have been sent when one more packet is sent.
    pub limit: i64,
    /// What is asked of the receiver.
    pub credit_target: u64,
    /// Every packet asks for an ACK.
    pub ack_request: bool,
}

impl Ccc {
    /// An event of the open CCC takes effect, up to C25. Returns the adjustment that it starts.
    pub fn event(&mut self, event: &Event, moment: &Moment<'_>, counters: &mut Counters) -> Option<Adjustment> {
        // C4.
        let void = match event {
            Event::Ack(ack) => ack.kind == kind::NONE || ack.kind == kind::CREDIT && !self.rccc,
            _ => false,
        };
        if void {
            counters.closed_events += 1;
            return None;
        }
        // C35, also if it is refused (C11).
        match event {
            Event::Send(Send { packet: false, blocked: true, last, .. }) => {
                self.blocked |= *last && self.in_turn && !self.unblocked;
            }
            Event::Send(Send { packet: false, .. } | Send { last: true, .. })
            | Event::Ack(Ack { kind: kind::ACK | kind::NACK, .. })
            | Event::Loss(_) => self.unblock(),
            _ => {}
        }
        // C25, likewise.
        if let Event::Send(Send { last: true, .. }) = event {
            self.in_turn = false;
        }
        let granted = match self.count(event, counters) {
            Counted::Refused => return None,
            Counted::Done { granted } => granted,
        };
        let adjustment = if self.nscc { self.congestion(event, moment, counters) } else { None };
        if self.rccc {
            self.credit(event, granted, moment);
        }
        adjustment
    }

    /// C35: the CCC may be able to send.
    pub const fn unblock(&mut self) {
        (self.unblocked, self.blocked) = (true, false);
    }

    /// C5 to C11.
    fn count(&mut self, event: &Event, counters: &mut Counters) -> Counted {
        /// The lowest number of bytes in flight (C5, C6).
        const LOWEST: i64 = -65_536;
        let nscc = self.nscc;
        let mut granted = 0;
        match *event {
            // C10.
            Event::Ack(Ack { kind: kind::CREDIT, credit, .. }) => {
                granted = credit.wrapping_sub(self.credit_number) % (1 << 24);
                if granted >= 1 << 23 {
                    counters.stale_credits += 1;
                    return Counted::Refused;
                }
                self.credit_number = credit;
            }
            // C5.
            Event::Ack(Ack { kind: kind::ACK, quanta, packets, rtx_packets, rtx_bytes, .. }) => {
                let more =
                    packets > self.inflight_pkts || rtx_packets > self.waiting_rtx || rtx_bytes > self.rtx_backlog;
                if more {
                    counters.excess_acks += 1;
                    return Counted::Refused;
                }
                self.inflight_pkts -= packets;
                self.inflight = (self.inflight - (quanta << 8) as i64).max(LOWEST);
                self.waiting_rtx -= rtx_packets;
                self.rtx_backlog -= rtx_bytes;
            }
            // C6.
            Event::Ack(Ack { size, .. }) | Event::Loss(Loss { size, .. }) => {
                let full = self.waiting_rtx == 65_535 || self.rtx_backlog + size >= 1 << 28;
                if self.inflight_pkts == 0 || full {
                    counters.excess_acks += 1;
                    return Counted::Refused;
                }
                self.inflight_pkts -= 1;
                self.inflight = (self.inflight - size as i64).max(LOWEST);
                self.waiting_rtx += 1;
                self.rtx_backlog += size;
            }
            // C7.
            Event::Send(Send { size, packet: true, retransmission, .. }) => {
                let inflight = self.inflight + size as i64;
                if self.inflight_pkts == 65_535 || nscc && inflight >= 1 << 28 {
                    counters.excess_sends += 1;
                    return Counted::Refused;
                }
                self.inflight_pkts += 1;
                self.inflight = inflight;
                let short = if retransmission {
                    let short = self.waiting_rtx == 0 || self.rtx_backlog < size;
                    self.waiting_rtx = self.waiting_rtx.saturating_sub(1);
                    self.rtx_backlog = self.rtx_backlog.saturating_sub(size);
                    short
                } else {
                    let short = self.backlog < size;
                    self.backlog = self.backlog.saturating_sub(size);
                    short
                };
                counters.short_backlogs += u64::from(short);
            }
            // C8.
            Event::Send(_) => {}
            // C9.
            Event::Data(Data { bytes, .. }) => {
                if self.backlog + bytes >= 1 << 40 {
                    counters.refused_data += 1;
                    return Counted::Refused;
                }
                self.backlog += bytes;
            }
        }
        // C11; without NSCC it is always 0.
        if self.inflight_pkts == 0 || !nscc {
            self.inflight = 0;
        }
        Counted::Done { granted }
    }

    /// C25 for RCCC. `granted` is *granted_quanta*.
    fn credit(&mut self, event: &Event, granted: u64, moment: &Moment<'_>) {
        match *event {
            Event::Ack(ack) => {
                if self.speculative {
                    self.speculative = false;
                    self.credit = self.credit.min(0);
                }
                if ack.kind == kind::CREDIT {
                    let max_wnd = moment.settings.max_wnd(self.base_rtt) as i64;
                    self.credit = (self.credit + sat28(granted * moment.shape.credit_unit) as i64).min(max_wnd);
                }
            }
            Event::Send(Send { packet: true, size, .. }) => self.credit = (self.credit - size as i64).max(-(1 << 28)),
            _ => {}
        }
    }

    /// C26, C27: what every pass leaves.
    pub fn leave(&mut self, shape: Shape, settings: &Settings) {
        const MOST: i64 = (1 << 28) - 1;
        let cwnd = self.cwnd as i64;
        let nscc = if self.nscc { cwnd - self.inflight - settings.mtu as i64 } else { MOST };
        let rccc = if self.rccc { self.credit - 1 } else { MOST };
        self.limit = nscc.min(rccc).min(MOST);
        self.state = if self.backlog == 0 && self.waiting_rtx == 0 {
            if self.inflight_pkts == 0 { State::Idle } else { State::Pending }
        } else if self.limit >= 0 {
            State::Ready
        } else {
            State::Active
        };
        self.credit_target = if self.rccc { self.target(shape, settings) } else { 0 };
        self.ack_request = self.nscc && self.cwnd < settings.ack_trigger;
    }

    /// C27: what is asked of the receiver.
    fn target(&self, shape: Shape, settings: &Settings) -> u64 {
        let backlog = self.backlog + self.rtx_backlog;
        let window = if self.nscc { self.cwnd + settings.mtu } else { u64::MAX };
        let wanted = backlog.min(settings.max_wnd(self.base_rtt)).min(window);
        let demand = wanted as i64 - self.credit;
        let turn = self.weight * (settings.mtu + HEADERS);
        let demand = if self.speculative && backlog > 0 { demand.max(turn as i64) } else { demand };
        (self.credit_number + (demand.max(0) as u64).div_ceil(shape.credit_unit)) % (1 << 24)
    }
}

/// What became of an event in the counts.
#[derive(Clone, Copy, Debug)]
enum Counted {
    /// It changes nothing.
    Refused,
    /// It goes on, with so many quanta of credit.
    Done { granted: u64 },
}
