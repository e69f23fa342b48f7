// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage without its ports and without a clock: one operation at a time, each with its time.

use super::deadlines::{Deadlines, NEVER};
use super::named::Visits;
use super::pdc::Pdc;
use super::pdcs::{Pdcs, Sums};
use super::scan::Scan;
use super::shape::Time;
use super::{Ack, Change, Command, Counters, Event, Failure, Outcome, Response, Send, Sent, Settings, Shape, ack, op};

/// An operation from outside.
#[derive(Clone, Copy, Debug)]
pub enum Operation<'a> {
    /// An ACK, a NACK, or credit.
    Ack(&'a Ack),
    /// *New*, *again* or *end*.
    Send(&'a Send),
    /// A command.
    Command(&'a Command),
}

/// What comes of an operation, or of a scan.
#[derive(Debug, Default)]
pub struct Effects {
    /// In their order. A scan and a *lose* have one for each packet that is lost, all others have at most one.
    pub events: Vec<Event>,
    /// In their order.
    pub outcomes: Vec<Outcome>,
    /// The answer to *new* or *again*.
    pub sent: Option<Sent>,
    /// The response to a command.
    pub response: Option<Response>,
    /// A PDC that has failed.
    pub failure: Option<Failure>,
}

impl Effects {
    fn clear(&mut self) {
        self.events.clear();
        self.outcomes.clear();
        self.sent = None;
        self.response = None;
        self.failure = None;
    }
}

/// All PDCs. An operation is over when [`Table::step`] returns; no other one is between its parts.
///
/// Times are in units of 128 ns, and never decrease; their lower 20 bits are `now` of the ports. There are no pauses. Before an operation
/// at a time come the scans up to it, as in [`Replay::change`]. The memory of a PDC is made when it is opened for the first time, and is never
/// more; effects are at most as many as a window has packets.
#[derive(Debug)]
pub struct Table {
    pdcs: Pdcs,
    settings: Settings,
    /// When each PDC may be overdue or behind, or earlier: an ACK makes it later, which is seen when it is due.
    deadlines: Deadlines,
    effects: Effects,
}

/// The time of operations.
const fn on_ports(now: u64) -> Time {
    Time::at(now << 16, now << 16)
}

impl Table {
    /// After the sweep, with the settings after reset.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let (pdcs, deadlines) = (Pdcs::new(shape), Deadlines::new(shape.pdcs));
        Table { pdcs, settings: shape.reset, deadlines, effects: Effects::default() }
    }

    /// Counters since reset.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.pdcs.counters
    }

    /// A PDC.
    #[must_use]
    pub fn pdc(&self, pdc: u64) -> &Pdc {
        self.pdcs.get(pdc)
    }

    /// New settings. This is the only thing that takes a step for each PDC.
    pub fn set(&mut self, now: u64, settings: Settings) {
        self.settings = settings;
        for pdc in 0..self.pdcs.number() {
            self.deadlines.set(pdc, self.due(now, pdc));
        }
    }

    /// Before this time there is no scan. At this time there may be one.
    #[must_use]
    pub fn next_scan(&self) -> Option<u64> {
        Some(self.deadlines.first()).filter(|due| *due != NEVER)
    }

    /// An operation.
    ///
    /// # Panics
    /// If there is no such PDC.
    pub fn step(&mut self, now: u64, operation: Operation<'_>) -> &Effects {
        self.effects.clear();
        let time = on_ports(now);
        let pdc = match operation {
            Operation::Ack(ack) => {
                self.acknowledge(time, ack);
                ack.pdc
            }
            Operation::Send(send) => {
                let (sent, event) = self.pdcs.send(time, send);
                self.effects.sent = sent;
                self.effects.events.extend(event);
                send.pdc
            }
            Operation::Command(command) => {
                self.command(time, command);
                command.pdc
            }
        };
        let due = self.due(now, pdc);
        if due < self.deadlines.get(pdc) {
            self.deadlines.set(pdc, due);
        }
        &self.effects
    }

    /// D21 to D23: the scan that is due first, with all its examinations, at the time of [`Table::next_scan`] or later. It is void,
    /// and has no effects, if its PDC is neither overdue nor behind any more.
    pub fn scan(&mut self, now: u64) -> &Effects {
        self.effects.clear();
        let (time, pdc) = (on_ports(now), self.deadlines.first_context());
        if let Some(scan) = self.pdcs.begin_scan(pdc, time, &self.settings) {
            self.examine(time, scan);
        }
        self.deadlines.set(pdc, self.due(now, pdc));
        &self.effects
    }

    /// An operation of `ack`.
    fn acknowledge(&mut self, time: Time, ack: &Ack) {
        let event = match ack.kind {
            ack::ACK => {
                let named = self.pdcs.named(ack);
                let mut sums = Sums::default();
                if let Some(named) = named {
                    self.release(ack.pdc, Visits::new(self.pdc(ack.pdc), &named), Some(ack), &mut sums);
                }
                self.pdcs.acknowledge(time, ack, named.as_ref(), &sums)
            }
            ack::NACK => {
                let (event, outcome) = self.pdcs.nack(ack).unzip();
                self.effects.outcomes.extend(outcome);
                event
            }
            ack::BACKOFF => {
                self.pdcs.back_off(time, &self.settings, ack);
                None
            }
            _ => self.pdcs.credit(ack),
        };
        self.effects.events.extend(event);
    }

    /// D13: the packets of a walk, in the order of visits.
    fn release(&mut self, pdc: u64, mut visits: Visits, ack: Option<&Ack>, sums: &mut Sums) {
        while let Some(visit) = visits.next(self.pdcs.get(pdc)) {
            for offset in visit {
                let outcome = self.pdcs.release(pdc, offset, ack, sums);
                self.effects.outcomes.push(outcome);
            }
        }
    }

    /// D25, D29, D30.
    fn command(&mut self, time: Time, command: &Command) {
        let done = self.pdcs.is_done(command);
        let mut sums = Sums::default();
        if done && command.op == op::CLOSE {
            self.release(command.pdc, Visits::all(self.pdc(command.pdc)), None, &mut sums);
        }
        let (response, event) = self.pdcs.command(time, command, done, &sums);
        self.effects.response = Some(response);
        self.effects.events.extend(event);
        if done && matches!(command.op, op::LOSE | op::FAIL) {
            self.examine(time, self.pdcs.declare(command));
        }
    }

    /// D22, D23: a scan from behind its head to its end.
    fn examine(&mut self, time: Time, mut scan: Scan) {
        while !scan.is_examined() {
            let (event, outcome) = self.pdcs.examine(time, &mut scan).unzip();
            self.effects.events.extend(event);
            self.effects.outcomes.extend(outcome);
        }
        let (event, failure) = self.pdcs.end_scan(time, &scan);
        self.effects.events.extend(event);
        self.effects.failure = failure;
    }

    /// When a PDC is overdue or behind (D20), if nothing else happens to it.
    fn due(&self, now: u64, pdc: u64) -> u64 {
        let view = self.pdc(pdc).view();
        if view.is_behind(&self.settings) {
            return now;
        }
        let left = |timeout: u64| timeout.saturating_sub(view.age(on_ports(now)));
        view.timeout(&self.settings).map_or(NEVER, |timeout| now + left(timeout))
    }
}

