// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collects cases into groups and asks the oracle what to expect of them.

use super::ports;
use super::script::Script;
use crate::generate::suite::Aim;
use crate::oracle::entropy_selector::{Answer, Settings, Shape, answer};
use crate::schema::Outcome;
use crate::schema::timed::{TimedCase, TimedExpect, TimedGroup};
use std::collections::BTreeMap;

/// So many cycles behind the last event everything has come out, and is counted.
const DRAIN: u64 = 40;

/// The groups so far.
#[derive(Debug, Default)]
pub struct Suite {
    groups: Vec<(Shape, Settings, TimedGroup)>,
}

impl Suite {
    /// Starts a group; the cases that follow belong to it.
    pub fn group(&mut self, name: &str, comment: &str, shape: Shape, settings: impl Into<Settings>) {
        let Shape { cccs, evs, ram_latency, modes, ports } = shape;
        let latency = if ram_latency == 2 { String::new() } else { format!("l{ram_latency}") };
        let modes = if modes == 1 { String::new() } else { format!("m{modes}") };
        let ports = if ports == 1 { String::new() } else { format!("p{ports}") };
        let settings = settings.into();
        let group = TimedGroup {
            name: format!("{name}-c{cccs}e{evs}{modes}{latency}{ports}"),
            comment: comment.into(),
            configuration: shape.configuration(),
            settings: ports::settings(settings),
            inputs: ports::inputs(shape),
            outputs: ports::outputs(shape),
            widths: ports::widths(shape),
            tests: Vec::new(),
        };
        self.groups.push((shape, settings, group));
    }

    /// A case of the group.
    pub fn add(&mut self, id: impl AsRef<str>, comment: impl Into<String>, aim: Aim, mut script: Script) {
        let Some((shape, settings, group)) = self.groups.last_mut() else {
            return;
        };
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let mut flags = owned(aim.flags);
        // Every other case also has something that must be refused and must not disturb it.
        if group.tests.len() % 2 == 1 {
            script.add_bystanders();
            flags.push("Bystander".into());
        }
        let unready = script.unready.clone();
        let events = script.into_events();
        let answer = answer(*shape, *settings, &events);
        let cycles = events.last().map_or(0, |&(cycle, _)| cycle) + DRAIN;
        let mut case = TimedCase {
            id: format!("{}/{}", group.name, id.as_ref()),
            comment: comment.into(),
            flags,
            rows: owned(aim.rows),
            result: if unready.is_empty() { result(&answer) } else { Outcome::Invalid },
            cycles,
            settings: BTreeMap::new(),
            inputs: BTreeMap::new(),
            unready: BTreeMap::new(),
            expect: TimedExpect::default(),
        };
        ports::put_events(&mut case, *settings, &events);
        if !unready.is_empty() {
            case.unready.insert("control".into(), unready.into_iter().map(ports::operation).collect());
        }
        case.expect = ports::expect(*shape, &events, &answer, cycles);
        group.tests.push(case);
    }

    /// The groups, each with its cases in the order of adding.
    pub fn into_groups(self) -> Vec<TimedGroup> {
        self.groups.into_iter().map(|(_, _, group)| group).collect()
    }
}

/// Whether anything was refused.
fn result(answer: &Answer) -> Outcome {
    let refused = answer.refused_requests + answer.feedback_closed + answer.feedback_range;
    match refused == 0 && answer.responses.iter().all(|response| response.done) {
        true => Outcome::Valid,
        false => Outcome::Invalid,
    }
}
