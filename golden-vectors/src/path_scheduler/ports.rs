// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers are written as rows of their streams.

use crate::collect::ports::{Put, index_width, named, put, streams, unready};
use crate::path_scheduler::oracle::{Answer, Command, Event, Feedback, Request, Settings, Shape};
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

/// The width of a QP number.
const fn qp_width(shape: Shape) -> u32 {
    index_width(shape.qps)
}

/// The number of QP numbers that the port can carry. Those from `qps` on have no QP.
pub const fn numbers(shape: Shape) -> u64 {
    1 << qp_width(shape)
}

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    let (qp, path) = (("qp", qp_width(shape)), ("path", 8));
    streams(&[
        ("request", &[qp, ("kind", 2), path]),
        ("feedback", &[qp, path, ("kind", 2)]),
        ("command", &[("op", 4), qp, path, ("psn", 24), ("entropy", 20), ("granularity", 2), ("weight", 4)]),
    ])
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    let (qp, path) = (("qp", qp_width(shape)), ("path", 8));
    let (entropy, psn) = (("entropy", 20), ("psn", 24));
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
                ("weight", 4),
                ("limit", 4),
                ("congested", 1),
                ("in_flight", 12),
            ],
        ),
    ])
}

/// The ports that belong to no stream, with their widths.
pub fn widths() -> BTreeMap<String, u32> {
    named([
        ("busy", 1),
        ("settings_valid", 1),
        ("command_ready", 1),
        ("feedback_ready", 1),
        ("settings_flowlet", 20),
        ("settings_raise", 6),
        ("settings_fail", 3),
        ("refused_requests", 32),
        ("no_path_requests", 32),
        ("feedback_closed", 32),
        ("feedback_range", 32),
        ("feedback_absent", 32),
    ])
}

/// The value of each settings port; all are 0 if `settings_valid` is.
pub fn settings(settings: Option<Settings>) -> BTreeMap<String, u64> {
    let Settings { flowlet, raise, fail } = settings.unwrap_or_default();
    named([
        ("settings_valid", settings.is_some().into()),
        ("settings_flowlet", flowlet),
        ("settings_raise", raise),
        ("settings_fail", fail),
    ])
}

/// Converts a command to a row, without its cycle.
pub fn command(Command { op, qp, path, psn, entropy, mode, weight }: Command) -> Row {
    vec![op, qp, path, psn, entropy, mode, weight]
}

/// Converts a feedback to a row, without its cycle.
pub fn feedback(Feedback { qp, path, kind }: Feedback) -> Row {
    vec![qp, path, kind.code()]
}

/// Writes the events into the inputs of a case.
pub fn put_events(case: &mut TimedCase, first: Option<Settings>, events: &[(u64, Event)]) {
    let events = events.iter().map(|&(cycle, event)| {
        let put = match event {
            Event::Request(Request { qp, kind, path }) => Put::Row("request", vec![qp, kind.code(), path]),
            Event::Feedback(given) => Put::Row("feedback", feedback(given)),
            Event::Command(given) => Put::Row("command", command(given)),
            Event::Settings(new) => Put::Settings(settings(new)),
        };
        (cycle, put)
    });
    put(case, &["request", "feedback", "command"], settings(first), events);
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, events: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
    let grants = answer.grants.iter().map(|g| {
        vec![g.cycle, g.qp, g.ok.into(), g.path, g.entropy, g.psn, g.flags, g.flowlet, g.tag] //
    });
    let responses = answer.responses.iter().map(|r| {
        let mode = r.mode.map_or(0, |mode| mode.code());
        let state = [r.state.code(), r.weight, r.limit, r.congested.into(), r.in_flight];
        [r.cycle, r.op, r.qp, r.path, r.done.into(), r.open.into(), mode].into_iter().chain(state).collect()
    });
    let counters = [
        ("refused_requests", answer.refused_requests),
        ("no_path_requests", answer.no_path_requests),
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
        outputs: named([("grant", grants.collect()), ("response", responses.collect())]),
        levels: named(levels),
        counters: named(counters),
    }
}
