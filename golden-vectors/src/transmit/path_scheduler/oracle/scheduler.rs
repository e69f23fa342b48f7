// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order in which requests, packets, feedback and commands see each other (T11, T12, T16, T20).

use super::entropies::Entropies;
use super::operations::{self, Qp};
use super::queue::{Consumer, News, lost, reports};
use super::stream::{Clock, Refusal};
use super::sub_path::Heard;
use super::{
    Answer, Causes, Command, Entropy, Feedback, Grant, Kind, Op, Packet, Request, Response, Settings, Shape, State,
    Timeline,
};
use std::collections::{BTreeMap, VecDeque};

/// A packet sees the feedback of so many cycles after its request when it makes its sub-path full (T20).
const AHEAD: u64 = 3;

/// An accepted input that takes effect.
#[derive(Clone, Copy, Debug)]
pub enum Effect {
    /// A command, in the cycle after it was accepted.
    Command(Command),
    /// A feedback, at once.
    Feedback(Feedback),
}

/// A granted packet: cycle of its request, QP and sub-path.
type Sent = (u64, u64, u64);

/// Takes the first one out, if it is so far.
fn pop_if<T: Copy>(queue: &mut VecDeque<T>, is_due: impl Fn(T) -> bool) -> Option<T> {
    queue.front().copied().filter(|&first| is_due(first))?;
    queue.pop_front()
}

/// All state since reset.
#[derive(Debug)]
pub struct Scheduler {
    shape: Shape,
    timeline: Timeline,
    /// The effects to come.
    effects: VecDeque<(u64, Effect)>,
    /// The packets that may yet make their sub-paths full.
    sent: VecDeque<Sent>,
    /// The QPs with any event so far.
    qps: BTreeMap<u64, Qp>,
    entropies: Entropies,
    causes: Vec<News<(u64, bool, Causes)>>,
    /// Sub-paths that have failed.
    failed: Vec<News<(u64, bool)>>,
    answer: Answer,
}

impl Scheduler {
    /// After reset, with these effects to come.
    pub fn new(shape: Shape, timeline: Timeline, effects: Vec<(u64, Effect)>) -> Self {
        Scheduler {
            shape,
            timeline,
            effects: effects.into(),
            sent: VecDeque::new(),
            qps: BTreeMap::new(),
            entropies: Entropies::default(),
            causes: Vec::new(),
            failed: Vec::new(),
            answer: Answer::default(),
        }
    }

    /// A QP that exists.
    fn qp(&mut self, qp: u64) -> Option<&mut Qp> {
        let shape = self.shape;
        (qp < shape.qps).then(|| self.qps.entry(qp).or_insert_with(|| Qp::new(shape)))
    }

    /// All that takes effect up to this cycle.
    fn advance(&mut self, last: u64) {
        while let Some((cycle, effect)) = pop_if(&mut self.effects, |(cycle, _)| cycle <= last) {
            self.fill(cycle - 1);
            match effect {
                Effect::Command(command) => self.operate(cycle, command),
                Effect::Feedback(feedback) => self.feedback(cycle, feedback),
            }
        }
        self.fill(last);
    }

    /// T20: packets that see all feedback up to this cycle, and none after it.
    fn fill(&mut self, last: u64) {
        let shape = self.shape;
        while let Some((cycle, qp, path)) = pop_if(&mut self.sent, |(cycle, ..)| cycle + AHEAD <= last) {
            let settings = self.timeline.settings(cycle + shape.filling());
            if let Some(path) = self.qp(qp).and_then(|qp| qp.path(path)) {
                path.load.fill(cycle, path.follow.window(shape, &settings));
            }
        }
    }

    /// T16 and T17.
    fn operate(&mut self, cycle: u64, command: Command) {
        let shape = self.shape;
        let Command { op, qp, path, .. } = command;
        let Settings { flowlet, initial, .. } = self.timeline.settings(cycle + shape.settings());
        let effect = operations::Effect { shape, cycle, flowlet, initial };
        let response = self.qp(qp).map(|qp| qp.operate(effect, command)).unwrap_or_default();
        if response.done {
            self.entropies.command(cycle, command);
            // T29.
            if Op::of(op) == Some(Op::Fail) {
                self.failed.push((cycle + shape.cause(), qp, (1 << path, false)));
            }
        }
        self.answer.responses.push(Response { cycle: cycle - 1 + shape.response(), op, qp, path, ..response });
    }

