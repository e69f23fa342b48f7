// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs are written as rows of their streams.

use super::oracle::{Change, Command, Counters, Demand, Grant, Outputs, Response, Settings, Shape};
use crate::collect::ports::{Put, index_width, named, put, streams};
use crate::collect::runs::{Field, at, columns, levels, row, rows};
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

fn source(shape: Shape, source: u64) -> Field {
    ("source", index_width(shape.sources), source)
}

fn demand_fields(shape: Shape, d: &Demand) -> Vec<Field> {
    vec![source(shape, d.source), ("target", 24, d.target), ("repeat", 1, d.repeat.into())]
}

fn command_fields(shape: Shape, c: &Command) -> Vec<Field> {
    vec![("op", 2, c.op), source(shape, c.source), ("number", 24, c.number)]
}

fn settings_fields(s: &Settings) -> [Field; 4] {
    [("rate", 24, s.rate), ("quota", 12, s.quota), ("burst", 12, s.burst), ("advance", 24, s.advance)]
}

fn grant_fields(shape: Shape, g: &Grant) -> Vec<Field> {
    vec![source(shape, g.source), ("credit", 24, g.credit), ("quanta", 12, g.quanta), ("ahead", 1, g.ahead.into())]
}

fn response_fields(shape: Shape, r: &Response) -> Vec<Field> {
    vec![
        ("op", 2, r.op),
        source(shape, r.source),
        ("done", 1, r.done.into()),
        ("open", 1, r.open.into()),
        ("credit", 24, r.credit),
        ("target", 24, r.target),
        ("queued", 1, r.queued.into()),
        ("ahead", 1, r.ahead.into()),
    ]
}

const fn counters(c: &Counters) -> [(&'static str, u64); 4] {
    [
        ("closed_demands", c.closed_demands),
        ("stale_demands", c.stale_demands),
        ("credits", c.credits),
        ("void_turns", c.void_turns),
    ]
}

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    streams(&[
        ("demand", &columns(&demand_fields(shape, &Demand::default()))),
        ("command", &columns(&command_fields(shape, &Command::default()))),
    ])
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    streams(&[
        ("grant", &columns(&grant_fields(shape, &Grant::default()))),
        ("response", &columns(&response_fields(shape, &Response::default()))),
    ])
}

/// The ports that belong to no stream, with their widths.
pub fn widths() -> BTreeMap<String, u32> {
    let ready = ["demand", "command", "grant"].map(|stream| (format!("{stream}_ready"), 1));
    let levels = ["busy", "settings_valid"].map(|name| (name.to_owned(), 1));
    let settings = settings_fields(&Settings::default());
    let settings = settings.map(|(name, width, _)| (format!("settings_{name}"), width));
    let counters = counters(&Counters::default()).map(|(name, _)| (name.to_owned(), 32));
    ready.into_iter().chain(levels).chain(settings).chain(counters).collect()
}

/// The values of the settings ports; all are 0 if `settings_valid` is.
fn settings(settings: Option<Settings>) -> BTreeMap<String, u64> {
    let fields = settings_fields(&settings.unwrap_or_default());
    let fields = fields.map(|(name, _, value)| (format!("settings_{name}"), value));
    fields.into_iter().chain([("settings_valid".to_owned(), settings.is_some().into())]).collect()
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(first: Option<Settings>) -> BTreeMap<String, u64> {
    settings(first).into_iter().chain(named([("grant_ready", 1)])).collect()
}

/// A row of a demand, without its cycle.
pub fn demand(shape: Shape, demand: &Demand) -> Row {
    row(&demand_fields(shape, demand))
}

/// A row of a command, without its cycle.
pub fn command(shape: Shape, command: &Command) -> Row {
    row(&command_fields(shape, command))
}

/// Writes the changes into the inputs of a case.
pub fn put_changes(shape: Shape, case: &mut TimedCase, first: Option<Settings>, changes: &[(u64, Change)]) {
    let changes = changes.iter().map(|&(cycle, change)| {
        let put = match change {
            Change::Demand(this) => Put::Row("demand", demand(shape, &this)),
            Change::Command(this) => Put::Row("command", command(shape, &this)),
            Change::Settings(new) => Put::Settings(settings(new)),
            Change::GrantReady(level) => Put::Settings(named([("grant_ready", level.into())])),
        };
        (cycle, put)
    });
    put(case, &["demand", "command"], standing(first), changes);
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, outputs: &[(u64, Outputs)], cycles: u64) -> TimedExpect {
    let end = at(outputs, cycles).map(|out| out.counters).unwrap_or_default();
    TimedExpect {
        outputs: named([
            ("grant", rows(outputs, cycles, |out| out.grant, |grant| grant_fields(shape, grant))),
            ("response", rows(outputs, cycles, |out| out.response, |response| response_fields(shape, response))),
        ]),
        levels: named([
            ("busy", levels(outputs, cycles, |out| out.busy)),
            ("demand_ready", levels(outputs, cycles, |out| out.demand_ready)),
            ("command_ready", levels(outputs, cycles, |out| out.command_ready)),
        ]),
        counters: named(counters(&end)),
    }
}
