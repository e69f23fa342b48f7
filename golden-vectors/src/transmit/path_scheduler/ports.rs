// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers are written as rows of their streams.

use crate::collect::ports::{Put, index_width, named, put, streams, unready};
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
use crate::transmit::path_scheduler::oracle::{
    Answer, Causes, Command, Event, Feedback, Report, Request, Settings, Shape,
};
use std::collections::BTreeMap;

/// The width of a QP number.
const fn qp_width(shape: Shape) -> u32 {
    index_width(shape.qps)
}

/// The number of QP numbers that the port can carry. Those from `qps` on have no QP.
pub const fn numbers(shape: Shape) -> u64 {
    1 << qp_width(shape)
}

/// The width of a weight.
fn weight_width(shape: Shape) -> u32 {
    u32::try_from(shape.weight_bits).unwrap_or(8)
}

/// The width of a number of packets in flight.
fn in_flight_width(shape: Shape) -> u32 {
    u32::try_from(shape.in_flight_bits).unwrap_or(16)
}

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    let (qp, path) = (("qp", qp_width(shape)), ("path", 8));
    let weight = weight_width(shape);
    streams(&[
        ("request", &[qp, ("kind", 2), path]),
        ("feedback", &[qp, path, ("kind", 3), ("rtt", 16), ("bandwidth", weight)]),
        (
            "command",
            &[
                ("op", 4),
                qp,
                path,
                ("psn", 24),
                ("entropy", 20),
                ("granularity", 2),
                ("flowlet", 16),
                ("weight", weight),
                ("force", 1),
            ],
        ),
    ])
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    let (qp, path) = (("qp", qp_width(shape)), ("path", 8));
    let (entropy, psn) = (("entropy", 20), ("psn", 24));
    let weight = weight_width(shape);
    streams(&[
        ("grant", &[qp, ("ok", 1), path, entropy, psn, ("flags", 8), ("flowlet", 16), ("tag", 16)]),
        (
            "response",
            &[
                ("op", 4),
                qp,
                path,
                ("done", 1),
                ("open", 1),
                ("granularity", 2),
                ("state", 3),
                ("weight", weight),
                ("limit", weight),
                ("congested", 1),
                ("avoided", 1),
                ("full", 1),
                ("in_flight", in_flight_width(shape)),
            ],
        ),
        (
            "event",
            &[qp, path, ("more", 1), ("failed", 1), ("all_failed", 1), ("congested", 1), ("saturated", 1)], //
        ),
    ])
}

/// The ports that belong to no stream, with their widths.
pub fn widths(shape: Shape) -> BTreeMap<String, u32> {
    named([
        ("busy", 1),
        ("command_ready", 1),
        ("feedback_ready", 1),
        ("event_ready", 1),
        ("settings_valid", 1),
        ("settings_flowlet", 16),
        ("settings_raise", 6),
        ("settings_fail", 3),
        ("settings_migrate", 3),
        ("settings_window", in_flight_width(shape) - 1),
        ("settings_rtt", 15),
        ("settings_delay", 16),
        ("refused_requests", 32),
        ("no_path_requests", 32),
        ("full_requests", 32),
        ("feedback_closed", 32),
        ("feedback_range", 32),
        ("feedback_absent", 32),
    ])
}

/// The value of each settings port; all are 0 if `settings_valid` is.
pub fn settings(settings: Option<Settings>) -> BTreeMap<String, u64> {
    let Settings { flowlet, raise, fail, migrate, window, rtt, delay } = settings.unwrap_or_default();
    named([
        ("settings_valid", settings.is_some().into()),
        ("settings_flowlet", flowlet),
        ("settings_raise", raise),
        ("settings_fail", fail),
        ("settings_migrate", migrate),
        ("settings_window", window),
        ("settings_rtt", rtt),
        ("settings_delay", delay),
    ])
}

