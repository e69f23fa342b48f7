// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `ccc_table` must do: the contract row by row.
//!
//! "Cn" is row n of `docs/stages/ccc_table.md`. [`Table`] is the stage without its ports: [`Table::step`] is one event, and
//! what comes of it. [`Oracle`] adds the clock: at most one pass enters in a cycle, and takes effect *l* + 20 cycles later;
//! after that there may be a take, which sees the CCC as it is then. All the rest waits for its cycle.

mod adjustment;
mod ccc;
mod nscc;
mod ports;
mod settings;
mod shape;
mod table;

pub use ccc::Ccc;
pub use ports::*;
pub use settings::{FIELDS, Link, Settings, sat28};
pub use shape::{Algorithms, PAUSE, Shape};
pub use table::{Table, Take};

use crate::collect::runs;
use shape::{NOW, TAKES};
use std::collections::VecDeque;

/// Takes the first item of a queue if its cycle has come.
fn take_at<T>(queue: &mut VecDeque<(u64, T)>, cycle: u64) -> Option<T> {
    if queue.front()?.0 == cycle { queue.pop_front().map(|(_, item)| item) } else { None }
}

/// What a pass is.
#[derive(Clone, Copy, Debug)]
enum Pass {
    Adjustment,
    /// A command, and whether its CCC was in turn when it entered (C32).
    Command(Command, bool),
    Event(Event),
}

/// The command that was accepted last (C31).
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
    /// *S* of this cycle, modulo 2^36.
    sum: u64,
    /// `time` of this cycle and those before it.
    times: VecDeque<u64>,
    /// In force in this cycle.
    settings: Settings,
    /// They will be in force from this cycle on.
    coming: Option<(u64, Settings)>,
    /// Settings, with the cycle in which the first pass with them takes effect.
    settled: VecDeque<(u64, Settings)>,
    /// Events of `ack`, `send` and `loss` that wait, in the order in which they enter, and events of `data` (C2).
    ordered: VecDeque<Event>,
    data: VecDeque<Event>,
    /// An event of `data` waits for one of the other streams.
    data_waits: bool,
    commanded: Option<Commanded>,
    /// Passes with the cycle in which they take effect.
    passes: VecDeque<(u64, Pass)>,
    table: Table,
    /// Last cycles of takes without a grant that are open.
    void_takes: VecDeque<u64>,
    /// Grants that are not transferred, with the first cycle in which they may be on the ports.
    grants: VecDeque<(u64, Grant)>,
}

