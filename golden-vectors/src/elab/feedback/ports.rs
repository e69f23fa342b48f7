// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers are written as rows of their streams.

use crate::collect::ports::{Put, index_width, named, streams, unready};
use crate::elab::feedback::oracle::{Answer, Arrival, Due, Event, Settings, Shape};
use crate::schema::timed::{Row, Streams, TimedExpect};
use std::collections::BTreeMap;

/// The number of pair numbers that the port can carry. Those from `pairs` on have no pair.
pub const fn numbers(shape: Shape) -> u64 {
    1 << index_width(shape.pairs)
}

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    let pair = ("pair", index_width(shape.pairs));
    streams(&[
        ("arrival", &[pair, ("sport", 16), ("ecn", 1), ("burst", 16)]),
        ("query", &[pair]),
        ("command", &[pair]), //
    ])
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    let pair = ("pair", index_width(shape.pairs));
    let report = [pair, ("ok", 1), ("vp", 16), ("count", 16), ("ecn", 1), ("probed", 1), ("rate", 32)];
    streams(&[("report", &report), ("due", &[pair])])
}

/// The ports that belong to no stream, with their widths.
pub fn widths() -> BTreeMap<String, u32> {
    named([
        ("busy", 1),
        ("command_ready", 1),
        ("arrival_ready", 1),
        ("settings_valid", 1),
        ("settings_burst", 16),
        ("settings_report_time", 24),
        ("due_ready", 1),
        ("refused_arrivals", 32),
        ("refused_queries", 32),
        ("empty_queries", 32),
    ])
}

/// The value of each settings port.
fn settings(Settings { valid, burst, report_time }: Settings) -> BTreeMap<String, u64> {
    named([("settings_valid", valid.into()), ("settings_burst", burst), ("settings_report_time", report_time)])
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(first: Settings) -> BTreeMap<String, u64> {
    settings(first).into_iter().chain(named([("due_ready", 1)])).collect()
}

/// Converts an arrival to a row, without its cycle.
pub fn arrival(Arrival { pair, sport, ecn, burst }: Arrival) -> Row {
    vec![pair, sport, ecn.into(), burst]
}

/// Converts an event to a row of an input stream, or to new values of ports that are no streams.
pub fn put(event: Event) -> Put {
    match event {
        Event::Settings(new) => Put::Settings(settings(new)),
        Event::Command(pair) => Put::Row("command", vec![pair]),
        Event::Arrival(given) => Put::Row("arrival", arrival(given)),
        Event::Query(pair) => Put::Row("query", vec![pair]),
        Event::DueReady(level) => Put::Settings(named([("due_ready", level.into())])),
    }
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, events: &[(u64, Event)], answer: &Answer, due: &[Due], cycles: u64) -> TimedExpect {
    let reports = answer.reports.iter().map(|r| {
        vec![r.cycle, r.pair, r.ok.into(), r.vp, r.count, r.ecn.into(), r.probed.into(), r.rate] //
    });
    // A row for each cycle in which it is valid, taken or not.
    let due = due.iter().map(|due| vec![due.cycle, due.pair]);
    let operations = events.iter().filter(|(_, event)| matches!(event, Event::Command(_))).map(|&(cycle, _)| cycle);
    // Row W8: both ready signals are 0 in the cycle after a command was accepted.
    let effects = unready(shape.sweep(), operations, cycles, 1);
    TimedExpect {
        outputs: named([("report", reports.collect()), ("due", due.collect())]),
        levels: named([
            ("busy", vec![[0, shape.sweep() - 1, 1], [shape.sweep(), cycles - 1, 0]]),
            ("command_ready", effects.clone()),
            ("arrival_ready", effects),
        ]),
        counters: named([
            ("refused_arrivals", answer.refused_arrivals),
            ("refused_queries", answer.refused_queries),
            ("empty_queries", answer.empty_queries),
        ]),
    }
}
