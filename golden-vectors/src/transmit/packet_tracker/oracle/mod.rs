// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `packet_tracker` must do: the contract row by row.
//!
//! "Dn" is row n of `docs/stages/packet_tracker.md`. What a PDC is and does is said once, without cycles: `pdcs`, with `pdc`,
//! `window`, `named` and `scan`. Two forms of the stage use it. [`Table`] has no clock: it takes one operation after the other.
//! [`Oracle::step`] is one clock cycle, with the ports. There operations take effect on their PDC in their order, each as a whole:
//! a single one in the cycle in which it enters, a walk in its cycles up to *t*, in which nothing else enters. What is seen of
//! them outside, and by visits, waits for its cycle.

mod backoff;
mod deadlines;
mod named;
mod operations;
mod outlet;
mod pdc;
mod pdcs;
mod ports;
mod release;
mod scan;
mod scanning;
mod shape;
mod table;
mod visits;
mod walk;
mod window;

pub use pdc::{Packet, Pdc};
pub use ports::*;
pub use shape::{Settings, Shape, Time};
pub use table::{Effects, Operation, Replay, Table};
pub use window::State;

use crate::collect::runs;
use outlet::Outlet;
use pdcs::Pdcs;
use scanning::Phase;
use shape::{Clock, OPEN};
use std::collections::VecDeque;
use visits::Visits;
use walk::Walk;

/// The command that was accepted last (D28).
#[derive(Clone, Copy, Debug)]
enum Commanded {
    /// It waits for a cycle.
    Waits(Command),
    /// It has entered.
    Entered,
    /// The response is in this cycle.
    Responds(u64, Response),
}

/// What enters in turn (D3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Ack,
    Send,
    Scan,
}

impl Turn {
    /// The order in which the next one is looked for.
    const fn behind(self) -> [Turn; 3] {
        match self {
            Turn::Ack => [Turn::Send, Turn::Scan, Turn::Ack],
            Turn::Send => [Turn::Scan, Turn::Ack, Turn::Send],
            Turn::Scan => [Turn::Ack, Turn::Send, Turn::Scan],
        }
    }
}

