// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers are written as rows of their streams.

use crate::collect::ports::{Put, index_width, named, put, streams};
use crate::entropy_selector::oracle::{Answer, Command, Event, Kind, Op, Settings, Shape};
use crate::schema::timed::{Row, Span, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    let ccc = ("ccc", index_width(shape.cccs));
    let start = ("start", shape.evs.ilog2());
    streams(&[
        ("request", &[ccc]),
        ("feedback", &[ccc, ("ev", 16), ("kind", 2)]),
        ("command", &[("op", 2), ccc, start, ("mode", 3), ("rod", 1), ("space", 4)]),
    ])
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    let ccc = ("ccc", index_width(shape.cccs));
    let bits = shape.evs.ilog2();
    streams(&[
        ("grant", &[ccc, ("open", 1), ("ev", 16), ("saturated", 1), ("port", index_width(shape.ports))]),
        (
            "response",
            &[
                ("op", 2),
                ccc,
                ("done", 1),
                ("open", 1),
                ("last", bits),
                ("marked", bits + 1),
                ("mode", 3),
                ("space", 4),
            ],
        ),
    ])
}

/// The ports that belong to no stream, with their widths.
pub fn widths(shape: Shape) -> BTreeMap<String, u32> {
    named([
        ("busy", 1),
        ("command_ready", 1),
        ("settings_valid", 1),
        ("settings_rtt", 24),
        ("settings_limit", shape.evs.ilog2() + 1),
        ("settings_seed", 16),
        ("settings_explore", 8),
        ("settings_freeze", 20),
        ("settings_idle", 19),
        ("settings_reroute", 19),
        ("refused_requests", 32),
        ("feedback_closed", 32),
        ("feedback_range", 32),
    ])
}

/// The value of each settings port.
pub fn settings(settings: Settings) -> BTreeMap<String, u64> {
    let Settings { valid, rtt, limit, seed, explore, freeze, idle, reroute } = settings;
    named([
        ("settings_valid", valid.into()),
        ("settings_rtt", rtt),
        ("settings_limit", limit),
        ("settings_seed", seed),
        ("settings_explore", explore),
        ("settings_freeze", freeze),
        ("settings_idle", idle),
        ("settings_reroute", reroute),
    ])
}

fn op_code(op: Op) -> u64 {
    Op::ALL.iter().position(|&other| other == op).unwrap_or_default() as u64
}

fn kind_code(kind: Kind) -> u64 {
    Kind::ALL.iter().position(|&other| other == kind).unwrap_or_default() as u64
}

/// Converts a command to a row, without its cycle.
pub fn operation(Command { op, ccc, start, mode, rod, space }: Command) -> Row {
    vec![op_code(op), ccc, start, mode, rod.into(), space]
}

/// Writes the events into the inputs of a case.
pub fn put_events(case: &mut TimedCase, first: Settings, events: &[(u64, Event)]) {
    let put_event = |event| match event {
        Event::Request(ccc) => Put::Row("request", vec![ccc]),
        Event::Feedback(ccc, ev, kind) => Put::Row("feedback", vec![ccc, ev, kind_code(kind)]),
        Event::Command(command) => Put::Row("command", operation(command)),
        Event::Settings(new) => Put::Settings(settings(new)),
    };
    let events = events.iter().map(|&(cycle, event)| (cycle, put_event(event)));
    put(case, &["request", "feedback", "command"], settings(first), events);
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, events: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
    let grants = answer.grants.iter().map(|g| vec![g.cycle, g.ccc, g.open.into(), g.ev, g.saturated.into(), g.port]);
    let response = answer.responses.iter().map(|r| {
        vec![r.cycle, op_code(r.op), r.ccc, r.done.into(), r.open.into(), r.last, r.marked, r.mode, r.space] //
    });
    TimedExpect {
        outputs: named([("grant", grants.collect()), ("response", response.collect())]),
        levels: named([
            ("busy", vec![[0, shape.cccs - 1, 1], [shape.cccs, cycles - 1, 0]]),
            ("command_ready", ready(shape, events, cycles)),
        ]),
        counters: named([
            ("refused_requests", answer.refused_requests),
            ("feedback_closed", answer.feedback_closed),
            ("feedback_range", answer.feedback_range),
        ]),
    }
}

/// Rows S10 and S12: `command_ready` is 0 in the sweep, then 1 until the first command, and again some cycles after
/// the last one. In between the commands themselves test it.
fn ready(shape: Shape, events: &[(u64, Event)], cycles: u64) -> Vec<Span> {
    let operations = || events.iter().filter(|(_, event)| matches!(event, Event::Command(..))).map(|&(cycle, _)| cycle);
    let mut spans = vec![[0, shape.cccs - 1, 0]];
    match (operations().next(), operations().next_back()) {
        (Some(first), Some(last)) => spans.extend([[shape.cccs, first, 1], [last + shape.operations(), cycles - 1, 1]]),
        _ => spans.push([shape.cccs, cycles - 1, 1]),
    }
    spans
}
