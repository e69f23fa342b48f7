// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script of a case: methods that add events at chosen cycles, and return when their effect can be seen.

use super::ports;
use crate::collect::timed::Draft;
use crate::elab::scheduler::oracle::{Command, Event, Op, Report, Settings, Shape};
use crate::schema::timed::Row;

/// The largest bandwidth, which is also the largest rate.
pub const MOST: u64 = 0xFF_FFFF;

/// The port of a VP. The ports of one pair differ in their low bits only; those of two pairs also differ in other
/// bits.
pub const fn port(shape: Shape, pair: u64, vp: u64) -> u64 {
    let above = (0xC3A5 ^ pair << 9) & 0xFFFF;
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
    pub hammered: Vec<Command>,
    /// Reports driven with `report_valid` while `report_ready` is 0. None of them may have an effect.
    pub held: Vec<Report>,
    /// The first cycle in which the next command can be accepted.
    free: u64,
}

impl Script {
    /// A script without events.
    pub fn new(shape: Shape) -> Self {
        Script { shape, events: Vec::new(), hammered: Vec::new(), held: Vec::new(), free: shape.sweep() }
    }

    /// Adds VPs with these bandwidths to pair 0, where 0 means no VP. Also returns a cycle in which requests see
    /// them, more than two units after the last *add*.
    pub fn running(shape: Shape, bandwidths: &[u64]) -> (Self, u64) {
        Self::all_running(shape, 1, bandwidths)
    }

    /// Adds such VPs to each of the first `count` pairs.
    pub fn all_running(shape: Shape, count: u64, bandwidths: &[u64]) -> (Self, u64) {
        let mut script = Self::new(shape);
        for pair in 0..count {
            for (vp, &bandwidth) in (0..).zip(bandwidths) {
                if bandwidth != 0 {
                    script.add(pair, vp, bandwidth);
                }
            }
        }
        let at = script.settled() + 3 * shape.unit;
        (script, at)
    }

    /// Adds a VP. Returns the first cycle in which requests see it.
    pub fn add(&mut self, pair: u64, vp: u64, bandwidth: u64) -> u64 {
        self.operate(0, Command::add(pair, port(self.shape, pair, vp), bandwidth));
        self.settled()
    }

    /// The first cycle in which requests see the last command.
    pub const fn settled(&self) -> u64 {
        self.free - self.shape.commands() + 1 + self.shape.visibility_delay()
    }

    /// Sets the settings from cycle `at` on.
    pub fn set(&mut self, at: u64, settings: Settings) {
        self.events.push((at, Event::Settings(settings)));
    }

    /// Adds a command in the first possible cycle from `at` on. Returns the cycle in which it is accepted.
    pub fn operate(&mut self, at: u64, command: Command) -> u64 {
        let at = self.free.max(at);
        self.free = at + self.shape.commands();
        self.events.push((at, Event::Command(command)));
        at
    }

    /// Adds a command for a VP that is given by its number.
    pub fn command(&mut self, at: u64, op: Op, pair: u64, vp: u64) -> u64 {
        self.operate(at, Command::new(op, pair, port(self.shape, pair, vp)))
    }

    /// Adds a *read* of each of these VPs. Returns the cycle after the last acceptance.
    pub fn reads(&mut self, at: u64, pair: u64, vps: impl IntoIterator<Item = u64>) -> u64 {
        for vp in vps {
            self.command(at, Op::Read, pair, vp);
        }
        self.free
    }

    pub fn request(&mut self, at: u64, pair: u64) {
        self.events.push((at, Event::Request(pair)));
    }

    /// Adds a request for a packet without bytes.
    pub fn empty(&mut self, at: u64, pair: u64) {
        self.events.push((at, Event::Empty(pair)));
    }

    /// Adds requests for a pair in consecutive cycles. Returns the first cycle after them.
    pub fn stream(&mut self, at: u64, pair: u64, count: u64) -> u64 {
        (at..at + count).for_each(|at| self.request(at, pair));
        at + count
    }

    pub fn report(&mut self, at: u64, report: Report) {
        self.events.push((at, Event::Report(report)));
    }

