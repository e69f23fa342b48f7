// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collects cases of timed events into groups and asks the oracle of their stage what to expect of them.

use super::Aim;
use crate::schema::Outcome;
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect, TimedGroup};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// So many cycles behind the last event everything has come out, and is counted.
const DRAIN: u64 = 40;

/// A size of a stage, and what the suite must know of the stage.
pub trait Stage: Copy + Debug {
    /// What stands on its settings.
    type Settings: Copy + Debug;
    /// What happens at its ports.
    type Event: Copy + Debug;
    /// The events of a case while it is thought up.
    type Script: Draft<Event = Self::Event>;
    /// What the oracle says.
    type Answer;

    /// One of so many cases also has bystanders.
    const IGNORED_EVERY: usize;

    /// The size in the name of a group.
    fn size(self) -> String;
    /// As groups give it.
    fn configuration(self) -> BTreeMap<String, u64>;
    /// A case ends behind this cycle.
    fn begin(self) -> u64;
    /// The streams that lead into it, those that come out of it, and all other ports.
    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>);
    /// The settings by their ports.
    fn settings(self, settings: Self::Settings) -> BTreeMap<String, u64>;
    /// Writes events into the inputs of a case.
    fn put(self, case: &mut TimedCase, first: Self::Settings, events: &[(u64, Self::Event)]);
    /// The oracle.
    fn answer(self, first: Self::Settings, events: &[(u64, Self::Event)]) -> Self::Answer;
    /// Whether it refuses anything.
    fn refuses(answer: &Self::Answer) -> bool;
    /// What must come out within so many cycles.
    fn expect(self, events: &[(u64, Self::Event)], answer: &Self::Answer, cycles: u64) -> TimedExpect;
}

/// The events of a case, in any order.
pub trait Draft {
    type Event;

    /// Adds events that must be refused, and must not disturb the others.
    fn add_bystanders(&mut self);
    /// What stands on the inputs whenever it is not accepted.
    fn unready(&self) -> BTreeMap<String, Vec<Row>>;
    /// The events in the order of their cycles.
    fn into_events(self) -> Vec<(u64, Self::Event)>;
}

/// The groups so far.
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
    /// Starts a group; the cases that follow belong to it.
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

    /// A case of the group.
    pub fn add(&mut self, id: impl AsRef<str>, comment: impl Into<String>, aim: Aim, mut script: S::Script) {
        let Some((stage, settings, group)) = self.groups.last_mut() else {
            return;
        };
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let mut flags = owned(aim.flags);
        if group.tests.len() % S::IGNORED_EVERY == 1 {
            script.add_bystanders();
            flags.push("IgnoredTraffic".into());
        }
        let unready = script.unready();
        let events = script.into_events();
        let answer = stage.answer(*settings, &events);
        let cycles = events.last().map_or(0, |&(cycle, _)| cycle).max(stage.begin()) + DRAIN;
        let refuses = !unready.is_empty() || S::refuses(&answer);
        let mut case = TimedCase {
            id: format!("{}/{}", group.name, id.as_ref()),
            comment: comment.into(),
            flags,
            rows: owned(aim.rows),
            result: if refuses { Outcome::Invalid } else { Outcome::Valid },
            cycles,
            settings: BTreeMap::new(),
            inputs: BTreeMap::new(),
            unready,
            expect: TimedExpect::default(),
        };
        stage.put(&mut case, *settings, &events);
        case.expect = stage.expect(&events, &answer, cycles);
        group.tests.push(case);
    }

    /// The groups, each with its cases in the order of adding.
    pub fn into_groups(self) -> Vec<TimedGroup> {
        self.groups.into_iter().map(|(_, _, group)| group).collect()
    }
}

/// The latency of memories in the name of a group.
pub fn latency(ram_latency: u64) -> String {
    if ram_latency == 2 { String::new() } else { format!("l{ram_latency}") }
}
