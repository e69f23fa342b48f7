// SPDX-License-Identifier: MIT OR Apache-2.0
//! The required outputs of the ELAB feedback stage: the contract row by row, over a list of events, untimed.
//!
//! "Wn" is row n of the table in `docs/stages/elab_feedback.md`. Queries come after the arrivals of their cycle. They
//! see the packets of a known VP at once, but see later that a VP has become known or has been cleared.

mod burst;
mod due;
mod events;
mod shape;
mod vp;

pub use due::{Due, due};
pub use events::*;
pub use shape::Shape;

use crate::elab::Timeline;
use std::collections::BTreeMap;
use vp::Vp;

/// Computes the outputs for the events, which are in the order of their cycles, with at most one of each kind per
/// cycle. What stands on the settings ports before the first [`Event::Settings`] is `first`.
#[must_use]
pub fn answer(shape: Shape, first: Settings, events: &[(u64, Event)]) -> Answer {
    run(shape, first, events).answer
}

/// The stage after these events.
fn run(shape: Shape, first: Settings, events: &[(u64, Event)]) -> Feedback {
    let changes = events.iter().filter_map(|&(cycle, event)| match event {
        Event::Settings(new) => Some((cycle, new)),
        _ => None,
    });
    let written = [(0, first)].into_iter().chain(changes).filter(|(_, settings)| settings.valid);
    let mut feedback = Feedback::new(shape, Timeline::new(shape.settings, written));
    let mut events = events.to_vec();
    events.sort_by_key(|&(cycle, event)| (cycle, matches!(event, Event::Query(_))));
    for (cycle, event) in events {
        feedback.event(cycle, event);
    }
    feedback
}

/// A pair since reset.
#[derive(Debug, Default)]
struct Pair {
    vps: Vec<Vp>,
    /// The VP that was reported last, and whether that was the second time in its turn (W5).
    last: usize,
    twice: bool,
    /// The cycles of its arrivals, and of its queries that were answered with a first report, for W13.
    arrivals: Vec<u64>,
    answered: Vec<u64>,
}

/// A feedback stage since reset, event by event.
#[derive(Debug)]
pub struct Feedback {
    shape: Shape,
    timeline: Timeline<Settings>,
    /// The pairs with any event so far.
    pairs: BTreeMap<u64, Pair>,
    /// The first cycle in which a command is accepted, and that in which the last one takes effect (W8, W9).
    free: u64,
    busy: Option<u64>,
    /// The last command and when it takes effect, until then.
    forgets: Option<(u64, u64)>,
    answer: Answer,
}

impl Feedback {
    /// A stage whose settings stay as after reset (W11).
    #[must_use]
    pub fn with_reset_settings(shape: Shape) -> Self {
        Self::new(shape, Timeline::new(shape.settings, std::iter::empty()))
    }

    fn new(shape: Shape, timeline: Timeline<Settings>) -> Self {
        let (pairs, free) = (BTreeMap::new(), shape.sweep());
        Feedback { shape, timeline, pairs, free, busy: None, forgets: None, answer: Answer::default() }
    }

    /// The next event, in the order of the cycles; queries come after the other events of their cycle.
    pub fn event(&mut self, cycle: u64, event: Event) {
        self.settle(cycle);
        match event {
            Event::Command(pair) if cycle >= self.free => {
                self.free = cycle + self.shape.commands();
                self.busy = Some(cycle + 1);
                self.forgets = Some((cycle + 1, pair));
            }
            Event::Arrival(arrival) if cycle >= self.shape.sweep() && self.busy != Some(cycle) => {
                self.arrive(cycle, arrival);
            }
            Event::Query(pair) => self.query(cycle, pair),
            _ => {}
        }
    }

    /// The last command takes effect if it does so up to this cycle.
    fn settle(&mut self, cycle: u64) {
        if let Some((effect, pair)) = self.forgets.take_if(|(effect, _)| *effect <= cycle) {
            self.forget(effect, pair);
        }
    }

    /// The outputs so far.
    #[must_use]
    pub const fn so_far(&self) -> &Answer {
        &self.answer
    }

    /// A pair that exists.
    fn pair(&mut self, pair: u64) -> Option<&mut Pair> {
        let Shape { pairs, vps, .. } = self.shape;
        let new = || Pair { vps: (0..vps).map(|_| Vp::default()).collect(), ..Pair::default() };
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
            Some(pair) => {
                pair.arrivals.push(cycle);
                pair.vps[shape.number(arrival.sport) as usize].arrive(shape, cycle, arrival, settings);
            }
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
                let ends = above.is_none() && known(&pair.last) && (0..pair.last).any(|at| known(&at));
                let again = (ends && !pair.twice).then_some(pair.last);
                match above.or(again).or_else(|| (0..pair.vps.len()).find(known)) {
                    None => self.answer.empty_queries += 1,
                    Some(vp) => {
                        pair.last = vp;
                        pair.twice = again.is_some();
                        if !pair.twice {
                            pair.answered.push(cycle);
                        }
                        report = pair.vps[vp].report(shape);
                    }
                }
            }
        }
        self.answer.reports.push(Report { cycle: cycle + shape.report(), pair: number, ..report });
    }
}
