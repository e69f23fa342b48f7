// SPDX-License-Identifier: MIT OR Apache-2.0
//! A block as the suite must know it: its ports, and what the oracle says of a case.

use super::script::{Event, Script};
use super::{Queue, Size};
use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, map_of, named};
use crate::collect::runs::{dense, levels, valid};
use crate::collect::timed::Stage;
use crate::schema::timed::{Streams, TimedExpect};
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

/// A stream of items.
fn items<S: Size>(size: S, stream: &'static str) -> Fields<u64> {
    Fields::new(stream).with("data", u32::try_from(size.width().min(64)).unwrap_or(64), |&item| item)
}

fn receiver() -> Fields<bool> {
    fields!(bool { pop_ready: 1 => |&ready| ready.into() })
}

fn shown<S: Size>(size: S) -> Fields<Cycle> {
    let ready = fields!(Cycle { push_ready: 1 => |now| now.ready.into() });
    match size.queue().level() {
        Some(_) => ready.with("level", size.capacity().ilog2() + 1, |now| now.level.unwrap_or(0)),
        None => ready,
    }
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
        let widths = map_of(shown(self).widths().into_iter().chain(receiver().widths()));
        (map_of([items(self, "push").columns()]), map_of([items(self, "pop").columns()]), widths)
    }

    fn settings(self, ready: bool) -> BTreeMap<String, u64> {
        receiver().values(&ready)
    }

    fn puts(self, first: bool, events: &[(u64, Event)], cycles: u64) -> Vec<(u64, Put)> {
        let taken = run(self, first, events, cycles);
        let put = |&(cycle, event): &(u64, Event)| match event {
            Event::Ready(ready) => Some((cycle, receiver().set(&ready))),
            // Where it is not taken, the case may have other items on the port.
            Event::Push(_) => Some((cycle, items(self, "push").put(&taken[usize::try_from(cycle).ok()?].pushed?))),
        };
        events.iter().filter_map(put).collect()
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
        let all = dense(&run);
        TimedExpect {
            outputs: named([items(self, "pop").rows(valid(&all, cycles, |now| now.front))]),
            levels: levels(&all, cycles, &shown(self)),
            counters: BTreeMap::new(),
        }
    }
}
