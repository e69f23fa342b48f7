// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of a case while it is thought up.

use crate::oracle::entropy_selector::{Event, Kind, Op, Settings, Shape};

/// The events of a case, in any order.
#[derive(Clone, Debug)]
pub struct Script {
    shape: Shape,
    events: Vec<(u64, Event)>,
    /// Operations that stand on the inputs whenever they are not accepted.
    pub unready: Vec<(Op, u64, u64)>,
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

    /// The first `count` CCCs are open from EV `start` on; and the first cycle in which they are.
    pub fn all_opened(shape: Shape, count: u64, start: u64) -> (Self, u64) {
        let mut script = Self::new(shape);
        let at = (0..count).map(|ccc| script.open(ccc, start)).last();
        (script, at.unwrap_or(shape.cccs))
    }

    /// The settings from a cycle on.
    pub fn settings(&mut self, at: u64, rtt: u64, limit: u64) {
        self.events.push((at, Event::Settings(Settings { rtt, limit })));
    }

    /// An operation as soon as one can be accepted, but not before `at`; the cycle in which it is accepted.
    pub fn control(&mut self, at: u64, op: Op, ccc: u64, start: u64) -> u64 {
        let at = self.free.max(at);
        self.free = at + self.shape.operations();
        self.events.push((at, Event::Control(op, ccc, start)));
        at
    }

    /// Opens a CCC; the first cycle in which it is open.
    pub fn open(&mut self, ccc: u64, start: u64) -> u64 {
        self.control(0, Op::Open, ccc, start) + self.shape.effect()
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
        let opened = |ccc: u64| self.events.iter().any(|(_, e)| matches!(e, Event::Control(_, c, _) if *c == ccc));
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
