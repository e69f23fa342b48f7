// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script of a case: methods that add events at chosen cycles, and return when their effect can be seen.

use super::ports;
use crate::collect::timed::Draft;
use crate::schema::timed::Row;
use crate::transmit::entropy_selector::oracle::{
    ALL_FREE, Command, Ev, Event, Kind, Mode, Op, Settings, SettingsPorts, Shape,
};
use std::collections::BTreeSet;

/// The `n`th of the modes that the shape includes, counted round.
pub fn built(shape: Shape, n: u64) -> Mode {
    let modes: Vec<_> = Mode::ALL.into_iter().filter(|mode| shape.mode(mode.code()).is_some()).collect();
    modes.get((n % modes.len().max(1) as u64) as usize).copied().unwrap_or(Mode::Bitmap)
}

/// The events of a case, in the order in which they were added.
#[derive(Clone, Debug)]
pub struct Script {
    shape: Shape,
    events: Vec<(u64, Event)>,
    /// Commands driven with `command_valid` in turns while `command_ready` is 0. None of them may have an effect.
    pub unready: Vec<Command>,
    /// CCCs for which *reroute* events are driven in turns while `reroute_ready` is 0. They have no effect either.
    pub unready_reroutes: Vec<u64>,
    /// The first cycle in which the next command can be accepted.
    free: u64,
}

impl Script {
    /// A script without events.
    pub fn new(shape: Shape) -> Self {
        Script { shape, events: Vec::new(), unready: Vec::new(), unready_reroutes: Vec::new(), free: shape.cccs }
    }

    /// Opens CCC 0 from EV `start` on. Also returns the first cycle in which it is open.
    pub fn opened(shape: Shape, start: u64) -> (Self, u64) {
        let mut script = Self::new(shape);
        let at = script.open(0, start);
        (script, at)
    }

    /// Opens CCC 0 in a mode from EV `start` on. Also returns the first cycle in which it is open.
    pub fn opened_as(shape: Shape, start: u64, mode: Mode) -> (Self, u64) {
        let mut script = Self::new(shape);
        let at = script.open_as(0, start, mode);
        (script, at)
    }

    /// Opens the first `count` CCCs from EV `start` on. Also returns the first cycle in which all are open.
    pub fn all_opened(shape: Shape, count: u64, start: u64) -> (Self, u64) {
        let mut script = Self::new(shape);
        let at = (0..count).map(|ccc| script.open(ccc, start)).last();
        (script, at.unwrap_or(shape.cccs))
    }

    /// Sets `settings_rtt` and `settings_saturation` on their ports from cycle `at` on.
    pub fn settings(&mut self, at: u64, rtt: u64, saturation: u64) {
        self.set(at, Settings::new(rtt, saturation));
    }

    /// Sets all settings on their ports from cycle `at` on.
    pub fn set(&mut self, at: u64, settings: impl Into<SettingsPorts>) {
        self.events.push((at, Event::Settings(settings.into())));
    }

    /// Adds a command in the first possible cycle from `at` on. Returns the cycle in which it is accepted.
    pub fn command(&mut self, at: u64, op: Op, ccc: u64, start: u64) -> u64 {
        self.operate(at, Command::new(op, ccc, start))
    }

    /// Adds a command with all its operands in the first possible cycle from `at` on. Returns the cycle in which it
    /// is accepted.
    pub fn operate(&mut self, at: u64, command: Command) -> u64 {
        let at = self.free.max(at);
        self.free = at + self.shape.operations();
        self.events.push((at, Event::Command(command)));
        at
    }

    /// Opens a CCC. Returns the first cycle in which it is open. The CCCs have the modes of the shape in turn.
    pub fn open(&mut self, ccc: u64, start: u64) -> u64 {
        self.open_as(ccc, start, built(self.shape, ccc))
    }

    /// Opens a CCC in a mode. Returns the first cycle in which it is open.
    pub fn open_as(&mut self, ccc: u64, start: u64, mode: Mode) -> u64 {
        self.operate(0, Command::open(ccc, start, mode)) + self.shape.effect()
    }

    /// Opens a CCC in a mode with this code of a space. Returns the first cycle in which it is open.
    pub fn open_sized(&mut self, ccc: u64, start: u64, mode: Mode, code: u64) -> u64 {
        self.operate(0, Command::open(ccc, start, mode).space(code)) + self.shape.effect()
    }

    /// Adds a *resize*. Returns the first cycle in which the CCC has the new space.
    pub fn resize(&mut self, at: u64, ccc: u64, code: u64) -> u64 {
        self.operate(at, Command::resize(ccc, code)) + self.shape.effect()
    }

    /// Closes a CCC and opens it in a mode. Returns the first cycle in which it is open.
    pub fn reopen(&mut self, at: u64, ccc: u64, start: u64, mode: Mode) -> u64 {
        self.command(at, Op::Close, ccc, 0);
        self.open_as(ccc, start, mode)
    }

