// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::ports;
use super::script::Script;
use crate::collect::timed::{self, Draft, Stage, latency};
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
use crate::transmit::path_scheduler::oracle::{Answer, Entropy, Event, Settings, Shape, answer};
use std::collections::BTreeMap;

/// Adds the groups collected so far, with their cases.
pub type Suite = timed::Suite<Shape>;

impl Stage for Shape {
    type Settings = Option<Settings>;
    type Event = Event;
    type Script = Script;
    type Answer = Answer;

    const IGNORED_EVERY: usize = 8;

    fn size(self) -> String {
        let other = |value: u64, usual: u64, name: &str| {
            if value == usual { String::new() } else { format!("{name}{value}") } //
        };
        let (weights, numbers) = (other(self.weight_bits, 8, "w"), other(self.in_flight_bits, 16, "n"));
        let entropy = if self.entropy == Entropy::Xor { "-xor" } else { "" };
        format!("q{}p{}{weights}{numbers}{}{entropy}", self.qps, self.paths, latency(self.ram_latency))
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        self.configuration()
    }

    fn begin(self) -> u64 {
        self.sweep()
    }

    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>) {
        (ports::inputs(self), ports::outputs(self), ports::widths(self))
    }

    fn settings(self, settings: Option<Settings>) -> BTreeMap<String, u64> {
        ports::standing(settings)
    }

    fn put(self, case: &mut TimedCase, first: Option<Settings>, events: &[(u64, Event)]) {
        ports::put_events(case, first, events);
    }

    fn answer(self, first: Option<Settings>, events: &[(u64, Event)]) -> Answer {
        answer(self, first, events)
    }

    fn refuses(answer: &Answer) -> bool {
        let refused = [
            answer.refused_requests,
            answer.no_path_requests,
            answer.full_requests,
            answer.feedback_closed,
            answer.feedback_range,
            answer.feedback_absent,
        ];
        refused != [0; 6] || answer.responses.iter().any(|response| !response.done)
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
        let hammered = self.hammered.iter().map(|&command| ("command", ports::command(command)));
        for (stream, row) in hammered.chain(self.held.iter().map(|&held| ("feedback", ports::feedback(held)))) {
            unready.entry(stream.into()).or_default().push(row);
        }
        unready
    }

    fn into_events(self) -> Vec<(u64, Event)> {
        self.into_events()
    }
}
