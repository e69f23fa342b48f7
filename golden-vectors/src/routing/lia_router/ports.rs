// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs stand on them.

use super::oracle::{Answer, Change, Command, Counters, Flits, Occupancy, Outputs, Request, Settings, Shape, State};
use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, index_width, map_of, named};
use crate::collect::runs::{at, levels, valid};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

fn enqueue(shape: Shape) -> Fields<Flits> {
    fields!("enqueue": Flits { group: index_width(shape.groups()), flits: 8 })
}

fn dequeue(shape: Shape) -> Fields<Flits> {
    fields!("dequeue": Flits { group: index_width(shape.groups()), flits: 8 })
}

fn occupancy(shape: Shape) -> Fields<Occupancy> {
    fields!("occupancy": Occupancy { port: index_width(shape.ports()), flits: 12, in_flight: 12 })
}

fn request(shape: Shape) -> Fields<Request> {
    fields!("request": Request { group: index_width(shape.groups()), switch: index_width(shape.switches) })
}

/// The stream of commands.
pub fn command(shape: Shape) -> Fields<Command> {
    fields!("command": Command {
        op: 2,
        group: index_width(shape.groups()),
        switch: index_width(shape.switches),
        seed: 32,
    })
}

fn settings(shape: Shape) -> Fields<Option<Settings>> {
    let load = shape.counter_bits;
    let bias = |level: usize| move |s: &Settings| u64::from(s.biases[level] as u16);
    fields!("settings": Settings {
        weight: 8,
        limit_1: load => |s| s.limits[0],
        limit_2: load => |s| s.limits[1],
        bias_0: 16 => bias(0),
        bias_1: 16 => bias(1),
        bias_2: 16 => bias(2),
        link_threshold: load,
        saturated_links: 5,
        remote_threshold: shape.remote_bits(),
        interval: 16,
        first_hop: 2 => |s| s.first_hop.code(),
        second_hop: 2 => |s| s.second_hop.code(),
        corrected: 1,
    })
    .optional()
}

fn response(shape: Shape) -> Fields<Answer> {
    fields!("response": Answer {
        known: 1,
        minimal: 1,
        port: index_width(shape.ports()),
        group: index_width(shape.groups()),
        switch: index_width(shape.switches),
        link: index_width(shape.links()),
        l1: 1,
        l2: 1,
        level: 2,
        hops: 3,
    })
}

fn state(shape: Shape) -> Fields<State> {
    let load = shape.counter_bits;
    fields!("state": State { op: 2, done: 1, queued: load, injected: load, extended: load, level: 2 })
}

fn shown() -> Fields<Outputs> {
    fields!(1, Outputs: busy, command_ready)
}

fn counters() -> Fields<Counters> {
    fields!(32, Counters: non_minimal, unknown)
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let inputs = [
        enqueue(shape).columns(),
        dequeue(shape).columns(),
        occupancy(shape).columns(),
        request(shape).columns(),
        command(shape).columns(),
    ];
    let others = [shown().widths(), settings(shape).widths(), counters().widths()];
    (inputs.into(), map_of([response(shape).columns(), state(shape).columns()]), map_of(others.into_iter().flatten()))
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(shape: Shape, first: Option<Settings>) -> BTreeMap<String, u64> {
    settings(shape).values(&first)
}

/// What the changes put on the ports.
pub fn puts(shape: Shape, changes: &[(u64, Change)]) -> Vec<(u64, Put)> {
    let (enqueue, dequeue, occupancy) = (enqueue(shape), dequeue(shape), occupancy(shape));
    let (request, command, settings) = (request(shape), command(shape), settings(shape));
    let put = |change| match change {
        Change::Enqueue(this) => enqueue.put(&this),
        Change::Dequeue(this) => dequeue.put(&this),
        Change::Occupancy(this) => occupancy.put(&this),
        Change::Request(this) => request.put(&this),
        Change::Command(this) => command.put(&this),
        Change::Settings(new) => settings.set(&new),
    };
    changes.iter().map(|&(cycle, change)| (cycle, put(change))).collect()
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, outputs: &[(u64, Outputs)], cycles: u64) -> TimedExpect {
    let end = at(outputs, cycles).map(|out| out.counters).unwrap_or_default();
    TimedExpect {
        outputs: named([
            response(shape).rows(valid(outputs, cycles, |out| out.response)),
            state(shape).rows(valid(outputs, cycles, |out| out.state)),
        ]),
        levels: levels(outputs, cycles, &shown()),
        counters: counters().values(&end),
    }
}