/// A table that plays changes at the ports: operations at the times of their cycles, settings at once, and scans when they are
/// due.
#[derive(Debug)]
pub struct Replay {
    table: Table,
    /// The cycle of the last change, and the sum of ticks up to it.
    cycle: u64,
    sum: u64,
    tick: u64,
}

impl Replay {
    /// From reset.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Replay { table: Table::new(shape), cycle: 0, sum: 0, tick: shape.reset.tick }
    }

    /// The table.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The next change, with its cycle. Shows what comes of it, and of each scan before it.
    pub fn change(&mut self, cycle: u64, change: &Change, mut shows: impl FnMut(&Effects)) {
        self.sum += (cycle - self.cycle) * self.tick;
        self.cycle = cycle;
        let now = self.sum >> 16;
        while let Some(due) = self.table.next_scan().filter(|due| *due <= now) {
            shows(self.table.scan(due));
        }
        match change {
            Change::Ack(ack) => shows(self.table.step(now, Operation::Ack(ack))),
            Change::Send(send) => shows(self.table.step(now, Operation::Send(send))),
            Change::Command(command) => shows(self.table.step(now, Operation::Command(command))),
            Change::Settings(Some(settings)) => {
                self.tick = settings.tick;
                self.table.set(now, *settings);
            }
            Change::Settings(None)
            | Change::EventReady(_)
            | Change::OutcomeReady(_)
            | Change::FailureReady(_)
            | Change::Paused(_) => {}
        }
    }
}
