// SPDX-License-Identifier: MIT OR Apache-2.0
//! The required outputs of the ELAB scheduler: the contract row by row, over a list of events, untimed.
//!
//! "Vn" is row n of the table in `docs/stages/elab_scheduler.md`. Reports and commands take effect one after the other;
//! requests come between them as the rows define what they see. A request changes no state that a report or a command
//! reads.

mod events;
mod pair;
mod shape;
mod vp;
mod weight;

pub use events::*;
pub use shape::Shape;
pub use weight::{Estimate, weights};

use crate::elab::Timeline;
use pair::Pair;
use std::collections::BTreeMap;
use vp::Moment;

/// Computes the outputs for the events, which are in the order of their cycles, with at most one of each kind per
/// cycle. The settings before the first [`Event::Settings`] are `first`.
#[must_use]
pub fn answer(shape: Shape, first: Settings, events: &[(u64, Event)]) -> Answer {
    let changes = events.iter().filter_map(|&(cycle, event)| match event {
        Event::Settings(new) => Some((cycle, new)),
        _ => None,
    });
    let timeline = Timeline::new(first, changes);
    let mut scheduler = Scheduler { shape, timeline, pairs: BTreeMap::new(), answer: Answer::default() };
    let mut effects = effects(shape, events).into_iter().peekable();
    for &(cycle, event) in events {
        if let Event::Request(pair) = event {
            // V7 and V14: the events that the request sees.
            while let Some((effect, what)) = effects.next_if(|&(effect, _)| effect + shape.visibility_delay() <= cycle)
            {
                scheduler.effect(effect, what);
            }
            scheduler.request(cycle, pair);
        }
    }
    effects.for_each(|(effect, what)| scheduler.effect(effect, what));
    scheduler.answer
}

/// An accepted input that takes effect.
enum Effect {
    Control(Control),
    Report(Report),
}

/// V7, V14 and V18: accepted inputs with the cycle in which they take effect, in this order.
fn effects(shape: Shape, events: &[(u64, Event)]) -> Vec<(u64, Effect)> {
    let mut effects: Vec<(u64, Effect)> = Vec::new();
    let mut free = shape.sweep();
    // The cycle in which the last command takes effect.
    let mut busy = None;
    for &(cycle, event) in events {
        match event {
            Event::Control(control) if cycle >= free => {
                free = cycle + shape.operations();
                busy = Some(cycle + 1);
                effects.push((cycle + 1, Effect::Control(control)));
            }
            Event::Report(report) if cycle >= shape.sweep() && busy != Some(cycle) => {
                effects.push((cycle, Effect::Report(report)));
            }
            _ => {}
        }
    }
    // A report of the cycle in which a command is accepted comes before the command.
    effects.sort_by_key(|&(effect, _)| effect);
    effects
}

struct Scheduler {
    shape: Shape,
    timeline: Timeline<Settings>,
    /// The pairs with any event so far.
    pairs: BTreeMap<u64, Pair>,
    answer: Answer,
}

impl Scheduler {
    /// A pair that exists.
    fn pair(&mut self, pair: u64) -> Option<&mut Pair> {
        let shape = self.shape;
        (pair < shape.pairs).then(|| self.pairs.entry(pair).or_insert_with(|| Pair::new(shape)))
    }

    /// V8, V14 to V17.
    fn effect(&mut self, effect: u64, what: Effect) {
        let shape = self.shape;
        let moment = Moment::of(shape, effect, |cycle| self.timeline.settings(cycle));
        match what {
            Effect::Control(control) => {
                let Control { op, pair, sport, .. } = control;
                let answer = self.pair(pair).map(|pair| pair.operate(shape, control, effect, moment));
                let cycle = effect - 1 + shape.response();
                self.answer.responses.push(Response { cycle, op, pair, sport, ..answer.unwrap_or_default() });
            }
            Effect::Report(report) => match self.pair(report.pair) {
                None => self.answer.refused_reports += 1,
                Some(pair) => {
                    let known = pair.report(shape, report, effect, moment);
                    self.answer.absent_reports += u64::from(!known);
                }
            },
        }
    }

    /// V1 to V3.
    fn request(&mut self, cycle: u64, number: u64) {
        let burst = self.timeline.settings(cycle + self.shape.burst()).burst;
        let swept = cycle >= self.shape.sweep();
        let mut grant = Grant::default();
        match self.pair(number).filter(|_| swept) {
            None => self.answer.refused_requests += 1,
            Some(pair) if pair.is_empty() => self.answer.no_vp_requests += 1,
            Some(pair) => {
                let (granted, begins) = pair.packet(burst);
                grant = granted;
                self.answer.bursts += u64::from(begins);
            }
        }
        self.answer.grants.push(Grant { cycle: cycle + self.shape.grant(), pair: number, ..grant });
    }
}
