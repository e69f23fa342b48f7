// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects oracle and scripts to the shared suite of timed cases: the ports of the stage, and how events and outputs are
//! written as rows of their streams.

use super::oracle::{Event, Outputs, Settings, Shape, run};
use crate::collect::ports::{Put, named, put, streams, unready};
use crate::collect::timed::{self, Draft, Stage, latency};
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

/// Adds the groups collected so far, with their cases.
pub type Suite = timed::Suite<Shape>;

/// The events of a case, in the order in which they were added.
#[derive(Debug, Default)]
pub struct Script {
    pub events: Vec<(u64, Event)>,
    /// Paths on the inputs while `mark_ready` is 0. None of them may be counted.
    pub held: Vec<u64>,
}

impl Script {
    /// Sets the settings from cycle `at` on.
    pub fn set(&mut self, at: u64, settings: Settings) {
        self.events.push((at, Event::Settings(settings)));
    }

    /// Adds marks on these paths, one per cycle from `at` on. Returns the cycle after the last one.
    pub fn marks(&mut self, at: u64, paths: impl IntoIterator<Item = u64>) -> u64 {
        let mut next = at;
        for path in paths {
            self.events.push((next, Event::Mark(path)));
            next += 1;
        }
        next
    }
}

impl Draft for Script {
    type Event = Event;

    fn add_bystanders(&mut self) {}

    fn unready(&self) -> BTreeMap<String, Vec<Row>> {
        let rows: Vec<Row> = self.held.iter().map(|&path| vec![path]).collect();
        if rows.is_empty() { BTreeMap::new() } else { named([("mark", rows)]) }
    }

    fn into_events(mut self) -> Vec<(u64, Event)> {
        self.events.sort_by_key(|&(cycle, event)| (cycle, matches!(event, Event::Mark(_))));
        self.events
    }
}

fn settings(Settings { limit, ready }: Settings) -> BTreeMap<String, u64> {
    named([("settings_limit", limit), ("alarm_ready", ready.into())])
}

impl Stage for Shape {
    type Settings = Settings;
    type Event = Event;
    type Script = Script;
    /// The settings at the beginning, and whether an alarm is lost.
    type Answer = (Settings, bool);

    /// No case has bystanders.
    const IGNORED_EVERY: usize = 1;

    fn size(self) -> String {
        format!("p{}a{}{}", self.paths, self.alarms, latency(self.ram_latency))
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        self.configuration()
    }

    fn begin(self) -> u64 {
        self.paths
    }

    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>) {
        let path: &[(&str, u32)] = &[("path", self.paths.ilog2())];
        let widths = [("mark_ready", 1), ("alarm_ready", 1), ("settings_limit", 16), ("lost_alarms", 32)];
        (streams(&[("mark", path)]), streams(&[("alarm", path)]), named(widths))
    }

    fn settings(self, first: Settings) -> BTreeMap<String, u64> {
        settings(first)
    }

    fn put(self, case: &mut TimedCase, first: Settings, events: &[(u64, Event)]) {
        let puts = events.iter().map(|&(cycle, event)| match event {
            Event::Settings(new) => (cycle, Put::Settings(settings(new))),
            Event::Mark(path) => (cycle, Put::Row("mark", vec![path])),
        });
        put(case, &["mark"], settings(first), puts);
    }

    fn answer(self, first: Settings, events: &[(u64, Event)]) -> (Settings, bool) {
        let cycles = events.last().map_or(0, |&(cycle, _)| cycle) + 40;
        (first, run(self, first, events, cycles).last().is_some_and(|end| end.lost_alarms > 0))
    }

    fn refuses(answer: &(Settings, bool)) -> bool {
        answer.1
    }

    fn expect(self, events: &[(u64, Event)], answer: &(Settings, bool), cycles: u64) -> TimedExpect {
        let outputs: Vec<Outputs> = run(self, answer.0, events, cycles);
        let offered = (0..).zip(&outputs[..cycles as usize]);
        let alarms: Vec<Row> = offered.filter_map(|(cycle, out)| Some(vec![cycle, out.alarm?])).collect();
        TimedExpect {
            outputs: named([("alarm", alarms)]),
            // C5
            levels: named([("mark_ready", unready(self.paths, std::iter::empty(), cycles, 0))]),
            counters: named([("lost_alarms", outputs[cycles as usize].lost_alarms)]),
        }
    }
}
