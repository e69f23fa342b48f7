// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of a case while it is thought up.

use super::ports;
use crate::elab_scheduler::oracle::{Control, Event, Op, Report, Settings, Shape};

/// The greatest bandwidth, and the greatest rate.
pub const MOST: u64 = 0xFF_FFFF;

/// The port of a VP: those of a pair differ in their low bits alone, those of two pairs in others too.
pub const fn port(shape: Shape, pair: u64, vp: u64) -> u64 {
    let above = (0xC3A5 ^ pair << 9) & 0xFFFF;
    above / shape.vps * shape.vps + vp
}

/// The same VP under another port: its number is in the low bits, of which the lowest other one is changed.
pub const fn other_port(shape: Shape, pair: u64, vp: u64) -> u64 {
    port(shape, pair, vp) ^ shape.vps
}

/// The events of a case, in any order.
#[derive(Clone, Debug)]
pub struct Script {
    shape: Shape,
    events: Vec<(u64, Event)>,
    /// Operations that stand on the inputs whenever they are not accepted.
    pub hammered: Vec<Control>,
    /// Reports that stand on the inputs whenever they are not accepted.
    pub held: Vec<Report>,
    /// When the next operation can be accepted.
    free: u64,
}

impl Script {
    /// Nothing happens.
    pub fn new(shape: Shape) -> Self {
        Script { shape, events: Vec::new(), hammered: Vec::new(), held: Vec::new(), free: shape.sweep() }
    }

    /// Pair 0 has VPs of these bandwidths, 0 for one that is absent; and a cycle in which requests see them, more than
    /// two units behind the last one.
    pub fn running(shape: Shape, bandwidths: &[u64]) -> (Self, u64) {
        Self::all_running(shape, 1, bandwidths)
    }

    /// The same for the first `count` pairs.
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

    /// Adds a VP; the first cycle in which requests see it.
    pub fn add(&mut self, pair: u64, vp: u64, bandwidth: u64) -> u64 {
        self.operate(0, Control::add(pair, port(self.shape, pair, vp), bandwidth));
        self.settled()
    }

    /// The first cycle in which requests see the last operation.
    pub const fn settled(&self) -> u64 {
        self.free - self.shape.operations() + 1 + self.shape.visibility_delay()
    }

    /// The settings from a cycle on.
    pub fn set(&mut self, at: u64, settings: Settings) {
        self.events.push((at, Event::Settings(settings)));
    }

    /// An operation as soon as one can be accepted, but not before `at`; the cycle in which it is accepted.
    pub fn operate(&mut self, at: u64, control: Control) -> u64 {
        let at = self.free.max(at);
        self.free = at + self.shape.operations();
        self.events.push((at, Event::Control(control)));
        at
    }

    /// The same on a VP by its number.
    pub fn control(&mut self, at: u64, op: Op, pair: u64, vp: u64) -> u64 {
        self.operate(at, Control::new(op, pair, port(self.shape, pair, vp)))
    }

    /// Reads some VPs of a pair; the cycle behind the last acceptance.
    pub fn reads(&mut self, at: u64, pair: u64, vps: impl IntoIterator<Item = u64>) -> u64 {
        for vp in vps {
            self.control(at, Op::Read, pair, vp);
        }
        self.free
    }

    /// A request.
    pub fn request(&mut self, at: u64, pair: u64) {
        self.events.push((at, Event::Request(pair)));
    }

    /// Requests for a pair in cycles in a row; the first cycle behind them.
    pub fn stream(&mut self, at: u64, pair: u64, count: u64) -> u64 {
        (at..at + count).for_each(|at| self.request(at, pair));
        at + count
    }

    /// A report of any kind.
    pub fn report(&mut self, at: u64, report: Report) {
        self.events.push((at, Event::Report(report)));
    }

    /// So many packets arrived on a VP.
    pub fn count(&mut self, at: u64, pair: u64, vp: u64, count: u64) {
        self.report(at, Report { pair, vp: port(self.shape, pair, vp), count, ..Report::default() });
    }

    /// The same, and one of them was marked.
    pub fn ecn(&mut self, at: u64, pair: u64, vp: u64, count: u64) {
        self.report(at, Report { pair, vp: port(self.shape, pair, vp), count, ecn: true, ..Report::default() });
    }

    /// A burst was measured.
    pub fn probed(&mut self, at: u64, pair: u64, vp: u64, rate: u64) {
        self.report(at, Report { pair, vp: port(self.shape, pair, vp), probed: true, rate, ..Report::default() });
    }

    /// A mark, and so many units later a report without, so that a VP that waits no longer calls; the cycle of the latter.
    pub fn call(&mut self, at: u64, pair: u64, vp: u64, units: u64) -> u64 {
        let again = at + units * self.shape.unit;
        self.ecn(at, pair, vp, 1);
        self.count(again, pair, vp, 1);
        again
    }

    /// The first cycle from `from` on that is `distance` cycles ahead of another time.
    pub const fn ahead(&self, from: u64, distance: u64) -> u64 {
        (from + distance).div_ceil(self.shape.unit) * self.shape.unit - distance
    }

    /// Adds events that must be refused about the first requests, in cycles that have none: requests and reports for
    /// another pair, and reports of VPs that are not there, under numbers that are.
    pub fn add_bystanders(&mut self) {
        let requested = |event: &Event| matches!(event, Event::Request(_));
        let first = self.events.iter().filter(|(_, event)| requested(event)).map(|&(cycle, _)| cycle).min();
        let Some(from) = first.map(|cycle| cycle.saturating_sub(2)) else {
            return;
        };
        let added = |pair: u64| self.events.iter().any(|(_, e)| matches!(e, Event::Control(c) if c.pair == pair));
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

    /// The events in the order of their cycles, one of a kind in each, reports where they are accepted.
    pub fn into_events(mut self) -> Vec<(u64, Event)> {
        self.events.sort_by_key(|&(cycle, event)| (cycle, stream(&event)));
        self.events.dedup_by_key(|&mut (cycle, event)| (cycle, stream(&event)));
        let operations = self.events.iter().filter(|(_, event)| matches!(event, Event::Control(_)));
        let effects: Vec<u64> = operations.map(|&(cycle, _)| cycle + 1).collect();
        let sweep = self.shape.sweep();
        let accepted = |&(cycle, event): &(u64, Event)| {
            !matches!(event, Event::Report(_)) || cycle >= sweep && effects.binary_search(&cycle).is_err()
        };
        self.events.retain(accepted);
        self.events
    }
}

/// Where an event stands on the inputs.
const fn stream(event: &Event) -> u8 {
    match event {
        Event::Settings(_) => 0,
        Event::Control(_) => 1,
        Event::Report(_) => 2,
        Event::Request(_) => 3,
    }
}
