// SPDX-License-Identifier: MIT OR Apache-2.0
//! The inputs of a case, read back from its rows.

use golden_vectors::routing::lia_router::oracle::{
    Answer, Change, Command, Flits, Hop, Occupancy, Outputs, Request, Settings, Shape, Size, State, run,
};
use golden_vectors::schema::timed::{Row, Span};
use golden_vectors::{TimedCase, TimedGroup};
use std::collections::BTreeSet;

/// The size of the stage of a group, with its default settings after reset.
pub fn size(group: &TimedGroup) -> Size {
    let value = |name: &str| group.configuration[name];
    let shape = Shape {
        global_ports: value("global_ports"),
        switches: value("switches"),
        trunks: value("trunks"),
        counter_bits: value("counter_bits") as u32,
    };
    Size::new(shape).ram_latency(value("ram_latency"))
}

/// What the oracle answers to the inputs of a case.
pub fn answer(group: &TimedGroup, case: &TimedCase, size: Size) -> Vec<(u64, Outputs)> {
    let stands = |port: &str, at: u64| {
        let changes = case.settings.get(port).into_iter().flatten();
        changes.rev().find(|&&(from, _)| from <= at).map_or(group.settings[port], |&(_, value)| value)
    };
    let settings = |at: u64| {
        let value = |port: &str| stands(&format!("settings_{port}"), at);
        let bias = |port: &str| i64::from(value(port) as u16 as i16);
        let hop = |port: &str| [Hop::Rule, Hop::Kept, Hop::Dropped][value(port) as usize];
        (value("valid") == 1).then(|| Settings {
            weight: value("weight"),
            limits: [value("limit_1"), value("limit_2")],
            biases: [bias("bias_0"), bias("bias_1"), bias("bias_2")],
            link_threshold: value("link_threshold"),
            saturated_links: value("saturated_links"),
            remote_threshold: value("remote_threshold"),
            interval: value("interval"),
            first_hop: hop("first_hop"),
            second_hop: hop("second_hop"),
            corrected: value("corrected") == 1,
        })
    };
    let mut changes = Vec::new();
    let cycles: BTreeSet<u64> = case.settings.values().flatten().map(|&(at, _)| at).collect();
    changes.extend(cycles.into_iter().map(|at| (at, Change::Settings(settings(at)))));
    let mut add = |stream: &str, change: fn(&Row) -> Change| {
        changes.extend(case.inputs[stream].iter().map(|row| (row[0], change(row))));
    };
    add("enqueue", |row| Change::Enqueue(Flits { group: row[1], flits: row[2] }));
    add("dequeue", |row| Change::Dequeue(Flits { group: row[1], flits: row[2] }));
    add("occupancy", |row| Change::Occupancy(Occupancy { port: row[1], flits: row[2], in_flight: row[3] }));
    add("request", |row| Change::Request(Request { group: row[1], switch: row[2] }));
    add("command", |row| Change::Command(Command { op: row[1], group: row[2], switch: row[3], seed: row[4] }));
    changes.sort_by_key(|&(cycle, _)| cycle);
    run(size, settings(0), &changes, case.cycles)
}

/// What is on an output in each cycle.
pub fn expanded<T>(
    answer: &[(u64, Outputs)],
    cycles: u64,
    of: impl Fn(&Outputs) -> Option<T>,
) -> impl Iterator<Item = (u64, T)> {
    let ends = answer.iter().skip(1).map(|&(from, _)| from).chain([cycles]);
    let spans = answer.iter().zip(ends);
    spans.flat_map(move |((from, out), end)| {
        (*from..end.min(cycles)).filter_map(|cycle| Some((cycle, of(out)?))).collect::<Vec<_>>() //
    })
}

fn response(a: Answer) -> Row {
    let flags = [a.known, a.minimal].map(u64::from);
    let path = [a.port, a.group, a.switch, a.link, a.l1.into(), a.l2.into(), a.level, a.hops];
    [&flags[..], &path].concat()
}

fn state(s: State) -> Row {
    vec![s.op, s.done.into(), s.queued, s.injected, s.extended, s.level]
}

/// The first output that is not as a case expects it.
pub fn differs(case: &TimedCase, answer: &[(u64, Outputs)]) -> Option<&'static str> {
    type Of = fn(&Outputs) -> Option<Row>;
    let streams: [(&str, Of); 2] =
        [("response", |out| out.response.map(response)), ("state", |out| out.state.map(state))];
    for (stream, of) in streams {
        let rows = expanded(answer, case.cycles, of).map(|(cycle, row)| [vec![cycle], row].concat());
        if !rows.eq(case.expect.outputs[stream].iter().cloned()) {
            return Some(stream);
        }
    }
    type Level = fn(&Outputs) -> u64;
    let levels: [(&str, Level); 2] =
        [("busy", |out| out.busy.into()), ("command_ready", |out| out.command_ready.into())];
    for (port, of) in levels {
        let stands = |&[first, last, value]: &Span| {
            let within = answer.partition_point(|&(from, _)| from <= first) - 1;
            answer[within..].iter().take_while(|(from, _)| *from <= last).all(|(_, out)| of(out) == value)
        };
        if !case.expect.levels[port].iter().all(stands) {
            return Some(port);
        }
    }
    let c = answer.last()?.1.counters;
    let counters = [("non_minimal", c.non_minimal), ("unknown", c.unknown)];
    counters.into_iter().find(|(name, count)| case.expect.counters[*name] != *count).map(|(name, _)| name)
}
