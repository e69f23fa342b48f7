// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script of a case. It is written cycle by cycle, beside a run of the oracle, so that it knows when inputs are
//! accepted and what has been delivered.

mod frames;

use super::oracle::{Arrival, Beat, Command, Event, Inputs, Limits, Oracle, Outputs, PROBE, Pace, Settings, Shape, op};
use super::{frame_ports, ports};
use crate::collect::timed::Draft;
use crate::schema::timed::Row;

/// Numbers of beats of frames: below, at and above one and two cells of four and of eight beats.
const LENGTHS: &[u64] = &[1, 4, 1, 9, 2, 8, 1, 5, 1, 17];

/// The events of a case up to the present cycle.
#[derive(Debug)]
pub struct Script {
    shape: Shape,
    oracle: Oracle,
    inputs: Inputs,
    events: Vec<(u64, Event)>,
    /// Commands that are still to be accepted.
    commands: Vec<Command>,
    /// What the next packet has as its handle and its length.
    next: u64,
    /// Arrivals driven with `arrival_valid` while `arrival_ready` is 0. None of them may have an effect.
    pub hammered: Vec<Arrival>,
    /// Commands driven in the same way.
    pub hammered_commands: Vec<Command>,
    /// With frames: the numbers of beats of those that do not say it, in turns.
    pub lengths: &'static [u64],
    /// With frames: delivery is stalled by the case only.
    pub free_running: bool,
    /// Beats so far.
    beats: u64,
    /// The last settings.
    settings: Settings,
    limits: Limits,
    /// Settings are valid in this cycle and not in the next one.
    once: bool,
}

impl Script {
    /// A script that begins in the first cycle after reset, with the settings after reset.
    pub fn from_reset(shape: Shape) -> Self {
        let (oracle, inputs) = (Oracle::new(shape, Pace::LATE), Inputs::idle(None));
        let (events, commands, hammered, hammered_commands) = Default::default();
        Script {
            shape,
            oracle,
            inputs,
            events,
            commands,
            next: 1,
            hammered,
            hammered_commands,
            lengths: LENGTHS,
            free_running: false,
            beats: 0,
            settings: shape.reset,
            limits: shape.pool.map_or_else(Limits::default, |pool| pool.reset),
            once: false,
        }
    }

    /// A script that begins behind the sweep, with settings that report no gap and limit no frames.
    pub fn new(shape: Shape) -> Self {
        let mut script = Self::from_reset(shape);
        script.limits = Limits { quota: shape.pool.map_or(0, |pool| pool.cells), reserve: 0 };
        script.set(shape.window - 1, (1 << 20) - 1);
        script.until(shape.sweep());
        script
    }

    /// A script in which connection 0 is open with this PSN.
    pub fn opened(shape: Shape, psn: u64) -> Self {
        let mut script = Self::new(shape);
        script.open(0, psn);
        script
    }

    /// The present cycle.
    pub const fn cycle(&self) -> u64 {
        self.oracle.cycle()
    }

    /// What is on the output ports in the present cycle.
    pub fn outputs(&self) -> Outputs {
        self.oracle.outputs()
    }

    /// The PSN that connection expects.
    pub fn expected(&self, connection: u64) -> u64 {
        if self.shape.judged() == 0 { self.oracle.expected(connection) } else { self.ahead().expected(connection) }
    }

    /// Whether everything that is in order on this connection has been delivered.
    pub fn is_delivered(&self, connection: u64) -> bool {
        if self.shape.judged() == 0 {
            self.oracle.is_delivered(connection)
        } else {
            self.ahead().is_delivered(connection)
        }
    }

    /// Adds an event in the present cycle. It takes the place of one of its kind.
    fn put(&mut self, event: Event) {
        let (cycle, kind) = (self.cycle(), std::mem::discriminant(&event));
        let now = self.events.partition_point(|&(at, _)| at < cycle);
        if let Some(at) = self.events[now..].iter().position(|(_, other)| std::mem::discriminant(other) == kind) {
            self.events.remove(now + at);
        }
        self.events.push((cycle, event));
        self.inputs.apply(event);
    }

    /// One cycle.
    fn step(&mut self) {
        if !self.commands.is_empty() && self.outputs().command_ready {
            let command = self.commands.remove(0);
            self.put(Event::Command(command));
        }
        self.oracle.step(&self.inputs);
        self.inputs.next();
        if std::mem::take(&mut self.once) {
            self.settings_end();
        }
    }

    /// Settings are not valid any more. The limits on the ports are then without meaning.
    fn settings_end(&mut self) {
        self.put(Event::Settings(None));
        if let Some(pool) = self.shape.pool {
            self.put(Event::Limits(Limits { quota: 0, reserve: pool.cells }));
        }
    }

