// SPDX-License-Identifier: MIT OR Apache-2.0
//! A block as the suite must know it: its ports, and what the oracle says of a case.

use super::script::{Event, Script};
use super::{Queue, Size};
use crate::collect::ports::{self, Put, named, streams};
use crate::collect::timed::Stage;
use crate::schema::timed::{Row, Span, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

/// What a cycle was like.
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    ready: bool,
    front: Option<u64>,
    level: Option<u64>,
    /// What was offered and taken.
    pushed: Option<u64>,
}

/// The cycles of a case.
fn run<S: Size>(size: S, first: bool, events: &[(u64, Event)], cycles: u64) -> Vec<Cycle> {
    let mut queue = size.queue();
    let mut receiver = first;
    let mut events = events.iter().peekable();
    let mut all = Vec::new();
    for cycle in 0..cycles {
        let mut offered = None;
        while let Some((_, event)) = events.next_if(|(at, _)| *at <= cycle) {
            match *event {
                Event::Ready(ready) => receiver = ready,
                Event::Push(item) => offered = Some(cut(size, item)),
            }
        }
        let (ready, front, level) = (queue.ready(), queue.front(), queue.level());
        all.push(Cycle { ready, front, level, pushed: offered.filter(|_| ready) });
        queue.clock(offered, receiver);
    }
    all
}

/// The bits of an item that there are; of wider items the vectors have the lowest 64.
fn cut<S: Size>(size: S, item: u64) -> u64 {
    if size.width() >= 64 { item } else { item & ((1 << size.width()) - 1) }
}

fn item<S: Size>(size: S, stream: &str) -> Streams {
    streams(&[(stream, &[("data", u32::try_from(size.width().min(64)).unwrap_or(64))])])
}

fn receiver(ready: bool) -> BTreeMap<String, u64> {
    named([("pop_ready", ready.into())])
}

/// A level as spans, of what it is in each cycle.
fn spans(levels: impl Iterator<Item = u64>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (cycle, level) in (0..).zip(levels) {
        match spans.last_mut() {
            Some([_, last, value]) if *value == level => *last = cycle,
            _ => spans.push([cycle, cycle, level]),
        }
    }
    spans
}

impl<S: Size> Stage for S {
    /// Whether the receiver is ready.
    type Settings = bool;
    type Event = Event;
    type Script = Script;
    /// What the receiver was at the beginning, and whether items were refused.
    type Answer = (bool, bool);

    const IGNORED_EVERY: usize = 2;

    fn size(self) -> String {
        self.name()
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        Size::configuration(self)
    }

    fn begin(self) -> u64 {
        self.capacity()
    }

    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>) {
        let mut widths = named([("push_ready", 1), ("pop_ready", 1)]);
        if self.queue().level().is_some() {
            widths.insert("level".into(), self.capacity().ilog2() + 1);
        }
        (item(self, "push"), item(self, "pop"), widths)
    }

    fn settings(self, ready: bool) -> BTreeMap<String, u64> {
        receiver(ready)
    }

    fn put(self, case: &mut TimedCase, first: bool, events: &[(u64, Event)]) {
        let taken = run(self, first, events, case.cycles);
        let put = |&(cycle, event): &(u64, Event)| match event {
            Event::Ready(ready) => Some((cycle, Put::Settings(receiver(ready)))),
            // Where it is not taken, the case may have other items on the port.
            Event::Push(_) => Some((cycle, Put::Row("push", vec![taken[usize::try_from(cycle).ok()?].pushed?]))),
        };
        ports::put(case, &["push"], receiver(first), events.iter().filter_map(put));
    }

    fn answer(self, first: bool, events: &[(u64, Event)]) -> (bool, bool) {
        let offers = events.iter().filter(|(_, event)| matches!(event, Event::Push(_))).count();
        let cycles = events.last().map_or(0, |&(cycle, _)| cycle + 1);
        let taken = run(self, first, events, cycles).iter().filter(|cycle| cycle.pushed.is_some()).count();
        (first, taken < offers)
    }

    fn refuses(answer: &(bool, bool)) -> bool {
        answer.1
    }

    fn expect(self, events: &[(u64, Event)], answer: &(bool, bool), cycles: u64) -> TimedExpect {
        let run = run(self, answer.0, events, cycles);
        let row = |(cycle, now): (u64, &Cycle)| -> Option<Row> { Some(vec![cycle, now.front?]) };
        let mut levels = named([("push_ready", spans(run.iter().map(|now| now.ready.into())))]);
        if self.queue().level().is_some() {
            levels.insert("level".into(), spans(run.iter().filter_map(|now| now.level)));
        }
        let outputs = named([("pop", (0..).zip(&run).filter_map(row).collect())]);
        TimedExpect { outputs, levels, counters: BTreeMap::new() }
    }
}
