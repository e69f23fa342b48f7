// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::ports;
use super::script::Script;
use crate::collect::ports::named;
use crate::collect::timed::{self, Draft, Stage, latency};
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
use crate::transmit::entropy_selector::oracle::{Answer, Event, Mode, SettingsPorts, Shape, answer};
use std::collections::BTreeMap;

/// Adds the groups collected so far, with their cases.
pub type Suite = timed::Suite<Shape>;

impl Stage for Shape {
    type Settings = SettingsPorts;
    type Event = Event;
    type Script = Script;
    type Answer = Answer;

    const IGNORED_EVERY: usize = 2;

    fn size(self) -> String {
        let Shape { cccs, evs, ram_latency, modes, ports, wire_base, wire_range, .. } = self;
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
        let wire = match (wire_base, wire_range) {
            (49152, 16384) => String::new(),
            _ => format!("w{wire_base}r{wire_range}"),
        };
        format!("c{cccs}e{evs}{}{ports}{wire}{modes}", latency(ram_latency))
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        self.configuration()
    }

    fn begin(self) -> u64 {
        0
    }

    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>) {
        (ports::inputs(self), ports::outputs(self), ports::widths())
    }

    fn settings(self, settings: SettingsPorts) -> BTreeMap<String, u64> {
        ports::settings(settings)
    }

    fn put(self, case: &mut TimedCase, first: SettingsPorts, events: &[(u64, Event)]) {
        ports::put_events(case, self, first, events);
    }

    fn answer(self, first: SettingsPorts, events: &[(u64, Event)]) -> Answer {
        answer(self, first, events)
    }

    fn refuses(answer: &Answer) -> bool {
        let refused =
            answer.refused_requests + answer.blocked_requests + answer.feedback_closed + answer.feedback_range;
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
        let commands = self.unready.iter().map(|&command| ports::operation(command)).collect();
        let reroutes = self.unready_reroutes.iter().map(|&ccc| vec![ccc]).collect();
        let mut rows: BTreeMap<String, Vec<Row>> = named([("command", commands), ("reroute", reroutes)]);
        rows.retain(|_, rows| !rows.is_empty());
        rows
    }

    fn into_events(self) -> Vec<(u64, Event)> {
        self.into_events()
    }
}
