// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers are written as rows of their streams.

use crate::path_scheduler::oracle::{Answer, Control, Event, Feedback, Request, Settings, Shape};
use crate::schema::timed::{Column, Row, Span, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

/// The width of a QP number.
const fn qp_width(shape: Shape) -> u32 {
    if shape.qps <= 2 { 1 } else { (shape.qps - 1).ilog2() + 1 }
}

/// The number of QP numbers that the port can carry. Those from `qps` on have no QP.
pub const fn numbers(shape: Shape) -> u64 {
    1 << qp_width(shape)
}

fn streams(streams: &[(&str, &[(&str, u32)])]) -> Streams {
    let column = |&(name, width): &(&str, u32)| Column { name: name.into(), width };
    streams.iter().map(|&(name, columns)| (name.into(), columns.iter().map(column).collect())).collect()
}

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    let (qp, path) = (("qp", qp_width(shape)), ("path", 8));
    streams(&[
        ("request", &[qp, ("kind", 2), path]),
        ("feedback", &[qp, path, ("kind", 2)]),
        ("control", &[("op", 4), qp, path, ("psn", 24), ("entropy", 20), ("granularity", 2), ("weight", 4)]),
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
    let ports = [
        ("busy", 1),
        ("control_ready", 1),
        ("feedback_ready", 1),
        ("settings_flowlet", 20),
        ("settings_raise", 6),
        ("settings_fail", 3),
        ("refused_requests", 32),
        ("no_path_requests", 32),
        ("feedback_closed", 32),
        ("feedback_range", 32),
        ("feedback_absent", 32),
    ];
    ports.map(|(name, width)| (name.to_owned(), width)).into()
}

/// The value of each settings port.
pub fn settings(Settings { flowlet, raise, fail }: Settings) -> BTreeMap<String, u64> {
    let ports = [("settings_flowlet", flowlet), ("settings_raise", raise), ("settings_fail", fail)];
    ports.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Converts a command to a row, without its cycle.
pub fn operation(Control { op, qp, path, psn, entropy, mode, weight }: Control) -> Row {
    vec![op, qp, path, psn, entropy, mode, weight]
}

/// Converts a feedback to a row, without its cycle.
pub fn feedback(Feedback { qp, path, kind }: Feedback) -> Row {
    vec![qp, path, kind.code()]
}

/// Writes the events into the inputs of a case.
pub fn put_events(case: &mut TimedCase, first: Settings, events: &[(u64, Event)]) {
    for stream in ["request", "feedback", "control"] {
        case.inputs.insert(stream.into(), Vec::new());
    }
    let mut now = settings(first);
    for &(cycle, event) in events {
        let (stream, row) = match event {
            Event::Request(Request { qp, kind, path }) => ("request", vec![qp, kind.code(), path]),
            Event::Feedback(given) => ("feedback", feedback(given)),
            Event::Control(control) => ("control", operation(control)),
            Event::Settings(new) => {
                for (port, value) in settings(new) {
                    if now.insert(port.clone(), value) != Some(value) {
                        case.settings.entry(port).or_default().push((cycle, value));
                    }
                }
                continue;
            }
        };
        let row = [cycle].into_iter().chain(row).collect();
        case.inputs.entry(stream.into()).or_default().push(row);
    }
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
    // Row T16: after a command was accepted both ready signals are 0, `control_ready` for longer than
    // `feedback_ready`.
    let until_next = unready(shape, events, cycles, shape.operations() - 1);
    let effects = unready(shape, events, cycles, 1);
    let levels = [
        ("busy", vec![[0, shape.sweep() - 1, 1], [shape.sweep(), cycles - 1, 0]]),
        ("control_ready", until_next),
        ("feedback_ready", effects),
    ];
    TimedExpect {
        outputs: [("grant".to_owned(), grants.collect()), ("response".to_owned(), responses.collect())].into(),
        levels: levels.map(|(name, spans)| (name.to_owned(), spans)).into(),
        counters: counters.map(|(name, count)| (name.to_owned(), count)).into(),
    }
}

/// The level of a ready signal: 0 in the sweep (T18) and for `behind` cycles after each accepted command, otherwise
/// 1.
fn unready(shape: Shape, events: &[(u64, Event)], cycles: u64, behind: u64) -> Vec<Span> {
    let mut spans = vec![[0, shape.sweep() - 1, 0]];
    let mut free = shape.sweep();
    for &(cycle, _) in events.iter().filter(|(_, event)| matches!(event, Event::Control(_))) {
        if free <= cycle {
            spans.push([free, cycle, 1]);
        }
        spans.push([cycle + 1, cycle + behind, 0]);
        free = cycle + behind + 1;
    }
    spans.push([free, cycles - 1, 1]);
    spans
}
