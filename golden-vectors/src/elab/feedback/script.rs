// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script of a case: methods that add events at chosen cycles, and return when their effect can be seen.

use super::ports;
use crate::collect::timed::Draft;
use crate::elab::feedback::oracle::{Arrival, Event, Settings, Shape, due};
use crate::schema::timed::Row;

/// The port of a VP. The ports of one pair differ in their low bits only; those of two pairs also differ in other
/// bits.
pub const fn port(shape: Shape, pair: u64, vp: u64) -> u64 {
    let above = (0x5A3C ^ pair << 9) & 0xFFFF;
    above / shape.vps * shape.vps + vp
}

/// Another port of the same VP. The low bits are its number, so the lowest bit above them is inverted.
pub const fn other_port(shape: Shape, pair: u64, vp: u64) -> u64 {
    port(shape, pair, vp) ^ shape.vps
}

/// The events of a case, in the order in which they were added.
#[derive(Clone, Debug)]
pub struct Script {
    shape: Shape,
    events: Vec<(u64, Event)>,
    /// Commands driven with `command_valid` in turns while `command_ready` is 0. None of them may have an effect.
    pub hammered: Vec<u64>,
    /// Arrivals driven with `arrival_valid` while `arrival_ready` is 0. None of them may be counted.
    pub held: Vec<Arrival>,
    /// The first cycle in which the next command can be accepted.
    free: u64,
    /// The case does not end before this cycle.
    end: u64,
}

impl Script {
    /// A script without events, and the first cycle after the sweep.
    pub fn new(shape: Shape) -> (Self, u64) {
        let free = shape.sweep();
        (Script { shape, events: Vec::new(), hammered: Vec::new(), held: Vec::new(), free, end: 0 }, free)
    }

    /// One packet arrives on each of these VPs of pair 0. Also returns the first cycle in which a query sees all of
    /// them.
    pub fn known(shape: Shape, vps: impl IntoIterator<Item = u64>) -> (Self, u64) {
        let (mut script, mut at) = Self::new(shape);
        for vp in vps {
            script.arrive(at, 0, vp);
            at += 1;
        }
        (script, at - 1 + shape.visibility_delay())
    }

    /// Sets the settings from cycle `at` on.
    pub fn set(&mut self, at: u64, settings: Settings) {
        self.events.push((at, Event::Settings(settings)));
    }

    /// Adds the command *clear* in the first possible cycle from `at` on. Returns the cycle in which it is accepted.
    pub fn forget(&mut self, at: u64, pair: u64) -> u64 {
        let at = self.free.max(at);
        self.free = at + self.shape.commands();
        self.events.push((at, Event::Command(pair)));
        at
    }

    pub fn arrival(&mut self, at: u64, arrival: Arrival) {
        self.events.push((at, Event::Arrival(arrival)));
    }

    /// Adds an arrival without mark and without burst number.
    pub fn arrive(&mut self, at: u64, pair: u64, vp: u64) {
        self.arrival(at, Arrival { pair, sport: port(self.shape, pair, vp), ..Arrival::default() });
    }

    /// Adds an arrival with a CE mark.
    pub fn mark(&mut self, at: u64, pair: u64, vp: u64) {
        self.arrival(at, Arrival { pair, sport: port(self.shape, pair, vp), ecn: true, burst: 0 });
    }

    /// Adds an arrival of pair 0 with a burst number.
    pub fn burst(&mut self, at: u64, vp: u64, burst: u64) {
        self.arrival(at, Arrival { pair: 0, sport: port(self.shape, 0, vp), ecn: false, burst });
    }

    /// Adds `count` arrivals of a burst of pair 0, `apart` cycles apart. Returns the cycle after the last one.
    pub fn bursts(&mut self, at: u64, vp: u64, burst: u64, count: u64, apart: u64) -> u64 {
        (0..count).for_each(|n| self.burst(at + n * apart, vp, burst));
        at + (count - 1) * apart + 1
    }

    pub fn query(&mut self, at: u64, pair: u64) {
        self.events.push((at, Event::Query(pair)));
    }

    /// Adds queries for a pair in consecutive cycles. Returns the first cycle after them.
    pub fn queries(&mut self, at: u64, pair: u64, count: u64) -> u64 {
        (at..at + count).for_each(|at| self.query(at, pair));
        at + count
    }

    /// Sets the level of `due_ready` from cycle `at` on.
    pub fn ready(&mut self, at: u64, level: bool) {
        self.events.push((at, Event::DueReady(level)));
    }

    /// The output `due` is stalled in `count` cycles from `at` on.
    pub fn stall(&mut self, at: u64, count: u64) {
        self.ready(at, false);
        self.ready(at + count, true);
    }

    /// The case does not end before this cycle.
    pub fn wait(&mut self, until: u64) {
        self.end = self.end.max(until);
    }

