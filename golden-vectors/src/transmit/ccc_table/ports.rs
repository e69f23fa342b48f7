// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs are written as rows of their streams.

use super::oracle::{
    Ack, Change, Command, Counters, Data, Event, FIELDS, Grant, Loss, Outputs, Response, Send, Settings, Shape,
};
use crate::collect::ports::{Put, index_width, named, put, streams};
use crate::collect::runs::{Field, at, columns, levels, row, rows};
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

/// The streams of events, by their numbers.
pub const STREAMS: [&str; 4] = ["ack", "send", "loss", "data"];

fn ccc(shape: Shape, ccc: u64) -> Field {
    ("ccc", index_width(shape.cccs), ccc)
}

/// A signed value of 29 bits as it is on a port.
const fn signed(value: i64) -> u64 {
    value as u64 & ((1 << 29) - 1)
}

fn ack_fields(shape: Shape, a: &Ack) -> Vec<Field> {
    vec![
        ccc(shape, a.ccc),
        ("kind", 2, a.kind),
        ("quanta", 16, a.quanta),
        ("packets", 16, a.packets),
        ("rtx_packets", 16, a.rtx_packets),
        ("rtx_bytes", 28, a.rtx_bytes),
        ("marked", 1, a.marked.into()),
        ("retx", 1, a.retx.into()),
        ("timed", 1, a.timed.into()),
        ("rtx_count", 2, a.rtx_count),
        ("stamp", 20, a.stamp),
        ("arrived", 20, a.arrived),
        ("service", 16, a.service),
        ("pend", 7, a.pend),
        ("restore", 1, a.restore.into()),
        ("reason", 8, a.reason),
        ("size", 14, a.size),
        ("credit", 24, a.credit),
    ]
}

fn send_fields(shape: Shape, s: &Send) -> Vec<Field> {
    let (size, packet) = (("size", 14, s.size), ("packet", 1, s.packet.into()));
    let retransmission = ("retransmission", 1, s.retransmission.into());
    let (last, blocked) = (("last", 1, s.last.into()), ("blocked", 1, s.blocked.into()));
    vec![ccc(shape, s.ccc), size, packet, retransmission, last, blocked]
}

fn loss_fields(shape: Shape, loss: &Loss) -> Vec<Field> {
    vec![ccc(shape, loss.ccc), ("size", 14, loss.size)]
}

fn data_fields(shape: Shape, data: &Data) -> Vec<Field> {
    vec![ccc(shape, data.ccc), ("bytes", 32, data.bytes)]
}

fn command_fields(shape: Shape, c: &Command) -> Vec<Field> {
    vec![
        ("op", 3, c.op),
        ccc(shape, c.ccc),
        ("nscc", 1, c.nscc.into()),
        ("rccc", 1, c.rccc.into()),
        ("class", 2, c.class),
        ("weight", 4, c.weight),
        ("force", 1, c.force.into()),
    ]
}

fn grant_fields(shape: Shape, g: &Grant) -> Vec<Field> {
    vec![
        ccc(shape, g.ccc),
        ("limit", 28, g.limit),
        ("packets", 4, g.packets),
        ("retransmission", 1, g.retransmission.into()),
        ("ack_request", 1, g.ack_request.into()),
        ("credit_target", 24, g.credit_target),
    ]
}

fn response_fields(shape: Shape, r: &Response) -> Vec<Field> {
    vec![
        ("op", 3, r.op),
        ccc(shape, r.ccc),
        ("done", 1, r.done.into()),
        ("open", 1, r.open.into()),
        ("state", 2, r.state as u64),
        ("granted", 1, r.granted.into()),
        ("nscc", 1, r.nscc.into()),
        ("rccc", 1, r.rccc.into()),
        ("class", 2, r.class),
        ("weight", 4, r.weight),
        ("backlog", 32, r.backlog),
        ("rtx_backlog", 28, r.rtx_backlog),
        ("waiting_rtx", 16, r.waiting_rtx),
        ("inflight_pkts", 16, r.inflight_pkts),
        ("inflight", 29, signed(r.inflight)),
        ("cwnd", 28, r.cwnd),
        ("max_wnd", 28, r.max_wnd),
        ("base_rtt", 16, r.base_rtt),
        ("delay", 16, r.delay),
        ("credit", 29, signed(r.credit)),
        ("credit_target", 24, r.credit_target),
    ]
}

