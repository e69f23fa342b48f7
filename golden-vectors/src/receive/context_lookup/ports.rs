// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers stand on them.

use super::oracle::{Answer, Command, ELAB, Event, Key, ROCEV2, Response, Shape, UET};
use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, busy, map_of, named};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

/// The ports of a key, from bit 0 on.
const KEY: [&str; 4] = ["key", "key_1", "key_2", "key_3"];

/// A key on the stream of this name.
fn key(shape: Shape, stream: &'static str) -> Fields<Key> {
    let (ports, width) = if shape.elab { (KEY.len(), 64) } else { (1, shape.key_bits()) };
    let kind = fields!(stream: Key { kind: 2 });
    (0..).zip(&KEY[..ports]).fold(kind, |fields, (at, &port): (usize, _)| {
        fields.with(port, width, move |key| key.words[at]) //
    })
}

fn lookup(shape: Shape) -> Fields<Key> {
    key(shape, "lookup")
}

/// The stream of commands.
pub fn command(shape: Shape) -> Fields<Command> {
    let op = fields!("command": Command { op: 2 => |command| command.op.code() });
    let key = key(shape, "").of(|command: &Command| &command.key);
    op.and(key).and(fields!(Command { index: shape.index_bits() }))
}

fn answers(shape: Shape) -> Fields<Option<u64>> {
    fields!("answer": Option<u64> {
        found: 1 => |found| found.is_some().into(),
        index: shape.index_bits() => |found| found.unwrap_or(0),
    })
}

fn responses(shape: Shape) -> Fields<Response> {
    fields!("response": Response { op: 2, present: 1, index: shape.index_bits(), done: 1, full: 1 })
}

/// The counters of C4.
fn counters(shape: Shape) -> Fields<Answer> {
    let kinds = [(ROCEV2, "unknown_rocev2"), (UET, "unknown_uet"), (ELAB, "unknown_elab")];
    let included = kinds.into_iter().filter(|&(kind, _)| shape.includes(kind)).chain([(3, "unknown_kinds")]);
    included.fold(Fields::new(""), |fields, (kind, port)| {
        fields.with(port, 32, move |answer: &Answer| answer.unknown[kind as usize]) //
    })
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let levels = named([("command_ready", 1), ("busy", 1)]);
    (
        map_of([lookup(shape).columns(), command(shape).columns()]),
        map_of([answers(shape).columns(), responses(shape).columns()]),
        map_of(levels.into_iter().chain(counters(shape).widths())),
    )
}

/// What the events put on the ports.
pub fn puts(shape: Shape, events: &[(u64, Event)]) -> Vec<(u64, Put)> {
    let (lookup, command) = (lookup(shape), command(shape));
    let put = |event| match event {
        Event::Lookup(key) => lookup.put(&key),
        Event::Command(this) => command.put(&this),
    };
    events.iter().map(|&(cycle, event)| (cycle, put(event))).collect()
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, answer: &Answer, cycles: u64) -> TimedExpect {
    let sweep = shape.rows();
    // C9
    let mut ready = vec![[0, sweep - 1, 0]];
    let mut free = sweep;
    for &(cycle, unready) in &answer.accepted {
        ready.push([free, cycle, 1]);
        free = cycle + unready + 1;
        ready.push([cycle + 1, (free - 1).min(cycles - 1), 0]);
    }
    if free < cycles {
        ready.push([free, cycles - 1, 1]);
    }
    let (answers, responses) =
        (answers(shape).rows(answer.answers.clone()), responses(shape).rows(answer.responses.clone()));
    TimedExpect {
        outputs: named([answers, responses]),
        levels: named([("busy", busy(sweep, cycles)), ("command_ready", ready)]),
        counters: counters(shape).values(answer),
    }
}
