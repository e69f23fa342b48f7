// SPDX-License-Identifier: MIT OR Apache-2.0
//! A PDC: what it is, and what an operation changes in it.

use super::backoff::{Backoff, Wait};
use super::shape::{OwnTimer, Time};
use super::window::{Record, State, Window};
use super::{Ack, Command, Counters, Event, Outcome, Response, Send, Settings, Shape};

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
    /// It is open, and *L* > 0.
    live: bool,
    failed: bool,
    /// The highest acknowledged PSN, as a number of PSNs.
    top: u64,
    since: u64,
    retries: u64,
    /// Its own first time-out and limits.
    timer: Option<OwnTimer>,
    /// It waits for its peer to have room.
    wait: Option<Wait>,
    /// PSNs from *B* on that scans by span have examined.
    examined: u64,
    /// D38: its tail may be probed.
    may_probe: bool,
}

impl View {
    /// *T*, or the time of a backoff, if the timer runs.
    pub fn timeout(&self, settings: &Settings) -> Option<u64> {
        if let Some(wait) = self.wait {
            // The last one has ended.
            let may = self.live && !(self.failed && wait == Wait::Fails);
            return may.then(|| wait.units(settings));
        }
        let settings = settings.of(self.timer);
        let timeout = self.probe(&settings).unwrap_or_else(|| settings.timeout(self.retries));
        (self.live && !self.failed && timeout != 0).then_some(timeout)
    }

    /// D38: after how long its tail is to be probed, with the settings of the PDC.
    pub const fn probe(&self, settings: &Settings) -> Option<u64> {
        if self.may_probe && settings.tail_probe != 0 { Some(settings.tail_probe) } else { None }
    }

    /// How long the timer has run.
    pub const fn age(&self, time: Time) -> u64 {
        time.since(self.since)
    }

    /// The timer has run out.
    pub fn is_overdue(&self, time: Time, settings: &Settings) -> bool {
        self.timeout(settings).is_some_and(|timeout| self.age(time) >= timeout)
    }

    /// A packet is too far behind the highest acknowledged one.
    pub const fn is_behind(&self, settings: &Settings) -> bool {
        self.live && !self.failed && self.top - self.examined > settings.span + 1
    }
}

/// A PDC.
#[derive(Clone, Debug, Default)]
pub struct Pdc {
    /// It is open.
    pub open: bool,
    /// It had too many time-outs in a row.
    pub failed: bool,
    /// PSNs from *B* on that scans by span have examined.
    pub examined: u64,
    /// Number of its CCC.
    pub ccc: u64,
    /// Most PSNs in the window.
    pub window: u64,
    /// Its own first time-out and limits.
    pub timer: Option<OwnTimer>,
    /// Its backoff.
    pub(super) backoff: Backoff,
    /// What the peer said of its window, in units of 128 PSNs.
    pub mpr: u64,
    /// *B*.
    pub base: u64,
    /// *L*: so many packets from *B* on.
    pub length: u64,
    /// Those in flight, less what a walk under way has read.
    pub flying: u64,
    /// Those marked, less what a walk under way has read.
    pub marks: u64,
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
    /// D38: its tail has been probed, or there was a time-out, since the base has moved.
    pub(super) probed: bool,
    /// D38: the last new packet asks for an ACK.
    pub asks: bool,
    /// States and records.
    pub(super) packets: Window,
}

impl Pdc {
    /// *Open*. The memory of the window is used again.
    pub(super) fn open(&mut self, shape: Shape, command: &Command) {
        let Command { psn, ccc, mpr, .. } = *command;
        self.close();
        self.packets.open(shape);
        let packets = std::mem::take(&mut self.packets);
        let (window, timer) = (window(shape, command), command.timer());
        *self = Pdc { open: true, ccc, window, timer, mpr, base: psn, packets, ..Pdc::default() };
    }

    /// *Close*.
    pub(super) fn close(&mut self) {
        let packets = std::mem::take(&mut self.packets);
        *self = Pdc { packets, ..Pdc::default() };
    }

    /// *N*.
    #[must_use]
    pub const fn next(&self, shape: Shape) -> u64 {
        shape.psn(self.base + self.length)
    }

    /// How far a PSN is behind *B*, modulo 2^*n*.
    pub(super) const fn offset(&self, shape: Shape, psn: u64) -> u64 {
        shape.psn(psn.wrapping_sub(self.base))
    }

    /// The packet at this distance from *B*, which must be in the window.
    ///
    /// # Panics
    /// If it is not.
    #[must_use]
    pub fn packet(&self, offset: u64) -> Packet {
        assert!(offset < self.length, "no packet {offset} in a window of {}", self.length);
        let psn = self.base + offset;
        let Record { stamp, size, ev, rtx_count } = *self.packets.record(psn);
        let (size, stamp, rtx_count, ev) = (size.into(), stamp.into(), rtx_count.into(), ev.into());
        Packet { state: self.packets.state(psn), size, stamp, rtx_count, ev }
    }

    /// The record of the packet at this distance from *B*, if it is in the window and in flight.
    pub(super) fn in_flight(&self, offset: u64) -> Option<&Record> {
        let psn = self.base + offset;
        let there = offset < self.length && self.packets.state(psn) == State::InFlight;
        there.then(|| self.packets.record(psn))
    }