fn counters(c: &Counters) -> [(&'static str, u64); 11] {
    [
        ("closed_events", c.closed_events),
        ("excess_acks", c.excess_acks),
        ("excess_sends", c.excess_sends),
        ("short_backlogs", c.short_backlogs),
        ("refused_data", c.refused_data),
        ("stale_credits", c.stale_credits),
        ("bad_times", c.bad_times),
        ("adjustments", c.adjustments),
        ("void_adjustments", c.void_adjustments),
        ("quick_adapts", c.quick_adapts),
        ("unready_turns", c.unready_turns),
    ]
}

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    streams(&[
        ("ack", &columns(&ack_fields(shape, &Ack::default()))),
        ("send", &columns(&send_fields(shape, &Send::default()))),
        ("loss", &columns(&loss_fields(shape, &Loss::default()))),
        ("data", &columns(&data_fields(shape, &Data::default()))),
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
    let levels = ["busy", "command_ready", "grant_ready", "settings_valid"].map(|name| (name.to_owned(), 1));
    let ready = STREAMS.map(|stream| (format!("{stream}_ready"), 1));
    let settings = FIELDS.map(|(name, width)| (format!("settings_{name}"), width));
    let counters = counters(&Counters::default()).map(|(name, _)| (name.to_owned(), 32));
    levels.into_iter().chain(ready).chain(settings).chain(counters).collect()
}

/// The values of the settings ports; all are 0 if `settings_valid` is.
fn settings(settings: Option<Settings>) -> BTreeMap<String, u64> {
    let values = settings.map_or([0; 20], |settings| settings.values());
    let values = FIELDS.into_iter().zip(values).map(|((name, _), value)| (format!("settings_{name}"), value));
    values.chain([("settings_valid".to_owned(), settings.is_some().into())]).collect()
}

fn level(port: &str, value: u64) -> BTreeMap<String, u64> {
    named([(port, value)])
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(first: Option<Settings>) -> BTreeMap<String, u64> {
    settings(first).into_iter().chain(level("grant_ready", 1)).collect()
}

/// A row of an event, without its cycle.
pub fn event(shape: Shape, event: &Event) -> Row {
    row(&match event {
        Event::Ack(ack) => ack_fields(shape, ack),
        Event::Send(send) => send_fields(shape, send),
        Event::Loss(loss) => loss_fields(shape, loss),
        Event::Data(data) => data_fields(shape, data),
    })
}

/// A row of a command, without its cycle.
pub fn command(shape: Shape, command: &Command) -> Row {
    row(&command_fields(shape, command))
}

/// Writes the changes into the inputs of a case.
pub fn put_changes(shape: Shape, case: &mut TimedCase, first: Option<Settings>, changes: &[(u64, Change)]) {
    let changes = changes.iter().map(|&(cycle, change)| {
        let put = match change {
            Change::Event(this) => Put::Row(STREAMS[this.stream()], event(shape, &this)),
            Change::Command(this) => Put::Row("command", command(shape, &this)),
            Change::Settings(new) => Put::Settings(settings(new)),
            Change::GrantReady(ready) => Put::Settings(level("grant_ready", ready.into())),
        };
        (cycle, put)
    });
    put(case, &["ack", "send", "loss", "data", "command"], standing(first), changes);
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, outputs: &[(u64, Outputs)], cycles: u64) -> TimedExpect {
    let end = at(outputs, cycles).map(|out| out.counters).unwrap_or_default();
    let ready = (0..).zip(STREAMS).map(|(stream, name): (usize, _)| {
        (format!("{name}_ready"), levels(outputs, cycles, |out| out.ready[stream])) //
    });
    let other = named([
        ("busy", levels(outputs, cycles, |out| out.busy)),
        ("command_ready", levels(outputs, cycles, |out| out.command_ready)),
    ]);
    TimedExpect {
        outputs: named([
            ("grant", rows(outputs, cycles, |out| out.grant, |grant| grant_fields(shape, grant))),
            ("response", rows(outputs, cycles, |out| out.response, |response| response_fields(shape, response))),
        ]),
        levels: other.into_iter().chain(ready).collect(),
        counters: counters(&end).into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}
