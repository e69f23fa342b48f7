// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects the stage's oracle, ports and scripts to the shared suite of timed cases.

use super::oracle::{Change, Outputs, Settings, Shape, Size, run};
use super::ports;
use super::script::Script;
use crate::collect::ports::Put;
use crate::collect::timed::{self, Stage, latency};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

/// Adds the groups collected so far, with their cases.
pub type Suite = timed::Suite<Size>;

/// Cycles behind the last event for which the oracle answers. Cases are shorter.
const BEHIND: u64 = 64;

impl Stage for Size {
    type Settings = Option<Settings>;
    type Event = Change;
    type Script = Script;
    type Answer = Vec<(u64, Outputs)>;

    fn size(self) -> String {
        let Shape { global_ports, switches, trunks, counter_bits } = self.shape;
        format!("h{global_ports}a{switches}t{trunks}c{counter_bits}{}", latency(self.ram_latency))
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        self.configuration()
    }

    fn begin(self) -> u64 {
        self.ready()
    }

    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>) {
        ports::ports(self.shape)
    }

    fn settings(self, settings: Option<Settings>) -> BTreeMap<String, u64> {
        ports::standing(self.shape, settings)
    }

    fn puts(self, _: Option<Settings>, changes: &[(u64, Change)], _: u64) -> Vec<(u64, Put)> {
        ports::puts(self.shape, changes)
    }

    fn answer(self, first: Option<Settings>, changes: &[(u64, Change)]) -> Vec<(u64, Outputs)> {
        let last = changes.last().map_or(0, |&(cycle, _)| cycle);
        run(self, first, changes, last.max(self.begin()) + BEHIND)
    }

    fn refuses(answer: &Vec<(u64, Outputs)>) -> bool {
        let not_done = |out: &Outputs| out.state.is_some_and(|state| !state.done);
        answer.last().is_some_and(|(_, out)| out.counters.unknown > 0) || answer.iter().any(|(_, out)| not_done(out))
    }

    fn expect(self, _: &[(u64, Change)], answer: &Vec<(u64, Outputs)>, cycles: u64) -> TimedExpect {
        ports::expect(self.shape, answer, cycles)
    }
}