    /// Adds a request while all ports are free.
    pub fn request(&mut self, at: u64, ccc: u64) {
        self.request_on(at, ccc, ALL_FREE);
    }

    /// Adds a request with a bit for each free port.
    pub fn request_on(&mut self, at: u64, ccc: u64, free: u64) {
        self.events.push((at, Event::Request(ccc, free)));
    }

    /// Adds an event that asks a CCC to move. It is left out in cycles in which it is not accepted.
    pub fn reroute(&mut self, at: u64, ccc: u64) {
        self.events.push((at, Event::Reroute(ccc)));
    }

    /// Adds requests for a CCC in consecutive cycles. Returns the first cycle after them.
    pub fn requests(&mut self, at: u64, ccc: u64, count: u64) -> u64 {
        (at..at + count).for_each(|at| self.request(at, ccc));
        at + count
    }

    /// Adds a feedback for the EV with this index.
    pub fn feedback(&mut self, at: u64, ccc: u64, ev: u64, kind: Kind) {
        self.events.push((at, Event::Feedback(ccc, Ev::Own(ev), kind)));
    }

    /// Adds a feedback for the EV with this number on the wire.
    pub fn feedback_wire(&mut self, at: u64, ccc: u64, number: u64, kind: Kind) {
        self.events.push((at, Event::Feedback(ccc, Ev::Wire(number), kind)));
    }

    /// Adds a feedback that marks the EV: ECN, NACK or TIMEOUT, depending on the cycle.
    pub fn mark(&mut self, at: u64, ccc: u64, ev: u64) {
        self.feedback(at, ccc, ev % self.shape.evs, Kind::ALL[1 + (at % 3) as usize]);
    }

    /// Adds feedback that marks these EVs in consecutive cycles. Returns the first cycle after them.
    pub fn marks(&mut self, at: u64, ccc: u64, evs: impl IntoIterator<Item = u64>) -> u64 {
        let mut at = at;
        for ev in evs {
            self.mark(at, ccc, ev);
            at += 1;
        }
        at
    }

    /// Adds GOOD feedback for these EVs in consecutive cycles. Returns the first cycle after them.
    pub fn good(&mut self, at: u64, ccc: u64, evs: impl IntoIterator<Item = u64>) -> u64 {
        let mut at = at;
        for ev in evs {
            self.feedback(at, ccc, ev % self.shape.evs, Kind::Good);
            at += 1;
        }
        at
    }
}

impl Draft for Script {
    type Event = Event;

    /// Adds events that must be refused to cycles around the first valid ones that have no such event: feedback for
    /// EVs out of range whose low bits are those of EVs in use, and requests for a CCC that is never opened.
    fn add_bystanders(&mut self) {
        let served = |event: &Event| matches!(event, Event::Request(..) | Event::Feedback(..));
        let first = self.events.iter().filter(|(_, event)| served(event)).map(|&(cycle, _)| cycle).min();
        let Some(from) = first.map(|cycle| cycle.saturating_sub(2)) else {
            return;
        };
        let taken = |feedback: bool, at: u64| {
            let same = |event: &Event| served(event) && matches!(event, Event::Feedback(..)) == feedback;
            self.events.iter().any(|(cycle, event)| *cycle == at && same(event))
        };
        let opened =
            |ccc: u64| self.events.iter().any(|(_, e)| matches!(e, Event::Command(command) if command.ccc == ccc));
        let most = self.shape.cccs.next_power_of_two().max(2);
        let stranger = (0..most).rev().find(|&ccc| !opened(ccc));
        let mut bystanders = Vec::new();
        for at in (from..from + 40).filter(|&at| !taken(true, at)).take(4) {
            bystanders.push((at, Event::Feedback(0, Ev::Own(self.shape.evs + at % self.shape.evs), Kind::Nack)));
        }
        if let Some(ccc) = stranger {
            let free = (from..from + 40).filter(|&at| !taken(false, at)).take(2);
            bystanders.extend(free.map(|at| (at, Event::Request(ccc, ALL_FREE))));
        }
        self.events.append(&mut bystanders);
    }

    fn unready(&self) -> Vec<(&'static str, Row)> {
        let commands = self.unready.iter().map(|this| ports::command(self.shape).row(this));
        commands.chain(self.unready_reroutes.iter().map(|ccc| ports::reroute(self.shape).row(ccc))).collect()
    }

    /// Returns the events in the order of their cycles.
    fn into_events(mut self) -> Vec<(u64, Event)> {
        let unready = |&(at, event): &(u64, Event)| match event {
            Event::Command(_) => Some(at + self.shape.reroute_unready()),
            _ => None,
        };
        let unready: BTreeSet<_> = self.events.iter().filter_map(unready).collect();
        let accepted = |at: u64| at >= self.shape.cccs && !unready.contains(&at);
        self.events.retain(|&(at, event)| !matches!(event, Event::Reroute(_)) || accepted(at));
        self.events.sort_by_key(|&(cycle, _)| cycle);
        self.events
    }
}