    /// T12 to T15 and T25.
    fn feedback(&mut self, cycle: u64, feedback: Feedback) {
        let shape = self.shape;
        let Feedback { qp: number, path, .. } = feedback;
        let at = cycle + shape.settings();
        let delay = self.timeline.settings(cycle).delay;
        let heard = Heard::new(feedback, delay, Timeline::time(at), self.timeline.settings(at));
        let of_window = self.timeline.settings(cycle + shape.ram_latency);
        let Some((qp, granularity)) = self.qp(number).and_then(|qp| {
            let granularity = qp.stream.as_ref()?.granularity;
            Some((qp, granularity))
        }) else {
            self.answer.feedback_closed += 1;
            return;
        };
        let heard = heard.of(granularity);
        let Some(sub_path) = qp.path(path) else {
            self.answer.feedback_range += 1;
            return;
        };
        if !sub_path.takes(shape, cycle, Kind::of(feedback.kind)) {
            // T32: it is for all sub-paths of the QP.
            self.answer.feedback_absent += u64::from(!heard.notifies());
            return;
        }
        let window = sub_path.follow.window(shape, &of_window);
        let mut causes = sub_path.feedback(shape, cycle, window, heard);
        causes.all_failed = causes.failed && qp.paths.iter().all(|path| path.state != State::Active);
        if causes.any() {
            self.causes.push((cycle + shape.cause(), number, (path, false, causes)));
        }
        // T29.
        if causes.failed {
            let wait = self.timeline.settings(at).wait;
            self.failed.push((cycle + shape.cause(), number, (1 << path, causes.all_failed && !wait)));
        }
    }

    /// T1 and T2. Requests come in the order of their cycles.
    pub fn request(&mut self, cycle: u64, Request { qp: number, kind, path }: Request) {
        let shape = self.shape;
        if let Some(last) = cycle.checked_sub(shape.visibility_delay()) {
            self.advance(last);
        }
        let time = Timeline::time(cycle + shape.timing());
        let clock = Clock { cycle, time };
        let mut grant = Grant::default();
        let open = self.qp(number).and_then(|qp| qp.stream.as_mut().zip(Some(&qp.paths)));
        match open.filter(|_| kind != Packet::Nothing) {
            Some((stream, paths)) => {
                let granted = match kind {
                    Packet::Probe => stream.probe(paths, path),
                    _ => stream.packet(shape, paths, kind, clock),
                };
                let entropy = stream.entropy;
                match granted {
                    // By table the entropy comes at the end.
                    Ok(granted) => grant = Grant { entropy: entropy ^ granted.path, ..granted },
                    Err(Refusal::Full) => self.answer.full_requests += 1,
                    Err(Refusal::NoPath) => self.answer.no_path_requests += 1,
                }
            }
            None => self.answer.refused_requests += 1,
        }
        if grant.ok && kind != Packet::Probe {
            if let Some(path) = self.qp(number).and_then(|qp| qp.path(grant.path)) {
                path.load.send(cycle);
            }
            self.sent.push_back((cycle, number, grant.path));
        }
        self.answer.grants.push(Grant { cycle: cycle + shape.grant(), qp: number, ..grant });
    }

    /// The outputs, after the last request.
    pub fn finish(mut self, of_events: &Consumer, of_lost: &Consumer) -> Answer {
        self.advance(u64::MAX - AHEAD);
        let shape = self.shape;
        if shape.entropy == Entropy::Table {
            for grant in self.answer.grants.iter_mut().filter(|grant| grant.ok) {
                grant.entropy = self.entropies.of(grant.qp, grant.path, grant.cycle - shape.grant());
            }
        }
        self.answer.reports = reports(shape, of_events, &self.causes);
        self.answer.lost = lost(shape, of_lost, &self.failed);
        self.answer
    }
}
