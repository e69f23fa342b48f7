// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes events as rows of input streams and as levels of ports in a timed case.

use crate::schema::timed::{Row, Span, TimedCase};
use std::collections::BTreeMap;

/// The width of a port that carries a number below `count`, at least 1.
pub const fn index_width(count: u64) -> u32 {
    if count <= 2 { 1 } else { (count - 1).ilog2() + 1 }
}

/// Makes a map from pairs of name and value.
pub fn named<'a, T>(entries: impl IntoIterator<Item = (&'a str, T)>) -> BTreeMap<String, T> {
    map_of(entries.into_iter().map(|(name, value)| (name.to_owned(), value)))
}

/// Makes a map from pairs, one by one: what `collect` does is a sort for each type of iterator, which is much code.
pub fn map_of<T>(pairs: impl IntoIterator<Item = (String, T)>) -> BTreeMap<String, T> {
    let mut map = BTreeMap::new();
    for (name, value) in pairs {
        map.insert(name, value);
    }
    map
}

/// Converts an event to a row of an input stream, or to new values of the settings ports.
#[derive(Debug)]
pub enum Put {
    /// A row of an input stream, without its cycle.
    Row(&'static str, Row),
    /// The values of all settings ports from this cycle on.
    Settings(BTreeMap<String, u64>),
}

impl From<(&'static str, Row)> for Put {
    fn from((stream, row): (&'static str, Row)) -> Self {
        Put::Row(stream, row)
    }
}

/// Sets a port that belongs to no stream.
pub fn set(port: &str, value: impl Into<u64>) -> Put {
    Put::Settings(named([(port, value.into())]))
}

/// Writes events into a case. `now` has the settings at the beginning.
pub fn put(case: &mut TimedCase, mut now: BTreeMap<String, u64>, events: Vec<(u64, Put)>) {
    for (cycle, put) in events {
        match put {
            Put::Row(stream, row) => {
                let row = [cycle].into_iter().chain(row).collect();
                case.inputs.entry(stream.into()).or_default().push(row);
            }
            Put::Settings(new) => {
                for (port, value) in new {
                    if now.insert(port.clone(), value) != Some(value) {
                        case.settings.entry(port).or_default().push((cycle, value));
                    }
                }
            }
        }
    }
}

/// The level of `busy`: 1 in the sweep.
pub fn busy(sweep: u64, cycles: u64) -> Vec<Span> {
    vec![[0, sweep - 1, 1], [sweep, cycles - 1, 0]]
}

/// The level of a ready signal: 0 in the sweep and for `behind` cycles after each of the `operations`, otherwise 1.
pub fn unready(sweep: u64, operations: impl Iterator<Item = u64>, cycles: u64, behind: u64) -> Vec<Span> {
    let mut spans = vec![[0, sweep - 1, 0]];
    let mut free = sweep;
    for cycle in operations {
        if free <= cycle {
            spans.push([free, cycle, 1]);
        }
        spans.push([cycle + 1, cycle + behind, 0]);
        free = cycle + behind + 1;
    }
    spans.push([free, cycles - 1, 1]);
    spans
}
