// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of a case while it is thought up.

use crate::collect::timed::Draft;
use crate::schema::timed::Row;

/// What stands on the inputs in a cycle, or from it on.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// The receiver is ready from now on, or not.
    Ready(bool),
    /// An item is offered, in this cycle alone.
    Push(u64),
}

/// Events in any order.
#[derive(Debug, Default)]
pub struct Script {
    events: Vec<(u64, Event)>,
    pushes: u64,
    ignored: bool,
}

impl Script {
    /// Whether the receiver is ready from a cycle on.
    pub fn ready(&mut self, at: u64, ready: bool) {
        self.events.push((at, Event::Ready(ready)));
    }

    /// An item, other than those before it.
    pub fn push(&mut self, at: u64) {
        self.pushes += 1;
        self.events.push((at, Event::Push(self.pushes.wrapping_mul(0x9E37_79B9_7F4A_7C15))));
    }

    /// An item in each of so many cycles; the cycle behind them.
    pub fn pushes(&mut self, at: u64, count: u64) -> u64 {
        (0..count).for_each(|n| self.push(at + n));
        at + count
    }
}

impl Draft for Script {
    type Event = Event;

    fn add_bystanders(&mut self) {
        self.ignored = true;
    }

    fn unready(&self) -> Vec<(&'static str, Row)> {
        if self.ignored { vec![("push", vec![1]), ("push", vec![0])] } else { Vec::new() }
    }

    fn into_events(mut self) -> Vec<(u64, Event)> {
        let kind = |event: &Event| matches!(event, Event::Push(_));
        // The last of several in one cycle: a script changes its mind.
        self.events.reverse();
        self.events.sort_by_key(|&(cycle, event)| (cycle, kind(&event)));
        self.events.dedup_by_key(|&mut (cycle, event)| (cycle, kind(&event)));
        self.events
    }
}
