// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage clock cycle by clock cycle: when each event of [`Table`] takes place.
//!
//! A sweep that ends in a cycle, and the settings that come in force with it, hold for all requests of that cycle and
//! later ones. What was counted is seen by visits some cycles later, and occupancies by requests some cycles before.

use super::{Answer, Arrangement, Command, Counters, Draw, Inputs, Outputs, Place, Settings, Size, State, Table, op};
use super::{Change, Flits};
use crate::collect::runs;
use std::collections::VecDeque;
use std::sync::Arc;

/// What the tables are used for, and the cycles since then (LR3, LR8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Drains(u64),
    Clears(u64),
    Sweeps(u64),
}

/// The command that was accepted last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Commanded {
    /// It is looked at in this cycle.
    Issued(u64, Command),
    /// It waits for the sweep, from the next cycle on, or for everything to drain.
    Waits(Command),
    /// It is answered in this cycle.
    Answered(u64, State),
}

/// The stage.
#[derive(Clone, Debug)]
pub struct Oracle {
    size: Size,
    cycle: u64,
    table: Table,
    /// The settings that come in force at the end of the sweep.
    next: Settings,
    busy: bool,
    phase: Phase,
    /// The visits of this sweep end an interval; sweeps since the last one that did.
    ends_interval: bool,
    sweeps: u64,
    commanded: Option<Commanded>,
    /// What has been accepted, with the cycle in which it takes place.
    flits: VecDeque<(u64, bool, Flits)>,
    occupancies: VecDeque<(u64, u64, u64)>,
    draws: VecDeque<(u64, Draw)>,
    responses: VecDeque<(u64, Answer)>,
    counters: Counters,
}

