// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `reorder` must do: the contract row by row, untimed but for the cycles that the contract states.
//!
//! "Rn" is row n of `docs/stages/reorder.md`. [`Oracle::step`] is one clock cycle. In it at most one arrival, command or
//! check enters, and takes effect at once and as a whole on the set of received PSNs of its connection; outputs wait for
//! their cycle in a queue. When packets are read is a choice, the [`Pace`].

mod connection;
mod delivery;
mod ports;
mod shape;
mod tolerance;

pub use delivery::Pace;
pub use ports::*;
pub use shape::Shape;

use connection::Connection;
use delivery::Reader;
use std::collections::VecDeque;
use tolerance::{Visits, time};

/// Takes the first item of a queue if its cycle has come.
fn due<T>(queue: &mut VecDeque<T>, cycle: u64, at: impl Fn(&T) -> u64) -> Option<T> {
    if queue.front().is_some_and(|item| at(item) <= cycle) { queue.pop_front() } else { None }
}

/// A command that has been accepted.
#[derive(Clone, Copy, Debug)]
struct Accepted {
    cycle: u64,
    command: Command,
    /// What it found in the cycle after that: it can be done.
    able: bool,
}

/// The stage.
#[derive(Debug)]
pub struct Oracle {
    shape: Shape,
    cycle: u64,
    settings: Settings,
    connections: Vec<Connection>,
    reader: Reader,
    visits: Visits,
    /// The last command.
    accepted: Option<Accepted>,
    answers: VecDeque<(u64, Answer)>,
    response: Option<(u64, Response)>,
    counters: Counters,
}

impl Oracle {
    /// A stage in its first cycle after reset.
    #[must_use]
    pub fn new(shape: Shape, pace: Pace) -> Self {
        Oracle {
            shape,
            cycle: 0,
            settings: shape.reset,
            connections: vec![Connection::default(); shape.connections as usize],
            reader: Reader::new(shape, pace),
            visits: Visits::new(shape),
            accepted: None,
            answers: VecDeque::new(),
            response: None,
            counters: Counters::default(),
        }
    }

    /// The number of the cycle.
    #[must_use]
    pub const fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The expected PSN of a connection, after all that has entered so far.
    #[must_use]
    pub fn expected(&self, connection: u64) -> u64 {
        self.connections[connection as usize].expected % self.shape.psns()
    }

    /// Whether all packets of a connection that are in order have been delivered.
    #[must_use]
    pub fn is_delivered(&self, connection: u64) -> bool {
        let Connection { base, expected, .. } = self.connections[connection as usize];
        base == expected && !self.reader.holds(connection)
    }

