// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::ports;
use super::script::Script;
use crate::collect::ports::Put;
use crate::collect::timed::{self, Stage, latency};
use crate::elab::feedback::oracle::{self, Event, Settings, Shape};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

/// Adds the groups collected so far, with their cases.
pub type Suite = timed::Suite<Shape>;

impl Stage for Shape {
    type Settings = Settings;
    type Event = Event;
    type Script = Script;
    /// The settings at the beginning, and the answer.
    type Answer = (Settings, oracle::Answer);

    const IGNORED_EVERY: usize = 3;

    fn size(self) -> String {
        let Shape { pairs, vps, unit, ram_latency, .. } = self;
        format!("p{pairs}v{vps}u{unit}{}", latency(ram_latency))
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        self.configuration()
    }

    fn begin(self) -> u64 {
        self.sweep()
    }

    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>) {
        ports::ports(self)
    }

    fn settings(self, settings: Settings) -> BTreeMap<String, u64> {
        ports::standing(settings)
    }

    fn puts(self, _: Settings, events: &[(u64, Event)], _: u64) -> Vec<(u64, Put)> {
        ports::puts(self, events)
    }

    fn answer(self, first: Settings, events: &[(u64, Event)]) -> Self::Answer {
        (first, oracle::answer(self, first, events))
    }

    fn refuses((_, answer): &Self::Answer) -> bool {
        ports::counters().any(answer)
    }

    fn expect(self, events: &[(u64, Event)], (first, answer): &Self::Answer, cycles: u64) -> TimedExpect {
        let due = oracle::due(self, *first, events, cycles);
        ports::expect(self, events, answer, &due, cycles)
    }
}
