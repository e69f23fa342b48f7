// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `credit_pacer` must do: the contract row by row.
//!
//! "PCn" is row n of `docs/stages/credit_pacer.md`. [`Oracle::step`] is one clock cycle. Passes take effect on their
//! sources in their order, each as a whole and in the cycle of which it has the settings. What is seen of them
//! outside, and by takes, waits for its cycle.

mod ports;
mod shape;
mod source;

pub use ports::*;
pub use shape::{Settings, Shape};
pub use source::{CREDITS, Queue, Source, behind, distance};

use crate::collect::runs;
use source::Demanded;
use std::collections::VecDeque;

/// The command that was accepted last (PC9).
#[derive(Clone, Copy, Debug)]
enum Commanded {
    /// It waits for a cycle.
    Waits(Command),
    /// It has entered.
    Entered,
    /// The response is in this cycle.
    Responds(u64, Response),
}

/// What goes to a source.
#[derive(Clone, Copy, Debug)]
enum Pass {
    Take(Queue, u64),
    Command(Command),
    Demand(Demand),
}

/// Sources in the order in which they entered a queue, each with the cycle from which it is there (PC4).
#[derive(Debug, Default)]
struct Waiting(VecDeque<(u64, u64)>);

impl Waiting {
    /// The first source that is there in this cycle.
    fn front(&self, cycle: u64) -> Option<u64> {
        self.0.front().filter(|(from, _)| *from <= cycle).map(|&(_, source)| source)
    }
}

/// The stage.
#[derive(Debug)]
pub struct Oracle {
    shape: Shape,
    cycle: u64,
    settings: Settings,
    /// *level* (PC5).
    level: i64,
    sources: Vec<Source>,
    demands: VecDeque<Demand>,
    commanded: Option<Commanded>,
    /// What has entered and has not been judged, with the cycle in which it entered.
    passes: VecDeque<(u64, Pass)>,
    demand_queue: Waiting,
    ahead_queue: Waiting,
    /// The cycle in which the last take entered.
    taken: Option<u64>,
    /// The grant that is not transferred, with the cycle from which it is on the ports.
    grant: Option<(u64, Grant)>,
    counters: Counters,
}

