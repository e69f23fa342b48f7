// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs are written as rows of their streams. The two protocols have their own.

use super::oracle::{Ack, Arrival, Command, Counters, Event, Outputs, Report, Response, Settings, Shape};
use crate::collect::ports::{Put, index_width, named, put, streams};
use crate::collect::runs::{Field, at, columns, levels, row, rows};
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

/// Width of a number of packets up to the window.
const fn count_width(shape: Shape) -> u32 {
    shape.window.ilog2() + 1
}

fn arrival_fields(shape: Shape, a: &Arrival) -> Vec<Field> {
    let (n, held) = (shape.psn_bits(), ("held", count_width(shape), a.held));
    let connection = ("connection", index_width(shape.connections), a.connection);
    let outcome = ("outcome", 3, a.outcome as u64);
    let (psn, expected) = (("psn", n, a.psn), ("expected", n, a.expected));
    let (ack_request, ecn) = (("ack_request", 1, a.ack_request.into()), ("ecn", 1, a.ecn.into()));
    if shape.is_uet() {
        vec![
            connection,
            outcome,
            psn,
            expected,
            held,
            ("sack_base", n, a.sack_base),
            ("sack", 64, a.sack),
            ("length", 16, a.length),
            ack_request,
            ("syn", 1, a.syn.into()),
            ("retx", 1, a.retx.into()),
            ecn,
            ("trimmed", 1, a.trimmed.into()),
            ("last_hop", 1, a.last_hop.into()),
            ("ev", 16, a.ev),
            ("opaque", 16, a.opaque),
            ("handle", shape.handle_bits, a.handle),
        ]
    } else {
        vec![
            connection,
            outcome,
            psn,
            expected,
            ("highest", n, a.highest),
            held,
            ("suspected", 1, a.suspected.into()),
            ("path", 8, a.path),
            ("flowlet", 16, a.flowlet),
            ack_request,
            ("last", 1, a.last.into()),
            ecn,
            ("unserved", 1, a.unserved.into()),
            ("stamped", 1, a.stamped.into()),
            ("stamp", 16, a.stamp),
        ]
    }
}

fn report_fields(shape: Shape, report: &Report) -> Vec<Field> {
    let n = shape.psn_bits();
    let connection = ("connection", index_width(shape.connections), report.connection);
    vec![connection, ("first", n, report.first), ("last", n, report.last)]
}

fn command_fields(shape: Shape, command: &Command) -> Vec<Field> {
    let connection = ("connection", index_width(shape.connections), command.connection);
    let fields = [("op", 2, command.op), connection, ("psn", shape.psn_bits(), command.psn)];
    let multipath = (!shape.is_uet()).then_some(("multipath", 1, command.multipath.into()));
    fields.into_iter().chain(multipath).collect()
}

fn settings_fields(shape: Shape, s: &Settings) -> Vec<Field> {
    let (tick, time, on_ecn) = (("tick", 16, s.tick), ("time", 20, s.time), ("on_ecn", 1, s.on_ecn.into()));
    if shape.is_uet() {
        vec![
            tick,
            ("trigger", 16, s.trigger),
            ("min", 12, s.min),
            time,
            ("per_packet", 1, s.per_packet.into()),
            on_ecn,
            ("on_retx", 1, s.on_retx.into()),
            ("cc", 1, s.cc.into()),
            ("mpr", 8, s.mpr),
            ("added", 8, s.added),
            ("restore", 1, s.restore.into()),
        ]
    } else {
        vec![
            tick,
            ("count", 8, s.count),
            ("count_multipath", 8, s.count_multipath),
            time,
            on_ecn,
            ("rnr", 5, s.rnr),
            ("credits", 5, s.credits),
            ("offset", 16, s.offset),
        ]
    }
}

fn ack_fields(shape: Shape, ack: &Ack) -> Vec<Field> {
    let n = shape.psn_bits();
    let (kind, connection) = (("kind", 2, ack.kind), ("connection", index_width(shape.connections), ack.connection));
    if shape.is_uet() {
        vec![
            kind,
            connection,
            ("code", 8, ack.code),
            ("psn", n, ack.psn),
            ("flags", 7, ack.flags),
            ("psn_offset", 16, ack.psn_offset),
            ("ev", 16, ack.ev),
            ("handle", shape.handle_bits, ack.handle),
            ("mpr", 8, ack.mpr),
            ("sack_offset", 16, ack.sack_offset),
            ("sack", 64, ack.sack),
            ("service_time", 16, ack.service_time),
            ("restore", 1, ack.restore.into()),
            ("pend", 7, ack.pend),
            ("rcvd_bytes", 24, ack.rcvd_bytes),
            ("ooo_count", 16, ack.ooo_count),
        ]
    } else {
        vec![
            kind,
            connection,
            ("multipath", 1, ack.multipath.into()),
            ("psn", n, ack.psn),
            ("ecn", 1, ack.ecn.into()),
            ("syndrome", 8, ack.syndrome),
            ("msn", 24, ack.msn),
            ("path", 8, ack.path),
            ("flags", 8, ack.flags),
            ("flowlet", 16, ack.flowlet),
            ("tag", 16, ack.tag),
        ]
    }
}