/// The value of `event_ready`.
fn ready(ready: bool) -> BTreeMap<String, u64> {
    named([("event_ready", ready.into())])
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(first: Option<Settings>) -> BTreeMap<String, u64> {
    settings(first).into_iter().chain(ready(true)).collect()
}

/// Converts a command to a row, without its cycle.
pub fn command(command: Command) -> Row {
    let Command { op, qp, path, psn, entropy, mode, weight, force, flowlet } = command;
    vec![op, qp, path, psn, entropy, mode, flowlet, weight, force.into()]
}

/// Converts a feedback to a row, without its cycle.
pub fn feedback(Feedback { qp, path, kind, rtt, bandwidth }: Feedback) -> Row {
    vec![qp, path, kind, rtt, bandwidth]
}

/// Writes the events into the inputs of a case.
pub fn put_events(case: &mut TimedCase, first: Option<Settings>, events: &[(u64, Event)]) {
    let events = events.iter().map(|&(cycle, event)| {
        let put = match event {
            Event::Request(Request { qp, kind, path }) => Put::Row("request", vec![qp, kind.code(), path]),
            Event::Feedback(given) => Put::Row("feedback", feedback(given)),
            Event::Command(given) => Put::Row("command", command(given)),
            Event::Settings(new) => Put::Settings(settings(new)),
            Event::Ready(level) => Put::Settings(ready(level)),
        };
        (cycle, put)
    });
    put(case, &["request", "feedback", "command"], standing(first), events);
}

/// The rows of an event: one in each cycle in which it is valid.
fn report_rows(report: &Report, cycles: u64) -> impl Iterator<Item = Row> {
    let Report { cycle, last, qp, path, more, causes } = *report;
    let Causes { failed, all_failed, congested, saturated } = causes;
    let end = last.map_or(cycles, |last| cycles.min(last + 1));
    let flags = [more, failed, all_failed, congested, saturated].map(u64::from);
    (cycle..end).map(move |cycle| [cycle, qp, path].into_iter().chain(flags).collect())
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, events: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
    let grants = answer.grants.iter().map(|g| {
        vec![g.cycle, g.qp, g.ok.into(), g.path, g.entropy, g.psn, g.flags, g.flowlet, g.tag] //
    });
    let responses = answer.responses.iter().map(|r| {
        let mode = r.mode.map_or(0, |mode| mode.code());
        let flags = [r.congested, r.avoided, r.full].map(u64::from);
        let state = [r.state.code(), r.weight, r.limit].into_iter().chain(flags).chain([r.in_flight]);
        [r.cycle, r.op, r.qp, r.path, r.done.into(), r.open.into(), mode].into_iter().chain(state).collect()
    });
    let reports = answer.reports.iter().flat_map(|report| report_rows(report, cycles));
    let counters = [
        ("refused_requests", answer.refused_requests),
        ("no_path_requests", answer.no_path_requests),
        ("full_requests", answer.full_requests),
        ("feedback_closed", answer.feedback_closed),
        ("feedback_range", answer.feedback_range),
        ("feedback_absent", answer.feedback_absent),
    ];
    // Row T16: after a command was accepted both ready signals are 0, `command_ready` for longer than
    // `feedback_ready`.
    let accepted = || events.iter().filter(|(_, event)| matches!(event, Event::Command(_))).map(|&(cycle, _)| cycle);
    let until_next = unready(shape.sweep(), accepted(), cycles, shape.operations() - 1);
    let effects = unready(shape.sweep(), accepted(), cycles, 1);
    let levels = [
        ("busy", vec![[0, shape.sweep() - 1, 1], [shape.sweep(), cycles - 1, 0]]),
        ("command_ready", until_next),
        ("feedback_ready", effects),
    ];
    TimedExpect {
        outputs: named([("grant", grants.collect()), ("response", responses.collect()), ("event", reports.collect())]),
        levels: named(levels),
        counters: named(counters),
    }
}