impl Oracle {
    /// A stage in its first cycle after reset.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Oracle {
            shape,
            cycle: 0,
            settings: shape.reset,
            level: 0,
            sources: vec![Source::default(); shape.sources as usize],
            demands: VecDeque::new(),
            commanded: None,
            passes: VecDeque::new(),
            demand_queue: Waiting::default(),
            ahead_queue: Waiting::default(),
            taken: None,
            grant: None,
            counters: Counters::default(),
        }
    }

    /// The number of the cycle.
    #[must_use]
    pub const fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The settings in force in the present cycle.
    #[must_use]
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// *level* in the present cycle.
    #[must_use]
    pub const fn level(&self) -> i64 {
        self.level
    }

    /// A source after the passes that have been judged.
    #[must_use]
    pub fn source(&self, source: u64) -> Source {
        self.sources[source as usize]
    }

    /// How many sources wait in the demand queue and in the ahead queue, there or not yet.
    #[must_use]
    pub fn waiting(&self) -> (usize, usize) {
        (self.demand_queue.0.len(), self.ahead_queue.0.len())
    }

    /// The cycle in which the last take entered.
    #[must_use]
    pub const fn taken(&self) -> Option<u64> {
        self.taken
    }

    /// The outputs in this cycle. They do not depend on the inputs of the cycle.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        // PC12.
        let busy = self.cycle < self.shape.sweep();
        let response = match self.commanded {
            Some(Commanded::Responds(at, response)) if at == self.cycle => Some(response),
            _ => None,
        };
        Outputs {
            busy,
            demand_ready: !busy && self.demands.len() < 2,
            command_ready: !busy && self.commanded.is_none(),
            grant: self.grant.filter(|(from, _)| *from <= self.cycle).map(|(_, grant)| grant),
            response,
            counters: self.counters,
        }
    }

    /// One clock cycle. Returns its outputs.
    ///
    /// # Panics
    /// If an input does not fit in its port.
    pub fn step(&mut self, inputs: &Inputs) -> Outputs {
        let (outputs, cycle) = (self.outputs(), self.cycle);
        assert!(inputs.fit(self.shape), "cycle {cycle}: {inputs:?} does not fit in the ports");
        // PC1: rows of the sweep enter before anything waits.
        if let Some(pass) = self.enter() {
            self.passes.push_back((cycle, pass));
        }
        // PC11.
        let judged = self.passes.front().copied().filter(|(entered, _)| entered + self.shape.judged() == cycle);
        if let Some((entered, pass)) = judged {
            self.passes.pop_front();
            self.judge(entered, pass);
        }
        if !outputs.busy {
            self.fill();
        }
        self.transfer(inputs, &outputs);
        self.settings = inputs.settings.unwrap_or(self.settings);
        self.cycle += 1;
        outputs
    }

    /// PC1: what enters in this cycle.
    fn enter(&mut self) -> Option<Pass> {
        if let Some(take) = self.due_take() {
            return Some(take);
        }
        if let Some(Commanded::Waits(command)) = self.commanded {
            self.commanded = Some(Commanded::Entered);
            return Some(Pass::Command(command));
        }
        self.demands.pop_front().map(Pass::Demand)
    }

    /// PC6: the take that is due.
    fn due_take(&mut self) -> Option<Pass> {
        let early = self.taken.is_some_and(|taken| self.cycle < taken + self.shape.apart());
        if self.level <= 0 || self.grant.is_some() || early {
            return None;
        }
        let (queue, source) = if let Some(source) = self.demand_queue.front(self.cycle) {
            self.demand_queue.0.pop_front();
            (Queue::Demand, source)
        } else {
            let source = self.ahead_queue.front(self.cycle)?;
            self.ahead_queue.0.pop_front();
            (Queue::Ahead, source)
        };
        self.taken = Some(self.cycle);
        Some(Pass::Take(queue, source))
    }

    /// What a pass that entered in this cycle does.
    fn judge(&mut self, entered: u64, pass: Pass) {
        match pass {
            Pass::Take(queue, source) => {
                let settings = self.settings;
                let state = &mut self.sources[source as usize];
                if let Some(quanta) = state.take(queue, &settings) {
                    let credit = state.credit;
                    let grant = Grant { source, credit, quanta, ahead: queue == Queue::Ahead };
                    // PC8.
                    self.grant = Some((entered + self.shape.effect() + 1, grant));
                    self.counters.credits += 1;
                } else {
                    self.counters.void_turns += 1;
                }
                self.leave(entered, source);
            }
            Pass::Command(command) => {
                let response = self.command(entered, command);
                self.commanded = Some(Commanded::Responds(entered + self.shape.effect() + 1, response));
            }
            Pass::Demand(Demand { source, target, repeat }) => {
                let state = self.sources.get_mut(source as usize);
                match state.map_or(Demanded::Closed, |state| state.demand(target, repeat)) {
                    Demanded::Done => {}
                    Demanded::Stale => self.counters.stale_demands += 1,
                    Demanded::Closed => self.counters.closed_demands += 1,
                }
                self.leave(entered, source);
            }
        }
    }

    /// PC10. The response has the state after it.
    fn command(&mut self, entered: u64, Command { op, source, number }: Command) -> Response {
        let none = Response { op, source, ..Response::default() };
        let Some(state) = self.sources.get_mut(source as usize) else { return none };
        let done = match op {
            op::READ => true,
            op::OPEN => state.open(number),
            op::CLOSE => state.close(),
            _ => false,
        };
        self.leave(entered, source);
        let Source { open, credit, target, queued, ahead, .. } = self.source(source);
        if open { Response { done, open, credit, target, queued, ahead, ..none } } else { Response { done, ..none } }
    }

    /// PC4. The number may be none of a source.
    fn leave(&mut self, entered: u64, source: u64) {
        let Some(state) = self.sources.get_mut(source as usize) else { return };
        let there = entered + self.shape.there();
        match state.leave(&self.settings) {
            Some(Queue::Demand) => self.demand_queue.0.push_back((there, source)),
            Some(Queue::Ahead) => self.ahead_queue.0.push_back((there, source)),
            None => {}
        }
    }

    /// PC5: *level* of the next cycle.
    fn fill(&mut self) {
        let Settings { rate, burst, .. } = self.settings;
        self.level = (self.level + rate as i64).min((burst as i64) << 16);
        // The effect is in the cycle before the grant is on the ports.
        if let Some((from, grant)) = self.grant
            && self.cycle + 1 == from
        {
            self.level -= (grant.quanta as i64) << 16;
        }
    }

    /// The transfers of this cycle. What is accepted waits from the next cycle on (PC2, PC9).
    fn transfer(&mut self, inputs: &Inputs, outputs: &Outputs) {
        if outputs.grant.is_some() && inputs.grant_ready {
            self.grant = None;
        }
        if outputs.response.is_some() {
            self.commanded = None;
        }
        self.demands.extend(inputs.demand.filter(|_| outputs.demand_ready));
        if let Some(command) = inputs.command.filter(|_| outputs.command_ready) {
            self.commanded = Some(Commanded::Waits(command));
        }
    }
}

/// The outputs of so many cycles and of the one after them, each with the cycle from which they stand. The changes are
/// in the order of their cycles.
#[must_use]
pub fn run(shape: Shape, first: Option<Settings>, changes: &[(u64, Change)], cycles: u64) -> Vec<(u64, Outputs)> {
    let mut oracle = Oracle::new(shape);
    runs::run(Inputs::idle(first), changes, cycles, Inputs::next, Inputs::apply, |inputs| oracle.step(inputs))
}
