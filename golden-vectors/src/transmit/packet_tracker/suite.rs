// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::oracle::{Change, Outputs, Settings, Shape, run};
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
    type Event = Change;
    type Script = Script;
    type Answer = Vec<(u64, Outputs)>;

    fn size(self) -> String {
        let other = |value: u64, usual: u64, name: &str| {
            if value == usual { String::new() } else { format!("{name}{value}") } //
        };
        let (psns, evs) = (other(self.psn_bits.into(), 32, "n"), other(self.ev_bits.into(), 8, "e"));
        let cccs = other(self.cccs, 16, "c");
        format!("p{}w{}{psns}{evs}{cccs}{}", self.pdcs, self.window, latency(self.ram_latency))
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

    fn puts(self, _: Option<Settings>, changes: &[(u64, Change)], _: u64) -> Vec<(u64, Put)> {
        ports::puts(self, changes)
    }

    fn answer(self, first: Option<Settings>, changes: &[(u64, Change)]) -> Vec<(u64, Outputs)> {
        let last = changes.last().map_or(0, |&(cycle, _)| cycle);
        run(self, first, changes, last.max(self.begin()) + BEHIND)
    }

    fn refuses(answer: &Vec<(u64, Outputs)>) -> bool {
        let not_done = |out: &Outputs| out.response.is_some_and(|response| !response.done);
        let without_effect = answer.last().is_some_and(|(_, out)| {
            let c = out.counters;
            c.closed_events + c.outside_acks + c.old_totals + c.void_nacks + c.refused_sends + c.empty_sends > 0
        });
        without_effect || answer.iter().any(|(_, out)| not_done(out))
    }

    fn expect(self, _: &[(u64, Change)], answer: &Vec<(u64, Outputs)>, cycles: u64) -> TimedExpect {
        ports::expect(self, answer, cycles)
    }
}
