// SPDX-License-Identifier: MIT OR Apache-2.0
//! How events become rows of streams and levels of ports in a timed case.

use crate::schema::timed::{Column, Row, Span, Streams, TimedCase};
use std::collections::BTreeMap;

/// Bits of a number below `count`.
pub const fn index_width(count: u64) -> u32 {
    if count <= 2 { 1 } else { (count - 1).ilog2() + 1 }
}

/// Streams with the widths of their columns.
pub fn streams(streams: &[(&str, &[(&str, u32)])]) -> Streams {
    let column = |&(name, width): &(&str, u32)| Column { name: name.into(), width };
    streams.iter().map(|&(name, columns)| (name.into(), columns.iter().map(column).collect())).collect()
}

/// A map by names.
pub fn named<T, const N: usize>(entries: [(&str, T); N]) -> BTreeMap<String, T> {
    entries.map(|(name, value)| (name.to_owned(), value)).into()
}

/// What an event puts on the inputs.
#[derive(Debug)]
pub enum Put {
    /// A row of a stream, without cycle.
    Row(&'static str, Row),
    /// All settings from now on.
    Settings(BTreeMap<String, u64>),
}

/// Writes rows into these streams of a case, and the settings that change.
pub fn put(
    case: &mut TimedCase,
    streams: &[&str],
    mut now: BTreeMap<String, u64>,
    events: impl Iterator<Item = (u64, Put)>,
) {
    for &stream in streams {
        case.inputs.insert(stream.into(), Vec::new());
    }
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

/// A level that is 0 until `sweep` and for `behind` cycles behind each of the `operations`, else 1.
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
