// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs are written as rows of their streams.

use super::oracle::{
    Ack,
    Change,
    Command,
    Counters,
    Event,
    Outcome,
    Outputs,
    Response,
    Send,
    Sent,
    Settings,
    Shape, //
};
use crate::collect::ports::{Put, index_width, named, put, streams};
use crate::collect::runs::{Field, at, columns, levels, row, rows};
use crate::schema::timed::{Row, Span, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

/// Values of `now` that a case states at most.
const TIMES: usize = 100;

fn pdc(shape: Shape, pdc: u64) -> Field {
    ("pdc", index_width(shape.pdcs), pdc)
}

fn ccc(shape: Shape, ccc: u64) -> Field {
    ("ccc", index_width(shape.cccs), ccc)
}

/// Width of a number of packets up to the window.
const fn count_width(shape: Shape) -> u32 {
    shape.window.ilog2() + 1
}

/// A signed value of 16 bits as it is on a port.
const fn signed(value: i16) -> u64 {
    value as u16 as u64
}

fn ack_fields(shape: Shape, a: &Ack) -> Vec<Field> {
    vec![
        pdc(shape, a.pdc),
        ("kind", 2, a.kind),
        ("psn", shape.psn_bits, a.psn),
        ("triggered", 1, a.triggered.into()),
        ("trigger_offset", 16, signed(a.trigger_offset)),
        ("sack_offset", 16, signed(a.sack_offset)),
        ("sack", 64, a.sack),
        ("counted", 1, a.counted.into()),
        ("rcvd_bytes", 24, a.rcvd_bytes),
        ("mpr", 8, a.mpr),
        ("marked", 1, a.marked.into()),
        ("retx", 1, a.retx.into()),
        ("ev", 16, a.ev),
        ("arrived", 20, a.arrived),
        ("service", 16, a.service),
        ("pend", 7, a.pend),
        ("restore", 1, a.restore.into()),
        ("reason", 8, a.reason),
        ("credit", 24, a.credit),
    ]
}

fn send_fields(shape: Shape, s: &Send) -> Vec<Field> {
    let (op, size) = (("op", 2, s.op), ("size", 14, s.size));
    vec![pdc(shape, s.pdc), op, size, ("ev", 16, s.ev), ("last", 1, s.last.into())]
}

fn command_fields(shape: Shape, c: &Command) -> Vec<Field> {
    vec![
        ("op", 3, c.op),
        pdc(shape, c.pdc),
        ("psn", shape.psn_bits, c.psn),
        ccc(shape, c.ccc),
        ("window", count_width(shape), c.window),
        ("mpr", 8, c.mpr),
        ("ev", 16, c.ev),
        ("all", 1, c.all.into()),
        ("force", 1, c.force.into()),
    ]
}

fn settings_fields(shape: Shape, s: &Settings) -> [Field; 4] {
    [("tick", 16, s.tick), ("rto", 18, s.rto), ("retries", 4, s.retries), ("span", shape.window.ilog2(), s.span)]
}

fn event_fields(shape: Shape, e: &Event) -> Vec<Field> {
    vec![
        ("kind", 3, e.kind),
        pdc(shape, e.pdc),
        ("room", count_width(shape), e.room),
        ccc(shape, e.ccc),
        ("quanta", 16, e.quanta),
        ("packets", 16, e.packets),
        ("rtx_packets", 16, e.rtx_packets),
        ("rtx_bytes", 28, e.rtx_bytes),
        ("marked", 1, e.marked.into()),
        ("retx", 1, e.retx.into()),
        ("feedback", 1, e.feedback.into()),
        ("ev", 16, e.ev),
        ("timed", 1, e.timed.into()),
        ("rtx_count", 2, e.rtx_count),
        ("stamp", 20, e.stamp),
        ("arrived", 20, e.arrived),
        ("service", 16, e.service),
        ("pend", 7, e.pend),
        ("restore", 1, e.restore.into()),
        ("reason", 8, e.reason),
        ("size", 14, e.size),
        ("credit", 24, e.credit),
        ("packet", 1, e.packet.into()),
        ("retransmission", 1, e.retransmission.into()),
        ("last", 1, e.last.into()),
    ]
}

fn outcome_fields(shape: Shape, o: &Outcome) -> Vec<Field> {
    vec![
        pdc(shape, o.pdc),
        ccc(shape, o.ccc),
        ("kind", 3, o.kind),
        ("psn", shape.psn_bits, o.psn),
        ("ev", 16, o.ev),
        ("size", 14, o.size),
        ("rtx_count", 2, o.rtx_count),
        ("trigger", 1, o.trigger.into()),
        ("marked", 1, o.marked.into()),
        ("timed", 1, o.timed.into()),
        ("age", 20, o.age),
        ("at_base", 1, o.at_base.into()),
    ]
}

fn sent_fields(shape: Shape, s: &Sent) -> Vec<Field> {
    vec![
        pdc(shape, s.pdc),
        ("op", 2, s.op),
        ("ok", 1, s.ok.into()),
        ("psn", shape.psn_bits, s.psn),
        ("size", 14, s.size),
        ("rtx_count", 2, s.rtx_count),
        ("marked", count_width(shape), s.marked),
        ("room", count_width(shape), s.room),
    ]
}

fn response_fields(shape: Shape, r: &Response) -> Vec<Field> {
    vec![
        ("op", 3, r.op),
        pdc(shape, r.pdc),
        ("done", 1, r.done.into()),
        ("open", 1, r.open.into()),
        ("failed", 1, r.failed.into()),
        ccc(shape, r.ccc),
        ("base", shape.psn_bits, r.base),
        ("next", shape.psn_bits, r.next),
        ("in_flight", count_width(shape), r.in_flight),
        ("marked", count_width(shape), r.marked),
        ("retries", 4, r.retries),
        ("window", count_width(shape), r.window),
    ]
}

fn counters(c: &Counters) -> [(&'static str, u64); 11] {
    [
        ("closed_events", c.closed_events),
        ("outside_acks", c.outside_acks),
        ("old_totals", c.old_totals),
        ("void_nacks", c.void_nacks),
        ("bad_times", c.bad_times),
        ("late_acks", c.late_acks),
        ("refused_sends", c.refused_sends),
        ("empty_sends", c.empty_sends),
        ("timeouts", c.timeouts),
        ("inferred_losses", c.inferred_losses),
        ("declared_losses", c.declared_losses),
    ]
}

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    streams(&[
        ("ack", &columns(&ack_fields(shape, &Ack::default()))),
        ("send", &columns(&send_fields(shape, &Send::default()))),
        ("command", &columns(&command_fields(shape, &Command::default()))),
    ])
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    streams(&[
        ("event", &columns(&event_fields(shape, &Event::default()))),
        ("outcome", &columns(&outcome_fields(shape, &Outcome::default()))),
        ("failure", &columns(&[pdc(shape, 0)])),
        ("sent", &columns(&sent_fields(shape, &Sent::default()))),
        ("response", &columns(&response_fields(shape, &Response::default()))),
    ])
}

/// The ports that belong to no stream, with their widths.
pub fn widths(shape: Shape) -> BTreeMap<String, u32> {
    let ready = ["ack", "send", "command", "event", "outcome", "failure"].map(|stream| (format!("{stream}_ready"), 1));
    let levels = ["busy", "quiet", "ack_waiting", "settings_valid"].map(|name| (name.to_owned(), 1));
    let settings = settings_fields(shape, &Settings::default());
    let settings = settings.map(|(name, width, _)| (format!("settings_{name}"), width));
    let counters = counters(&Counters::default()).map(|(name, _)| (name.to_owned(), 32));
    let now = [("now".to_owned(), 20)];
    ready.into_iter().chain(levels).chain(settings).chain(counters).chain(now).collect()
}

/// The values of the settings ports; all are 0 if `settings_valid` is.
fn settings(shape: Shape, settings: Option<Settings>) -> BTreeMap<String, u64> {
    let fields = settings_fields(shape, &settings.unwrap_or_default());
    let fields = fields.map(|(name, _, value)| (format!("settings_{name}"), value));
    fields.into_iter().chain([("settings_valid".to_owned(), settings.is_some().into())]).collect()
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(shape: Shape, first: Option<Settings>) -> BTreeMap<String, u64> {
    let ready = named([("event_ready", 1), ("outcome_ready", 1), ("failure_ready", 1)]);
    settings(shape, first).into_iter().chain(ready).collect()
}

/// A row of an event of `ack`, without its cycle.
pub fn ack(shape: Shape, ack: &Ack) -> Row {
    row(&ack_fields(shape, ack))
}

/// A row of an event of `send`, without its cycle.
pub fn send(shape: Shape, send: &Send) -> Row {
    row(&send_fields(shape, send))
}

/// A row of a command, without its cycle.
pub fn command(shape: Shape, command: &Command) -> Row {
    row(&command_fields(shape, command))
}

/// Writes the changes into the inputs of a case.
pub fn put_changes(shape: Shape, case: &mut TimedCase, first: Option<Settings>, changes: &[(u64, Change)]) {
    let ready = |port: &str, ready: bool| Put::Settings(named([(port, ready.into())]));
    let changes = changes.iter().map(|&(cycle, change)| {
        let put = match change {
            Change::Ack(this) => Put::Row("ack", ack(shape, &this)),
            Change::Send(this) => Put::Row("send", send(shape, &this)),
            Change::Command(this) => Put::Row("command", command(shape, &this)),
            Change::Settings(new) => Put::Settings(settings(shape, new)),
            Change::EventReady(level) => ready("event_ready", level),
            Change::OutcomeReady(level) => ready("outcome_ready", level),
            Change::FailureReady(level) => ready("failure_ready", level),
        };
        (cycle, put)
    });
    put(case, &["ack", "send", "command"], standing(shape, first), changes);
}

/// The time in all cycles, or, if it changes often, in some of them.
fn times(outputs: &[(u64, Outputs)], cycles: u64) -> Vec<Span> {
    let all = levels(outputs, cycles, |out| out.now);
    let step = all.len().div_ceil(TIMES);
    all.into_iter().step_by(step).collect()
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, outputs: &[(u64, Outputs)], cycles: u64) -> TimedExpect {
    let end = at(outputs, cycles).map(|out| out.counters).unwrap_or_default();
    TimedExpect {
        outputs: named([
            ("event", rows(outputs, cycles, |out| out.event, |event| event_fields(shape, event))),
            ("outcome", rows(outputs, cycles, |out| out.outcome, |outcome| outcome_fields(shape, outcome))),
            ("failure", rows(outputs, cycles, |out| out.failure, |&failed| vec![pdc(shape, failed)])),
            ("sent", rows(outputs, cycles, |out| out.sent, |sent| sent_fields(shape, sent))),
            ("response", rows(outputs, cycles, |out| out.response, |response| response_fields(shape, response))),
        ]),
        levels: named([
            ("busy", levels(outputs, cycles, |out| out.busy)),
            ("quiet", levels(outputs, cycles, |out| out.quiet)),
            ("ack_waiting", levels(outputs, cycles, |out| out.ack_waiting)),
            ("now", times(outputs, cycles)),
            ("ack_ready", levels(outputs, cycles, |out| out.ack_ready)),
            ("send_ready", levels(outputs, cycles, |out| out.send_ready)),
            ("command_ready", levels(outputs, cycles, |out| out.command_ready)),
        ]),
        counters: counters(&end).into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}