    /// The first visit of a pair in cycle `from` or later (W12).
    pub fn visit(&self, from: u64, pair: u64) -> u64 {
        let first = self.shape.sweep() + pair;
        first + from.saturating_sub(first).next_multiple_of(self.shape.pairs)
    }

    /// The visit that first sees an arrival of this cycle (W12).
    pub fn sees_arrival(&self, at: u64, pair: u64) -> u64 {
        self.visit(at + self.shape.arrival_to_visit(), pair)
    }

    /// Adds a query `delay` cycles after each pair is taken from the output `due`, or in the next cycle without one,
    /// as far as that is before the end of the case. `first` are the settings at the beginning.
    pub fn ask_for_due(&mut self, first: Settings, delay: u64) {
        let mut asked = 0;
        while let Some(next) = due(self.shape, first, &self.clone().into_events(), self.end - delay)
            .into_iter()
            .find(|due| due.taken && due.cycle > asked)
        {
            asked = next.cycle;
            let taken = |at: u64| self.events.iter().any(|&(cycle, e)| cycle == at && matches!(e, Event::Query(_)));
            let at = (asked + delay..).find(|&at| !taken(at)).unwrap_or(asked + delay);
            self.query(at, next.pair);
        }
    }
}

impl Draft for Script {
    type Event = Event;

    /// Adds events that must be refused to cycles around the first queries, or arrivals, that have no such event: arrivals and
    /// queries for a pair that does not exist, or that has no VP.
    fn add_bystanders(&mut self) {
        let queried = |event: &Event| matches!(event, Event::Query(_));
        let first = |of: &dyn Fn(&Event) -> bool| self.events.iter().filter(|(_, e)| of(e)).map(|&(at, _)| at).min();
        let first = first(&queried).or_else(|| first(&|event| matches!(event, Event::Arrival(_))));
        let numbers = ports::numbers(self.shape);
        let arrived = |pair| self.events.iter().any(|(_, e)| matches!(e, Event::Arrival(a) if a.pair == pair));
        let stranger = (0..numbers).rev().find(|&pair| !arrived(pair));
        let (Some(from), Some(pair)) = (first.map(|cycle| cycle.saturating_sub(4)), stranger) else {
            return;
        };
        let taken = |at: u64, query: bool| {
            let same = |event: &Event| if query { queried(event) } else { matches!(event, Event::Arrival(_)) };
            self.events.iter().any(|(cycle, event)| *cycle == at && same(event))
        };
        let quiet: Vec<u64> = (from..).filter(|&at| !taken(at, false)).take(2).collect();
        let free: Vec<u64> = (from..).filter(|&at| !taken(at, true)).take(3).collect();
        if pair >= self.shape.pairs {
            let sport = port(self.shape, 0, 0);
            quiet.into_iter().for_each(|at| self.arrival(at, Arrival { pair, sport, ecn: true, burst: at }));
        }
        free.into_iter().for_each(|at| self.query(at, pair));
    }

    fn unready(&self) -> Vec<(&'static str, Row)> {
        let commands = self.hammered.iter().map(|pair| ports::command(self.shape).row(pair));
        commands.chain(self.held.iter().map(|this| ports::arrival(self.shape).row(this))).collect()
    }

    /// Returns the events in the order of their cycles, at most one per stream and cycle. Arrivals are moved to
    /// cycles in which they are accepted.
    fn into_events(mut self) -> Vec<(u64, Event)> {
        self.events.sort_by_key(|&(cycle, event)| (cycle, stream(&event)));
        self.events.dedup_by_key(|&mut (cycle, event)| (cycle, stream(&event)));
        let operations = self.events.iter().filter(|(_, event)| matches!(event, Event::Command(_)));
        let effects: Vec<u64> = operations.map(|&(cycle, _)| cycle + 1).collect();
        let sweep = self.shape.sweep();
        let accepted = |&(cycle, event): &(u64, Event)| {
            !matches!(event, Event::Arrival(_)) || cycle >= sweep && effects.binary_search(&cycle).is_err()
        };
        self.events.retain(accepted);
        if self.events.last().is_none_or(|&(cycle, _)| cycle < self.end) {
            let levels = self.events.iter().rev().find_map(|&(_, event)| match event {
                Event::DueReady(level) => Some(level),
                _ => None,
            });
            // The level that it has: an event at which nothing changes.
            self.events.push((self.end, Event::DueReady(levels.unwrap_or(true))));
        }
        self.events
    }
}

/// The input stream of an event. Events of the same stream cannot share a cycle.
const fn stream(event: &Event) -> u8 {
    match event {
        Event::Settings(_) => 0,
        Event::Command(_) => 1,
        Event::Arrival(_) => 2,
        Event::Query(_) => 3,
        Event::DueReady(_) => 4,
    }
}
