// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::ports;
use super::script::{Event, Ready, Script};
use crate::collect::ports::Put;
use crate::collect::timed::{self, Stage, latency};
use crate::frame::frame_gate::oracle::Shape;
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

/// Adds the groups collected so far, with their cases.
pub type Suite = timed::Suite<Shape>;

impl Stage for Shape {
    type Settings = Ready;
    type Event = Event;
    type Script = Script;
    /// The consumers at the beginning, and whether any frame was dropped or lost.
    type Answer = (Ready, bool);

    fn size(self) -> String {
        let Shape { data_width, beats, frames, mark, records, ram_latency } = self;
        let width = if data_width == 64 { String::new() } else { format!("w{data_width}") };
        let frames = if records { format!("f{frames}") } else { String::new() };
        format!("{width}b{beats}{frames}{}{}", latency(ram_latency), if mark { "-mark" } else { "" })
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        self.configuration()
    }

    fn begin(self) -> u64 {
        0
    }

    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>) {
        ports::ports(self)
    }

    fn settings(self, settings: Ready) -> BTreeMap<String, u64> {
        ports::standing(self, settings)
    }

    fn puts(self, _: Ready, events: &[(u64, Event)], _: u64) -> Vec<(u64, Put)> {
        ports::puts(self, events)
    }

    fn answer(self, first: Ready, events: &[(u64, Event)]) -> (Ready, bool) {
        let cycles = events.last().map_or(0, |&(cycle, _)| cycle + 1);
        let counts = ports::run(self, first, events, cycles).last().map(|end| end.counts).unwrap_or_default();
        (first, counts.dropped + counts.overflowed > 0)
    }

    fn refuses(answer: &(Ready, bool)) -> bool {
        answer.1
    }

    fn expect(self, events: &[(u64, Event)], answer: &(Ready, bool), cycles: u64) -> TimedExpect {
        ports::expect(self, &ports::run(self, answer.0, events, cycles), cycles)
    }
}
