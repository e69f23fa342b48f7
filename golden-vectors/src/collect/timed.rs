// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collects cases with timed events into groups and asks the oracle of the stage for the expected answers.

use super::ports::{Put, map_of, put};
use super::{Aim, generator, notes};
use crate::schema::timed::{Row, SCHEMA_NAME, SCHEMA_VERSION, Streams, TimedCase, TimedExpect, TimedGroup};
use crate::schema::{Outcome, Provenance, SchemaId, TimedFile};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Cycles that a case runs after its last event. By then every answer has left the stage and every event is counted.
const DRAIN: u64 = 40;

/// A size of a stage, with all that the suite must know of the stage.
pub trait Stage: Copy + Debug {
    /// The values of the settings ports.
    type Settings: Copy + Debug;
    /// An event at the ports of the stage.
    type Event: Copy + Debug;
    /// The events of a case.
    type Script: Draft<Event = Self::Event>;
    /// The answer of the oracle to all events of a case.
    type Answer;

    /// One case in this many also gets bystanders; 1 for none.
    const IGNORED_EVERY: usize = 1;

    /// The size as part of the name of a group.
    fn size(self) -> String;
    /// The parameters with which the stage is built, as the group states them.
    fn configuration(self) -> BTreeMap<String, u64>;
    /// A case does not end before this cycle, so that the sweep after reset is always included.
    fn begin(self) -> u64;
    /// The input streams, the output streams, and the widths of all other ports.
    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>);
    /// The value of each settings port.
    fn settings(self, settings: Self::Settings) -> BTreeMap<String, u64>;
    /// What the events of a case of so many cycles put on the ports.
    fn puts(self, first: Self::Settings, events: &[(u64, Self::Event)], cycles: u64) -> Vec<(u64, Put)>;
    fn answer(self, first: Self::Settings, events: &[(u64, Self::Event)]) -> Self::Answer;
    /// Whether the oracle refuses any event.
    fn refuses(answer: &Self::Answer) -> bool;
    /// The expected outputs of the first `cycles` cycles.
    fn expect(self, events: &[(u64, Self::Event)], answer: &Self::Answer, cycles: u64) -> TimedExpect;
}

/// The events of a case while they are being added, in any order.
pub trait Draft {
    type Event;

    /// Adds bystanders: events that must be refused without any effect on the others.
    fn add_bystanders(&mut self) {}
    /// Rows driven on input streams while their ready signals are 0. They must have no effect.
    fn unready(&self) -> Vec<(&'static str, Row)> {
        Vec::new()
    }
    /// Returns the events in the order of their cycles.
    fn into_events(self) -> Vec<(u64, Self::Event)>;
}

/// Adds the groups collected so far, with their cases.
#[derive(Debug)]
pub struct Suite<S: Stage> {
    groups: Vec<(S, S::Settings, TimedGroup)>,
}

impl<S: Stage> Default for Suite<S> {
    fn default() -> Self {
        Suite { groups: Vec::new() }
    }
}

impl<S: Stage> Suite<S> {
    /// Starts a group. Cases added from now on belong to it.
    pub fn group(&mut self, name: &str, comment: &str, stage: S, settings: impl Into<S::Settings>) {
        let settings = settings.into();
        let (inputs, outputs, widths) = stage.ports();
        let group = TimedGroup {
            name: format!("{name}-{}", stage.size()),
            comment: comment.into(),
            configuration: stage.configuration(),
            settings: stage.settings(settings),
            inputs,
            outputs,
            widths,
            tests: Vec::new(),
        };
        self.groups.push((stage, settings, group));
    }

    /// Adds a case to the group, with the answers of the oracle.
    pub fn add(&mut self, id: impl AsRef<str>, comment: impl Into<String>, aim: Aim, script: S::Script) {
        self.add_case(id.as_ref(), comment.into(), aim, script);
    }

    // Not a part of `add`, of which there is one for each kind of text.
    fn add_case(&mut self, id: &str, comment: String, aim: Aim, mut script: S::Script) {
        let Some((stage, settings, group)) = self.groups.last_mut() else {
            return;
        };
        let mut case = empty_case(group, id, comment, aim);
        if group.tests.len() % S::IGNORED_EVERY == 1 {
            script.add_bystanders();
            case.flags.push("IgnoredTraffic".into());
        }
        case.unready = by_stream(script.unready());
        let events = script.into_events();
        let answer = stage.answer(*settings, &events);
        case.cycles = events.last().map_or(0, |&(cycle, _)| cycle).max(stage.begin()) + DRAIN;
        if !case.unready.is_empty() || S::refuses(&answer) {
            case.result = Outcome::Invalid;
        }
        let puts = stage.puts(*settings, &events, case.cycles);
        put(&mut case, group.settings.clone(), puts);
        case.expect = stage.expect(&events, &answer, case.cycles);
        group.tests.push(case);
    }

    /// Returns the groups. The cases of each are in the order in which they were added.
    pub fn into_groups(self) -> Vec<TimedGroup> {
        self.groups.into_iter().map(|(_, _, group)| group).collect()
    }
}

// What follows does not depend on the stage, so that there is one of it.

/// A case without events.
fn empty_case(group: &TimedGroup, id: &str, comment: String, aim: Aim) -> TimedCase {
    TimedCase {
        id: format!("{}/{id}", group.name),
        comment,
        flags: owned(aim.flags),
        rows: owned(aim.rows),
        result: Outcome::Valid,
        cycles: 0,
        settings: BTreeMap::new(),
        inputs: map_of(group.inputs.keys().map(|stream| (stream.clone(), Vec::new()))),
        unready: BTreeMap::new(),
        expect: TimedExpect::default(),
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn by_stream(rows: Vec<(&'static str, Row)>) -> BTreeMap<String, Vec<Row>> {
    let mut streams: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for (stream, row) in rows {
        streams.entry(stream.into()).or_default().push(row);
    }
    streams
}

/// What a file of timed vectors says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The stage.
    pub stage: &'a str,
    /// What it does, in one line.
    pub algorithm: &'a str,
    /// Where its oracle is, and what tests the oracle.
    pub oracle: &'a str,
    /// The page with its contract.
    pub contract: &'a str,
    /// The rows that have cases.
    pub rows: &'a [&'a str],
    /// The flags of the cases: flag, kind of fault that it finds, description.
    pub notes: &'a [(&'a str, &'a str, &'a str)],
}

impl Head<'_> {
    /// The file with the groups of the suite.
    pub fn file<S: Stage>(self, suite: Suite<S>) -> TimedFile {
        self.file_of(suite.into_groups())
    }

    fn file_of(self, groups: Vec<TimedGroup>) -> TimedFile {
        TimedFile {
            schema: SchemaId { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION.into() },
            stage: self.stage.into(),
            algorithm: self.algorithm.into(),
            license: "MIT OR Apache-2.0".into(),
            generator: generator(),
            provenance: Provenance {
                oracle: self.oracle.into(),
                contract: self.contract.into(),
                rows: owned(self.rows),
            },
            number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
            notes: notes(self.notes),
            groups,
        }
    }
}

/// The latency of memories as part of the name of a group. The default of 2 is not named.
pub fn latency(ram_latency: u64) -> String {
    if ram_latency == 2 { String::new() } else { format!("l{ram_latency}") }
}
