// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::oracle::{Event, Outputs, Protocol, Settings, Shape, run};
use super::ports;
use super::script::Script;
use crate::collect::ports::Put;
use crate::collect::timed::{self, Stage, latency};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

/// Adds the groups collected so far, with their cases.
pub type Suite = timed::Suite<Shape>;

/// Cycles behind the last event for which the oracle answers. Cases are shorter.
const BEHIND: u64 = 64;

impl Stage for Shape {
    type Settings = Option<Settings>;
    type Event = Event;
    type Script = Script;
    type Answer = Vec<(u64, Outputs)>;

    fn size(self) -> String {
        let other = |value: u64, usual: u64, name: &str| {
            if value == usual { String::new() } else { format!("{name}{value}") } //
        };
        let protocol = match self.protocol {
            Protocol::Roce => "roce",
            Protocol::Uet => "uet",
        };
        let (replies, handle) = (other(self.replies, 64, "r"), other(self.handle_bits.into(), 16, "h"));
        let size = format!("c{}w{}", self.connections, self.window);
        format!("{protocol}-{size}{replies}{handle}{}", latency(self.ram_latency))
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

    fn answer(self, first: Option<Settings>, events: &[(u64, Event)]) -> Vec<(u64, Outputs)> {
        let last = events.last().map_or(0, |&(cycle, _)| cycle);
        run(self, first, events, last.max(self.begin()) + BEHIND)
    }

    fn refuses(answer: &Vec<(u64, Outputs)>) -> bool {
        let not_done = |out: &Outputs| out.response.is_some_and(|response| !response.done);
        let negative = |out: &Outputs| out.ack.is_some_and(|ack| ack.kind == 2);
        let without_effect = answer.last().is_some_and(|(_, out)| {
            let counters = out.counters;
            counters.refused_arrivals + counters.busy_arrivals + counters.void_events + counters.dropped_replies > 0
        });
        without_effect || answer.iter().any(|(_, out)| not_done(out) || negative(out))
    }

    fn expect(self, _: &[(u64, Event)], answer: &Vec<(u64, Outputs)>, cycles: u64) -> TimedExpect {
        ports::expect(self, answer, cycles)
    }
}