impl Oracle {
    /// A stage in its first cycle after reset.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Oracle {
            shape,
            cycle: 0,
            sum: 0,
            times: VecDeque::new(),
            settings: shape.reset,
            coming: None,
            settled: VecDeque::new(),
            ordered: VecDeque::new(),
            data: VecDeque::new(),
            data_waits: true,
            commanded: None,
            passes: VecDeque::new(),
            table: Table::new(shape),
            void_takes: VecDeque::new(),
            grants: VecDeque::new(),
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
        (self.sum >> 16) % (1 << 20)
    }

    /// The CCCs after the passes that have taken effect.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// Whether nothing is under way. Turns may be.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let accepted = !self.ordered.is_empty() || !self.data.is_empty() || self.commanded.is_some();
        let passes = !self.passes.is_empty() || self.table.is_adjusting();
        let takes = self.table.is_listed() || !self.void_takes.is_empty() || !self.grants.is_empty();
        !accepted && !passes && !takes && self.coming.is_none() && self.settled.is_empty()
    }

    /// The outputs in this cycle. They do not depend on the inputs of the cycle.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        let Oracle { shape, cycle, .. } = *self;
        // C34.
        let busy = cycle < shape.sweep();
        let response = match self.commanded {
            Some(Commanded::Responds(at, response)) if at == cycle => Some(response),
            _ => None,
        };
        Outputs {
            busy,
            ready: std::array::from_fn(|stream| !busy && self.waiting(stream) < 2),
            command_ready: !busy && self.commanded.is_none(),
            grant: self.grants.front().filter(|(from, _)| *from <= cycle).map(|&(_, grant)| grant),
            response,
            counters: *self.table.counters(),
        }
    }

    /// One clock cycle. Returns its outputs.
    ///
    /// # Panics
    /// If an input does not fit in its port.
    pub fn step(&mut self, inputs: &Inputs) -> Outputs {
        assert!(inputs.fit(self.shape), "cycle {}: {inputs:?} does not fit in the ports", self.cycle);
        let cycle = self.cycle;
        self.times.push_front(self.time());
        self.times.truncate(32);
        // C33.
        if let Some((_, settings)) = self.coming.take_if(|(from, _)| *from == cycle) {
            self.settings = settings;
            self.settled.push_back((cycle + self.shape.effect(), settings));
        }
        let outputs = self.outputs();
        self.take_effect();
        self.take();
        self.enter();
        // C30.
        if inputs.grant_ready && outputs.grant.is_some() {
            self.grants.pop_front();
            if let Some((from, _)) = self.grants.front_mut() {
                *from = (*from).max(cycle + 1);
            }
        }
        self.accept(inputs, &outputs);
        self.sum = (self.sum + self.settings.tick) % (1 << 36);
        self.cycle += 1;
        outputs
    }

    /// C1: the pass that enters in this cycle, after what takes effect in it. The rows of the sweep have no effect: the table is as it is after it.
    fn enter(&mut self) {
        let effect = self.cycle + self.shape.effect();
        let pass = if self.table.adjusts_in(effect) {
            Pass::Adjustment
        } else if self.coming.is_some() {
            return;
        } else if let Some(Commanded::Waits(command)) = self.commanded {
            self.commanded = Some(Commanded::Entered);
            Pass::Command(command, self.table.is_in_turn(command.ccc))
        } else if let Some(event) = self.choose() {
            Pass::Event(event)
        } else {
            return;
        };
        self.passes.push_back((effect, pass));
    }

    /// How many events of a stream wait.
    fn waiting(&self, stream: usize) -> usize {
        self.ordered.iter().chain(&self.data).filter(|event| event.stream() == stream).count()
    }

    /// C2: the event that enters. The side that entered last waits for the other.
    fn choose(&mut self) -> Option<Event> {
        let data = self.ordered.is_empty() || !self.data_waits && !self.data.is_empty();
        let event = if data { self.data.pop_front() } else { self.ordered.pop_front() }?;
        self.data_waits = data;
        Some(event)
    }

    /// The pass with *x* = this cycle.
    fn take_effect(&mut self) {
        let (shape, cycle) = (self.shape, self.cycle);
        if let Some(settings) = take_at(&mut self.settled, cycle) {
            self.table.set(settings);
        }
        let Some(pass) = take_at(&mut self.passes, cycle) else { return };
        // C3.
        let now = self.times[(shape.effect() - NOW) as usize];
        match pass {
            Pass::Adjustment => self.table.adjust(),
            Pass::Event(event) => self.table.step(cycle, now, &event),
            Pass::Command(command, was_in_turn) => {
                let response = self.table.command(cycle, now, &command, was_in_turn);
                let at = cycle - shape.effect() + shape.response();
                self.commanded = Some(Commanded::Responds(at, response));
            }
        }
    }

    /// C29: a take, if there can be one.
    fn take(&mut self) {
        let cycle = self.cycle;
        while self.void_takes.front().is_some_and(|&last| last < cycle) {
            self.void_takes.pop_front();
        }
        if self.void_takes.len() + self.grants.len() >= TAKES {
            return;
        }
        let Some(listed) = cycle.checked_sub(self.shape.there()) else { return };
        match self.table.take(listed) {
            Some(Take { grant: Some(grant), .. }) => self.grants.push_back((cycle + self.shape.output(), grant)),
            Some(Take { grant: None, .. }) => self.void_takes.push_back(cycle + self.shape.void_take()),
            None => {}
        }
    }

    /// C2, C31, C33: what is accepted waits from the next cycle on. Events of one cycle keep the order of their streams.
    fn accept(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let accepted = inputs.events.iter().zip(outputs.ready).filter(|(_, ready)| *ready);
        for event in accepted.filter_map(|(event, _)| *event) {
            match event {
                Event::Data(_) => self.data.push_back(event),
                _ => self.ordered.push_back(event),
            }
        }
        if outputs.response.is_some() {
            self.commanded = None;
        }
        if let Some(command) = inputs.command.filter(|_| outputs.command_ready) {
            self.commanded = Some(Commanded::Waits(command));
        }
        if let Some(settings) = inputs.settings {
            self.coming = Some((self.cycle + PAUSE, settings));
        }
    }
}

/// The outputs of so many cycles and of the one after them, each with the cycle from which they stand. The changes are in
/// the order of their cycles.
#[must_use]
pub fn run(shape: Shape, first: Option<Settings>, changes: &[(u64, Change)], cycles: u64) -> Vec<(u64, Outputs)> {
    let mut oracle = Oracle::new(shape);
    runs::run(Inputs::idle(first), changes, cycles, Inputs::next, Inputs::apply, |inputs| oracle.step(inputs))
}
