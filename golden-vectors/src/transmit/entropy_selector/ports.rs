// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers are written as rows of their streams.

use crate::collect::ports::{Put, index_width, named, put, streams};
use crate::schema::timed::{Row, Span, Streams, TimedCase, TimedExpect};
use crate::transmit::entropy_selector::oracle::{Answer, Command, Event, Settings, SettingsPorts, Shape, wire_numbers};
use std::collections::BTreeMap;

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    let ccc = ("ccc", index_width(shape.cccs));
    let start = ("start", shape.evs.ilog2());
    let sizes = [("mode", 3), ("rod", 1), ("space", 4), ("rtt_class", 3)];
    let command: Vec<_> = [("op", 3), ccc, start, ("fixed", 1), ("stride", 4)].into_iter().chain(sizes).collect();
    streams(&[
        ("request", &[ccc, ("free_ports", shape.ports as u32)]),
        ("feedback", &[ccc, ("ev", 16), ("kind", 3)]),
        ("reroute", &[ccc]),
        ("command", &command),
    ])
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    let ccc = ("ccc", index_width(shape.cccs));
    let bits = shape.evs.ilog2();
    let port = ("port", index_width(shape.ports));
    let read = [("last", bits), ("marked", bits + 1), ("mode", 3), ("space", 4), ("rtt_class", 3)];
    let response: Vec<_> = [("op", 3), ccc, ("done", 1), ("open", 1)].into_iter().chain(read).collect();
    streams(&[
        ("grant", &[ccc, ("open", 1), ("blocked", 1), ("ev", 16), ("saturated", 1), port]),
        ("response", &response),
    ])
}

/// The ports that belong to no stream, with their widths.
pub fn widths() -> BTreeMap<String, u32> {
    named([
        ("busy", 1),
        ("command_ready", 1),
        ("reroute_ready", 1),
        ("settings_valid", 1),
        ("settings_rtt", 24),
        ("settings_saturation", 9),
        ("settings_seed", 32),
        ("pipeline", 4),
        ("settings_explore", 16),
        ("settings_freeze", 20),
        ("settings_idle", 8),
        ("settings_reroute", 8),
        ("refused_requests", 32),
        ("blocked_requests", 32),
        ("feedback_closed", 32),
        ("feedback_range", 32),
    ])
}

/// The value of each settings port, and of `pipeline`.
pub fn settings(SettingsPorts { valid, pipeline, values }: SettingsPorts) -> BTreeMap<String, u64> {
    let Settings { rtt, saturation, seed, explore, freeze, idle, reroute } = values;
    named([
        ("pipeline", pipeline),
        ("settings_valid", valid.into()),
        ("settings_rtt", rtt),
        ("settings_saturation", saturation),
        ("settings_seed", seed),
        ("settings_explore", explore),
        ("settings_freeze", freeze),
        ("settings_idle", idle),
        ("settings_reroute", reroute),
    ])
}

/// Converts a command to a row, without its cycle.
pub fn operation(command: Command) -> Row {
    let Command { op, ccc, start, fixed, stride, mode, rod, space, class } = command;
    vec![op.code(), ccc, start, fixed.into(), stride, mode, rod.into(), space, class]
}

/// Writes the events into the inputs of a case.
pub fn put_events(case: &mut TimedCase, shape: Shape, first: SettingsPorts, events: &[(u64, Event)]) {
    let mut numbers = wire_numbers(shape, first, events).into_iter();
    let put_event = |event| match event {
        Event::Request(ccc, free) => Put::Row("request", vec![ccc, free % (1 << shape.ports)]),
        Event::Feedback(ccc, _, kind) => {
            Put::Row("feedback", vec![ccc, numbers.next().unwrap_or_default(), kind.code()])
        }
        Event::Reroute(ccc) => Put::Row("reroute", vec![ccc]),
        Event::Command(command) => Put::Row("command", operation(command)),
        Event::Settings(new) => Put::Settings(settings(new)),
    };
    let mut put_event = put_event;
    let events = events.iter().map(|&(cycle, event)| (cycle, put_event(event)));
    put(case, &["request", "feedback", "reroute", "command"], settings(first), events);
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, events: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
    let grants = answer.grants.iter().map(|g| {
        vec![g.cycle, g.ccc, g.open.into(), g.blocked.into(), g.ev, g.saturated.into(), g.port] //
    });
    let response = answer.responses.iter().map(|r| {
        let read = [r.last, r.marked, r.mode, r.space, r.class];
        [r.cycle, r.op.code(), r.ccc, r.done.into(), r.open.into()].into_iter().chain(read).collect()
    });
    TimedExpect {
        outputs: named([("grant", grants.collect()), ("response", response.collect())]),
        levels: named([
            ("busy", vec![[0, shape.cccs - 1, 1], [shape.cccs, cycles - 1, 0]]),
            ("command_ready", command_ready(shape, events, cycles)),
            ("reroute_ready", reroute_ready(shape, events, cycles)),
        ]),
        counters: named([
            ("refused_requests", answer.refused_requests),
            ("blocked_requests", answer.blocked_requests),
            ("feedback_closed", answer.feedback_closed),
            ("feedback_range", answer.feedback_range),
        ]),
    }
}

/// The cycles in which commands are accepted.
fn commands(events: &[(u64, Event)]) -> impl DoubleEndedIterator<Item = u64> {
    events.iter().filter(|(_, event)| matches!(event, Event::Command(..))).map(|&(cycle, _)| cycle)
}

/// Rows S10 and S12: `command_ready` is 0 in the sweep, then 1 until the first command, and again some cycles after
/// the last one. In between the commands themselves test it.
fn command_ready(shape: Shape, events: &[(u64, Event)], cycles: u64) -> Vec<Span> {
    let mut spans = vec![[0, shape.cccs - 1, 0]];
    match (commands(events).next(), commands(events).next_back()) {
        (Some(first), Some(last)) => spans.extend([[shape.cccs, first, 1], [last + shape.operations(), cycles - 1, 1]]),
        _ => spans.push([shape.cccs, cycles - 1, 1]),
    }
    spans
}

/// Rows S12 and N5: `reroute_ready` is 0 in the sweep and in one cycle behind each command. If there is no event, only
/// the beginning is of interest.
fn reroute_ready(shape: Shape, events: &[(u64, Event)], cycles: u64) -> Vec<Span> {
    let mut spans = vec![[0, shape.cccs - 1, 0]];
    if !events.iter().any(|(_, event)| matches!(event, Event::Reroute(_))) {
        return spans;
    }
    let mut free = shape.cccs;
    for unready in commands(events).map(|accepted| accepted + shape.reroute_unready()) {
        spans.extend([[free, unready - 1, 1], [unready, unready, 0]]);
        free = unready + 1;
    }
    spans.push([free, cycles - 1, 1]);
    spans
}