/// The stage.
#[derive(Debug)]
pub struct Oracle {
    shape: Shape,
    cycle: u64,
    clock: Clock,
    settings: Settings,
    pdcs: Pdcs,
    acks: VecDeque<Ack>,
    sends: VecDeque<Send>,
    commanded: Option<Commanded>,
    /// What entered last.
    last: Turn,
    /// The walk under way. It is large, and moves out and in again in every cycle.
    walk: Option<Box<Walk>>,
    visits: Visits,
    /// The scan under way, and the number of its PDC.
    scan: Option<(u64, Phase)>,
    events: Outlet<Event>,
    outcomes: Outlet<Outcome>,
    /// Answers to `send` with their cycles.
    sent: VecDeque<(u64, Sent)>,
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
            pdcs: Pdcs::new(shape),
            acks: VecDeque::new(),
            sends: VecDeque::new(),
            commanded: None,
            last: Turn::Scan,
            walk: None,
            visits: Visits::new(shape),
            scan: None,
            events: Outlet::default(),
            outcomes: Outlet::default(),
            sent: VecDeque::new(),
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
        self.clock.time().now
    }

    /// The settings in force in the present cycle.
    #[must_use]
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// A PDC after the operations that have ended.
    #[must_use]
    pub fn pdc(&self, pdc: u64) -> &Pdc {
        self.pdcs.get(pdc)
    }

    /// How many events and outcomes are open in the present cycle (D4).
    #[must_use]
    pub fn open(&self) -> (usize, usize) {
        (self.events.open(self.cycle) + usize::from(self.walk.is_some()), self.outcomes.open(self.cycle))
    }

    /// The outputs in this cycle. They do not depend on the inputs of the cycle.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        let Oracle { shape, cycle, .. } = *self;
        // D33.
        let busy = cycle < shape.sweep();
        let response = match self.commanded {
            Some(Commanded::Responds(at, response)) if at == cycle => Some(response),
            _ => None,
        };
        let failure = match self.scan {
            Some((_, Phase::Fails(from, failure))) if from <= cycle => Some(failure),
            _ => None,
        };
        Outputs {
            busy,
            quiet: !busy && self.is_quiet(),
            ack_waiting: !self.acks.is_empty(),
            now: self.time(),
            ack_ready: !busy && self.acks.len() < 2,
            send_ready: !busy && self.sends.len() < 2,
            command_ready: !busy && self.commanded.is_none(),
            event: self.events.front(cycle),
            outcome: self.outcomes.front(cycle),
            failure,
            sent: self.sent.front().filter(|(at, _)| *at == cycle).map(|&(_, sent)| sent),
            response,
            counters: self.pdcs.counters,
        }
    }

    /// D33.
    fn is_quiet(&self) -> bool {
        let accepted = !self.acks.is_empty() || !self.sends.is_empty() || self.waiting_command().is_some();
        let scans = self.visits.waiting(self.cycle).is_some() || self.scan.is_some();
        !accepted && self.walk.is_none() && !scans && self.open() == (0, 0)
    }

    const fn waiting_command(&self) -> Option<Command> {
        match self.commanded {
            Some(Commanded::Waits(command)) => Some(command),
            _ => None,
        }
    }

    /// One clock cycle. Returns its outputs.
    ///
    /// # Panics
    /// If an input does not fit in its port.
    pub fn step(&mut self, inputs: &Inputs) -> Outputs {
        let (outputs, cycle) = (self.outputs(), self.cycle);
        assert!(inputs.fit(self.shape), "cycle {cycle}: {inputs:?} does not fit in the ports");
        // D4.
        let (events, outcomes) = self.open();
        let visits = self.scan.is_none() && !self.visits.has_hit();
        if !outputs.busy {
            let waits = self.visits.waiting(cycle);
            if let Some(walk) = self.walk.take() {
                self.walk = self.walk_on(walk, outcomes < OPEN);
            } else if events < OPEN && outcomes < OPEN {
                self.enter(waits);
            }
            self.visits.clock(cycle, self.clock.time(), &self.settings, visits);
        }
        self.transfer(inputs, &outputs);
        self.accept(inputs, &outputs);
        self.clock.tick(self.settings.tick, inputs.paused);
        self.settings = inputs.settings.unwrap_or(self.settings);
        self.cycle += 1;
        outputs
    }

    /// D3: what enters in this cycle. The scan of this PDC waits.
    fn enter(&mut self, hit: Option<u64>) {
        if let Some(command) = self.waiting_command().filter(|_| self.scan.is_none()) {
            self.commanded = Some(Commanded::Entered);
            self.walk = Some(Box::new(self.walk_of_command(command)));
            return;
        }
        let scans = self.scan.map_or(hit.is_some(), |(_, phase)| phase.waiting(self.cycle).is_some());
        let waits = |turn: &Turn| match turn {
            Turn::Ack => !self.acks.is_empty(),
            Turn::Send => !self.sends.is_empty(),
            Turn::Scan => scans,
        };
        let Some(turn) = self.last.behind().into_iter().find(waits) else { return };
        self.last = turn;
        match turn {
            Turn::Ack => self.enter_ack(),
            Turn::Send => self.enter_send(),
            Turn::Scan => self.enter_scan(hit),
        }
    }

    /// The transfers of this cycle.
    fn transfer(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let cycle = self.cycle;
        self.events.clock(cycle, inputs.event_ready);
        self.outcomes.clock(cycle, inputs.outcome_ready);
        if outputs.sent.is_some() {
            self.sent.pop_front();
        }
        // D21, D23: the last cycle of the scan.
        let over = match self.scan.map(|(_, phase)| phase) {
            Some(Phase::Void(last)) => last == cycle,
            Some(Phase::Fails(..)) => outputs.failure.is_some() && inputs.failure_ready,
            _ => false,
        };
        if over {
            self.scan = None;
        }
    }

    /// D2, D28: what is accepted waits from the next cycle on.
    fn accept(&mut self, inputs: &Inputs, outputs: &Outputs) {
        self.acks.extend(inputs.ack.filter(|_| outputs.ack_ready));
        self.sends.extend(inputs.send.filter(|_| outputs.send_ready));
        if outputs.response.is_some() {
            self.commanded = None;
        }
        if let Some(command) = inputs.command.filter(|_| outputs.command_ready) {
            self.commanded = Some(Commanded::Waits(command));
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
