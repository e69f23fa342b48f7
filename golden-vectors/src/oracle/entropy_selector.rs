// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the entropy selector must answer: the contract row by row, over a list of events, without clocks.
//!
//! "Sn" is row n of the table in `docs/stages/entropy_selector.md`. Nothing is ever forgotten here: an open CCC is the
//! list of what it granted and the list of the feedback that marked, and every question is answered from those lists.

use super::epochs::Timeline;
use std::collections::{BTreeMap, BTreeSet};

/// Cycles from a request to its grant (S1).
pub const GRANT: u64 = 8;
/// Cycles from a feedback to the first request that sees it (S5).
pub const SIGHT: u64 = 8;
/// Cycles from a request to the `limit` that is applied to it (S9).
pub const LIMIT: u64 = 3;
/// Cycles from an operation to its effect and response (S10).
pub const EFFECT: u64 = 20;
/// A read knows the grants of requests so many cycles behind it (S11).
pub const READ_GRANTS: u64 = 9;
/// A read knows the feedback of so many cycles behind it (S11).
pub const READ_FEEDBACK: u64 = 8;
/// A read counts what is in force in the epoch of so many cycles behind it (S11).
pub const READ_EPOCH: u64 = 18;
/// Operations are at least so many cycles apart; `control_ready` is 1 again by then (S10).
pub const OPERATIONS: u64 = 21;

/// The size of a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of CCCs.
    pub cccs: u64,
    /// Number of EVs of a CCC.
    pub evs: u64,
}

/// `settings_rtt` and `settings_limit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Cycles of an epoch; less than 64 counts as 64.
    pub rtt: u64,
    /// More marked EVs than that, and the CCC is saturated.
    pub limit: u64,
}

/// What a feedback says (S4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Arrived without congestion.
    Good,
    /// Arrived with ECN.
    Ecn,
    /// Trimmed.
    Nack,
    /// Lost.
    Timeout,
}

impl Kind {
    /// All kinds in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Good, Self::Ecn, Self::Nack, Self::Timeout];
}

/// A control operation (S10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Asks for the state.
    Read,
    /// Opens a closed CCC.
    Open,
    /// Closes an open one.
    Close,
    /// None: code 3.
    Nothing,
}

impl Op {
    /// All operations in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Read, Self::Open, Self::Close, Self::Nothing];
}

/// What stands on the inputs in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The settings from this cycle on.
    Settings(Settings),
    /// An operation; outside the sweep it is one that is accepted.
    Control(Op, u64, u64),
    /// A feedback on an EV of a CCC.
    Feedback(u64, u64, Kind),
    /// A request for a CCC.
    Request(u64),
}

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// When.
    pub cycle: u64,
    /// For which CCC.
    pub ccc: u64,
    /// The CCC was open.
    pub open: bool,
    /// The EV.
    pub ev: u64,
    /// The marks were not regarded.
    pub saturated: bool,
}

/// The answer to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// When.
    pub cycle: u64,
    /// What was asked.
    pub op: Op,
    /// Of which CCC.
    pub ccc: u64,
    /// It was possible.
    pub done: bool,
    /// Whether the CCC is open now.
    pub open: bool,
    /// Read: the EV granted last.
    pub last: u64,
    /// Read: the number of marked EVs.
    pub marked: u64,
}

/// Everything that comes out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// In the order of the cycles.
    pub grants: Vec<Grant>,
    /// In the order of the cycles.
    pub responses: Vec<Response>,
    /// Requests for a CCC that is not open (S3).
    pub refused_requests: u64,
    /// Feedback for a CCC that is not open (S8).
    pub feedback_closed: u64,
    /// Feedback for an EV that does not exist (S8).
    pub feedback_range: u64,
}

/// A CCC since it was opened.
#[derive(Debug)]
struct Opened {
    start: u64,
    /// Cycle of the request, EV.
    grants: Vec<(u64, u64)>,
    /// Cycle of the feedback, EV.
    marks: Vec<(u64, u64)>,
}

/// Answers the events, which are in the order of their cycles and at most one of a kind in a cycle. What is there
/// before the first [`Event::Settings`] is `first`.
#[must_use]
pub fn answer(shape: Shape, first: Settings, events: &[(u64, Event)]) -> Answer {
    let mut selector = Selector {
        shape,
        timeline: Timeline::new(first, events),
        opened: BTreeMap::new(),
        pending: Vec::new(),
        answer: Answer::default(),
    };
    for &(cycle, event) in events {
        selector.effects(cycle);
        match event {
            Event::Settings(_) => {}
            // S12: in the sweep `control_ready` is 0.
            Event::Control(..) if cycle < shape.cccs => {}
            Event::Control(op, ccc, start) => selector.pending.push((cycle, op, ccc, start)),
            Event::Feedback(ccc, ev, kind) => selector.feedback(cycle, ccc, ev, kind),
            Event::Request(ccc) => selector.request(cycle, ccc),
        }
    }
    selector.effects(u64::MAX);
    selector.answer
}

