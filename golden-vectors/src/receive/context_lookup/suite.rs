// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects oracle and scripts to the shared suite of timed cases.

use super::oracle::{Answer, Event, Shape, run};
use super::ports;
use super::script::Script;
use crate::collect::ports::Put;
use crate::collect::timed::{self, Stage, latency};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

/// Adds the groups collected so far, with their cases.
pub type Suite = timed::Suite<Shape>;

impl Stage for Shape {
    /// The stage has none.
    type Settings = ();
    type Event = Event;
    type Script = Script;
    type Answer = Answer;

    fn size(self) -> String {
        let letters = ["r", "u", "e"].into_iter().zip(0..);
        let kinds: String = letters.filter(|&(_, kind)| self.includes(kind)).map(|(letter, _)| letter).collect();
        format!("{kinds}{}{}", self.entries, latency(self.ram_latency))
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        self.configuration()
    }

    fn begin(self) -> u64 {
        self.rows()
    }

    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>) {
        ports::ports(self)
    }

    fn settings(self, (): ()) -> BTreeMap<String, u64> {
        BTreeMap::new()
    }

    fn puts(self, (): (), events: &[(u64, Event)], _: u64) -> Vec<(u64, Put)> {
        ports::puts(self, events)
    }

    fn answer(self, (): (), events: &[(u64, Event)]) -> Answer {
        run(self, events)
    }

    fn refuses(answer: &Answer) -> bool {
        answer.responses.iter().any(|(_, response)| !response.done)
    }

    fn expect(self, _: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
        ports::expect(self, answer, cycles)
    }
}