fn response_fields(shape: Shape, r: &Response) -> Vec<Field> {
    let state = if shape.is_uet() { ("bytes", 32, r.bytes) } else { ("msn", 24, r.msn) };
    vec![
        ("op", 2, r.command.op),
        ("connection", index_width(shape.connections), r.command.connection),
        ("done", 1, r.done.into()),
        ("open", 1, r.open.into()),
        ("draining", 1, r.draining.into()),
        ("expected", shape.psn_bits(), r.expected),
        state,
    ]
}

/// The counters; only RoCE has `refused_arrivals`.
fn counters(shape: Shape, c: &Counters) -> Vec<(&'static str, u64)> {
    let refused = (!shape.is_uet()).then_some(("refused_arrivals", c.refused_arrivals));
    let counters = [
        ("acks", c.acks),
        ("naks", c.naks),
        ("probe_answers", c.probe_answers),
        ("merged_causes", c.merged_causes),
        ("expired", c.expired),
        ("dropped_replies", c.dropped_replies),
        ("busy_arrivals", c.busy_arrivals),
        ("void_events", c.void_events),
    ];
    counters.into_iter().chain(refused).collect()
}

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    streams(&[
        ("arrival", &columns(&arrival_fields(shape, &Arrival::default()))),
        ("event", &columns(&report_fields(shape, &Report::default()))),
        ("command", &columns(&command_fields(shape, &Command::default()))),
    ])
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    streams(&[
        ("ack", &columns(&ack_fields(shape, &Ack::default()))),
        ("response", &columns(&response_fields(shape, &Response::default()))),
    ])
}

/// The ports that belong to no stream, with their widths.
pub fn widths(shape: Shape) -> BTreeMap<String, u32> {
    let levels =
        [("busy", 1), ("event_ready", 1), ("command_ready", 1), ("ack_ready", 1), ("settings_valid", 1)].into_iter();
    let settings = settings_fields(shape, &Settings::default());
    let settings = settings.into_iter().map(|(name, width, _)| (format!("settings_{name}"), width));
    let counters = counters(shape, &Counters::default()).into_iter().map(|(name, _)| (name.to_owned(), 32));
    let pressure = shape.is_uet().then(|| ("pressure".to_owned(), 7));
    levels.map(|(name, width)| (name.to_owned(), width)).chain(settings).chain(counters).chain(pressure).collect()
}

/// The values of the settings ports; all are 0 if `settings_valid` is.
fn settings(shape: Shape, settings: Option<Settings>) -> BTreeMap<String, u64> {
    let fields = settings_fields(shape, &settings.unwrap_or_default());
    let fields = fields.into_iter().map(|(name, _, value)| (format!("settings_{name}"), value));
    fields.chain([("settings_valid".to_owned(), settings.is_some().into())]).collect()
}

fn level(port: &str, value: u64) -> BTreeMap<String, u64> {
    named([(port, value)])
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(shape: Shape, first: Option<Settings>) -> BTreeMap<String, u64> {
    let pressure = shape.is_uet().then(|| ("pressure".to_owned(), 0));
    settings(shape, first).into_iter().chain(level("ack_ready", 1)).chain(pressure).collect()
}

/// A row of what is offered while `event_ready` is 0, without its cycle.
pub fn report(shape: Shape, report: &Report) -> Row {
    row(&report_fields(shape, report))
}

/// A row of what is offered while `command_ready` is 0, without its cycle.
pub fn command(shape: Shape, command: &Command) -> Row {
    row(&command_fields(shape, command))
}

/// Writes the events into the inputs of a case.
pub fn put_events(shape: Shape, case: &mut TimedCase, first: Option<Settings>, events: &[(u64, Event)]) {
    let events = events.iter().map(|&(cycle, event)| {
        let put = match event {
            Event::Arrival(arrival) => Put::Row("arrival", row(&arrival_fields(shape, &arrival))),
            Event::Report(this) => Put::Row("event", report(shape, &this)),
            Event::Command(this) => Put::Row("command", command(shape, &this)),
            Event::Settings(new) => Put::Settings(settings(shape, new)),
            Event::Pressure(pressure) => Put::Settings(level("pressure", pressure)),
            Event::AckReady(ready) => Put::Settings(level("ack_ready", ready.into())),
        };
        (cycle, put)
    });
    put(case, &["arrival", "event", "command"], standing(shape, first), events);
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, outputs: &[(u64, Outputs)], cycles: u64) -> TimedExpect {
    let end = at(outputs, cycles).map(|out| out.counters).unwrap_or_default();
    TimedExpect {
        outputs: named([
            ("ack", rows(outputs, cycles, |out| out.ack, |ack| ack_fields(shape, ack))),
            ("response", rows(outputs, cycles, |out| out.response, |response| response_fields(shape, response))),
        ]),
        levels: named([
            ("busy", levels(outputs, cycles, |out| out.busy)),
            ("event_ready", levels(outputs, cycles, |out| out.event_ready)),
            ("command_ready", levels(outputs, cycles, |out| out.command_ready)),
        ]),
        counters: counters(shape, &end).into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}
