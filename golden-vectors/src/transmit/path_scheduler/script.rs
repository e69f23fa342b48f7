// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script of a case: methods that add events at chosen cycles, and return when their effect can be seen.

use super::ports;
use crate::collect::timed::Draft;
use crate::schema::timed::Row;
use crate::transmit::path_scheduler::oracle::{
    Command,
    Event,
    Feedback,
    Granularity,
    Kind,
    Op,
    Packet,
    Request,
    Settings,
    Shape, //
};

/// The first PSN of a QP. It is so large that it wraps after a few packets.
pub const PSN: u64 = 0xFF_FFFC;

/// The entropy with which QPs are opened. With entropies by XOR, those of the sub-paths are this one XOR the number of
/// the sub-path.
pub const ENTROPY: u64 = 0xA_5C3A;

/// The entropy with which a sub-path is added. Neighbours have nothing in common.
pub const fn entropy(qp: u64, path: u64) -> u64 {
    ((qp * 64 + path + 1) * 0x6_9A5B) & 0xF_FFFF
}

/// The limit of sub-paths for which nothing else is said. It fits in weights of 4 bits.
pub const MOST: u64 = 15;

/// The events of a case, in the order in which they were added.
#[derive(Clone, Debug)]
pub struct Script {
    shape: Shape,
    events: Vec<(u64, Event)>,
    /// Commands driven with `command_valid` in turns while `command_ready` is 0. None of them may have an effect.
    pub hammered: Vec<Command>,
    /// Feedback driven with `feedback_valid` while `feedback_ready` is 0. None of it may have an effect.
    pub held: Vec<Feedback>,
    /// The first cycle in which the next command can be accepted.
    free: u64,
}

impl Script {
    /// A script without events.
    pub fn new(shape: Shape) -> Self {
        Script { shape, events: Vec::new(), hammered: Vec::new(), held: Vec::new(), free: shape.sweep() }
    }

    /// Opens QP 0 with sub-paths of these weights, where 0 means no sub-path. Also returns the first cycle in which
    /// requests see all of it.
    pub fn running(shape: Shape, granularity: Granularity, weights: &[u64]) -> (Self, u64) {
        let mut script = Self::new(shape);
        let at = script.open(0, granularity, weights);
        (script, at)
    }

    /// Opens the first `count` QPs in the same way. Their granularities alternate, beginning with number `first`.
    pub fn all_running(shape: Shape, count: u64, first: u64, weights: &[u64]) -> (Self, u64) {
        let mut script = Self::new(shape);
        for qp in 0..count {
            let granularity = Granularity::of((first + qp) % 3).unwrap_or(Granularity::Packet);
            script.open(qp, granularity, weights);
        }
        let at = script.settled();
        (script, at)
    }

    /// Opens a QP with sub-paths of these weights. Returns the first cycle in which requests see all of it.
    pub fn open(&mut self, qp: u64, granularity: Granularity, weights: &[u64]) -> u64 {
        self.operate(0, Command::open(qp, PSN - 3 * qp, ENTROPY + (qp << 12), granularity));
        for (path, &weight) in (0..).zip(weights) {
            if weight != 0 {
                self.add(qp, path, weight);
            }
        }
        self.settled()
    }

    /// Adds a sub-path and starts it with a weight that can rise. Returns the first cycle in which requests see it.
    pub fn add(&mut self, qp: u64, path: u64, weight: u64) -> u64 {
        self.add_to(qp, path, weight, MOST)
    }

    /// The same with this limit.
    pub fn add_to(&mut self, qp: u64, path: u64, weight: u64, limit: u64) -> u64 {
        self.operate(0, Command::new(Op::Add, qp, path).weight(limit).entropy(entropy(qp, path)));
        self.operate(0, Command::new(Op::Start, qp, path).weight(weight));
        self.settled()
    }

    /// The first cycle in which a request sees all commands so far.
    pub const fn settled(&self) -> u64 {
        if self.free == self.shape.sweep() {
            return self.free;
        }
        self.free - self.shape.operations() + self.shape.response()
    }

    /// Puts these settings on the ports from cycle `at` on, with `settings_valid` 1.
    pub fn set(&mut self, at: u64, settings: Settings) {
        self.events.push((at, Event::Settings(Some(settings))));
    }

    /// Makes `settings_valid` 0 from cycle `at` on, and all settings ports with it.
    pub fn rest(&mut self, at: u64) {
        self.events.push((at, Event::Settings(None)));
    }

    /// Adds a command on a sub-path in the first possible cycle from `at` on. Returns the cycle in which it is
    /// accepted.
    pub fn command(&mut self, at: u64, op: Op, qp: u64, path: u64) -> u64 {
        self.operate(at, Command::new(op, qp, path))
    }

    /// Adds a command with all its operands in the first possible cycle from `at` on. Returns the cycle in which it
    /// is accepted.
    pub fn operate(&mut self, at: u64, command: Command) -> u64 {
        let at = self.free.max(at);
        self.free = at + self.shape.operations();
        self.events.push((at, Event::Command(command)));
        at
    }

    /// Adds a *read* of each of the first `count` sub-paths of a QP.
    pub fn reads(&mut self, at: u64, qp: u64, count: u64) {
        (0..count).for_each(|path| {
            self.command(at, Op::Read, qp, path);
        });
    }

    pub fn request(&mut self, at: u64, qp: u64, kind: Packet, path: u64) {
        self.events.push((at, Event::Request(Request { qp, kind, path })));
    }