    /// Cycles without arrivals.
    pub fn idle(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step());
    }

    /// Up to this cycle.
    pub fn until(&mut self, cycle: u64) {
        self.idle(cycle.saturating_sub(self.cycle()));
    }

    /// A packet, with a handle, a length and a path of its own.
    pub fn packet(&mut self, connection: u64, psn: u64) -> Arrival {
        let next = self.next;
        self.next += 1;
        let handle = next.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.shape.handle_bits);
        let (length, path) = ((next * 29) & 0xFFFF, next % self.shape.paths);
        Arrival { connection, found: true, psn: psn % self.shape.psns(), path, flags: 0, length, handle }
    }

    /// An arrival, in the next cycle in which it is accepted.
    ///
    /// If it makes more packets of a connection ready while others are still to be delivered, the contract leaves open
    /// when. Then delivery is stalled until [`calm`](Self::calm) or [`drain`](Self::drain).
    pub fn arrive(&mut self, arrival: Arrival) {
        if self.shape.pool.is_some() {
            self.frame(arrival, self.next_length());
            return;
        }
        let connection = arrival.connection;
        loop {
            let (ready, delivered) = (self.outputs().arrival_ready, self.is_delivered(connection));
            let expected = self.expected(connection);
            self.put(Event::Arrival(arrival));
            self.step();
            if self.expected(connection) != expected && !delivered {
                self.stall(true);
            }
            if ready {
                return;
            }
        }
    }

    /// A packet on a connection.
    pub fn send(&mut self, connection: u64, psn: u64) {
        let packet = self.packet(connection, psn);
        self.arrive(packet);
    }

    /// Packets on a connection, one after the other.
    pub fn send_all(&mut self, connection: u64, psns: impl IntoIterator<Item = u64>) {
        psns.into_iter().for_each(|psn| self.send(connection, psn));
    }

    /// A probe on a connection.
    pub fn probe(&mut self, connection: u64, psn: u64) {
        let packet = self.packet(connection, psn);
        self.arrive(Arrival { flags: PROBE, ..packet });
    }

    /// A command in the next cycle in which it is accepted; the script goes on.
    pub fn issue(&mut self, op: u64, connection: u64, path: u64, psn: u64) {
        let psn = psn % self.shape.psns();
        self.commands.push(Command { op, connection, path, psn, ..Command::default() });
    }

    /// *Open* or *change* with a tolerance of its own, in the same way.
    pub fn issue_own(&mut self, op: u64, connection: u64, [span, time]: [u64; 2]) {
        self.commands.push(Command { op, connection, own_tolerance: 1, span, time, ..Command::default() });
    }

    /// Until all commands have been answered.
    pub fn answered(&mut self) {
        while !self.commands.is_empty() {
            self.step();
        }
        while !self.outputs().command_ready {
            self.step();
        }
    }

    /// *Open*, and its answer.
    pub fn open(&mut self, connection: u64, psn: u64) {
        self.issue(op::OPEN, connection, 0, psn);
        self.answered();
    }

    /// *Close*, and its answer.
    pub fn close(&mut self, connection: u64) {
        self.issue(op::CLOSE, connection, 1, 0);
        self.answered();
    }

    /// *Read*, and its answer.
    pub fn read(&mut self, connection: u64, path: u64) {
        self.issue(op::READ, connection, path, 0);
        self.answered();
    }

    /// New settings, valid in one cycle.
    pub fn set(&mut self, span: u64, time: u64) {
        self.settings = Settings { span, time };
        self.put(Event::Settings(Some(self.settings)));
        if self.shape.pool.is_some() {
            self.put(Event::Limits(self.limits));
        }
        self.once = true;
        self.step();
    }

    /// Delivery is stalled from now on, or goes on.
    pub fn stall(&mut self, stall: bool) {
        self.put(Event::DeliveryReady(!stall));
    }

    /// Events are stalled from now on, or go on.
    pub fn stall_events(&mut self, stall: bool) {
        self.put(Event::EventReady(!stall));
    }

    /// Long enough that what is in order has been read as far as it can be, at every pace.
    pub fn settle(&mut self) {
        self.idle(self.shape.delivery() + 16);
    }

    /// Delivery goes on, if it is stalled.
    pub fn calm(&mut self) {
        if !self.inputs.delivery_ready {
            self.settle();
            self.stall(false);
        }
    }

    /// Until everything that is in order has been delivered.
    pub fn drain(&mut self) {
        self.calm();
        self.idle(self.shape.delivery() + 1);
        while !self.all_delivered() {
            self.step();
        }
        self.idle(24);
    }

    /// Whether everything that is in order has been delivered.
    pub fn all_delivered(&self) -> bool {
        let all = |oracle: &Oracle| (0..self.shape.connections).all(|number| oracle.is_delivered(number));
        if self.shape.judged() == 0 { all(&self.oracle) } else { all(&self.ahead()) }
    }
}

impl Draft for Script {
    type Event = Event;

    fn unready(&self) -> Vec<(&'static str, Row)> {
        let arrivals = self.hammered.iter().map(|&arrival| match self.shape.pool {
            None => ports::arrival(self.shape).row(&arrival),
            Some(_) => {
                let (data, last) = (0xBAD0 + arrival.psn, arrival.psn.is_multiple_of(2));
                frame_ports::offered(self.shape).row(&(Beat { data, keep: 1, user: 0, last }, arrival))
            }
        });
        let commands = self.hammered_commands.iter().map(|command| ports::command(self.shape).row(command));
        arrivals.chain(commands).collect()
    }

    fn into_events(mut self) -> Vec<(u64, Event)> {
        // The case lasts as long as its script.
        self.put(Event::DeliveryReady(self.inputs.delivery_ready));
        self.events
    }
}
