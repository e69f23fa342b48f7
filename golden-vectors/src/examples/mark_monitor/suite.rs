// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connects oracle and scripts to the shared suite of timed cases: the ports of the stage, and how events and outputs are
//! written as rows of their streams.

use super::oracle::{Event, Outputs, Settings, Shape, run};
use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, map_of, named, unready};
use crate::collect::runs::{dense, valid};
use crate::collect::timed::{self, Draft, Stage, latency};
use crate::schema::timed::{Row, Streams, TimedExpect};
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

    fn unready(&self) -> Vec<(&'static str, Row)> {
        self.held.iter().map(|&path| ("mark", vec![path])).collect()
    }

    fn into_events(mut self) -> Vec<(u64, Event)> {
        self.events.sort_by_key(|&(cycle, event)| (cycle, matches!(event, Event::Mark(_))));
        self.events
    }
}

/// A stream of paths.
fn paths(shape: Shape, stream: &'static str) -> Fields<u64> {
    Fields::new(stream).with("path", shape.paths.ilog2(), |&path| path)
}

fn settings() -> Fields<Settings> {
    fields!(Settings {
        settings_limit: 16 => |settings| settings.limit,
        alarm_ready: 1 => |settings| settings.ready.into(),
    })
}

fn counters() -> Fields<Outputs> {
    fields!(32, Outputs: lost_alarms)
}

impl Stage for Shape {
    type Settings = Settings;
    type Event = Event;
    type Script = Script;
    /// The settings at the beginning, and whether an alarm is lost.
    type Answer = (Settings, bool);

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
        let others = [settings().widths(), counters().widths(), named([("mark_ready", 1)])];
        let (mark, alarm) = (paths(self, "mark"), paths(self, "alarm"));
        (map_of([mark.columns()]), map_of([alarm.columns()]), map_of(others.into_iter().flatten()))
    }

    fn settings(self, first: Settings) -> BTreeMap<String, u64> {
        settings().values(&first)
    }

    fn puts(self, _: Settings, events: &[(u64, Event)], _: u64) -> Vec<(u64, Put)> {
        let (settings, mark) = (settings(), paths(self, "mark"));
        let put = |event| match event {
            Event::Settings(new) => settings.set(&new),
            Event::Mark(path) => mark.put(&path),
        };
        events.iter().map(|&(cycle, event)| (cycle, put(event))).collect()
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
        TimedExpect {
            outputs: named([paths(self, "alarm").rows(valid(&dense(&outputs), cycles, |out| out.alarm))]),
            // C5
            levels: named([("mark_ready", unready(self.paths, std::iter::empty(), cycles, 0))]),
            counters: counters().values(&outputs[cycles as usize]),
        }
    }
}
