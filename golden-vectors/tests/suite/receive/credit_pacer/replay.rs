// SPDX-License-Identifier: MIT OR Apache-2.0
//! The inputs of a case, read back from its rows.

use golden_vectors::receive::credit_pacer::oracle::{
    Change,
    Command,
    Demand,
    Grant,
    Outputs,
    Response,
    Settings,
    Shape,
    run, //
};
use golden_vectors::schema::timed::{Row, Span};
use golden_vectors::{TimedCase, TimedGroup};
use std::collections::BTreeSet;

/// The size of the stage of a group, with the usual settings after reset.
pub fn shape(group: &TimedGroup) -> Shape {
    Shape::new(group.configuration["sources"]).ram_latency(group.configuration["ram_latency"])
}

/// What the oracle answers to the inputs of a case.
pub fn answer(group: &TimedGroup, case: &TimedCase, shape: Shape) -> Vec<(u64, Outputs)> {
    let stands = |port: &str, at: u64| {
        let changes = case.settings.get(port).into_iter().flatten();
        changes.rev().find(|&&(from, _)| from <= at).map_or(group.settings[port], |&(_, value)| value)
    };
    let settings = |at: u64| {
        let value = |port: &str| stands(&format!("settings_{port}"), at);
        let (rate, quota, burst, advance) = (value("rate"), value("quota"), value("burst"), value("advance"));
        (value("valid") == 1).then_some(Settings { rate, quota, burst, advance })
    };
    let mut changes = Vec::new();
    let cycles: BTreeSet<u64> = case.settings.values().flatten().map(|&(at, _)| at).collect();
    for at in cycles {
        changes.push((at, Change::Settings(settings(at))));
        changes.push((at, Change::GrantReady(stands("grant_ready", at) == 1)));
    }
    let demand = |row: &Row| (row[0], Change::Demand(Demand { source: row[1], target: row[2], repeat: row[3] == 1 }));
    let command = |row: &Row| (row[0], Change::Command(Command { op: row[1], source: row[2], number: row[3] }));
    changes.extend(case.inputs["demand"].iter().map(demand));
    changes.extend(case.inputs["command"].iter().map(command));
    changes.sort_by_key(|&(cycle, _)| cycle);
    run(shape, settings(0), &changes, case.cycles)
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

fn grant(g: Grant) -> Row {
    vec![g.source, g.credit, g.quanta, g.ahead.into()]
}

fn response(r: Response) -> Row {
    vec![r.op, r.source, r.done.into(), r.open.into(), r.credit, r.target, r.queued.into(), r.ahead.into()]
}

/// The first output that is not as a case expects it.
pub fn differs(case: &TimedCase, answer: &[(u64, Outputs)]) -> Option<&'static str> {
    type Of = fn(&Outputs) -> Option<Row>;
    let streams: [(&str, Of); 2] =
        [("grant", |out| out.grant.map(grant)), ("response", |out| out.response.map(response))];
    for (stream, of) in streams {
        let rows = expanded(answer, case.cycles, of).map(|(cycle, row)| [vec![cycle], row].concat());
        if !rows.eq(case.expect.outputs[stream].iter().cloned()) {
            return Some(stream);
        }
    }
    type Level = fn(&Outputs) -> u64;
    let levels: [(&str, Level); 3] = [
        ("busy", |out| out.busy.into()),
        ("demand_ready", |out| out.demand_ready.into()),
        ("command_ready", |out| out.command_ready.into()),
    ];
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
    let counters = [
        ("closed_demands", c.closed_demands),
        ("stale_demands", c.stale_demands),
        ("credits", c.credits),
        ("void_turns", c.void_turns),
    ];
    counters.into_iter().find(|(name, count)| case.expect.counters[*name] != *count).map(|(name, _)| name)
}