    /// Adds a request for a packet of data.
    pub fn data(&mut self, at: u64, qp: u64) {
        self.request(at, qp, Packet::Data, 0);
    }

    /// Adds requests for data in consecutive cycles. Returns the first cycle after them.
    pub fn stream(&mut self, at: u64, qp: u64, count: u64) -> u64 {
        (at..at + count).for_each(|at| self.data(at, qp));
        at + count
    }

    /// Adds requests for data that are so many cycles apart. Returns the cycle in which the next one would come.
    pub fn data_apart(&mut self, at: u64, qp: u64, count: u64, step: u64) -> u64 {
        (0..count).for_each(|n| self.data(at + n * step, qp));
        at + count * step
    }

    pub fn feedback(&mut self, at: u64, qp: u64, path: u64, kind: Kind) {
        self.hear(at, Feedback::new(qp, path, kind));
    }

    /// Adds a feedback with all that it says.
    pub fn hear(&mut self, at: u64, feedback: Feedback) {
        self.events.push((at, Event::Feedback(feedback)));
    }

    /// Sets `lost_ready` from cycle `at` on.
    pub fn lost_ready(&mut self, at: u64, ready: bool) {
        self.events.push((at, Event::LostReady(ready)));
    }

    /// Sets `event_ready` from cycle `at` on.
    pub fn ready(&mut self, at: u64, ready: bool) {
        self.events.push((at, Event::Ready(ready)));
    }

    /// Adds feedback of these kinds on a sub-path in consecutive cycles. Returns the first cycle after it.
    pub fn kinds(&mut self, at: u64, (qp, path): (u64, u64), kinds: impl IntoIterator<Item = Kind>) -> u64 {
        let mut at = at;
        for kind in kinds {
            self.feedback(at, qp, path, kind);
            at += 1;
        }
        at
    }
}

impl Draft for Script {
    type Event = Event;

    /// Adds events that must be refused to cycles around the first requests that have no such event: requests of no
    /// kind or for a QP that is never opened, probes on a sub-path that cannot exist, and such feedback.
    fn add_bystanders(&mut self) {
        let requested = |event: &Event| matches!(event, Event::Request(_));
        let first = self.events.iter().filter(|(_, event)| requested(event)).map(|&(cycle, _)| cycle).min();
        let Some(from) = first.map(|cycle| cycle.saturating_sub(2)) else {
            return;
        };
        let opened = |qp: u64| self.events.iter().any(|(_, e)| matches!(e, Event::Command(c) if c.qp == qp));
        let stranger = (0..ports::numbers(self.shape)).rev().find(|&qp| !opened(qp)).unwrap_or_default();
        let beyond = self.shape.paths + from % self.shape.paths;
        let requests = [(0, Packet::Nothing, 0), (stranger, Packet::Data, 0), (0, Packet::Probe, beyond)];
        let feedback = [(0, beyond, Kind::Timeout), (stranger, 0, Kind::Ecn), (0, beyond, Kind::Nack)];
        let taken: Vec<u64> = self.events.iter().filter(|(_, e)| requested(e)).map(|&(cycle, _)| cycle).collect();
        let free = (from..).filter(|at| !taken.contains(at));
        for (at, (qp, kind, path)) in free.zip(requests) {
            // If the case opens this QP, a request for it is not refused.
            if qp != 0 || kind != Packet::Data {
                self.request(at, qp, kind, path);
            }
        }
        let heard = |at: &u64| self.events.iter().any(|(cycle, e)| cycle == at && matches!(e, Event::Feedback(_)));
        let free: Vec<u64> = (from..).filter(|at| !heard(at)).take(feedback.len()).collect();
        for (at, (qp, path, kind)) in free.into_iter().zip(feedback) {
            if qp != 0 || path >= self.shape.paths {
                self.feedback(at, qp, path, kind);
            }
        }
    }

    fn unready(&self) -> Vec<(&'static str, Row)> {
        let commands = self.hammered.iter().map(|this| ports::command(self.shape).row(this));
        commands.chain(self.held.iter().map(|this| ports::feedback(self.shape).row(this))).collect()
    }

    /// Returns the events in the order of their cycles, at most one per stream and cycle. Feedback is moved to cycles
    /// in which it is accepted.
    fn into_events(mut self) -> Vec<(u64, Event)> {
        self.events.sort_by_key(|&(cycle, event)| (cycle, stream(&event)));
        self.events.dedup_by_key(|&mut (cycle, event)| (cycle, stream(&event)));
        let operations = self.events.iter().filter(|(_, event)| matches!(event, Event::Command(_)));
        let effects: Vec<u64> = operations.map(|&(cycle, _)| cycle + 1).collect();
        let sweep = self.shape.sweep();
        let accepted = |&(cycle, event): &(u64, Event)| {
            !matches!(event, Event::Feedback(_)) || cycle >= sweep && effects.binary_search(&cycle).is_err()
        };
        self.events.retain(accepted);
        self.events
    }
}

/// The input stream of an event. Events of the same stream cannot share a cycle.
const fn stream(event: &Event) -> u8 {
    match event {
        Event::Settings(_) => 0,
        Event::Command(_) => 1,
        Event::Feedback(_) => 2,
        Event::Request(_) => 3,
        Event::Ready(_) => 4,
        Event::LostReady(_) => 5,
    }
}
