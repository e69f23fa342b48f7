// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of a case while it is thought up.

use crate::entropy_selector::oracle::{Control, Event, Kind, Mode, Op, Settings, Shape};

/// The `n`th of the modes of a shape, in turns.
pub fn built(shape: Shape, n: u64) -> Mode {
    let modes: Vec<_> = Mode::ALL.into_iter().filter(|mode| shape.mode(mode.code()).is_some()).collect();
    modes.get((n % modes.len().max(1) as u64) as usize).copied().unwrap_or(Mode::Bitmap)
}

/// The events of a case, in any order.
#[derive(Clone, Debug)]
pub struct Script {
    shape: Shape,
    events: Vec<(u64, Event)>,
    /// Operations that stand on the inputs whenever they are not accepted.
    pub unready: Vec<Control>,
    /// When the next operation can be accepted.
    free: u64,
}

impl Script {
    /// Nothing happens.
    pub fn new(shape: Shape) -> Self {
        Script { shape, events: Vec::new(), unready: Vec::new(), free: shape.cccs }
    }

    /// CCC 0 is open from EV `start` on; and the first cycle in which it is.
    pub fn opened(shape: Shape, start: u64) -> (Self, u64) {
        let mut script = Self::new(shape);
        let at = script.open(0, start);
        (script, at)
    }

    /// CCC 0 is open in a mode from EV `start` on; and the first cycle in which it is.
    pub fn opened_as(shape: Shape, start: u64, mode: Mode) -> (Self, u64) {
        let mut script = Self::new(shape);
        let at = script.open_as(0, start, mode);
        (script, at)
    }

    /// The first `count` CCCs are open from EV `start` on; and the first cycle in which they are.
    pub fn all_opened(shape: Shape, count: u64, start: u64) -> (Self, u64) {
        let mut script = Self::new(shape);
        let at = (0..count).map(|ccc| script.open(ccc, start)).last();
        (script, at.unwrap_or(shape.cccs))
    }

    /// The settings from a cycle on.
    pub fn settings(&mut self, at: u64, rtt: u64, limit: u64) {
        self.set(at, Settings::new(rtt, limit));
    }

    /// All settings from a cycle on.
    pub fn set(&mut self, at: u64, settings: Settings) {
        self.events.push((at, Event::Settings(settings)));
    }

    /// An operation as soon as one can be accepted, but not before `at`; the cycle in which it is accepted.
    pub fn control(&mut self, at: u64, op: Op, ccc: u64, start: u64) -> u64 {
        self.operate(at, Control::new(op, ccc, start))
    }

    /// The same with everything that an operation takes.
    pub fn operate(&mut self, at: u64, control: Control) -> u64 {
        let at = self.free.max(at);
        self.free = at + self.shape.operations();
        self.events.push((at, Event::Control(control)));
        at
    }

    /// Opens a CCC; the first cycle in which it is open. CCCs have the modes of the shape in turns.
    pub fn open(&mut self, ccc: u64, start: u64) -> u64 {
        self.open_as(ccc, start, built(self.shape, ccc))
    }

    /// Opens a CCC in a mode; the first cycle in which it is open.
    pub fn open_as(&mut self, ccc: u64, start: u64, mode: Mode) -> u64 {
        self.operate(0, Control::open(ccc, start, mode)) + self.shape.effect()
    }

    /// Opens a CCC in a mode with the EV space of a code; the first cycle in which it is open.
    pub fn open_sized(&mut self, ccc: u64, start: u64, mode: Mode, code: u64) -> u64 {
        self.operate(0, Control::open(ccc, start, mode).space(code)) + self.shape.effect()
    }

    /// Gives a CCC the EV space of a code; the first cycle in which it has it.
    pub fn resize(&mut self, at: u64, ccc: u64, code: u64) -> u64 {
        self.operate(at, Control::resize(ccc, code)) + self.shape.effect()
    }

    /// Closes a CCC and opens it in a mode; the first cycle in which it is open.
    pub fn reopen(&mut self, at: u64, ccc: u64, start: u64, mode: Mode) -> u64 {
        self.control(at, Op::Close, ccc, 0);
        self.open_as(ccc, start, mode)
    }

    /// A request.
    pub fn request(&mut self, at: u64, ccc: u64) {
        self.events.push((at, Event::Request(ccc)));
    }

    /// Requests for a CCC in cycles in a row; the first cycle behind them.
    pub fn requests(&mut self, at: u64, ccc: u64, count: u64) -> u64 {
        (at..at + count).for_each(|at| self.request(at, ccc));
        at + count
    }

    /// A feedback.
    pub fn feedback(&mut self, at: u64, ccc: u64, ev: u64, kind: Kind) {
        self.events.push((at, Event::Feedback(ccc, ev, kind)));
    }

    /// A feedback that marks.
    pub fn mark(&mut self, at: u64, ccc: u64, ev: u64) {
        self.feedback(at, ccc, ev % self.shape.evs, Kind::ALL[1 + (at % 3) as usize]);
    }

    /// Feedback on the EVs in cycles in a row; the first cycle behind them.
    pub fn marks(&mut self, at: u64, ccc: u64, evs: impl IntoIterator<Item = u64>) -> u64 {
        let mut at = at;
        for ev in evs {
            self.mark(at, ccc, ev);
            at += 1;
        }
        at
    }

    /// GOOD feedback on the EVs in cycles in a row; the first cycle behind them.
    pub fn good(&mut self, at: u64, ccc: u64, evs: impl IntoIterator<Item = u64>) -> u64 {
        let mut at = at;
        for ev in evs {
            self.feedback(at, ccc, ev % self.shape.evs, Kind::Good);
            at += 1;
        }
        at
    }

    /// Adds events that must be refused about the first ones that are served, in cycles that have none: feedback with
    /// EVs out of range whose low bits are those of EVs in use, and requests for a CCC that nobody opens.
    pub fn add_bystanders(&mut self) {
        let served = |event: &Event| matches!(event, Event::Request(_) | Event::Feedback(..));
        let first = self.events.iter().filter(|(_, event)| served(event)).map(|&(cycle, _)| cycle).min();
        let Some(from) = first.map(|cycle| cycle.saturating_sub(2)) else {
            return;
        };
        let taken = |feedback: bool, at: u64| {
            let same = |event: &Event| served(event) && matches!(event, Event::Feedback(..)) == feedback;
            self.events.iter().any(|(cycle, event)| *cycle == at && same(event))
        };
        let opened =
            |ccc: u64| self.events.iter().any(|(_, e)| matches!(e, Event::Control(control) if control.ccc == ccc));
        let most = self.shape.cccs.next_power_of_two().max(2);
        let stranger = (0..most).rev().find(|&ccc| !opened(ccc));
        let mut bystanders = Vec::new();
        for at in (from..from + 40).filter(|&at| !taken(true, at)).take(4) {
            bystanders.push((at, Event::Feedback(0, self.shape.evs + at % self.shape.evs, Kind::Nack)));
        }
        if let Some(ccc) = stranger {
            let free = (from..from + 40).filter(|&at| !taken(false, at)).take(2);
            bystanders.extend(free.map(|at| (at, Event::Request(ccc))));
        }
        self.events.append(&mut bystanders);
    }

    /// The events in the order of their cycles.
    pub fn into_events(mut self) -> Vec<(u64, Event)> {
        self.events.sort_by_key(|&(cycle, _)| cycle);
        self.events
    }
}
