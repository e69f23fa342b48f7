// SPDX-License-Identifier: MIT OR Apache-2.0
//! The required outputs of the entropy selector: the contract row by row, over a list of events, untimed.
//!
//! "Sn" is row n of the table in `docs/stages/entropy_selector.md`; "On", "Nn", "Pn", "Xn" and "Kn" are those of its
//! modes. Nothing is discarded here: an open CCC is the list of its grants and the lists of its admitted feedback, and
//! every output is computed from these lists. [`Table`] is the stage without a clock: it takes one event at a time and keeps what it needs.

mod bitmap;
mod ccc;
mod command;
mod counting;
mod epochs;
mod events;
mod freshness;
mod mix;
mod mode;
mod moment;
mod oblivious;
mod reps;
mod ring;
mod settings;
mod shape;
mod single_path;
mod table;
mod walk;

pub use command::{Command, Op};
pub use events::*;
pub use mix::{Mixed, mix};
pub use mode::Mode;
pub use settings::{Settings, SettingsPorts};
pub use shape::Shape;
pub use table::{Counters, Table};

use ccc::OpenCcc;
use epochs::Timeline;
use std::collections::BTreeMap;

/// All ports are free.
pub const ALL_FREE: u64 = 0xFF;

/// Computes the outputs for the events, which are in the order of their cycles, with at most one of each kind per
/// cycle. Before the first [`Event::Settings`] the ports of the settings have the values of `first`.
#[must_use]
pub fn answer(shape: Shape, first: impl Into<SettingsPorts>, events: &[(u64, Event)]) -> Answer {
    let mut selector = Selector::new(shape, first.into(), events);
    selector.run(events);
    selector.answer
}

/// The number on the wire of each feedback in the list, in their order.
#[must_use]
pub fn wire_numbers(shape: Shape, first: impl Into<SettingsPorts>, events: &[(u64, Event)]) -> Vec<u64> {
    let asks = |event| matches!(event, Event::Request(..) | Event::Reroute(_));
    let others: Vec<_> = events.iter().copied().filter(|&(_, event)| !asks(event)).collect();
    let mut selector = Selector::new(shape, first.into(), &others);
    selector.run(&others);
    selector.numbers
}

struct Selector {
    shape: Shape,
    timeline: Timeline,
    opened: BTreeMap<u64, OpenCcc>,
    /// How often each CCC was opened (S23).
    openings: BTreeMap<u64, u64>,
    /// Commands that have not yet taken effect.
    pending: Vec<(u64, Command)>,
    answer: Answer,
    /// The number on the wire of each feedback so far.
    numbers: Vec<u64>,
}

impl Selector {
    fn new(shape: Shape, first: SettingsPorts, events: &[(u64, Event)]) -> Self {
        Selector {
            shape,
            timeline: Timeline::new(shape, first, events),
            opened: BTreeMap::new(),
            openings: BTreeMap::new(),
            pending: Vec::new(),
            answer: Answer::default(),
            numbers: Vec::new(),
        }
    }

    fn run(&mut self, events: &[(u64, Event)]) {
        for &(cycle, event) in events {
            self.effects(cycle);
            match event {
                Event::Settings(_) => {}
                // S12: in the sweep `command_ready` is 0.
                Event::Command(_) if cycle < self.shape.cccs => {}
                Event::Command(command) => self.pending.push((cycle, command)),
                Event::Feedback(ccc, ev, kind) => self.feedback(cycle, ccc, ev, kind),
                Event::Reroute(ccc) => self.reroute(cycle, ccc),
                Event::Request(ccc, free) => self.request(cycle, ccc, free),
            }
        }
        self.effects(u64::MAX);
    }

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

    /// S10, S11, S14 and N6.
    fn operate(&mut self, accepted: u64, command: Command) -> Response {
        let Command { op, ccc, .. } = command;
        let cycle = accepted + self.shape.effect();
        let closed =
            Response { cycle, op, ccc, done: false, open: false, last: 0, marked: 0, mode: 0, space: 0, class: 0 };
        if ccc >= self.shape.cccs {
            return closed;
        }
        let known = accepted + self.shape.read_grants();
        let (space, opened) = (self.shape.space(command.space), self.opened.get_mut(&ccc));
        let done = match (op, opened) {
            (Op::Read, _) => true,
            (Op::Open, None) => self.open(accepted, command),
            (Op::Close, Some(_)) => self.opened.remove(&ccc).is_some(),
            (Op::Resize, Some(opened)) => space.is_some_and(|space| opened.resize(cycle, space, command.class)),
            (Op::Reroute, Some(opened)) => opened.reroute(Some(known), cycle),
            _ => false,
        };
        match self.opened.get(&ccc) {
            Some(opened) if op == Op::Read => Response {
                done,
                open: true,
                last: opened.last(known),
                marked: opened.marked(
                    &self.timeline,
                    accepted + self.shape.read_feedback(),
                    accepted + self.shape.read_epoch(),
                ),
                mode: opened.mode.code(),
                space: opened.space.ilog2().into(),
                class: opened.class,
                ..closed
            },
            opened => Response { done, open: opened.is_some(), ..closed },
        }
    }

    /// S14 and S23; false if it is not possible.
    fn open(&mut self, accepted: u64, command: Command) -> bool {
        let openings = self.openings.entry(command.ccc).or_default();
        // Seed and pipeline hold still from the command on.
        let number = (self.timeline.pipeline(accepted), command.ccc);
        let mixed = mix(self.shape, self.timeline.settings(accepted), number, *openings);
        let Some(opened) = OpenCcc::new(self.shape, command, mixed) else {
            return false;
        };
        *openings += 1;
        self.opened.insert(command.ccc, opened);
        true
    }

    /// S4, S8 and K4.
    fn feedback(&mut self, cycle: u64, ccc: u64, ev: Ev, kind: Kind) {
        if kind != Kind::Good {
            self.opened.values_mut().for_each(|opened| opened.block_decrement(cycle));
        }
        let Some(opened) = self.opened.get_mut(&ccc) else {
            self.answer.feedback_closed += 1;
            self.numbers.push(match ev {
                Ev::Wire(number) => number,
                Ev::Own(index) => (self.shape.wire_base + index) % (1 << 16),
            });
            return;
        };
        let number = opened.wire(ev);
        self.numbers.push(number);
        match opened.index(number) {
            None => self.answer.feedback_range += 1,
            Some(index) => opened.feedback(&self.timeline, cycle, index, kind),
        }
    }

    /// N5.
    fn reroute(&mut self, cycle: u64, ccc: u64) {
        if let Some(opened) = self.opened.get_mut(&ccc) {
            opened.reroute(cycle.checked_sub(self.shape.reroute_knows()), cycle + self.shape.reroute_seen());
        }
    }

    /// S1, S3, S19 and S20.
    fn request(&mut self, cycle: u64, ccc: u64, free: u64) {
        let refused = Grant { cycle: cycle + self.shape.grant(), ccc, ..Grant::default() };
        let Some(opened) = self.opened.get_mut(&ccc) else {
            self.answer.refused_requests += 1;
            self.answer.grants.push(refused);
            return;
        };
        let (index, ev, saturated) = opened.choose(&self.timeline, cycle);
        let port = ev % self.shape.ports;
        let grant = if free >> port & 1 == 1 {
            Grant { open: true, ev, index, saturated, port, ..refused }
        } else {
            self.answer.blocked_requests += 1;
            Grant { blocked: true, index, ..refused }
        };
        self.answer.grants.push(grant);
    }
}
