// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::ports;
use super::script::Script;
use crate::collect::ports::put;
use crate::collect::timed::{self, Draft, Stage, latency};
use crate::elab::scheduler::oracle::{Answer, Event, Settings, Shape, answer};
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

/// Adds the groups collected so far, with their cases.
pub type Suite = timed::Suite<Shape>;

impl Stage for Shape {
    type Settings = Settings;
    type Event = Event;
    type Script = Script;
    type Answer = Answer;

    const IGNORED_EVERY: usize = 2;

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
        (ports::inputs(self), ports::outputs(self), ports::widths())
    }

    fn settings(self, settings: Settings) -> BTreeMap<String, u64> {
        ports::settings(settings)
    }

    fn put(self, case: &mut TimedCase, first: Settings, events: &[(u64, Event)]) {
        let puts = events.iter().map(|&(cycle, event)| (cycle, ports::put(event)));
        put(case, &["request", "report", "command"], ports::settings(first), puts);
    }

    fn answer(self, first: Settings, events: &[(u64, Event)]) -> Answer {
        answer(self, first, events)
    }

    fn refuses(answer: &Answer) -> bool {
        let refused = [answer.refused_requests, answer.no_vp_requests, answer.refused_reports, answer.absent_reports];
        refused != [0; 4] || answer.responses.iter().any(|response| !response.done)
    }

    fn expect(self, events: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
        ports::expect(self, events, answer, cycles)
    }
}

impl Draft for Script {
    type Event = Event;

    fn add_bystanders(&mut self) {
        self.add_bystanders();
    }

    fn unready(&self) -> BTreeMap<String, Vec<Row>> {
        let mut unready: BTreeMap<String, Vec<_>> = BTreeMap::new();
        let hammered = self.hammered.iter().map(|&command| ("command", ports::operation(command)));
        for (stream, row) in hammered.chain(self.held.iter().map(|&held| ("report", ports::report(held)))) {
            unready.entry(stream.into()).or_default().push(row);
        }
        unready
    }

    fn into_events(self) -> Vec<(u64, Event)> {
        self.into_events()
    }
}
