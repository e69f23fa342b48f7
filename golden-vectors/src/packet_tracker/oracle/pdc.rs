// SPDX-License-Identifier: MIT OR Apache-2.0
//! A PDC: its window of packets, and what single operations do to it.

use super::shape::age;
use super::{Ack, Command, Counters, Event, Outcome, Send, Settings, Shape, event, outcome};
use std::collections::VecDeque;

/// What a packet of the window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Neither acknowledged nor marked.
    InFlight,
    /// To be sent again.
    Marked,
    /// Acknowledged.
    Acknowledged,
}

/// A packet of the window: its state, and its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// What it is.
    pub state: State,
    /// Nominal size.
    pub size: u64,
    /// Time of the latest transmission.
    pub stamp: u64,
    /// How often it was sent again, up to 3.
    pub rtx_count: u64,
    /// Low bits of the EV of the latest transmission.
    pub ev: u64,
}

/// What visits see of a PDC (D20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// It is open.
    open: bool,
    /// *L* > 0.
    filled: bool,
    /// The highest acknowledged PSN, as a number of PSNs.
    top: u64,
    since: u64,
    retries: u64,
    failed: bool,
    suspected: bool,
}

impl View {
    /// The timer has run out.
    pub const fn is_overdue(&self, time: u64, settings: &Settings) -> bool {
        let runs = self.open && self.filled && !self.failed && settings.rto != 0;
        runs && age(time, self.since) >= settings.timeout(self.retries)
    }

    /// A packet is too far behind the highest acknowledged one.
    pub const fn is_behind(&self, settings: &Settings) -> bool {
        self.open && self.filled && !self.failed && !self.suspected && self.top > settings.span + 1
    }
}

/// A PDC.
#[derive(Clone, Debug, Default)]
pub struct Pdc {
    /// It is open.
    pub open: bool,
    /// Number of its CCC.
    pub ccc: u64,
    /// Most PSNs in the window.
    pub window: u64,
    /// What the peer said of its window, in units of 128 PSNs.
    pub mpr: u64,
    /// *B*.
    pub base: u64,
    /// The packets from *B* on; there are *L*.
    pub packets: VecDeque<Packet>,
    /// *first*, as a number of PSNs behind *B*.
    pub first: u64,
    /// Upper bits of the EV.
    pub upper: u64,
    /// Number of PSNs from *B* up to the highest acknowledged one.
    pub top: u64,
    /// The last rcvd_bytes.
    pub total: u64,
    /// Start of the timer.
    pub since: u64,
    /// Time-outs in a row.
    pub retries: u64,
    /// It had too many of them.
    pub failed: bool,
    /// It was scanned by span.
    pub suspected: bool,
}

impl Pdc {
    /// *Open*.
    pub fn opened(shape: Shape, command: &Command) -> Self {
        let Command { psn, ccc, mpr, .. } = *command;
        Pdc { open: true, ccc, window: window(shape, command), mpr, base: psn, ..Pdc::default() }
    }

    /// *L*.
    pub fn length(&self) -> u64 {
        self.packets.len() as u64
    }

    /// *N*.
    pub fn next(&self, shape: Shape) -> u64 {
        shape.psn(self.base + self.length())
    }

    /// How far a PSN is behind *B*, modulo 2^*n*.
    pub const fn offset(&self, shape: Shape, psn: u64) -> u64 {
        shape.psn(psn.wrapping_sub(self.base))
    }

    /// The packets of this state.
    pub fn count(&self, state: State) -> u64 {
        self.packets.iter().filter(|packet| packet.state == state).count() as u64
    }

    const fn allowed(&self) -> u64 {
        let stated = 128 * self.mpr;
        if self.mpr == 0 || stated > self.window { self.window } else { stated }
    }

    /// New packets for which there is room.
    pub fn room(&self) -> u64 {
        self.allowed().saturating_sub(self.length())
    }

    /// What visits see.
    pub fn view(&self) -> View {
        let Pdc { open, top, since, retries, failed, suspected, .. } = *self;
        View { open, filled: !self.packets.is_empty(), top, since, retries, failed, suspected }
    }

    /// An EV as it is put out.
    const fn ev(&self, shape: Shape, low: u64) -> u64 {
        self.upper << shape.ev_bits | low
    }

    const fn set_ev(&mut self, shape: Shape, ev: u64) -> u64 {
        self.upper = ev >> shape.ev_bits;
        ev & ((1 << shape.ev_bits) - 1)
    }

    /// An event of the PDC as it is now; the number of the PDC is still to be set.
    pub fn event(&self, kind: u64) -> Event {
        Event { kind, ccc: self.ccc, room: self.room(), ..Event::default() }
    }

    /// The outcome of a packet as it is now, without what an ACK adds; the number of the PDC is still to be set.
    pub fn outcome(&self, shape: Shape, offset: u64, kind: u64) -> Outcome {
        let Packet { size, rtx_count, ev, .. } = self.packets[offset as usize];
        let (psn, ev) = (shape.psn(self.base + offset), self.ev(shape, ev));
        Outcome { kind, ccc: self.ccc, psn, ev, size, rtx_count, ..Outcome::default() }
    }

