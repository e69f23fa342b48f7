// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs are written as rows of their streams.

use super::frame_ports;
use super::oracle::{Arrival, Command, Event, Limits, Outcome, Outputs, Settings, Shape};
use super::rows::{fields, spans};
use crate::collect::ports::{Put, index_width, named, put, streams};
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
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

/// The stream on which packets come.
pub const fn arrival_stream(shape: Shape) -> &'static str {
    if shape.pool.is_some() { "s_axis" } else { "arrival" }
}

/// The stream on which they leave.
const fn delivery_stream(shape: Shape) -> &'static str {
    if shape.pool.is_some() { "m_axis" } else { "delivery" }
}

/// The ready of that stream.
const fn delivery_ready(shape: Shape) -> &'static str {
    if shape.pool.is_some() { "m_axis_tready" } else { "delivery_ready" }
}

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    let (connection, psn) = (("connection", index_width(shape.connections)), ("psn", shape.psn_bits));
    let (path, flags, length) = (("path", 8), ("flags", 8), ("length", 16));
    let fields = [connection, ("found", 1), psn, path, flags, length];
    let beside = fields.map(|(name, width)| (format!("arrival_{name}"), width));
    let arrivals: Vec<_> = match shape.pool {
        None => fields.into_iter().chain([("handle", shape.handle_bits)]).collect(),
        Some(pool) => {
            let beside = beside.iter().map(|(name, width)| (name.as_str(), *width));
            frame_ports::beat_columns(pool).into_iter().chain(beside).collect()
        }
    };
    streams(&[(arrival_stream(shape), &arrivals), ("command", &[("op", 2), connection, path, psn])])
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    let (connection, psn) = (("connection", index_width(shape.connections)), ("psn", shape.psn_bits));
    let (expected, highest) = (("expected", shape.psn_bits), ("highest", shape.psn_bits));
    let (path, held) = (("path", 8), ("held", count_width(shape)));
    let deliveries: Vec<_> = match shape.pool {
        None => vec![connection, psn, ("handle", shape.handle_bits)],
        Some(pool) => {
            let beside = [("delivery_connection", connection.1), ("delivery_psn", psn.1)];
            frame_ports::beat_columns(pool).into_iter().chain(beside).collect()
        }
    };
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
        (delivery_stream(shape), &deliveries),
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
        ("command_ready", 1),
        ("event_ready", 1),
        ("settings_valid", 1),
        ("settings_span", shape.window.ilog2()),
        ("settings_time", 20),
        ("unknown_paths", 32),
    ]);
    let counters = COUNTERS.map(|(name, _)| (name.to_owned(), 32));
    let hold = match shape.pool {
        None => named([("arrival_ready", 1), ("delivery_ready", 1)]),
        Some(pool) => frame_ports::widths(pool),
    };
    ports.into_iter().chain(counters).chain(hold).collect()
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
pub fn standing(shape: Shape, first: Option<Settings>) -> BTreeMap<String, u64> {
    let ready = level(delivery_ready(shape), true).into_iter().chain(level("event_ready", true));
    let limits = shape.pool.map(|_| frame_ports::limits(Limits::default())).into_iter().flatten();
    settings(first).into_iter().chain(ready).chain(limits).collect()
}

/// An arrival as a row of its stream, without its cycle.
pub fn arrival(arrival: Arrival) -> Row {
    fields(arrival).into_iter().chain([arrival.handle]).collect()
}

/// A command as a row of its stream, without its cycle.
pub fn command(Command { op, connection, path, psn }: Command) -> Row {
    vec![op, connection, path, psn]
}

/// Writes the events into the inputs of a case.
pub fn put_events(shape: Shape, case: &mut TimedCase, first: Option<Settings>, events: &[(u64, Event)]) {
    let events = events.iter().map(|&(cycle, event)| {
        let put = match event {
            Event::Arrival(this) => Put::Row("arrival", arrival(this)),
            Event::Beat(this, beside) => Put::Row("s_axis", frame_ports::offered(this, beside)),
            Event::Command(this) => Put::Row("command", command(this)),
            Event::Settings(new) => Put::Settings(settings(new)),
            Event::Limits(new) => Put::Settings(frame_ports::limits(new)),
            Event::DeliveryReady(ready) => Put::Settings(level(delivery_ready(shape), ready)),
            Event::EventReady(ready) => Put::Settings(level("event_ready", ready)),
        };
        (cycle, put)
    });
    put(case, &[arrival_stream(shape), "command"], standing(shape, first), events);
}

/// The rows of what is valid on a stream.
fn rows<T>(outputs: &[Outputs], of: impl Fn(&Outputs) -> Option<T>, row: impl Fn(T) -> Row) -> Vec<Row> {
    let valid = (0..).zip(outputs).filter_map(|(cycle, out)| Some((cycle, of(out)?)));
    valid.map(|(cycle, value)| [cycle].into_iter().chain(row(value)).collect()).collect()
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, outputs: &[Outputs], cycles: u64) -> TimedExpect {
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
    let deliveries = match shape.pool {
        None => rows(seen, |out| out.delivery, |d| vec![d.connection, d.psn, d.handle]),
        Some(_) => rows(seen, frame_ports::delivered, |row| row),
    };
    let events = rows(
        seen,
        |out| out.event,
        |event| vec![event.connection, event.first, event.last, event.by_span.into(), event.by_time.into()],
    );
    let counters = COUNTERS.map(|(name, outcome)| (name.to_owned(), end.counters.outcomes[outcome as usize]));
    let accepts = if shape.pool.is_some() { "s_axis_tready" } else { "arrival_ready" };
    let levels = named([
        ("busy", spans(seen, |out| out.busy.into())),
        (accepts, spans(seen, |out| out.arrival_ready.into())),
        ("command_ready", spans(seen, |out| out.command_ready.into())),
    ]);
    let (pool, causes) = match shape.pool {
        None => Default::default(),
        Some(_) => {
            (named(frame_ports::levels(seen)), frame_ports::CAUSES.into_iter().zip(end.counters.causes).collect())
        }
    };
    let causes: Vec<(&str, u64)> = causes;
    let others = causes.into_iter().chain([("unknown_paths", end.counters.unknown_paths)]);
    TimedExpect {
        outputs: named([
            ("answer", answers),
            (delivery_stream(shape), deliveries),
            ("event", events),
            ("response", responses),
        ]),
        levels: levels.into_iter().chain(pool).collect(),
        counters: counters.into_iter().chain(others.map(|(name, count)| (name.to_owned(), count))).collect(),
    }
}
