// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the entropy selector must answer: the contract row by row, over a list of events, without clocks.
//!
//! "Sn" is row n of the table in `docs/stages/entropy_selector.md`. Nothing is ever forgotten here: an open CCC is the
//! list of what it granted and the list of the feedback that marked, and every question is answered from those lists.

mod epochs;
mod events;

pub use events::*;

use epochs::Timeline;
use std::collections::{BTreeMap, BTreeSet};

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
        timeline: Timeline::new(shape, first, events),
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
    /// S10: what was accepted so long ago is so from this cycle on.
    fn effects(&mut self, cycle: u64) {
        while let Some(&(accepted, op, ccc, start)) = self.pending.first() {
            if accepted + self.shape.effect() > cycle {
                break;
            }
            self.pending.remove(0);
            let response = self.operate(accepted, op, ccc, start);
            self.answer.responses.push(response);
        }
    }

    /// S11.
    fn operate(&mut self, accepted: u64, op: Op, ccc: u64, start: u64) -> Response {
        let cycle = accepted + self.shape.effect();
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
            let epoch = self.timeline.epoch(accepted + self.shape.read_epoch());
            response.last = opened.last(accepted + self.shape.read_grants(), self.shape.evs);
            response.marked = opened.marked(&self.timeline, accepted + self.shape.read_feedback(), epoch).len() as u64;
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
            self.answer.grants.push(Grant {
                cycle: cycle + self.shape.grant(),
                ccc,
                open: false,
                ev: 0,
                saturated: false,
            });
            return;
        };
        let marked = match cycle.checked_sub(self.shape.sight()) {
            Some(seen) => opened.marked(&self.timeline, seen, self.timeline.epoch(cycle)),
            None => BTreeSet::new(),
        };
        let count = marked.len() as u64;
        let saturated = count > self.timeline.settings(cycle + self.shape.limit()).limit || count == evs;
        let last = opened.last(cycle, evs);
        let mut ev = (last + 1) % evs;
        while !saturated && marked.contains(&ev) {
            ev = (ev + 1) % evs;
        }
        opened.grants.push((cycle, ev));
        self.answer.grants.push(Grant { cycle: cycle + self.shape.grant(), ccc, open: true, ev, saturated });
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
