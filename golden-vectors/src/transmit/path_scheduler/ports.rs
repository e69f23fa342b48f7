// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers stand on them.

use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, busy, index_width, map_of, named, set, unready};
use crate::schema::timed::{Streams, TimedExpect};
use crate::transmit::path_scheduler::oracle::{
    Answer, Causes, Command, Event, Feedback, Grant, Lost, Report, Request, Response, Settings, Shape,
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

/// The width of a window that follows marks.
fn initial_width(shape: Shape) -> u32 {
    u32::try_from(shape.initial_bits()).unwrap_or(10)
}

fn request(shape: Shape) -> Fields<Request> {
    fields!("request": Request { qp: qp_width(shape), kind: 2 => |request| request.kind.code(), path: 8 })
}

/// The stream of feedback.
pub fn feedback(shape: Shape) -> Fields<Feedback> {
    fields!("feedback": Feedback { qp: qp_width(shape), path: 8, kind: 3, rtt: 16, bandwidth: weight_width(shape) })
}

/// The stream of commands.
pub fn command(shape: Shape) -> Fields<Command> {
    fields!("command": Command {
        op: 4,
        qp: qp_width(shape),
        path: 8,
        psn: 24,
        entropy: 20,
        granularity: 2 => |command| command.mode,
        flowlet: 16,
        weight: weight_width(shape),
        force: 1,
    })
}

fn settings(shape: Shape) -> Fields<Option<Settings>> {
    let fields = fields!("settings": Settings {
        flowlet: 16,
        raise: 6,
        fail: 3,
        fail_time: 15,
        wait: 1,
        migrate: 3,
        window: in_flight_width(shape) - 1,
        initial: initial_width(shape),
        rtt: 15,
        delay: 16,
    });
    fields.optional()
}

fn grant(shape: Shape) -> Fields<Grant> {
    fields!("grant": Grant {
        qp: qp_width(shape),
        ok: 1,
        path: 8,
        entropy: 20,
        psn: 24,
        flags: 8,
        flowlet: 16,
        tag: 16,
    })
}

fn response(shape: Shape) -> Fields<Response> {
    fields!("response": Response {
        op: 4,
        qp: qp_width(shape),
        path: 8,
        done: 1,
        open: 1,
        granularity: 2 => |response| response.mode.map_or(0, |mode| mode.code()),
        state: 3 => |response| response.state.code(),
        weight: weight_width(shape),
        limit: weight_width(shape),
        congested: 1,
        avoided: 1,
        full: 1,
        in_flight: in_flight_width(shape),
        window: initial_width(shape),
    })
}

fn report(shape: Shape) -> Fields<Report> {
    let causes = fields!(1, Causes: failed, all_failed, congested, saturated).of(|report: &Report| &report.causes);
    fields!("event": Report { qp: qp_width(shape), path: 8, more: 1 }).and(causes)
}

fn lost(shape: Shape) -> Fields<Lost> {
    let paths = u32::try_from(shape.paths).unwrap_or(64);
    fields!("lost": Lost { qp: qp_width(shape), paths: paths, all_failed: 1 })
}

/// The counters, all of them of events that are refused.
pub fn counters() -> Fields<Answer> {
    fields!(
        32,
        Answer: refused_requests, no_path_requests, full_requests, feedback_closed, feedback_range, feedback_absent
    )
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let levels =
        named([("busy", 1), ("command_ready", 1), ("feedback_ready", 1), ("event_ready", 1), ("lost_ready", 1)]);
    (
        map_of([request(shape).columns(), feedback(shape).columns(), command(shape).columns()]),
        map_of([grant(shape).columns(), response(shape).columns(), report(shape).columns(), lost(shape).columns()]),
        map_of(levels.into_iter().chain(settings(shape).widths()).chain(counters().widths())),
    )
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(shape: Shape, first: Option<Settings>) -> BTreeMap<String, u64> {
    map_of(settings(shape).values(&first).into_iter().chain(named([("event_ready", 1), ("lost_ready", 1)])))
}

/// What the events put on the ports.
pub fn puts(shape: Shape, events: &[(u64, Event)]) -> Vec<(u64, Put)> {
    let (request, feedback, command, settings) = (request(shape), feedback(shape), command(shape), settings(shape));
    let put = |event| match event {
        Event::Request(this) => request.put(&this),
        Event::Feedback(this) => feedback.put(&this),
        Event::Command(this) => command.put(&this),
        Event::Settings(new) => settings.set(&new),
        Event::Ready(level) => set("event_ready", level),
        Event::LostReady(level) => set("lost_ready", level),
    };
    events.iter().map(|&(cycle, event)| (cycle, put(event))).collect()
}

/// The cycles in which an offer is valid: from this one up to the last one.
fn standing_cycles(first: u64, last: Option<u64>, cycles: u64) -> std::ops::Range<u64> {
    first..last.map_or(cycles, |last| cycles.min(last + 1))
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, events: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
    let reports = answer.reports.iter();
    let reports =
        reports.flat_map(|report| standing_cycles(report.cycle, report.last, cycles).map(move |cycle| (cycle, report)));
    let failed = answer.lost.iter();
    let failed = failed.flat_map(|lost| standing_cycles(lost.cycle, lost.last, cycles).map(move |cycle| (cycle, lost)));
    // Row T16: after a command was accepted both ready signals are 0, `command_ready` for longer than
    // `feedback_ready`.
    let accepted = || events.iter().filter(|(_, event)| matches!(event, Event::Command(_))).map(|&(cycle, _)| cycle);
    let until_next = unready(shape.sweep(), accepted(), cycles, shape.operations() - 1);
    let effects = unready(shape.sweep(), accepted(), cycles, 1);
    TimedExpect {
        outputs: named([
            grant(shape).rows(answer.grants.iter().map(|grant| (grant.cycle, grant))),
            response(shape).rows(answer.responses.iter().map(|response| (response.cycle, response))),
            report(shape).rows(reports),
            lost(shape).rows(failed),
        ]),
        levels: named([
            ("busy", busy(shape.sweep(), cycles)),
            ("command_ready", until_next),
            ("feedback_ready", effects),
        ]),
        counters: counters().values(answer),
    }
}
