// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::ports;
use super::script::Script;
use crate::collect::ports::Put;
use crate::collect::timed::{self, Stage, latency};
use crate::schema::timed::{Streams, TimedExpect};
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
        ports::ports(self)
    }

    fn settings(self, settings: SettingsPorts) -> BTreeMap<String, u64> {
        ports::standing(settings)
    }

    fn puts(self, first: SettingsPorts, events: &[(u64, Event)], _: u64) -> Vec<(u64, Put)> {
        ports::puts(self, first, events)
    }

    fn answer(self, first: SettingsPorts, events: &[(u64, Event)]) -> Answer {
        answer(self, first, events)
    }

    fn refuses(answer: &Answer) -> bool {
        ports::counters().any(answer) || answer.responses.iter().any(|response| !response.done)
    }

    fn expect(self, events: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
        ports::expect(self, events, answer, cycles)
    }
}
