// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `reorder` must do: the contract row by row, untimed but for the cycles that the contract states.
//!
//! "Rn" is row n of `docs/stages/reorder.md`. [`Oracle::step`] is one clock cycle. In it at most one arrival, command or
//! check enters, and takes effect as a whole on the set of received PSNs of its connection; outputs wait for their cycle in
//! a queue. With frames it takes effect when the quota that counts is known (R32), in the order in which all entered, with
//! *B* of the cycle in which it entered. When packets are read is a choice, the [`Pace`].

mod connection;
mod delivery;
mod gaps;
mod pool;
mod ports;
mod shape;
mod time;
mod tolerance;

pub use delivery::Pace;
pub use ports::*;
pub use shape::{PoolShape, Shape};

use connection::Connection;
use delivery::Reader;
use pool::{Pool, Verdict};
use std::collections::VecDeque;
use time::time;
use tolerance::Visits;

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

/// What enters.
#[derive(Clone, Copy, Debug)]
enum Entering {
    Arrival(Arrival),
    Command(Accepted),
    /// The check of a connection.
    Check(u64),
}

/// The stage.
#[derive(Clone, Debug)]
pub struct Oracle {
    shape: Shape,
    cycle: u64,
    settings: Settings,
    connections: Vec<Connection>,
    reader: Reader,
    visits: Visits,
    pool: Option<Pool>,
    /// What has entered, with its cycle, and has not taken effect.
    entered: VecDeque<(u64, Entering)>,
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
            pool: shape.pool.map(|pool| Pool::new(shape, pool)),
            entered: VecDeque::new(),
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

    /// Whether a connection is being cleared.
    #[must_use]
    pub fn is_clearing(&self) -> bool {
        self.pool.as_ref().is_some_and(|pool| pool.cleared(self.cycle).is_some())
    }

    /// The outputs in this cycle. They do not depend on the inputs of the cycle.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        let Oracle { shape, cycle, .. } = *self;
        let busy = cycle < shape.sweep();
        let free = self.accepted.is_none_or(|accepted| cycle > accepted.cycle + shape.response());
        let delivery = self.reader.on_ports(cycle);
        Outputs {
            busy,
            arrival_ready: !busy && self.command_enters().is_none() && self.visits.due(cycle).is_none(),
            command_ready: !busy && free,
            answer: self.answers.front().filter(|(at, _)| *at == cycle).map(|&(_, answer)| answer),
            delivery,
            event: self.visits.report(cycle),
            response: self.response.filter(|&(at, _)| at == cycle).map(|(_, response)| response),
            counters: self.counters,
            pool: self.pool.as_ref().map(|pool| pool.outputs(delivery.map(|delivery| delivery.handle))),
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
        let ended = self.enter(inputs, &outputs);
        while let Some((entered, what)) = due(&mut self.entered, cycle, |(at, _)| at + self.shape.judged()) {
            match what {
                Entering::Arrival(arrival) => self.arrive(entered, &arrival),
                Entering::Command(accepted) => self.command(entered, accepted),
                Entering::Check(connection) => {
                    self.visits.check(entered, &mut self.connections[connection as usize]);
                    self.changed(entered, connection);
                }
            }
        }
        self.visits.clock(cycle, self.settings, inputs.event_ready);
        if let Some(command) = inputs.command.filter(|_| outputs.command_ready) {
            self.accepted = Some(Accepted { cycle, command, able: false });
        }
        if let Some(Delivery { connection, handle, .. }) = outputs.delivery.filter(|_| inputs.delivery_ready) {
            let whole = self.pool.as_mut().is_none_or(|pool| pool.transfer(cycle, connection, handle));
            if whole {
                self.reader.transfer();
            }
        }
        self.settings = inputs.settings.unwrap_or(self.settings);
        if let (Some(pool), Some(shown)) = (&mut self.pool, outputs.pool) {
            pool.clock(cycle, shown.free, inputs.settings.map(|_| inputs.limits), ended);
        }
        self.cycle += 1;
        outputs
    }

    /// What enters in this cycle: a command, else a check, else an arrival. With frames, the number of the frame that ends.
    fn enter(&mut self, inputs: &Inputs, outputs: &Outputs) -> Option<u64> {
        let cycle = self.cycle;
        let mut ended = None;
        let entering = if let Some(accepted) = self.command_enters() {
            Some(Entering::Command(accepted))
        } else if let Some(connection) = self.visits.due(cycle) {
            self.visits.enter();
            Some(Entering::Check(connection))
        } else if !outputs.arrival_ready {
            None
        } else if let Some(pool) = &mut self.pool {
            ended = inputs.beat.and_then(|beat| pool.accept(beat));
            ended.map(|handle| Entering::Arrival(Arrival { handle, ..inputs.arrival.unwrap_or_default() }))
        } else {
            inputs.arrival.map(Entering::Arrival)
        };
        self.entered.extend(entering.map(|entering| (cycle, entering)));
        ended
    }

    fn check_widths(&self, inputs: &Inputs) {
        let Shape { connections, psn_bits, handle_bits, .. } = self.shape;
        let fits = |value: u64, bits: u32| bits == 64 || value >> bits == 0;
        let cycle = self.cycle;
        if let Some(arrival) = inputs.arrival {
            let widths = [(arrival.psn, psn_bits), (arrival.path, 8), (arrival.flags, 8), (arrival.length, 16)];
            let handle = (arrival.handle, if self.pool.is_some() { 64 } else { handle_bits });
            let all = widths.into_iter().chain([handle]).all(|(value, bits)| fits(value, bits));
            assert!(all && arrival.connection < connections, "cycle {cycle}: {arrival:?} does not fit in its ports");
        }
        if let Some(command) = inputs.command {
            let all = fits(command.op, 2) && fits(command.path, 8) && fits(command.psn, psn_bits);
            assert!(all && command.connection < connections, "cycle {cycle}: {command:?} does not fit in its ports");
        }
    }

