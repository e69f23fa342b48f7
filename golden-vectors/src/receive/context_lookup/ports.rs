// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers are written as rows of their streams.

use super::oracle::{Answer, Command, ELAB, Event, Key, ROCEV2, Shape, UET};
use crate::collect::ports::{Put, named, put, streams};
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

/// The ports of a key, from bit 0 on.
const KEY: [&str; 4] = ["key", "key_1", "key_2", "key_3"];

/// How many ports a key has, and their width.
const fn key_ports(shape: Shape) -> (usize, u32) {
    if shape.elab { (KEY.len(), 64) } else { (1, shape.key_bits()) }
}

/// The counters of C4: port, and its place in [`Answer::unknown`].
fn counters(shape: Shape) -> impl Iterator<Item = (&'static str, usize)> {
    let kinds = [(ROCEV2, "unknown_rocev2"), (UET, "unknown_uet"), (ELAB, "unknown_elab")];
    let included = kinds.into_iter().filter(move |&(kind, _)| shape.includes(kind));
    included.map(|(kind, port)| (port, kind as usize)).chain([("unknown_kinds", 3)])
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn widths(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let index = shape.index_bits();
    let (ports, width) = key_ports(shape);
    let key: Vec<_> = KEY[..ports].iter().map(|&port| (port, width)).collect();
    let lookup = [&[("kind", 2)], key.as_slice()].concat();
    let command = [&[("op", 2), ("kind", 2)], key.as_slice(), &[("index", index)]].concat();
    let answer = [("found", 1), ("index", index)];
    let response = [("op", 2), ("present", 1), ("index", index), ("done", 1), ("full", 1)];
    let mut others = named([("command_ready", 1), ("busy", 1)]);
    others.extend(counters(shape).map(|(port, _)| (port.to_owned(), 32)));
    (
        streams(&[("lookup", &lookup), ("command", &command)]),
        streams(&[("answer", &answer), ("response", &response)]),
        others,
    )
}

fn lookup(shape: Shape, key: Key) -> Row {
    [&[key.kind], &key.words[..key_ports(shape).0]].concat()
}

/// A command as a row of its stream, without its cycle.
pub fn command(shape: Shape, Command { op, key, index }: Command) -> Row {
    [&[op.code()], lookup(shape, key).as_slice(), &[index]].concat()
}

/// Writes the events into the inputs of a case.
pub fn put_events(shape: Shape, case: &mut TimedCase, events: &[(u64, Event)]) {
    let puts = events.iter().map(|&(cycle, event)| match event {
        Event::Lookup(key) => (cycle, Put::Row("lookup", lookup(shape, key))),
        Event::Command(this) => (cycle, Put::Row("command", command(shape, this))),
    });
    put(case, &["lookup", "command"], BTreeMap::new(), puts);
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, answer: &Answer, cycles: u64) -> TimedExpect {
    let answers = answer.answers.iter().map(|&(cycle, found)| {
        vec![cycle, found.is_some().into(), found.unwrap_or(0)] //
    });
    let responses = answer.responses.iter().map(|&(cycle, response)| {
        vec![cycle, response.op, response.present.into(), response.index, response.done.into(), response.full.into()]
    });
    let sweep = shape.rows();
    let busy = vec![[0, sweep - 1, 1], [sweep, cycles - 1, 0]];
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
    TimedExpect {
        outputs: named([("answer", answers.collect()), ("response", responses.collect())]),
        levels: named([("busy", busy), ("command_ready", ready)]),
        counters: counters(shape).map(|(port, at)| (port.to_owned(), answer.unknown[at])).collect(),
    }
}
