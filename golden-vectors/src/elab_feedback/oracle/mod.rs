// SPDX-License-Identifier: MIT OR Apache-2.0
//! The required outputs of the ELAB feedback stage: the contract row by row, over a list of events, untimed.
//!
//! "Wn" is row n of the table in `docs/stages/elab_feedback.md`. Queries come after the arrivals of their cycle. They
//! see the packets of a known VP at once, but see later that a VP has become known or has been cleared.

mod burst;
mod events;
mod shape;
mod vp;

pub use events::*;
pub use shape::Shape;

use crate::elab::Timeline;
use std::collections::BTreeMap;
use vp::Vp;

/// Computes the outputs for the events, which are in the order of their cycles, with at most one of each kind per
/// cycle. The settings before the first [`Event::Settings`] are `first`.
#[must_use]
pub fn answer(shape: Shape, first: Settings, events: &[(u64, Event)]) -> Answer {
    let changes = events.iter().filter_map(|&(cycle, event)| match event {
        Event::Settings(new) => Some((cycle, new)),
        _ => None,
    });
    let timeline = Timeline::new(first, changes);
    let mut feedback = Feedback { shape, timeline, pairs: BTreeMap::new(), answer: Answer::default() };
    for (cycle, what) in effects(shape, events) {
        match what {
            Effect::Forget(pair) => feedback.forget(cycle, pair),
            Effect::Arrival(arrival) => feedback.arrive(cycle, arrival),
            Effect::Query(pair) => feedback.query(cycle, pair),
        }
    }
    feedback.answer
}

/// An accepted input that takes effect.
enum Effect {
    Forget(u64),
    Arrival(Arrival),
    Query(u64),
}

/// W1, W8 and W9: accepted inputs with the cycle in which they take effect, in this order; queries come last.
fn effects(shape: Shape, events: &[(u64, Event)]) -> Vec<(u64, Effect)> {
    let mut effects: Vec<(u64, Effect)> = Vec::new();
    let mut free = shape.sweep();
    // The cycle in which the last command takes effect.
    let mut busy = None;
    for &(cycle, event) in events {
        match event {
            Event::Control(pair) if cycle >= free => {
                free = cycle + shape.operations();
                busy = Some(cycle + 1);
                effects.push((cycle + 1, Effect::Forget(pair)));
            }
            Event::Arrival(arrival) if cycle >= shape.sweep() && busy != Some(cycle) => {
                effects.push((cycle, Effect::Arrival(arrival)));
            }
            Event::Query(pair) => effects.push((cycle, Effect::Query(pair))),
            _ => {}
        }
    }
    effects.sort_by_key(|&(cycle, ref effect)| (cycle, matches!(effect, Effect::Query(_))));
    effects
}

/// A pair since reset.
#[derive(Debug)]
struct Pair {
    vps: Vec<Vp>,
    /// The VP that was reported last (W5).
    last: usize,
}

struct Feedback {
    shape: Shape,
    timeline: Timeline<Settings>,
    /// The pairs with any event so far.
    pairs: BTreeMap<u64, Pair>,
    answer: Answer,
}

impl Feedback {
    /// A pair that exists.
    fn pair(&mut self, pair: u64) -> Option<&mut Pair> {
        let Shape { pairs, vps, .. } = self.shape;
        let new = || Pair { vps: (0..vps).map(|_| Vp::default()).collect(), last: 0 };
        (pair < pairs).then(|| self.pairs.entry(pair).or_insert_with(new))
    }

    /// W8.
    fn forget(&mut self, cycle: u64, pair: u64) {
        if let Some(pair) = self.pair(pair) {
            pair.vps.iter_mut().for_each(|vp| vp.forget(cycle));
        }
    }

    /// W1 to W3.
    fn arrive(&mut self, cycle: u64, arrival: Arrival) {
        let shape = self.shape;
        let settings = self.timeline.settings(cycle + shape.timing());
        match self.pair(arrival.pair) {
            None => self.answer.refused_arrivals += 1,
            Some(pair) => pair.vps[shape.number(arrival.sport) as usize].arrive(shape, cycle, arrival, settings),
        }
    }

    /// W4 and W5.
    fn query(&mut self, cycle: u64, number: u64) {
        let shape = self.shape;
        let mut report = Report::default();
        match self.pair(number).filter(|_| cycle >= shape.sweep()) {
            None => self.answer.refused_queries += 1,
            Some(pair) => {
                let known = |at: &usize| {
                    cycle >= shape.visibility_delay() && pair.vps[*at].known(cycle - shape.visibility_delay())
                };
                let above = (pair.last + 1..pair.vps.len()).find(known);
                match above.or_else(|| (0..pair.vps.len()).find(known)) {
                    None => self.answer.empty_queries += 1,
                    Some(vp) => {
                        pair.last = vp;
                        report = pair.vps[vp].report(shape);
                    }
                }
            }
        }
        self.answer.reports.push(Report { cycle: cycle + shape.report(), pair: number, ..report });
    }
}
