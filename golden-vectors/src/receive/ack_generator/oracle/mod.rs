// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `ack_generator` must do: the contract row by row.
//!
//! "Gn" is row n of `docs/stages/ack_generator.md`. [`Oracle::step`] is one clock cycle. At most one pass enters in it, and
//! the one that entered *l* + 6 cycles before takes effect as a whole on its connection; after that there may be a take,
//! which sees the connection as it is then. All the rest waits for its cycle.

mod arrivals;
mod class;
mod connection;
mod fields;
pub mod nack;
mod ports;
mod protocol;
mod settings;
mod shape;
mod timer;

pub use ports::*;
pub use protocol::Protocol;
pub use settings::Settings;
pub use shape::Shape;

use crate::collect::runs;
use connection::{Connection, Owes, Reply, inferred_loss};
use fields::Taken;
use std::collections::VecDeque;
use timer::{Clock, Visits};

/// Takes the first item of a queue if its cycle has come.
fn take_at<T>(queue: &mut VecDeque<T>, cycle: u64, at: impl Fn(&T) -> u64) -> Option<T> {
    if queue.front().is_some_and(|item| at(item) == cycle) { queue.pop_front() } else { None }
}

/// What a pass is.
#[derive(Clone, Copy, Debug)]
enum Pass {
    Arrival(Arrival),
    Command(Command),
    Event(Report),
    Expiry(u64),
}

/// The time of a cycle, and the settings in force in it.
#[derive(Clone, Copy, Debug)]
struct Instant {
    time: u64,
    settings: Settings,
}

/// The present cycle and those before it.
#[derive(Debug, Default)]
struct Past(VecDeque<Instant>);

impl Past {
    /// So many cycles before the present one.
    fn before(&self, cycles: u64) -> Instant {
        self.0[cycles as usize]
    }

    fn push(&mut self, instant: Instant) {
        self.0.push_front(instant);
        self.0.truncate(16);
    }
}

/// What a pass takes effect with (G3).
#[derive(Clone, Copy, Debug)]
struct Moment {
    /// τ: `time` of cycle *p* + 4.
    time: u64,
    /// The settings of cycle *p* + 4.
    early: Settings,
    /// Those of cycle *x*.
    late: Settings,
}

/// What the event that was accepted last is doing (G12, G13).
#[derive(Clone, Copy, Debug)]
enum Accepted {
    /// It waits for a cycle.
    Waits(Report),
    /// It has entered.
    Entered,
    /// Replies for so many PSNs are to be decided, from this one on.
    Replies { connection: u64, psn: u64, left: u64, repeated: bool },
}

/// The command that was accepted last (G23).
#[derive(Clone, Copy, Debug)]
enum Commanded {
    /// It waits for a cycle.
    Waits(Command),
    /// It has entered.
    Entered,
    /// The response is in this cycle.
    Responds(u64, Response),
}

/// The stage.
#[derive(Debug)]
pub struct Oracle {
    shape: Shape,
    cycle: u64,
    clock: Clock,
    settings: Settings,
    past: Past,
    connections: Vec<Connection>,
    /// Passes with the cycle in which they take effect.
    passes: VecDeque<(u64, Pass)>,
    accepted: Option<Accepted>,
    commanded: Option<Commanded>,
    visits: Visits,
    /// Replies that wait, with the cycle in which they were decided.
    replies: VecDeque<(u64, Reply)>,
    /// Connections that are due, with the cycle in which they became due.
    due: VecDeque<(u64, u64)>,
    /// Cycle of the last take.
    last_take: Option<u64>,
    /// The last take was of a due connection, or there was none.
    prefers_reply: bool,
    taken: Option<Taken>,
    /// What is on the ports, from this cycle on.
    ack: Option<(u64, Ack)>,
    counters: Counters,
}

