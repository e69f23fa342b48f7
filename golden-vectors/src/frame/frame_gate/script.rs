// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script of a case: methods that add events at chosen cycles, and return when their effect can be seen.

use crate::collect::timed::Draft;

/// Which of the two consumers are ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    pub frames: bool,
    pub records: bool,
}

/// A beat as it is driven on `s_axis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub data: u64,
    pub keep: u64,
    pub last: bool,
    pub user: u64,
}

/// An event: a beat or a record in a cycle, or a change of the consumers from a cycle on.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    Ready(Ready),
    Beat(Word),
    /// A record that has this number in its fields.
    Record(u64),
}

/// The events of a case, in the order in which they were added.
#[derive(Debug, Default)]
pub struct Script {
    events: Vec<(u64, Event)>,
    beats: u64,
    records: u64,
}

impl Script {
    /// Sets which consumers are ready from cycle `at` on.
    pub fn ready(&mut self, at: u64, frames: bool, records: bool) {
        self.events.push((at, Event::Ready(Ready { frames, records })));
    }

    /// Adds a beat. `user` is the verdict if the beat is the last one of its frame.
    pub fn beat(&mut self, at: u64, last: bool, user: u64) {
        self.beats += 1;
        let number = self.beats;
        let keep = if last { 0xFF >> (number % 8) } else { 0xFF };
        let data = number.wrapping_mul(0x0101_0101_0101_0101);
        self.events.push((at, Event::Beat(Word { data, keep, last, user: if last { user } else { 0 } })));
    }

    /// Adds a frame with one beat in every cycle. Returns the cycle after it.
    pub fn frame(&mut self, at: u64, beats: u64, user: u64) -> u64 {
        (0..beats).for_each(|n| self.beat(at + n, n + 1 == beats, user));
        at + beats
    }

    /// Adds the next record.
    pub fn record(&mut self, at: u64) {
        self.records += 1;
        self.events.push((at, Event::Record(self.records)));
    }

    /// Adds a frame, and its record in the cycle of the last beat. Returns the cycle after it.
    pub fn whole(&mut self, at: u64, beats: u64, user: u64) -> u64 {
        self.record(at + beats - 1);
        self.frame(at, beats, user)
    }
}

impl Draft for Script {
    type Event = Event;

    fn into_events(mut self) -> Vec<(u64, Event)> {
        let kind = |event: &Event| match event {
            Event::Ready(_) => 0,
            Event::Beat(_) => 1,
            Event::Record(_) => 2,
        };
        self.events.sort_by_key(|&(cycle, event)| (cycle, kind(&event)));
        self.events.dedup_by_key(|&mut (cycle, event)| (cycle, kind(&event)));
        self.events
    }
}
