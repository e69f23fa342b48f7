// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers are written as rows of their streams.

use crate::collect::ports::{Put, index_width, named, streams, unready};
use crate::elab::scheduler::oracle::{Answer, Command, Event, Report, Settings, Shape};
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
        ("request", &[pair]),
        ("report", &[pair, ("vp", 16), ("count", 16), ("ecn", 1), ("probed", 1), ("rate", 32)]),
        ("command", &[("op", 2), pair, ("sport", 16), ("bandwidth", 24)]),
    ])
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    let pair = ("pair", index_width(shape.pairs));
    let state = [("bandwidth", 24), ("rate", 24), ("probe_armed", 1)];
    let response = [("op", 2), pair, ("sport", 16), ("done", 1), ("present", 1), ("port", 16)];
    streams(&[
        ("grant", &[pair, ("ok", 1), ("vp", 6), ("sport", 16), ("burst", 16)]),
        ("response", &[response.as_slice(), &state].concat()),
    ])
}

/// The ports that belong to no stream, with their widths.
pub fn widths() -> BTreeMap<String, u32> {
    named([
        ("busy", 1),
        ("command_ready", 1),
        ("report_ready", 1),
        ("settings_valid", 1),
        ("settings_alpha", 8),
        ("settings_window", 24),
        ("settings_explore", 24),
        ("settings_burst", 16),
        ("refused_requests", 32),
        ("no_vp_requests", 32),
        ("refused_reports", 32),
        ("absent_reports", 32),
        ("bursts", 32),
    ])
}

/// The value of each settings port.
pub fn settings(Settings { valid, alpha, window, explore, burst }: Settings) -> BTreeMap<String, u64> {
    named([
        ("settings_valid", valid.into()),
        ("settings_alpha", alpha),
        ("settings_window", window),
        ("settings_explore", explore),
        ("settings_burst", burst),
    ])
}

/// Converts a command to a row, without its cycle.
pub fn operation(Command { op, pair, sport, bandwidth }: Command) -> Row {
    vec![op, pair, sport, bandwidth]
}

/// Converts a report to a row, without its cycle.
pub fn report(Report { pair, vp, count, ecn, probed, rate }: Report) -> Row {
    vec![pair, vp, count, ecn.into(), probed.into(), rate]
}

/// Converts an event to a row of an input stream, or to new values of the settings ports.
pub fn put(event: Event) -> Put {
    match event {
        Event::Settings(new) => Put::Settings(settings(new)),
        Event::Command(command) => Put::Row("command", operation(command)),
        Event::Report(given) => Put::Row("report", report(given)),
        Event::Request(pair) => Put::Row("request", vec![pair]),
    }
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, events: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
    let grants = answer.grants.iter().map(|g| vec![g.cycle, g.pair, g.ok.into(), g.vp, g.sport, g.burst]);
    let responses = answer.responses.iter().map(|r| {
        let state = [r.present.into(), r.port, r.bandwidth, r.rate, r.probe_armed.into()];
        [r.cycle, r.op, r.pair, r.sport, r.done.into()].into_iter().chain(state).collect()
    });
    let operations = events.iter().filter(|(_, event)| matches!(event, Event::Command(_))).map(|&(cycle, _)| cycle);
    // Row V14: after a command was accepted both ready signals are 0, `command_ready` for longer than `report_ready`.
    let until_next = unready(shape.sweep(), operations.clone(), cycles, shape.commands() - 1);
    let effects = unready(shape.sweep(), operations, cycles, 1);
    TimedExpect {
        outputs: named([("grant", grants.collect()), ("response", responses.collect())]),
        levels: named([
            ("busy", vec![[0, shape.sweep() - 1, 1], [shape.sweep(), cycles - 1, 0]]),
            ("command_ready", until_next),
            ("report_ready", effects),
        ]),
        counters: named([
            ("refused_requests", answer.refused_requests),
            ("no_vp_requests", answer.no_vp_requests),
            ("refused_reports", answer.refused_reports),
            ("absent_reports", answer.absent_reports),
            ("bursts", answer.bursts),
        ]),
    }
}