    /// D37: it waits for its peer to have room.
    #[must_use]
    pub const fn waits(&self) -> bool {
        self.backoff.wait().is_some()
    }

    const fn allowed(&self) -> u64 {
        if self.backoff.holds() {
            return 0;
        }
        let stated = 128 * self.mpr;
        if self.mpr == 0 || stated > self.window { self.window } else { stated }
    }

    /// New packets for which there is room.
    pub(super) const fn room(&self) -> u64 {
        self.allowed().saturating_sub(self.length)
    }

    /// What visits see.
    pub(super) const fn view(&self) -> View {
        let Pdc { open, length, failed, top, since, retries, timer, backoff, examined, probed, asks, .. } = *self;
        let (wait, may_probe) = (backoff.wait(), asks && !probed);
        View { live: open && length > 0, failed, top, since, retries, timer, wait, examined, may_probe }
    }

    /// The state as a response gives it; all is 0 if the PDC is closed.
    pub(super) fn response(&self, shape: Shape) -> Response {
        if !self.open {
            return Response::default();
        }
        let Pdc { open, failed, ccc, base, flying: in_flight, marks: marked, retries, window, .. } = *self;
        let next = self.next(shape);
        Response { open, failed, ccc, base, next, in_flight, marked, retries, window, ..Response::default() }
    }

    /// Keeps the upper bits of an EV. Returns the lower ones.
    const fn set_ev(&mut self, shape: Shape, ev: u64) -> u16 {
        self.upper = ev >> shape.ev_bits;
        (ev & ((1 << shape.ev_bits) - 1)) as u16
    }

    /// An event of the PDC as it is now; the number of the PDC is still to be set.
    pub(super) fn event(&self, kind: u64) -> Event {
        Event { kind, ccc: self.ccc, room: self.room(), ..Event::default() }
    }

    /// The outcome of a packet with this record, without what an ACK adds; the number of the PDC is still to be set.
    pub(super) fn outcome(&self, shape: Shape, offset: u64, record: &Record, kind: u64) -> Outcome {
        let Record { size, rtx_count, ev, .. } = *record;
        // An EV is put out with the upper bits of the last packet sent.
        let (psn, ev) = (shape.psn(self.base + offset), self.upper << shape.ev_bits | u64::from(ev));
        Outcome { kind, ccc: self.ccc, psn, ev, size: size.into(), rtx_count: rtx_count.into(), ..Outcome::default() }
    }

    /// D6: a new packet. `false` if there is no room.
    pub(super) fn send_new(&mut self, shape: Shape, send: &Send, time: Time) -> bool {
        if self.room() == 0 {
            return false;
        }
        if self.length == 0 {
            self.since = time.timer;
        }
        let ev = self.set_ev(shape, send.ev);
        let record = Record { stamp: time.now as u32, size: send.size as u16, ev, rtx_count: 0 };
        self.packets.send(self.base + self.length, record);
        self.length += 1;
        self.flying += 1;
        self.asks = send.asks || self.room() == 0;
        true
    }

    /// D7, D37: the lowest marked PSN that may be sent, as its distance from *B*.
    pub(super) fn lowest_marked(&self) -> Option<u64> {
        // No marked one is before *first*.
        (self.marks > 0 && self.backoff.may_repeat())
            .then(|| self.first + self.packets.next_marked(self.base + self.first))
    }

    /// D8: the packet is sent again. Returns its record.
    pub(super) fn send_again(&mut self, shape: Shape, offset: u64, send: &Send, time: Time) -> Record {
        let ev = self.set_ev(shape, send.ev);
        let record = self.packets.send_again(self.base + offset);
        *record = Record { stamp: time.now as u32, ev, rtx_count: (record.rtx_count + 1).min(3), ..*record };
        self.first = offset + 1;
        self.marks -= 1;
        self.flying += 1;
        self.backoff.repeat();
        *record
    }

    /// Time-outs are counted from here on. The timer starts anew, unless it is that of a backoff.
    pub(super) const fn starts_timer(&mut self, time: Time) {
        (self.retries, self.failed, self.probed) = (0, false, false);
        if self.backoff.wait().is_none() {
            self.since = time.timer;
        }
    }

    /// D18, D22: a packet in flight is to be sent again.
    pub(super) fn mark(&mut self, offset: u64) {
        if self.marks == 0 || offset < self.first {
            self.first = offset;
        }
        self.packets.mark(self.base + offset);
        self.flying -= 1;
        self.marks += 1;
    }

    /// D12: a packet is acknowledged. Returns whether it was marked, and its record.
    pub(super) fn release(&mut self, offset: u64) -> (bool, Record) {
        let (late, record) = self.packets.release(self.base + offset);
        *if late { &mut self.marks } else { &mut self.flying } -= 1;
        (late, record)
    }

    /// D15: *quanta*.
    pub(super) fn receive(&mut self, ack: &Ack, counters: &mut Counters) -> u64 {
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
}

/// The window that a command asks for (D29).
pub const fn window(shape: Shape, command: &Command) -> u64 {
    if command.window == 0 || command.window > shape.window { shape.window } else { command.window }
}
