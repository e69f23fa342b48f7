// SPDX-License-Identifier: MIT OR Apache-2.0
//! The required outputs of the entropy selector: the contract row by row, over a list of events, untimed.
//!
//! "Sn" is row n of the table in `docs/stages/entropy_selector.md`; "On", "Nn", "Pn", "Xn" and "Kn" are those of its
//! modes. Nothing is discarded here: an open CCC is the list of its grants and the lists of its admitted feedback, and
//! every output is computed from these lists.

mod bitmap;
mod ccc;
mod command;
mod counting;
mod epochs;
mod events;
mod mode;
mod moment;
mod oblivious;
mod reps;
mod ring;
mod settings;
mod shape;
mod single_path;
mod walk;

pub use command::{Command, Op};
pub use events::*;
pub use mode::Mode;
pub use settings::Settings;
pub use shape::Shape;

use ccc::OpenCcc;
use epochs::Timeline;
use moment::RequestTime;
use std::collections::BTreeMap;

/// Computes the outputs for the events, which are in the order of their cycles, with at most one of each kind per
/// cycle. The settings before the first [`Event::Settings`] are `first`.
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
            // S12: in the sweep `command_ready` is 0.
            Event::Command(_) if cycle < shape.cccs => {}
            Event::Command(command) => selector.pending.push((cycle, command)),
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
    opened: BTreeMap<u64, OpenCcc>,
    /// Commands that have not yet taken effect.
    pending: Vec<(u64, Command)>,
    answer: Answer,
}

impl Selector {
    /// S10: applies the commands whose effect is due in this cycle.
    fn effects(&mut self, cycle: u64) {
        while let Some(&(accepted, command)) = self.pending.first() {
            if accepted + self.shape.effect() > cycle {
                break;
            }
            self.pending.remove(0);
            let response = self.operate(accepted, command);
            self.answer.responses.push(response);
        }
    }

    /// S11, S14, S17, S18 and K5.
    fn operate(&mut self, accepted: u64, command: Command) -> Response {
        let Command { op, ccc, .. } = command;
        let cycle = accepted + self.shape.effect();
        let mut response = Response { cycle, op, ccc, done: false, open: false, last: 0, marked: 0, mode: 0, space: 0 };
        if ccc >= self.shape.cccs {
            return response;
        }
        let was_open = self.opened.contains_key(&ccc);
        match op {
            Op::Open if !was_open => {
                if let Some((mode, space)) = self.shape.mode(command.mode).zip(self.shape.space(command.space)) {
                    self.opened.insert(ccc, OpenCcc::new(command, mode, space));
                    response.done = true;
                }
            }
            Op::Close if was_open => {
                self.opened.remove(&ccc);
                response.done = true;
            }
            Op::Read => response.done = true,
            Op::Resize => {
                if let Some((opened, space)) = self.opened.get_mut(&ccc).zip(self.shape.space(command.space)) {
                    opened.resize(cycle, space);
                    response.done = true;
                }
            }
            Op::Open | Op::Close => {}
        }
        if let (Op::Read, Some(opened)) = (op, self.opened.get(&ccc)) {
            let epoch = self.timeline.epoch(accepted + self.shape.read_epoch());
            response.last = opened.last(accepted + self.shape.read_grants(), self.shape.evs);
            response.marked = opened.marked(&self.timeline, accepted + self.shape.read_feedback(), epoch);
            response.mode = opened.mode.code();
            response.space = opened.space.ilog2().into();
        }
        response.open = self.opened.contains_key(&ccc);
        response
    }

    /// S4, S8 and K4.
    fn feedback(&mut self, cycle: u64, ccc: u64, ev: u64, kind: Kind) {
        if kind != Kind::Good {
            self.opened.values_mut().for_each(|opened| opened.block_decrement(cycle));
        }
        match self.opened.get_mut(&ccc) {
            None => self.answer.feedback_closed += 1,
            Some(opened) if ev >= opened.space => self.answer.feedback_range += 1,
            Some(opened) => opened.feedback(self.shape, &self.timeline, (cycle, ev, kind)),
        }
    }

    /// S1 and S3.
    fn request(&mut self, cycle: u64, ccc: u64) {
        let now = RequestTime { shape: self.shape, timeline: &self.timeline, cycle };
        let (open, (ev, saturated)) = match self.opened.get_mut(&ccc) {
            Some(opened) => (true, opened.choose(now)),
            None => {
                self.answer.refused_requests += 1;
                (false, (0, false))
            }
        };
        // S19.
        let port = ev % self.shape.ports;
        self.answer.grants.push(Grant { cycle: cycle + self.shape.grant(), ccc, open, ev, saturated, port });
    }
}
