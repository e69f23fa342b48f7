// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers stand on them.

use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, busy, index_width, map_of, named, unready};
use crate::elab::scheduler::oracle::{Answer, Command, Event, Grant, Notice, Report, Response, Settings, Shape};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

/// The number of pair numbers that the port can carry. Those from `pairs` on have no pair.
pub const fn numbers(shape: Shape) -> u64 {
    1 << index_width(shape.pairs)
}

/// The pair of a request, and whether its packet is empty.
fn request(shape: Shape) -> Fields<(u64, bool)> {
    Fields::new("request").with("pair", index_width(shape.pairs), |&(pair, _): &(u64, bool)| pair).with(
        "empty",
        1,
        |&(_, empty): &(u64, bool)| empty.into(),
    )
}

/// The stream of reports.
pub fn report(shape: Shape) -> Fields<Report> {
    fields!("report": Report { pair: index_width(shape.pairs), vp: 16, count: 16, ecn: 1, probed: 1, rate: 32 })
}

/// The stream of commands.
pub fn command(shape: Shape) -> Fields<Command> {
    fields!("command": Command { op: 2, pair: index_width(shape.pairs), sport: 16, bandwidth: 24 })
}

fn settings() -> Fields<Settings> {
    fields!("settings": Settings { valid: 1, alpha: 8, window: 24, explore: 24, burst: 16, silence: 16 })
}

fn grant(shape: Shape) -> Fields<Grant> {
    fields!("grant": Grant { pair: index_width(shape.pairs), ok: 1, vp: 6, sport: 16, burst: 16 })
}

fn response(shape: Shape) -> Fields<Response> {
    fields!("response": Response {
        op: 2,
        pair: index_width(shape.pairs),
        sport: 16,
        done: 1,
        present: 1,
        port: 16,
        bandwidth: 24,
        rate: 24,
        probe_armed: 1,
        dead: 1,
    })
}

/// A stream of notices.
fn notice(name: &'static str, shape: Shape) -> Fields<Notice> {
    fields!(name: Notice { pair: index_width(shape.pairs), sport: 16 })
}

/// The counters of events that are refused.
pub fn refused() -> Fields<Answer> {
    fields!(32, Answer: refused_requests, no_vp_requests, refused_reports, absent_reports)
}

fn counters() -> Fields<Answer> {
    refused().and(fields!(32, Answer: bursts, deaths, returns))
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let levels = named([("busy", 1), ("command_ready", 1), ("report_ready", 1)]);
    (
        map_of([request(shape).columns(), report(shape).columns(), command(shape).columns()]),
        [
            grant(shape).columns(),
            response(shape).columns(),
            notice("dead", shape).columns(),
            notice("returned", shape).columns(),
        ]
        .into(),
        map_of(levels.into_iter().chain(settings().widths()).chain(counters().widths())),
    )
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(first: Settings) -> BTreeMap<String, u64> {
    settings().values(&first)
}

/// What the events put on the ports.
pub fn puts(shape: Shape, events: &[(u64, Event)]) -> Vec<(u64, Put)> {
    let (request, report, command, settings) = (request(shape), report(shape), command(shape), settings());
    let put = |event| match event {
        Event::Settings(new) => settings.set(&new),
        Event::Command(this) => command.put(&this),
        Event::Report(this) => report.put(&this),
        Event::Request(pair) => request.put(&(pair, false)),
        Event::Empty(pair) => request.put(&(pair, true)),
    };
    events.iter().map(|&(cycle, event)| (cycle, put(event))).collect()
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, events: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
    let operations = events.iter().filter(|(_, event)| matches!(event, Event::Command(_))).map(|&(cycle, _)| cycle);
    // Row V14: after a command was accepted both ready signals are 0, `command_ready` for longer than `report_ready`.
    let until_next = unready(shape.sweep(), operations.clone(), cycles, shape.commands() - 1);
    let effects = unready(shape.sweep(), operations, cycles, 1);
    TimedExpect {
        outputs: named([
            grant(shape).rows(answer.grants.iter().map(|grant| (grant.cycle, grant))),
            response(shape).rows(answer.responses.iter().map(|response| (response.cycle, response))),
            notice("dead", shape).rows(answer.dead.iter().map(|notice| (notice.cycle, notice))),
            notice("returned", shape).rows(answer.returned.iter().map(|notice| (notice.cycle, notice))),
        ]),
        levels: named([
            ("busy", busy(shape.sweep(), cycles)),
            ("command_ready", until_next),
            ("report_ready", effects),
        ]),
        counters: counters().values(answer),
    }
}