    /// D6: a new packet. `false` if there is no room.
    pub fn send_new(&mut self, shape: Shape, send: &Send, time: u64) -> bool {
        if self.room() == 0 {
            return false;
        }
        if self.packets.is_empty() {
            self.since = time;
        }
        let ev = self.set_ev(shape, send.ev);
        self.packets.push_back(Packet { state: State::InFlight, size: send.size, stamp: time, rtx_count: 0, ev });
        true
    }

    /// D7: the lowest marked PSN, as its distance from *B*.
    pub fn lowest_marked(&self) -> Option<u64> {
        self.packets.iter().position(|packet| packet.state == State::Marked).map(|offset| offset as u64)
    }

    /// D8: the packet is sent again.
    pub fn send_again(&mut self, shape: Shape, offset: u64, send: &Send, time: u64) {
        let ev = self.set_ev(shape, send.ev);
        let packet = &mut self.packets[offset as usize];
        let rtx_count = (packet.rtx_count + 1).min(3);
        *packet = Packet { state: State::InFlight, stamp: time, rtx_count, ev, ..*packet };
        self.first = offset + 1;
    }

    /// D16: whether the time of a packet can be used, and its age.
    pub fn timed(&self, offset: u64, ack: &Ack, counters: &mut Counters) -> (bool, u64) {
        let age = age(ack.arrived, self.packets[offset as usize].stamp);
        let timed = age < 1 << 19;
        counters.bad_times += u64::from(!timed);
        (timed, age)
    }

    /// D17: what an event says of its trigger.
    pub fn with_trigger(&self, offset: u64, timed: bool, event: Event) -> Event {
        let Packet { rtx_count, stamp, .. } = self.packets[offset as usize];
        if timed { Event { timed, rtx_count, stamp, ..event } } else { event }
    }

    /// D27: an outcome of the packet that made the peer answer, or that it refused.
    pub const fn with_age(outcome: Outcome, ack: &Ack, (timed, age): (bool, u64)) -> Outcome {
        let same = outcome.rtx_count == ack.retx as u64;
        Outcome { marked: ack.marked, timed: timed && same, age, ..outcome }
    }

    /// D18, D22: the packet is to be sent again.
    pub fn mark(&mut self, offset: u64) {
        if self.count(State::Marked) == 0 || offset < self.first {
            self.first = offset;
        }
        self.packets[offset as usize].state = State::Marked;
    }

    /// D18: a NACK of an open PDC; `None` if it is void.
    pub fn nack(&mut self, shape: Shape, ack: &Ack, counters: &mut Counters) -> Option<(Event, Outcome)> {
        const INFERRED: u64 = 0x1A;
        let marks = matches!(ack.reason, 0..=0x0B | 0x0D | 0x12 | 0x14 | INFERRED);
        let offset = self.offset(shape, ack.psn);
        let packet = self.packets.get(offset as usize).filter(|packet| {
            let stale = !ack.retx && packet.rtx_count != 0 && ack.reason != INFERRED;
            marks && packet.state == State::InFlight && !stale
        });
        let Some(&Packet { size, .. }) = packet else {
            counters.void_nacks += 1;
            return None;
        };
        let timed = self.timed(offset, ack, counters);
        let outcome = Self::with_age(self.outcome(shape, offset, outcome::NACK), ack, timed);
        self.mark(offset);
        let Ack { marked, retx, arrived, reason, .. } = *ack;
        let event = Event { size, marked, retx, arrived, reason, ..self.event(event::NACK) };
        Some((self.with_trigger(offset, timed.0, event), outcome))
    }

    /// D15: *quanta*.
    pub fn receive(&mut self, ack: &Ack, counters: &mut Counters) -> u64 {
        if !ack.counted {
            return 0;
        }
        let more = ack.rcvd_bytes.wrapping_sub(self.total) % (1 << 24);
        if more >= 1 << 23 {
            counters.old_totals += 1;
            return 0;
        }
        let quanta = more.min(65_535);
        self.total = (self.total + quanta) % (1 << 24);
        quanta
    }

    /// D14: the base moves by *a*; the highest PSN that the ACK names is so far behind the old one.
    pub fn acknowledge(&mut self, shape: Shape, a: u64, highest: Option<u64>, time: u64, ack: &Ack) {
        let top = highest.map_or(0, |offset| offset + 1).max(self.top);
        self.base = shape.psn(self.base + a);
        self.packets.drain(..a as usize);
        self.first = self.first.saturating_sub(a);
        self.top = top.saturating_sub(a);
        if a > 0 {
            self.since = time;
            self.retries = 0;
            self.failed = false;
            self.suspected = false;
            if ack.mpr != 0 {
                self.mpr = ack.mpr;
            }
        }
    }
}

/// The window that a command asks for (D29).
pub const fn window(shape: Shape, command: &Command) -> u64 {
    if command.window == 0 || command.window > shape.window { shape.window } else { command.window }
}