impl Oracle {
    /// A stage in its first cycle after reset.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let arrangement = Arc::new(Arrangement::palmtree(size.shape));
        Oracle {
            size,
            cycle: 0,
            table: Table::new(arrangement, Place::default(), 1, size.reset),
            next: size.reset,
            busy: true,
            phase: Phase::Clears(0),
            ends_interval: false,
            sweeps: 0,
            commanded: None,
            flits: VecDeque::new(),
            occupancies: VecDeque::new(),
            draws: VecDeque::new(),
            responses: VecDeque::new(),
            counters: Counters::default(),
        }
    }

    /// The number of the cycle.
    #[must_use]
    pub const fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The tables.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// Cycles since the sweep has begun; `None` if there is none.
    #[must_use]
    pub const fn swept(&self) -> Option<u64> {
        if let Phase::Sweeps(cycles) = self.phase { Some(cycles) } else { None }
    }

    /// The outputs in this cycle. They do not depend on the inputs of the cycle.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        let state = match self.commanded {
            Some(Commanded::Answered(at, state)) if at == self.cycle => Some(state),
            _ => None,
        };
        let in_progress = self.commanded.is_some() && state.is_none();
        Outputs {
            busy: self.busy,
            command_ready: !self.busy && !in_progress,
            response: self.responses.front().filter(|(at, _)| *at == self.cycle).map(|(_, answer)| *answer),
            state,
            counters: self.counters,
        }
    }

    /// One clock cycle. Returns its outputs.
    ///
    /// # Panics
    /// If an input does not fit in its port.
    pub fn step(&mut self, inputs: &Inputs) -> Outputs {
        let (outputs, cycle) = (self.outputs(), self.cycle);
        assert!(inputs.fit(self.size.shape), "cycle {cycle}: {inputs:?} does not fit in the ports");
        if outputs.response.is_some() {
            self.responses.pop_front();
        }
        if outputs.state.is_some() {
            self.commanded = None;
        }
        let ends = self.phase == Phase::Sweeps(self.size.sweep() - 1);
        if ends {
            self.end_sweep();
        }
        self.take_place();
        self.visit();
        let restarts = self.issue();
        if !outputs.busy {
            self.accept(inputs);
        }
        if let Some(command) = inputs.command.filter(|_| outputs.command_ready) {
            self.commanded = Some(Commanded::Issued(cycle + 1, command));
        }
        self.next = inputs.settings.unwrap_or(self.next);
        self.busy = self.busy && !ends || restarts;
        self.phase = if restarts { Phase::Drains(0) } else { self.next_phase(ends) };
        self.cycle += 1;
        outputs
    }

    /// LR3, LR9: its results are in force, and new settings.
    fn end_sweep(&mut self) {
        self.table.end_sweep();
        self.sweeps += 1;
        self.ends_interval = self.sweeps >= self.table.settings().interval;
        if self.ends_interval {
            self.sweeps = 0;
        }
        self.table.set(self.next);
    }

    /// What takes place in this cycle.
    fn take_place(&mut self) {
        let cycle = self.cycle;
        while let Some((_, enters, Flits { group, flits })) = due(&mut self.flits, |(at, ..)| *at == cycle) {
            if enters {
                self.table.enqueue(group, flits);
            } else {
                self.table.dequeue(group, flits);
            }
        }
        while let Some((_, port, occupancy)) = due(&mut self.occupancies, |(at, ..)| *at == cycle) {
            self.table.occupied(port, occupancy);
        }
        let (weighed, _) = self.size.weighed();
        while let Some((at, draw)) = due(&mut self.draws, |(at, _)| *at == cycle) {
            let answer = self.table.decide(&draw);
            self.counters.non_minimal += u64::from(answer.known && !answer.minimal);
            self.responses.push_back((at - weighed + self.size.responds(), answer));
        }
    }

    /// LR3: the visit of this cycle.
    fn visit(&mut self) {
        let Phase::Sweeps(row) = self.phase else { return };
        if row == 0 {
            self.table.begin_sweep();
        }
        if row + 1 >= self.size.shape.groups() {
            return;
        }
        let load = self.table.visit(row + 1, self.ends_interval);
        if let Some(Commanded::Waits(Command { op: op::READ, group, .. })) = self.commanded
            && group == row + 1
        {
            let state = State {
                op: op::READ,
                done: true,
                queued: load.queued,
                injected: load.injected,
                extended: load.extended,
                level: load.level,
            };
            self.commanded = Some(Commanded::Answered(self.cycle + self.size.read(), state));
        }
    }

    /// LR8: the command is looked at. Returns whether everything starts anew.
    fn issue(&mut self) -> bool {
        let Some(Commanded::Issued(at, command)) = self.commanded else { return false };
        if at != self.cycle {
            return false;
        }
        let Command { op, group, switch, .. } = command;
        let shape = self.size.shape;
        let places = op == op::PLACE && group < shape.groups() && switch < shape.switches;
        let reads = op == op::READ && (1..shape.groups()).contains(&group);
        self.commanded = Some(if places || reads {
            Commanded::Waits(command)
        } else {
            Commanded::Answered(at + 1, State { op, ..State::default() })
        });
        if places {
            (self.ends_interval, self.sweeps) = (false, 0);
        }
        places
    }

    fn next_phase(&mut self, ends: bool) -> Phase {
        match self.phase {
            Phase::Drains(cycles) if cycles + 1 == self.size.drained() => {
                if let Some(Commanded::Waits(Command { op, group, switch, seed })) = self.commanded {
                    self.table.restart(Place { group, switch }, seed as u32);
                    let state = State { op, done: true, ..State::default() };
                    self.commanded = Some(Commanded::Answered(self.cycle + 1, state));
                }
                Phase::Clears(0)
            }
            Phase::Drains(cycles) => Phase::Drains(cycles + 1),
            Phase::Clears(cycles) if cycles + 1 == self.size.cleared() => Phase::Sweeps(0),
            Phase::Clears(cycles) => Phase::Clears(cycles + 1),
            Phase::Sweeps(_) if ends => Phase::Sweeps(0),
            Phase::Sweeps(cycles) => Phase::Sweeps(cycles + 1),
        }
    }

    /// The events of this cycle.
    fn accept(&mut self, inputs: &Inputs) {
        let (cycle, shape) = (self.cycle, self.size.shape);
        let (weighed, there) = self.size.weighed();
        for (enters, flits) in [(true, inputs.enqueue), (false, inputs.dequeue)] {
            if let Some(flits) = flits {
                self.counters.unknown += u64::from(flits.group >= shape.groups());
                self.flits.push_back((cycle + self.size.counted(), enters, flits));
            }
        }
        if let Some(event) = inputs.occupancy {
            self.counters.unknown += u64::from(event.port >= shape.ports());
            let occupancy = self.table.waiting(event.flits, event.in_flight);
            self.occupancies.push_back((cycle + there, event.port, occupancy));
        }
        if let Some(request) = inputs.request {
            let draw = self.table.draw(request.group, request.switch);
            let known = request.group < shape.groups() && request.switch < shape.switches;
            self.counters.unknown += u64::from(!known);
            self.draws.push_back((cycle + weighed, draw));
        }
    }
}

/// The first of a queue, if it is due.
fn due<T: Copy>(queue: &mut VecDeque<T>, is_due: impl Fn(&T) -> bool) -> Option<T> {
    let first = queue.front().copied().filter(is_due);
    if first.is_some() {
        queue.pop_front();
    }
    first
}

/// The outputs of so many cycles and of the one after them, each with the cycle from which they stand. The changes are
/// in the order of their cycles.
#[must_use]
pub fn run(size: Size, first: Option<Settings>, changes: &[(u64, Change)], cycles: u64) -> Vec<(u64, Outputs)> {
    let mut oracle = Oracle::new(size);
    runs::run(Inputs::idle(first), changes, cycles, Inputs::next, Inputs::apply, |inputs| oracle.step(inputs))
}
