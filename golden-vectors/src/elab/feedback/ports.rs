// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers stand on them.

use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, busy, index_width, map_of, named, set, unready};
use crate::elab::feedback::oracle::{Answer, Arrival, Due, Event, Report, Settings, Shape};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

/// The number of pair numbers that the port can carry. Those from `pairs` on have no pair.
pub const fn numbers(shape: Shape) -> u64 {
    1 << index_width(shape.pairs)
}

/// The stream of arrivals.
pub fn arrival(shape: Shape) -> Fields<Arrival> {
    fields!("arrival": Arrival { pair: index_width(shape.pairs), sport: 16, ecn: 1, burst: 16 })
}

/// A stream of pairs.
fn pair(shape: Shape, stream: &'static str) -> Fields<u64> {
    Fields::new(stream).with("pair", index_width(shape.pairs), |&pair| pair)
}

fn query(shape: Shape) -> Fields<u64> {
    pair(shape, "query")
}

/// The stream of commands.
pub fn command(shape: Shape) -> Fields<u64> {
    pair(shape, "command")
}

fn settings() -> Fields<Settings> {
    fields!("settings": Settings { valid: 1, burst: 16, report_time: 24 })
}

fn report(shape: Shape) -> Fields<Report> {
    fields!("report": Report {
        pair: index_width(shape.pairs),
        ok: 1,
        vp: 16,
        count: 16,
        ecn: 1,
        probed: 1,
        rate: 32,
    })
}

fn due_pairs(shape: Shape) -> Fields<u64> {
    pair(shape, "due")
}

/// The counters, all of them of events that are refused.
pub fn counters() -> Fields<Answer> {
    fields!(32, Answer: refused_arrivals, refused_queries, empty_queries)
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let levels = named([("busy", 1), ("command_ready", 1), ("arrival_ready", 1), ("due_ready", 1)]);
    (
        map_of([arrival(shape).columns(), query(shape).columns(), command(shape).columns()]),
        map_of([report(shape).columns(), due_pairs(shape).columns()]),
        map_of(levels.into_iter().chain(settings().widths()).chain(counters().widths())),
    )
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(first: Settings) -> BTreeMap<String, u64> {
    map_of(settings().values(&first).into_iter().chain(named([("due_ready", 1)])))
}

/// What the events put on the ports.
pub fn puts(shape: Shape, events: &[(u64, Event)]) -> Vec<(u64, Put)> {
    let (arrival, query, command, settings) = (arrival(shape), query(shape), command(shape), settings());
    let put = |event| match event {
        Event::Settings(new) => settings.set(&new),
        Event::Command(pair) => command.put(&pair),
        Event::Arrival(this) => arrival.put(&this),
        Event::Query(pair) => query.put(&pair),
        Event::DueReady(level) => set("due_ready", level),
    };
    events.iter().map(|&(cycle, event)| (cycle, put(event))).collect()
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, events: &[(u64, Event)], answer: &Answer, due: &[Due], cycles: u64) -> TimedExpect {
    let operations = events.iter().filter(|(_, event)| matches!(event, Event::Command(_))).map(|&(cycle, _)| cycle);
    // Row W8: both ready signals are 0 in the cycle after a command was accepted.
    let effects = unready(shape.sweep(), operations, cycles, 1);
    TimedExpect {
        outputs: named([
            report(shape).rows(answer.reports.iter().map(|report| (report.cycle, report))),
            // A row for each cycle in which it is valid, taken or not.
            due_pairs(shape).rows(due.iter().map(|due| (due.cycle, due.pair))),
        ]),
        levels: named([
            ("busy", busy(shape.sweep(), cycles)),
            ("command_ready", effects.clone()),
            ("arrival_ready", effects),
        ]),
        counters: counters().values(answer),
    }
}