    /// The outputs in this cycle. They do not depend on the inputs of the cycle.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        let Oracle { shape, cycle, .. } = *self;
        let busy = cycle < shape.sweep();
        let free = self.accepted.is_none_or(|accepted| cycle > accepted.cycle + shape.response());
        Outputs {
            busy,
            arrival_ready: !busy && self.command_enters().is_none() && self.visits.due(cycle).is_none(),
            command_ready: !busy && free,
            answer: self.answers.front().filter(|(at, _)| *at == cycle).map(|&(_, answer)| answer),
            delivery: self.reader.on_ports(cycle),
            event: self.visits.report(cycle),
            response: self.response.filter(|&(at, _)| at == cycle).map(|(_, response)| response),
            counters: self.counters,
        }
    }

    /// The command that enters in this cycle (R17).
    fn command_enters(&self) -> Option<Accepted> {
        let enters = |accepted: &Accepted| [1, self.shape.effect()].contains(&(self.cycle - accepted.cycle));
        self.accepted.filter(enters)
    }

    /// One clock cycle. Returns its outputs.
    ///
    /// # Panics
    /// If an input does not fit in its port.
    pub fn step(&mut self, inputs: &Inputs) -> Outputs {
        let (outputs, cycle) = (self.outputs(), self.cycle);
        self.check_widths(inputs);
        if outputs.answer.is_some() {
            self.answers.pop_front();
        }
        self.reader.clock(cycle, &mut self.connections);
        if let Some(accepted) = self.command_enters() {
            self.command(accepted);
        } else if let Some(connection) = self.visits.due(cycle) {
            self.visits.check(cycle, &mut self.connections[connection as usize]);
            self.changed(connection);
        } else if let Some(arrival) = inputs.arrival.filter(|_| outputs.arrival_ready) {
            let answer = self.arrive(&arrival);
            self.answers.push_back((cycle + self.shape.answer(), answer));
        }
        self.visits.clock(cycle, self.settings, inputs.event_ready);
        if let Some(command) = inputs.command.filter(|_| outputs.command_ready) {
            self.accepted = Some(Accepted { cycle, command, able: false });
        }
        if outputs.delivery.is_some() && inputs.delivery_ready {
            self.reader.transfer();
        }
        self.settings = inputs.settings.unwrap_or(self.settings);
        self.cycle += 1;
        outputs
    }

    fn check_widths(&self, inputs: &Inputs) {
        let Shape { connections, psn_bits, handle_bits, .. } = self.shape;
        let fits = |value: u64, bits: u32| bits == 64 || value >> bits == 0;
        let cycle = self.cycle;
        if let Some(arrival) = inputs.arrival {
            let widths = [(arrival.psn, psn_bits), (arrival.path, 8), (arrival.flags, 8), (arrival.length, 16)];
            let all = widths.into_iter().chain([(arrival.handle, handle_bits)]).all(|(value, bits)| fits(value, bits));
            assert!(all && arrival.connection < connections, "cycle {cycle}: {arrival:?} does not fit in its ports");
        }
        if let Some(command) = inputs.command {
            let all = fits(command.op, 2) && fits(command.path, 8) && fits(command.psn, psn_bits);
            assert!(all && command.connection < connections, "cycle {cycle}: {command:?} does not fit in its ports");
        }
    }

    /// Visits see later what a connection has become.
    fn changed(&mut self, connection: u64) {
        self.visits.changed(self.cycle, connection, &self.connections[connection as usize]);
    }

    /// R2 to R7, R21.
    fn arrive(&mut self, arrival: &Arrival) -> Answer {
        let (shape, cycle) = (self.shape, self.cycle);
        let connection = &mut self.connections[arrival.connection as usize];
        if !(arrival.found && connection.open) {
            self.counters.outcomes[Outcome::Unknown as usize] += 1;
            let outcome = Outcome::Unknown;
            let (expected, highest, held, sack_base, sack) = (0, 0, 0, 0, 0);
            let (late, suspected) = (false, false);
            return Answer { arrival: *arrival, outcome, expected, highest, held, late, suspected, sack_base, sack };
        }
        let before = connection.expected;
        let answer = connection.arrive(shape, arrival, time(cycle + shape.gap_time()), time(cycle + shape.path_time()));
        if connection.expected != before {
            self.reader.moved(cycle, arrival.connection, connection.expected);
        }
        let Counters { outcomes, unknown_paths } = &mut self.counters;
        outcomes[answer.outcome as usize] += 1;
        *unknown_paths += u64::from(arrival.path >= shape.paths);
        self.changed(arrival.connection);
        answer
    }

    /// R17 to R19. A command enters twice.
    fn command(&mut self, accepted: Accepted) {
        let Accepted { cycle, command, able } = accepted;
        let (op, number) = (command.op, command.connection);
        let connection = &mut self.connections[number as usize];
        if self.cycle == cycle + 1 {
            let read = connection.base == connection.expected;
            let able = match op {
                op::READ => true,
                op::OPEN => !connection.open && read,
                op::CLOSE => connection.open,
                _ => false,
            };
            self.accepted = Some(Accepted { able, ..accepted });
            return;
        }
        match op {
            op::OPEN if able => {
                *connection = Connection::opened(self.shape, command.psn);
                self.reader.opened(number, connection.base);
            }
            op::CLOSE if able => connection.close(),
            _ => {}
        }
        let connection = &self.connections[number as usize];
        let psn = |value: u64| value % self.shape.psns();
        let sub_path = connection.sub_paths.get(&command.path);
        let (path_packets, path_time) = sub_path.copied().unwrap_or_default();
        let response = Response {
            command,
            done: able,
            open: connection.open,
            draining: connection.base != connection.expected,
            expected: psn(connection.expected),
            highest: psn(connection.end.wrapping_sub(1)),
            held: connection.held(),
            reordered: connection.reordered,
            depth: connection.depth,
            duration: connection.duration,
            path_packets,
            path_time,
        };
        self.response = Some((cycle + self.shape.response(), response));
        self.changed(number);
    }
}

/// An event at the input ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An arrival in one cycle. It is lost if `arrival_ready` is 0.
    Arrival(Arrival),
    /// A command in one cycle. It is lost if `command_ready` is 0.
    Command(Command),
    /// The settings ports from this cycle on; `None` if `settings_valid` is 0.
    Settings(Option<Settings>),
    /// The level of `delivery_ready` from this cycle on; it is 1 before.
    DeliveryReady(bool),
    /// The level of `event_ready` from this cycle on; it is 1 before.
    EventReady(bool),
}

impl Inputs {
    /// The inputs before any event.
    #[must_use]
    pub const fn idle(settings: Option<Settings>) -> Self {
        Inputs { arrival: None, command: None, settings, delivery_ready: true, event_ready: true }
    }

    /// Applies an event.
    pub const fn apply(&mut self, event: Event) {
        match event {
            Event::Arrival(arrival) => self.arrival = Some(arrival),
            Event::Command(command) => self.command = Some(command),
            Event::Settings(settings) => self.settings = settings,
            Event::DeliveryReady(ready) => self.delivery_ready = ready,
            Event::EventReady(ready) => self.event_ready = ready,
        }
    }

    /// The same in the next cycle, where there is no arrival and no command.
    pub const fn next(&mut self) {
        self.arrival = None;
        self.command = None;
    }
}

/// The outputs of so many cycles and of the one after them. The events are in the order of their cycles.
#[must_use]
pub fn run(shape: Shape, pace: Pace, first: Option<Settings>, events: &[(u64, Event)], cycles: u64) -> Vec<Outputs> {
    let mut oracle = Oracle::new(shape, pace);
    let mut inputs = Inputs::idle(first);
    let mut events = events.iter().peekable();
    let mut outputs = Vec::new();
    for cycle in 0..=cycles {
        inputs.next();
        while let Some(&(_, event)) = events.next_if(|(at, _)| *at == cycle) {
            inputs.apply(event);
        }
        outputs.push(oracle.step(&inputs));
    }
    outputs
}