struct Selector {
    shape: Shape,
    timeline: Timeline,
    opened: BTreeMap<u64, Opened>,
    /// Operations that have no effect yet.
    pending: Vec<(u64, Op, u64, u64)>,
    answer: Answer,
}

impl Selector {
    /// S10: what was accepted 20 cycles ago is so from this cycle on.
    fn effects(&mut self, cycle: u64) {
        while let Some(&(accepted, op, ccc, start)) = self.pending.first() {
            if accepted + EFFECT > cycle {
                break;
            }
            self.pending.remove(0);
            let response = self.operate(accepted, op, ccc, start);
            self.answer.responses.push(response);
        }
    }

    /// S11.
    fn operate(&mut self, accepted: u64, op: Op, ccc: u64, start: u64) -> Response {
        let cycle = accepted + EFFECT;
        let mut response = Response { cycle, op, ccc, done: false, open: false, last: 0, marked: 0 };
        if ccc >= self.shape.cccs || op == Op::Nothing {
            return response;
        }
        let was_open = self.opened.contains_key(&ccc);
        match op {
            Op::Open if !was_open => {
                self.opened.insert(ccc, Opened { start, grants: Vec::new(), marks: Vec::new() });
                response.done = true;
            }
            Op::Close if was_open => {
                self.opened.remove(&ccc);
                response.done = true;
            }
            Op::Read => response.done = true,
            Op::Open | Op::Close | Op::Nothing => {}
        }
        if let (Op::Read, Some(opened)) = (op, self.opened.get(&ccc)) {
            let epoch = self.timeline.epoch(accepted + READ_EPOCH);
            response.last = opened.last(accepted + READ_GRANTS, self.shape.evs);
            response.marked = opened.marked(&self.timeline, accepted + READ_FEEDBACK, epoch).len() as u64;
        }
        response.open = self.opened.contains_key(&ccc);
        response
    }

    /// S4 and S8.
    fn feedback(&mut self, cycle: u64, ccc: u64, ev: u64, kind: Kind) {
        match self.opened.get_mut(&ccc) {
            None => self.answer.feedback_closed += 1,
            Some(_) if ev >= self.shape.evs => self.answer.feedback_range += 1,
            Some(_) if kind == Kind::Good => {}
            Some(opened) => opened.marks.push((cycle, ev)),
        }
    }

    /// S1, S2, S3 and S7.
    fn request(&mut self, cycle: u64, ccc: u64) {
        let evs = self.shape.evs;
        let Some(opened) = self.opened.get_mut(&ccc) else {
            self.answer.refused_requests += 1;
            self.answer.grants.push(Grant { cycle: cycle + GRANT, ccc, open: false, ev: 0, saturated: false });
            return;
        };
        let marked = match cycle.checked_sub(SIGHT) {
            Some(seen) => opened.marked(&self.timeline, seen, self.timeline.epoch(cycle)),
            None => BTreeSet::new(),
        };
        let count = marked.len() as u64;
        let saturated = count > self.timeline.settings(cycle + LIMIT).limit || count == evs;
        let last = opened.last(cycle, evs);
        let mut ev = (last + 1) % evs;
        while !saturated && marked.contains(&ev) {
            ev = (ev + 1) % evs;
        }
        opened.grants.push((cycle, ev));
        self.answer.grants.push(Grant { cycle: cycle + GRANT, ccc, open: true, ev, saturated });
    }
}

impl Opened {
    /// The EV granted last among the requests up to a cycle; `start` - 1 if there is none (S2, S11).
    fn last(&self, cycle: u64, evs: u64) -> u64 {
        let grant = self.grants.iter().rev().find(|&&(requested, _)| requested <= cycle);
        grant.map_or((self.start + evs - 1) % evs, |&(_, ev)| ev)
    }

    /// The EVs with a mark that is in force in an epoch, of feedback up to a cycle (S6).
    fn marked(&self, timeline: &Timeline, cycle: u64, epoch: u64) -> BTreeSet<u64> {
        self.marks
            .iter()
            .rev()
            .skip_while(|&&(accepted, _)| accepted > cycle)
            .take_while(|&&(accepted, _)| timeline.epoch(accepted) + 1 >= epoch)
            .map(|&(_, ev)| ev)
            .collect()
    }
}
