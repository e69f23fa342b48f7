// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::ports;
use super::script::Script;
use crate::collect::timed::{self, Draft, Stage, latency};
use crate::entropy_selector::oracle::{Answer, Event, Mode, Settings, Shape, answer};
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
        let Shape { cccs, evs, ram_latency, modes, ports, .. } = self;
        let modes = match modes {
            1 => String::new(),
            Mode::MASK => "_all_modes".to_owned(),
            _ => Mode::ALL
                .iter()
                .filter(|mode| modes >> mode.code() & 1 == 1)
                .map(|mode| format!("_{}", mode.name()))
                .collect(),
        };
        let ports = if ports == 1 { String::new() } else { format!("p{ports}") };
        format!("c{cccs}e{evs}{}{ports}{modes}", latency(ram_latency))
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        self.configuration()
    }

    fn begin(self) -> u64 {
        0
    }

    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>) {
        (ports::inputs(self), ports::outputs(self), ports::widths(self))
    }

    fn settings(self, settings: Settings) -> BTreeMap<String, u64> {
        ports::settings(settings)
    }

    fn put(self, case: &mut TimedCase, first: Settings, events: &[(u64, Event)]) {
        ports::put_events(case, first, events);
    }

    fn answer(self, first: Settings, events: &[(u64, Event)]) -> Answer {
        answer(self, first, events)
    }

    fn refuses(answer: &Answer) -> bool {
        let refused = answer.refused_requests + answer.feedback_closed + answer.feedback_range;
        refused != 0 || answer.responses.iter().any(|response| !response.done)
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
        let rows: Vec<_> = self.unready.iter().map(|&command| ports::operation(command)).collect();
        if rows.is_empty() { BTreeMap::new() } else { [("command".to_owned(), rows)].into() }
    }

    fn into_events(self) -> Vec<(u64, Event)> {
        self.into_events()
    }
}
