// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs stand on them.

use super::oracle::{Change, Command, Counters, Demand, Grant, Outputs, Response, Settings, Shape};
use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, index_width, map_of, named, set};
use crate::collect::runs::{at, levels, valid};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

/// The stream of demands.
pub fn demand(shape: Shape) -> Fields<Demand> {
    fields!("demand": Demand { source: index_width(shape.sources), target: 24, repeat: 1 })
}

/// The stream of commands.
pub fn command(shape: Shape) -> Fields<Command> {
    fields!("command": Command { op: 2, source: index_width(shape.sources), number: 24 })
}

fn settings() -> Fields<Option<Settings>> {
    fields!("settings": Settings { rate: 24, quota: 12, burst: 12, advance: 24 }).optional()
}

fn grant(shape: Shape) -> Fields<Grant> {
    fields!("grant": Grant { source: index_width(shape.sources), credit: 24, quanta: 12, ahead: 1 })
}

fn response(shape: Shape) -> Fields<Response> {
    fields!("response": Response {
        op: 2,
        source: index_width(shape.sources),
        done: 1,
        open: 1,
        credit: 24,
        target: 24,
        queued: 1,
        ahead: 1,
    })
}

fn shown() -> Fields<Outputs> {
    fields!(1, Outputs: busy, demand_ready, command_ready)
}

fn counters() -> Fields<Counters> {
    fields!(32, Counters: closed_demands, stale_demands, credits, void_turns)
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let others = [shown().widths(), settings().widths(), counters().widths(), named([("grant_ready", 1)])];
    (
        map_of([demand(shape).columns(), command(shape).columns()]),
        map_of([grant(shape).columns(), response(shape).columns()]),
        map_of(others.into_iter().flatten()),
    )
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(first: Option<Settings>) -> BTreeMap<String, u64> {
    map_of(settings().values(&first).into_iter().chain(named([("grant_ready", 1)])))
}

/// What the changes put on the ports.
pub fn puts(shape: Shape, changes: &[(u64, Change)]) -> Vec<(u64, Put)> {
    let (demand, command, settings) = (demand(shape), command(shape), settings());
    let put = |change| match change {
        Change::Demand(this) => demand.put(&this),
        Change::Command(this) => command.put(&this),
        Change::Settings(new) => settings.set(&new),
        Change::GrantReady(level) => set("grant_ready", level),
    };
    changes.iter().map(|&(cycle, change)| (cycle, put(change))).collect()
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, outputs: &[(u64, Outputs)], cycles: u64) -> TimedExpect {
    let end = at(outputs, cycles).map(|out| out.counters).unwrap_or_default();
    TimedExpect {
        outputs: named([
            grant(shape).rows(valid(outputs, cycles, |out| out.grant)),
            response(shape).rows(valid(outputs, cycles, |out| out.response)),
        ]),
        levels: levels(outputs, cycles, &shown()),
        counters: counters().values(&end),
    }
}