    /// Visits see later what a connection has become by what entered in this cycle.
    fn changed(&mut self, entered: u64, connection: u64) {
        self.visits.changed(entered, connection, &self.connections[connection as usize]);
    }

    /// R2 to R7, R21, R32 and R39.
    fn arrive(&mut self, entered: u64, arrival: &Arrival) {
        let (shape, number) = (self.shape, arrival.connection);
        let connection = &mut self.connections[number as usize];
        let mut cause = None;
        let answer = if arrival.found && connection.open {
            let before = connection.expected;
            let base = connection.base_in(entered);
            let times = [shape.gap_time(), shape.path_time()].map(|later| time(entered + later));
            let verdict = match &mut self.pool {
                Some(pool) => pool.judge(number, entered, arrival.handle),
                None => Verdict::default(),
            };
            let (answer, refused_for) = connection.arrive(shape, arrival, base, verdict, times);
            cause = refused_for;
            if connection.expected != before {
                self.reader.moved(entered, number, connection.expected);
            }
            self.counters.unknown_paths += u64::from(arrival.path >= shape.paths);
            self.changed(entered, number);
            answer
        } else {
            let outcome = Outcome::Unknown;
            let (expected, highest, held, sack_base, sack) = (0, 0, 0, 0, 0);
            let (late, suspected) = (false, false);
            Answer { arrival: *arrival, outcome, expected, highest, held, late, suspected, sack_base, sack }
        };
        self.counters.outcomes[answer.outcome as usize] += 1;
        if let Some(cause) = cause {
            self.counters.causes[cause] += 1;
        }
        if let Some(pool) = &mut self.pool {
            let received = matches!(answer.outcome, Outcome::InOrder | Outcome::Held);
            pool.decided(number, entered, arrival.handle, received);
        }
        self.answers.push_back((entered + shape.answer(), answer));
    }

    /// R17 to R19, R35. A command enters twice.
    fn command(&mut self, entered: u64, accepted: Accepted) {
        let Accepted { cycle, command, able } = accepted;
        let (op, number) = (command.op, command.connection);
        let connection = &mut self.connections[number as usize];
        let cleared = self.pool.as_ref().and_then(|pool| pool.cleared(entered));
        if entered == cycle + 1 {
            let read = connection.base_in(entered) == connection.expected;
            let able = match op {
                op::READ => true,
                op::OPEN => !connection.open && read && cleared != Some(number),
                op::CLOSE => connection.open && cleared.is_none(),
                _ => connection.open,
            };
            self.accepted = Some(Accepted { able, ..accepted });
            return;
        }
        let draining = connection.base_in(entered) != connection.expected;
        match op {
            op::OPEN if able => {
                *connection = Connection::opened(self.shape, command.psn);
                connection.tolerance = command.tolerance();
                self.reader.opened(entered, number, connection.base);
            }
            op::CHANGE if able => connection.tolerance = command.tolerance(),
            op::CLOSE if able => {
                let discarded = connection.close();
                if let Some(pool) = &mut self.pool {
                    let first = pool.clear(number, entered, &discarded);
                    first.into_iter().for_each(|cycle| self.reader.discarded(cycle));
                }
            }
            _ => {}
        }
        let cleared = self.pool.as_ref().and_then(|pool| pool.cleared(entered));
        let connection = &self.connections[number as usize];
        let psn = |value: u64| value % self.shape.psns();
        let sub_path = connection.sub_paths.get(&command.path);
        let (path_packets, path_time) = sub_path.copied().unwrap_or_default();
        let response = Response {
            command,
            done: able,
            open: connection.open,
            draining: draining || cleared == Some(number),
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
        self.changed(entered, number);
    }
}

/// An event at the input ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An arrival in one cycle. It is lost if `arrival_ready` is 0.
    Arrival(Arrival),
    /// A beat in one cycle, with the fields beside it. It is lost if `s_axis_tready` is 0.
    Beat(Beat, Arrival),
    /// A command in one cycle. It is lost if `command_ready` is 0.
    Command(Command),
    /// The settings ports from this cycle on; `None` if `settings_valid` is 0.
    Settings(Option<Settings>),
    /// The ports of the limits from this cycle on; they are 0 before.
    Limits(Limits),
    /// The level of `delivery_ready` from this cycle on; it is 1 before.
    DeliveryReady(bool),
    /// The level of `event_ready` from this cycle on; it is 1 before.
    EventReady(bool),
}

impl Inputs {
    /// The inputs before any event.
    #[must_use]
    pub const fn idle(settings: Option<Settings>) -> Self {
        Inputs {
            arrival: None,
            beat: None,
            command: None,
            settings,
            limits: Limits { quota: 0, reserve: 0 },
            delivery_ready: true,
            event_ready: true,
        }
    }

    /// Applies an event.
    pub const fn apply(&mut self, event: Event) {
        match event {
            Event::Arrival(arrival) => self.arrival = Some(arrival),
            Event::Beat(beat, arrival) => (self.beat, self.arrival) = (Some(beat), Some(arrival)),
            Event::Command(command) => self.command = Some(command),
            Event::Settings(settings) => self.settings = settings,
            Event::Limits(limits) => self.limits = limits,
            Event::DeliveryReady(ready) => self.delivery_ready = ready,
            Event::EventReady(ready) => self.event_ready = ready,
        }
    }

    /// The same in the next cycle, where there is no arrival and no command.
    pub const fn next(&mut self) {
        self.arrival = None;
        self.beat = None;
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
