// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::oracle::{Event, Limits, Outcome, Outputs, Pace, PoolShape, Settings, Shape, run};
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
    type Answer = Vec<Outputs>;

    fn size(self) -> String {
        let other = |value: u64, usual: u64, name: &str| {
            if value == usual { String::new() } else { format!("{name}{value}") } //
        };
        let (paths, handle) = (other(self.paths, 4, "p"), other(self.handle_bits.into(), 16, "h"));
        let psn = other(self.psn_bits.into(), 24, "n");
        let pool = self.pool.map_or_else(String::new, |pool| {
            let PoolShape { data_width, cells, cell_bytes, reset } = pool;
            let Limits { quota, reserve } = PoolShape::new(data_width, cells, cell_bytes).reset;
            let limits = [other(reset.quota, quota, "q"), other(reset.reserve, reserve, "r")].concat();
            format!("b{data_width}k{cells}x{cell_bytes}{limits}")
        });
        let latency = latency(self.ram_latency);
        format!("c{}w{}{paths}{psn}{handle}{pool}{latency}", self.connections, self.window)
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

    fn answer(self, first: Option<Settings>, events: &[(u64, Event)]) -> Vec<Outputs> {
        let last = events.last().map_or(0, |&(cycle, _)| cycle);
        run(self, Pace::LATE, first, events, last.max(self.begin()) + BEHIND)
    }

    fn refuses(answer: &Vec<Outputs>) -> bool {
        let refused = [
            Outcome::Duplicate,
            Outcome::Below,
            Outcome::Above,
            Outcome::NoBuffer,
            Outcome::Unknown, //
        ];
        let not_done = |out: &Outputs| out.response.is_some_and(|response| !response.done);
        let refuses = |out: &Outputs| out.answer.is_some_and(|answer| refused.contains(&answer.outcome));
        answer.iter().any(|out| not_done(out) || refuses(out))
    }

    fn expect(self, _: &[(u64, Event)], answer: &Vec<Outputs>, cycles: u64) -> TimedExpect {
        ports::expect(self, answer, cycles)
    }
}
