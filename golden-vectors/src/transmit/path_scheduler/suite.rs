// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::ports;
use super::script::Script;
use crate::collect::ports::Put;
use crate::collect::timed::{self, Stage, latency};
use crate::schema::timed::{Streams, TimedExpect};
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
        ports::ports(self)
    }

    fn settings(self, settings: Option<Settings>) -> BTreeMap<String, u64> {
        ports::standing(self, settings)
    }

    fn puts(self, _: Option<Settings>, events: &[(u64, Event)], _: u64) -> Vec<(u64, Put)> {
        ports::puts(self, events)
    }

    fn answer(self, first: Option<Settings>, events: &[(u64, Event)]) -> Answer {
        answer(self, first, events)
    }

    fn refuses(answer: &Answer) -> bool {
        ports::counters().any(answer) || answer.responses.iter().any(|response| !response.done)
    }

    fn expect(self, events: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
        ports::expect(self, events, answer, cycles)
    }
}
