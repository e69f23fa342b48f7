// SPDX-License-Identifier: MIT OR Apache-2.0
//! The required outputs of the path scheduler: the contract row by row, over a list of events, untimed.
//!
//! "Tn" is row n of the table in `docs/stages/path_scheduler.md`. Feedback and commands take effect one after the
//! other; requests come between them as the rows define what they see. The packets in flight are computed from the list
//! of all packets ever granted.

mod command;
mod events;
mod operations;
mod shape;
mod stream;
mod sub_path;
mod timeline;

pub use command::{Command, Granularity, Op};
pub use events::*;
pub use shape::Shape;

use operations::Qp;
use std::collections::BTreeMap;
use stream::Clock;
use timeline::Timeline;

/// Computes the outputs for the events, which are in the order of their cycles, with at most one of each kind per
/// cycle. The settings ports have `first` before the first [`Event::Settings`]; `None` if `settings_valid` is 0.
#[must_use]
pub fn answer(shape: Shape, first: impl Into<Option<Settings>>, events: &[(u64, Event)]) -> Answer {
    let timeline = Timeline::new(shape.reset, first.into(), events);
    let mut scheduler = Scheduler { shape, timeline, qps: BTreeMap::new(), answer: Answer::default() };
    let mut effects = effects(shape, events).into_iter().peekable();
    for &(cycle, event) in events {
        if let Event::Request(request) = event {
            // T12 and T16: the events that the request sees.
            while let Some((effect, what)) = effects.next_if(|&(effect, _)| effect + shape.visibility_delay() <= cycle)
            {
                scheduler.effect(effect, what);
            }
            scheduler.request(cycle, request);
        }
    }
    effects.for_each(|(effect, what)| scheduler.effect(effect, what));
    scheduler.answer
}

/// An accepted input that takes effect.
enum Effect {
    Command(Command),
    Feedback(Feedback),
}

/// T12, T16 and T18: accepted inputs with the cycle in which they take effect, in this order.
fn effects(shape: Shape, events: &[(u64, Event)]) -> Vec<(u64, Effect)> {
    let mut effects: Vec<(u64, Effect)> = Vec::new();
    let mut free = shape.sweep();
    // The cycle in which the last command takes effect.
    let mut busy = None;
    for &(cycle, event) in events {
        match event {
            Event::Command(command) if cycle >= free => {
                free = cycle + shape.operations();
                busy = Some(cycle + 1);
                effects.push((cycle + 1, Effect::Command(command)));
            }
            Event::Feedback(feedback) if cycle >= shape.sweep() && busy != Some(cycle) => {
                effects.push((cycle, Effect::Feedback(feedback)));
            }
            _ => {}
        }
    }
    // Feedback of the cycle in which a command is accepted comes before the command.
    effects.sort_by_key(|&(effect, _)| effect);
    effects
}

struct Scheduler {
    shape: Shape,
    timeline: Timeline,
    /// The QPs with any event so far.
    qps: BTreeMap<u64, Qp>,
    answer: Answer,
}

impl Scheduler {
    /// A QP that exists.
    fn qp(&mut self, qp: u64) -> Option<&mut Qp> {
        let shape = self.shape;
        (qp < shape.qps).then(|| self.qps.entry(qp).or_insert_with(|| Qp::new(shape)))
    }

    fn effect(&mut self, effect: u64, what: Effect) {
        match what {
            Effect::Command(command) => self.operate(effect, command),
            Effect::Feedback(feedback) => self.feedback(effect, feedback),
        }
    }

    /// T16 and T17.
    fn operate(&mut self, effect: u64, command: Command) {
        let shape = self.shape;
        let Command { op, qp, path, .. } = command;
        let response = self.qp(qp).map(|qp| qp.operate(shape, effect, command)).unwrap_or_default();
        self.answer.responses.push(Response { cycle: effect - 1 + shape.response(), op, qp, path, ..response });
    }

    /// T12 to T15.
    fn feedback(&mut self, effect: u64, Feedback { qp, path, kind }: Feedback) {
        let shape = self.shape;
        let settings = self.timeline.settings(effect + shape.settings());
        let Some(qp) = self.qp(qp).filter(|qp| qp.stream.is_some()) else {
            self.answer.feedback_closed += 1;
            return;
        };
        match qp.path(path) {
            None => self.answer.feedback_range += 1,
            Some(path) if path.state == State::Absent || path.in_flight(shape, effect) == 0 => {
                self.answer.feedback_absent += 1;
            }
            Some(path) => path.feedback(kind, settings),
        }
    }

    /// T1 and T2.
    fn request(&mut self, cycle: u64, Request { qp: number, kind, path }: Request) {
        let at = cycle + self.shape.timing();
        let clock = Clock { time: Timeline::time(at), flowlet: self.timeline.settings(at).flowlet };
        let mut grant = Grant::default();
        match self.qp(number).and_then(|qp| qp.stream.as_mut().zip(Some(&mut qp.paths))) {
            Some((stream, paths)) if kind != Packet::Nothing => {
                let granted = match kind {
                    Packet::Probe => stream.probe(paths, path),
                    _ => stream.packet(paths, kind, clock),
                };
                match granted {
                    Some(granted) => grant = granted,
                    None => self.answer.no_path_requests += 1,
                }
            }
            _ => self.answer.refused_requests += 1,
        }
        let streams = grant.ok && kind != Packet::Probe;
        if let Some(path) = self.qp(number).and_then(|qp| qp.path(grant.path)).filter(|_| streams) {
            path.packet(cycle);
        }
        self.answer.grants.push(Grant { cycle: cycle + self.shape.grant(), qp: number, ..grant });
    }
}
