// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs are written as rows of their streams.

use super::oracle::{Arrival, Command, Event, Outcome, Outputs, Settings, Shape};
use crate::collect::ports::{Put, index_width, named, put, streams};
use crate::schema::timed::{Row, Span, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

/// The counters of outcomes (R21).
const COUNTERS: [(&str, Outcome); 5] = [
    ("duplicates", Outcome::Duplicate),
    ("below_window", Outcome::Below),
    ("above_window", Outcome::Above),
    ("no_buffer", Outcome::NoBuffer),
    ("unknown_connections", Outcome::Unknown),
];

/// Width of a number of packets up to the window.
const fn count_width(shape: Shape) -> u32 {
    shape.window.ilog2() + 1
}

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    let (connection, psn) = (("connection", index_width(shape.connections)), ("psn", shape.psn_bits));
    let (path, flags, length) = (("path", 8), ("flags", 8), ("length", 16));
    let handle = ("handle", shape.handle_bits);
    streams(&[
        ("arrival", &[connection, ("found", 1), psn, path, flags, length, handle]),
        ("command", &[("op", 2), connection, path, psn]),
    ])
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    let (connection, psn) = (("connection", index_width(shape.connections)), ("psn", shape.psn_bits));
    let (expected, highest) = (("expected", shape.psn_bits), ("highest", shape.psn_bits));
    let (path, held) = (("path", 8), ("held", count_width(shape)));
    streams(&[
        (
            "answer",
            &[
                connection,
                psn,
                path,
                ("flags", 8),
                ("length", 16),
                ("outcome", 3),
                expected,
                highest,
                held,
                ("late", 1),
                ("suspected", 1),
                ("sack_base", shape.psn_bits),
                ("sack", 64),
            ],
        ),
        ("delivery", &[connection, psn, ("handle", shape.handle_bits)]),
        (
            "event",
            &[connection, ("first", shape.psn_bits), ("last", shape.psn_bits), ("by_span", 1), ("by_time", 1)], //
        ),
        (
            "response",
            &[
                ("op", 2),
                connection,
                path,
                ("done", 1),
                ("open", 1),
                ("draining", 1),
                expected,
                highest,
                held,
                ("reordered", 32),
                ("depth", count_width(shape)),
                ("duration", 20),
                ("path_packets", 32),
                ("path_time", 20),
            ],
        ),
    ])
}

/// The ports that belong to no stream, with their widths.
pub fn widths(shape: Shape) -> BTreeMap<String, u32> {
    let ports = named([
        ("busy", 1),
        ("arrival_ready", 1),
        ("command_ready", 1),
        ("delivery_ready", 1),
        ("event_ready", 1),
        ("settings_valid", 1),
        ("settings_span", shape.window.ilog2()),
        ("settings_time", 20),
        ("unknown_paths", 32),
    ]);
    let counters = COUNTERS.map(|(name, _)| (name.to_owned(), 32));
    ports.into_iter().chain(counters).collect()
}

/// The values of the settings ports; all are 0 if `settings_valid` is.
fn settings(settings: Option<Settings>) -> BTreeMap<String, u64> {
    let Settings { span, time } = settings.unwrap_or_default();
    named([("settings_valid", settings.is_some().into()), ("settings_span", span), ("settings_time", time)])
}

fn level(port: &str, level: bool) -> BTreeMap<String, u64> {
    named([(port, level.into())])
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(first: Option<Settings>) -> BTreeMap<String, u64> {
    let ready = level("delivery_ready", true).into_iter().chain(level("event_ready", true));
    settings(first).into_iter().chain(ready).collect()
}

/// An arrival as a row of its stream, without its cycle.
pub fn arrival(arrival: Arrival) -> Row {
    let Arrival { connection, found, psn, path, flags, length, handle } = arrival;
    vec![connection, found.into(), psn, path, flags, length, handle]
}

/// A command as a row of its stream, without its cycle.
pub fn command(Command { op, connection, path, psn }: Command) -> Row {
    vec![op, connection, path, psn]
}

/// Writes the events into the inputs of a case.
pub fn put_events(case: &mut TimedCase, first: Option<Settings>, events: &[(u64, Event)]) {
    let events = events.iter().map(|&(cycle, event)| {
        let put = match event {
            Event::Arrival(this) => Put::Row("arrival", arrival(this)),
            Event::Command(this) => Put::Row("command", command(this)),
            Event::Settings(new) => Put::Settings(settings(new)),
            Event::DeliveryReady(ready) => Put::Settings(level("delivery_ready", ready)),
            Event::EventReady(ready) => Put::Settings(level("event_ready", ready)),
        };
        (cycle, put)
    });
    put(case, &["arrival", "command"], standing(first), events);
}

/// The rows of what is valid on a stream.
fn rows<T>(outputs: &[Outputs], of: impl Fn(&Outputs) -> Option<T>, row: impl Fn(T) -> Row) -> Vec<Row> {
    let valid = (0..).zip(outputs).filter_map(|(cycle, out)| Some((cycle, of(out)?)));
    valid.map(|(cycle, value)| [cycle].into_iter().chain(row(value)).collect()).collect()
}

/// A level in all cycles.
fn spans(outputs: &[Outputs], of: impl Fn(&Outputs) -> bool) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (cycle, value) in (0..).zip(outputs.iter().map(|out| u64::from(of(out)))) {
        match spans.last_mut() {
            Some([_, last, same]) if *same == value => *last = cycle,
            _ => spans.push([cycle, cycle, value]),
        }
    }
    spans
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(outputs: &[Outputs], cycles: u64) -> TimedExpect {
    let (seen, end) = (&outputs[..cycles as usize], &outputs[cycles as usize]);
    let answers = rows(
        seen,
        |out| out.answer,
        |answer| {
            let Arrival { connection, psn, path, flags, length, .. } = answer.arrival;
            let repeated = [connection, psn, path, flags, length, answer.outcome as u64];
            let state = [answer.expected, answer.highest, answer.held, answer.late.into(), answer.suspected.into()];
            repeated.into_iter().chain(state).chain([answer.sack_base, answer.sack]).collect()
        },
    );
    let responses = rows(
        seen,
        |out| out.response,
        |r| {
            let repeated = [r.command.op, r.command.connection, r.command.path];
            let state = [r.done.into(), r.open.into(), r.draining.into(), r.expected, r.highest, r.held];
            let statistics = [r.reordered, r.depth, r.duration, r.path_packets, r.path_time];
            repeated.into_iter().chain(state).chain(statistics).collect()
        },
    );
    let deliveries = rows(seen, |out| out.delivery, |d| vec![d.connection, d.psn, d.handle]);
    let events = rows(
        seen,
        |out| out.event,
        |event| vec![event.connection, event.first, event.last, event.by_span.into(), event.by_time.into()],
    );
    let counters = COUNTERS.map(|(name, outcome)| (name.to_owned(), end.counters.outcomes[outcome as usize]));
    TimedExpect {
        outputs: named([("answer", answers), ("delivery", deliveries), ("event", events), ("response", responses)]),
        levels: named([
            ("busy", spans(seen, |out| out.busy)),
            ("arrival_ready", spans(seen, |out| out.arrival_ready)),
            ("command_ready", spans(seen, |out| out.command_ready)),
        ]),
        counters: counters.into_iter().chain([("unknown_paths".to_owned(), end.counters.unknown_paths)]).collect(),
    }
}