impl Oracle {
    /// A stage in its first cycle after reset.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Oracle {
            shape,
            cycle: 0,
            clock: Clock::default(),
            settings: shape.reset,
            past: Past::default(),
            connections: vec![Connection::new(shape); shape.connections as usize],
            passes: VecDeque::new(),
            accepted: None,
            commanded: None,
            visits: Visits::new(shape),
            replies: VecDeque::new(),
            due: VecDeque::new(),
            last_take: None,
            prefers_reply: true,
            taken: None,
            ack: None,
            counters: Counters::default(),
        }
    }

    /// The number of the cycle.
    #[must_use]
    pub const fn cycle(&self) -> u64 {
        self.cycle
    }

    /// `time` of the present cycle.
    #[must_use]
    pub const fn time(&self) -> u64 {
        self.clock.time()
    }

    /// Whether nothing is under way; connections may still be waiting for their time.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let entered = self.passes.is_empty() && self.accepted.is_none() && self.commanded.is_none();
        let left = self.replies.is_empty() && self.due.is_empty() && self.taken.is_none() && self.ack.is_none();
        entered && left && self.visits.expiry().is_none()
    }

    /// Whether the connection owes an ACK, after the passes that have taken effect.
    #[must_use]
    pub fn owes(&self, connection: u64) -> bool {
        self.connections[connection as usize].owes != Owes::Nothing
    }

    /// The outputs in this cycle. They do not depend on the inputs of the cycle.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        let Oracle { shape, cycle, .. } = *self;
        let busy = cycle < shape.sweep();
        let response = match self.commanded {
            Some(Commanded::Responds(at, response)) if at == cycle => Some(response),
            _ => None,
        };
        Outputs {
            busy,
            event_ready: !busy && self.accepted.is_none(),
            command_ready: !busy && self.commanded.is_none(),
            ack: self.ack.filter(|&(from, _)| from <= cycle).map(|(_, ack)| ack),
            response,
            counters: self.counters,
        }
    }

    /// One clock cycle. Returns its outputs.
    ///
    /// # Panics
    /// If an input does not fit in its port.
    pub fn step(&mut self, inputs: &Inputs) -> Outputs {
        let outputs = self.outputs();
        assert!(inputs.fit(self.shape), "cycle {}: {inputs:?} does not fit in the ports", self.cycle);
        self.past.push(Instant { time: self.clock.time(), settings: self.settings });
        // G14: those decided in this cycle and those taken in it do not count.
        let room = (self.replies.len() as u64) < self.shape.replies;
        self.enter(inputs.arrival, outputs.busy);
        self.visits.clock(self.cycle, &self.connections, &self.past);
        // G13: the first one comes behind the cycle in which the event takes effect.
        let infers = matches!(self.accepted, Some(Accepted::Replies { .. }));
        let decided = self.take_effect(room);
        if infers && room && !decided {
            self.infer_loss();
        }
        self.take(outputs.ack.is_none());
        self.show(inputs.pressure);
        self.transfer(outputs.ack.filter(|_| inputs.ack_ready));
        self.accept(inputs, &outputs);
        self.clock.tick(self.settings.tick);
        self.settings = inputs.settings.unwrap_or(self.settings);
        self.cycle += 1;
        outputs
    }

    /// G1, G2: the pass that enters in this cycle. The rows of the sweep have no effect: the table is as it is after it.
    fn enter(&mut self, arrival: Option<Arrival>, busy: bool) {
        let pass = if busy {
            self.counters.busy_arrivals += u64::from(arrival.is_some());
            return;
        } else if let Some(arrival) = arrival {
            Pass::Arrival(arrival)
        } else if let Some(Commanded::Waits(command)) = self.commanded {
            self.commanded = Some(Commanded::Entered);
            Pass::Command(command)
        } else if let Some(Accepted::Waits(report)) = self.accepted {
            self.accepted = Some(Accepted::Entered);
            Pass::Event(report)
        } else if let Some(connection) = self.visits.expiry() {
            self.visits.entered(self.cycle);
            Pass::Expiry(connection)
        } else {
            return;
        };
        self.passes.push_back((self.cycle + self.shape.effect(), pass));
    }

    /// The pass with *x* = this cycle. Returns whether a reply was decided, with or without room.
    fn take_effect(&mut self, room: bool) -> bool {
        let (shape, cycle) = (self.shape, self.cycle);
        let Some((_, pass)) = take_at(&mut self.passes, cycle, |&(at, _)| at) else { return false };
        let Instant { time, settings: early } = self.past.before(shape.after_time());
        let moment = Moment { time, early, late: self.settings };
        let counters = &mut self.counters;
        let number = match pass {
            Pass::Arrival(Arrival { connection, .. })
            | Pass::Command(Command { connection, .. })
            | Pass::Event(Report { connection, .. })
            | Pass::Expiry(connection) => connection,
        };
        let connection = &mut self.connections[number as usize];
        let before = connection.owes;
        let mut decided = false;
        match pass {
            Pass::Arrival(arrival) => {
                let dropped = counters.dropped_replies;
                let reply = connection.arrive(shape, &arrival, &moment, room, counters);
                decided = reply.is_some() || counters.dropped_replies != dropped;
                self.replies.extend(reply.map(|reply| (cycle, reply)));
            }
            Pass::Event(report) => {
                let replies = connection.report(shape, &report, counters);
                let repeated = report.repeated;
                self.accepted =
                    replies.map(|(psn, left)| Accepted::Replies { connection: number, psn, left, repeated });
            }
            Pass::Expiry(_) => connection.expire(counters),
            Pass::Command(command) => {
                // G24: the state after the command.
                let done = connection.command(shape, &command, &moment);
                let Connection { open, expected, .. } = *connection;
                let draining = connection.owes != Owes::Nothing;
                let (msn, bytes) = (connection.msn, connection.total);
                let response = Response { command, done, open, draining, expected, msn, bytes };
                let at = cycle - shape.effect() + shape.response();
                self.commanded = Some(Commanded::Responds(at, response));
            }
        }
        // G17: it enters the queue when it becomes due.
        if connection.owes == Owes::Due && before != Owes::Due {
            self.due.push_back((cycle, number));
        }
        decided
    }

    /// G13: a reply of the event.
    fn infer_loss(&mut self) {
        let Some(Accepted::Replies { connection, psn, left, repeated }) = self.accepted else { return };
        let (reply, done) = inferred_loss(self.shape.protocol, connection, (psn, left), repeated);
        self.replies.push_back((self.cycle, reply));
        let psn = (psn + done) % self.shape.psns();
        let left = left - done;
        self.accepted = (left > 0).then_some(Accepted::Replies { connection, psn, left, repeated });
    }

    /// G16: a take, if there can be one. `free` is that `ack_valid` is 0.
    fn take(&mut self, free: bool) {
        let (shape, cycle) = (self.shape, self.cycle);
        if !free || self.last_take.is_some_and(|last| cycle - last <= shape.apart()) {
            return;
        }
        let reply = self.replies.front().is_some_and(|(at, _)| at + shape.there() <= cycle);
        let due = self.due.front().is_some_and(|(at, _)| at + shape.there() <= cycle);
        let taken = if reply && (self.prefers_reply || !due) {
            self.replies.pop_front().map(|(_, reply)| {
                let number = reply.connection;
                let connection = self.connections[number as usize].clone();
                Taken { cycle, number, connection, reply: Some(reply) }
            })
        } else if due {
            self.due.pop_front().map(|(_, number)| {
                let connection = self.connections[number as usize].take();
                Taken { cycle, number, connection, reply: None }
            })
        } else {
            return;
        };
        self.prefers_reply = taken.as_ref().is_some_and(|taken| taken.reply.is_none());
        self.taken = taken;
        self.last_take = Some(cycle);
    }

    /// G18: the fields of what was taken *l* + 1 cycles before.
    fn show(&mut self, pressure: u64) {
        let (shape, cycle) = (self.shape, self.cycle);
        let Some(taken) = self.taken.take_if(|taken| taken.cycle + shape.limits() == cycle) else { return };
        let ack = taken.fields(shape, &self.settings, pressure, self.clock.time());
        self.ack = Some((taken.cycle + shape.output(), ack));
    }

    /// G25: what is transferred in this cycle is counted.
    fn transfer(&mut self, ack: Option<Ack>) {
        let Some(ack) = ack else { return };
        self.ack = None;
        let flag = if self.shape.is_uet() { 0x08 } else { 0x04 };
        let probe = ack.kind != 2 && ack.flags & flag != 0;
        let counters = &mut self.counters;
        let counter = match (probe, ack.kind) {
            (true, _) => &mut counters.probe_answers,
            (false, 2) => &mut counters.naks,
            (false, _) => &mut counters.acks,
        };
        *counter += 1;
    }

    /// G12, G23: what is accepted waits from the next cycle on.
    fn accept(&mut self, inputs: &Inputs, outputs: &Outputs) {
        if let Some(report) = inputs.report.filter(|_| outputs.event_ready) {
            self.accepted = Some(Accepted::Waits(report));
        }
        if outputs.response.is_some() {
            self.commanded = None;
        }
        if let Some(command) = inputs.command.filter(|_| outputs.command_ready) {
            self.commanded = Some(Commanded::Waits(command));
        }
    }
}

/// The outputs of so many cycles and of the one after them, each with the cycle from which they stand. The events are in the
/// order of their cycles.
#[must_use]
pub fn run(shape: Shape, first: Option<Settings>, events: &[(u64, Event)], cycles: u64) -> Vec<(u64, Outputs)> {
    let mut oracle = Oracle::new(shape);
    runs::run(Inputs::idle(first), events, cycles, Inputs::next, Inputs::apply, |inputs| oracle.step(inputs))
}