    /// Adds a report of `count` packets without indication.
    pub fn count(&mut self, at: u64, pair: u64, vp: u64, count: u64) {
        self.report(at, Report { pair, vp: port(self.shape, pair, vp), count, ..Report::default() });
    }

    /// Adds a report of `count` packets with the indication *ecn*.
    pub fn ecn(&mut self, at: u64, pair: u64, vp: u64, count: u64) {
        self.report(at, Report { pair, vp: port(self.shape, pair, vp), count, ecn: true, ..Report::default() });
    }

    /// Adds a report with the rate of a measured burst.
    pub fn probed(&mut self, at: u64, pair: u64, vp: u64, rate: u64) {
        self.report(at, Report { pair, vp: port(self.shape, pair, vp), probed: true, rate, ..Report::default() });
    }

    /// Adds a report with *ecn*, and `units` later one without, so that an armed VP requests a probe if its wait has
    /// passed. Returns the cycle of the latter.
    pub fn call(&mut self, at: u64, pair: u64, vp: u64, units: u64) -> u64 {
        let again = at + units * self.shape.unit;
        self.ecn(at, pair, vp, 1);
        self.count(again, pair, vp, 1);
        again
    }

    /// The first cycle from `from` on that is `distance` cycles before the next unit.
    pub const fn ahead(&self, from: u64, distance: u64) -> u64 {
        (from + distance).div_ceil(self.shape.unit) * self.shape.unit - distance
    }
}

impl Draft for Script {
    type Event = Event;

    /// Adds events that must be refused to cycles around the first requests that have no such event: requests and
    /// reports for a pair that does not exist, and reports of VPs that are not present under numbers that are.
    fn add_bystanders(&mut self) {
        let requested = |event: &Event| matches!(event, Event::Request(_) | Event::Empty(_));
        let first = self.events.iter().filter(|(_, event)| requested(event)).map(|&(cycle, _)| cycle).min();
        let Some(from) = first.map(|cycle| cycle.saturating_sub(2)) else {
            return;
        };
        let added = |pair: u64| self.events.iter().any(|(_, e)| matches!(e, Event::Command(c) if c.pair == pair));
        let stranger = (0..ports::numbers(self.shape)).rev().find(|&pair| !added(pair));
        let wrong = |vp| Report { vp: other_port(self.shape, 0, vp), count: 9, ecn: true, ..Report::default() };
        let mut reports = vec![wrong(0), wrong(1)];
        reports.extend(stranger.map(|pair| Report { pair, vp: port(self.shape, 0, 0), ..reports[0] }));
        let taken = |at: u64, request: bool| {
            let same = |event: &Event| if request { requested(event) } else { matches!(event, Event::Report(_)) };
            self.events.iter().any(|(cycle, event)| *cycle == at && same(event))
        };
        let quiet: Vec<u64> = (from..).filter(|&at| !taken(at, false)).take(reports.len()).collect();
        let free = (from..).find(|&at| !taken(at, true));
        for (at, report) in quiet.into_iter().zip(reports) {
            self.report(at, report);
        }
        if let (Some(at), Some(pair)) = (free, stranger) {
            self.request(at, pair);
        }
    }

    fn unready(&self) -> Vec<(&'static str, Row)> {
        let commands = self.hammered.iter().map(|this| ports::command(self.shape).row(this));
        commands.chain(self.held.iter().map(|this| ports::report(self.shape).row(this))).collect()
    }

    /// Returns the events in the order of their cycles, at most one per stream and cycle. Reports are moved to cycles
    /// in which they are accepted.
    fn into_events(mut self) -> Vec<(u64, Event)> {
        self.events.sort_by_key(|&(cycle, event)| (cycle, stream(&event)));
        self.events.dedup_by_key(|&mut (cycle, event)| (cycle, stream(&event)));
        let operations = self.events.iter().filter(|(_, event)| matches!(event, Event::Command(_)));
        let effects: Vec<u64> = operations.map(|&(cycle, _)| cycle + 1).collect();
        let sweep = self.shape.sweep();
        let accepted = |&(cycle, event): &(u64, Event)| {
            !matches!(event, Event::Report(_)) || cycle >= sweep && effects.binary_search(&cycle).is_err()
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
        Event::Report(_) => 2,
        Event::Request(_) | Event::Empty(_) => 3,
    }
}
