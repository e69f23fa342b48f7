// SPDX-License-Identifier: MIT OR Apache-2.0
//! The required outputs of the ELAB scheduler: the contract row by row, over a list of events, untimed.
//!
//! "Vn" is row n of the table in `docs/stages/elab_scheduler.md`. Reports and commands take effect one after the other;
//! requests come between them as the rows define what they see. A request changes no state that a report or a command
//! reads.

mod events;
mod pair;
mod shape;
mod silence;
mod vp;
mod weight;

pub use events::*;
pub use shape::Shape;
pub use weight::{Estimate, weights};

use crate::elab::Timeline;
use pair::{Pair, Times};
use silence::Periods;
use std::collections::{BTreeMap, VecDeque};
use vp::Moment;

/// Computes the outputs for the events, which are in the order of their cycles, with at most one of each kind per
/// cycle. What stands on the settings ports before the first [`Event::Settings`] is `first`.
#[must_use]
pub fn answer(shape: Shape, first: Settings, events: &[(u64, Event)]) -> Answer {
    let changes = events.iter().filter_map(|&(cycle, event)| match event {
        Event::Settings(new) => Some((cycle, new)),
        _ => None,
    });
    let written = [(0, first)].into_iter().chain(changes).filter(|(_, settings)| settings.valid);
    let mut scheduler = Scheduler::new(shape, Timeline::new(shape.settings, written));
    for &(cycle, event) in events {
        scheduler.event(cycle, event);
    }
    scheduler.end()
}

/// An accepted input that takes effect.
#[derive(Debug)]
enum Effect {
    Command(Command),
    Report(Report),
}

/// A scheduler since reset, event by event.
#[derive(Debug)]
pub struct Scheduler {
    shape: Shape,
    timeline: Timeline<Settings>,
    periods: Periods,
    /// The pairs with any event so far.
    pairs: BTreeMap<u64, Pair>,
    /// Accepted inputs that no request has seen yet, in the order and with the cycles of their effects.
    effects: VecDeque<(u64, Effect)>,
    /// The first cycle in which a command is accepted, and that in which the last one takes effect (V14, V18).
    free: u64,
    busy: Option<u64>,
    answer: Answer,
}

impl Scheduler {
    /// A scheduler whose settings stay as after reset (V20).
    #[must_use]
    pub fn with_reset_settings(shape: Shape) -> Self {
        Self::new(shape, Timeline::new(shape.settings, std::iter::empty()))
    }

    fn new(shape: Shape, timeline: Timeline<Settings>) -> Self {
        let (pairs, effects, free) = (BTreeMap::new(), VecDeque::new(), shape.sweep());
        let (periods, answer) = (Periods::default(), Answer::default());
        Scheduler { shape, timeline, periods, pairs, effects, free, busy: None, answer }
    }

    /// The next event, in the order of the cycles.
    pub fn event(&mut self, cycle: u64, event: Event) {
        let shape = self.shape;
        match event {
            Event::Command(command) if cycle >= self.free => {
                self.free = cycle + shape.commands();
                self.busy = Some(cycle + 1);
                self.accept(cycle + 1, Effect::Command(command));
            }
            Event::Report(report) if cycle >= shape.sweep() && self.busy != Some(cycle) => {
                self.accept(cycle, Effect::Report(report));
            }
            Event::Request(pair) | Event::Empty(pair) => {
                // V7 and V14: what the request sees.
                while self.effects.front().is_some_and(|(effect, _)| effect + shape.visibility_delay() <= cycle) {
                    self.take_effect();
                }
                self.request(cycle, pair, matches!(event, Event::Empty(_)));
            }
            _ => {}
        }
    }

    /// All outputs.
    #[must_use]
    pub fn end(mut self) -> Answer {
        while !self.effects.is_empty() {
            self.take_effect();
        }
        self.answer
    }

    /// The outputs so far.
    #[must_use]
    pub const fn so_far(&self) -> &Answer {
        &self.answer
    }

    /// A report of the cycle in which a command is accepted comes before the command.
    fn accept(&mut self, effect: u64, what: Effect) {
        let at = self.effects.partition_point(|&(before, _)| before <= effect);
        self.effects.insert(at, (effect, what));
    }

    /// A pair that exists.
    fn pair(&mut self, pair: u64) -> Option<&mut Pair> {
        let shape = self.shape;
        (pair < shape.pairs).then(|| self.pairs.entry(pair).or_insert_with(|| Pair::new(shape)))
    }

    /// V8, V14 to V17.
    fn take_effect(&mut self) {
        let Some((effect, what)) = self.effects.pop_front() else { return };
        let shape = self.shape;
        let moment = Moment::of(shape, effect, |cycle| self.timeline.settings(cycle));
        let notice = |pair, sport| Notice { cycle: effect + shape.returned(), pair, sport };
        match what {
            Effect::Command(command) => {
                let Command { op, pair, sport, .. } = command;
                let answer = self.pair(pair).map(|pair| pair.operate(shape, command, moment));
                let cycle = effect - 1 + shape.response();
                self.answer.responses.push(Response { cycle, op, pair, sport, ..answer.unwrap_or_default() });
            }
            Effect::Report(report) => match self.pair(report.pair) {
                None => self.answer.refused_reports += 1,
                Some(pair) => {
                    let (known, returns) = pair.report(shape, report, moment);
                    self.answer.absent_reports += u64::from(!known);
                    if returns {
                        self.answer.returns += 1;
                        self.answer.returned.push(notice(report.pair, report.vp));
                    }
                }
            },
        }
    }

    /// V1 to V3, V22 to V25.
    fn request(&mut self, cycle: u64, number: u64, empty: bool) {
        let shape = self.shape;
        let settings = |cycle| self.timeline.settings(cycle);
        let times = Times {
            cycle,
            burst: settings(cycle + shape.burst()).burst,
            tries: self.periods.at(shape, cycle + shape.tries(), settings),
            sent: self.periods.at(shape, cycle + shape.sent(), settings),
            silence: settings(cycle + shape.sent()).silence,
        };
        let swept = cycle >= shape.sweep();
        let mut grant = Grant::default();
        match self.pair(number).filter(|_| swept) {
            None => self.answer.refused_requests += 1,
            Some(pair) if pair.is_empty() => self.answer.no_vp_requests += 1,
            Some(pair) => {
                let (granted, begins) = pair.packet(shape, &times, empty);
                grant = granted;
                let dies = !empty && pair.sent(grant.vp as usize, &times);
                self.answer.bursts += u64::from(begins);
                if dies {
                    self.answer.deaths += 1;
                    let cycle = cycle + shape.packet();
                    self.answer.dead.push(Notice { cycle, pair: number, sport: grant.sport });
                }
            }
        }
        self.answer.grants.push(Grant { cycle: cycle + shape.grant(), pair: number, ..grant });
    }
}
