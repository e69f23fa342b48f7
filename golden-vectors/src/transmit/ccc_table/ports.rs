// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs stand on them.

use super::oracle::{
    Ack, Change, Command, Counters, Data, Event, FIELDS, Grant, Loss, Outputs, Response, Send, Settings, Shape,
};
use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, index_width, map_of, named, set};
use crate::collect::runs::{at, levels, valid};
use crate::schema::timed::{Row, Streams, TimedExpect};
use std::collections::BTreeMap;

const fn ccc(shape: Shape) -> u32 {
    index_width(shape.cccs)
}

/// A signed value of 29 bits as it is on a port.
const fn signed(value: i64) -> u64 {
    value as u64 & ((1 << 29) - 1)
}

fn ack(shape: Shape) -> Fields<Ack> {
    fields!("ack": Ack {
        ccc: ccc(shape),
        kind: 2,
        quanta: 16,
        packets: 16,
        rtx_packets: 16,
        rtx_bytes: 28,
        marked: 1,
        retx: 1,
        timed: 1,
        rtx_count: 2,
        stamp: 20,
        arrived: 20,
        service: 16,
        pend: 7,
        restore: 1,
        reason: 8,
        size: 14,
        credit: 24,
    })
}

fn send(shape: Shape) -> Fields<Send> {
    fields!("send": Send { ccc: ccc(shape), size: 14, packet: 1, retransmission: 1, last: 1, blocked: 1 })
}

fn loss(shape: Shape) -> Fields<Loss> {
    fields!("loss": Loss { ccc: ccc(shape), size: 14 })
}

fn data(shape: Shape) -> Fields<Data> {
    fields!("data": Data { ccc: ccc(shape), bytes: 40 })
}

/// The stream of commands.
pub fn command(shape: Shape) -> Fields<Command> {
    fields!("command": Command { op: 3, ccc: ccc(shape), nscc: 1, rccc: 1, class: 2, weight: 4, force: 1 })
}

fn settings() -> Fields<Option<Settings>> {
    let fields = (0..).zip(FIELDS).fold(Fields::new("settings"), |fields, (at, (name, width)): (usize, _)| {
        fields.with(name, width, move |settings: &Settings| settings.values()[at]) //
    });
    fields.optional()
}

fn grant(shape: Shape) -> Fields<Grant> {
    fields!("grant": Grant {
        ccc: ccc(shape),
        limit: 28,
        packets: 4,
        retransmission: 1,
        ack_request: 1,
        credit_target: 24,
    })
}

fn response(shape: Shape) -> Fields<Response> {
    fields!("response": Response {
        op: 3,
        ccc: ccc(shape),
        done: 1,
        open: 1,
        state: 2 => |r| r.state as u64,
        granted: 1,
        nscc: 1,
        rccc: 1,
        class: 2,
        weight: 4,
        backlog: 40,
        rtx_backlog: 28,
        waiting_rtx: 16,
        inflight_pkts: 16,
        inflight: 29 => |r| signed(r.inflight),
        cwnd: 28,
        max_wnd: 28,
        base_rtt: 16,
        delay: 16,
        credit: 29 => |r| signed(r.credit),
        credit_target: 24,
    })
}

fn shown() -> Fields<Outputs> {
    let events = fields!(Outputs {
        ack_ready: 1 => |out| out.ready[0].into(),
        send_ready: 1 => |out| out.ready[1].into(),
        loss_ready: 1 => |out| out.ready[2].into(),
        data_ready: 1 => |out| out.ready[3].into(),
    });
    events.and(fields!(1, Outputs: busy, command_ready))
}

fn counters() -> Fields<Counters> {
    fields!(
        32,
        Counters: closed_events, excess_acks, excess_sends, short_backlogs, refused_data, stale_credits, bad_times,
        adjustments, void_adjustments, quick_adapts, unready_turns
    )
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let events = [ack(shape).columns(), send(shape).columns(), loss(shape).columns(), data(shape).columns()];
    let others = [shown().widths(), settings().widths(), counters().widths(), named([("grant_ready", 1)])];
    (
        map_of(events.into_iter().chain([command(shape).columns()])),
        map_of([grant(shape).columns(), response(shape).columns()]),
        map_of(others.into_iter().flatten()),
    )
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(first: Option<Settings>) -> BTreeMap<String, u64> {
    map_of(settings().values(&first).into_iter().chain(named([("grant_ready", 1)])))
}

/// The stream of an event, and a row of it without its cycle.
pub fn event(shape: Shape, event: &Event) -> (&'static str, Row) {
    match event {
        Event::Ack(this) => ack(shape).row(this),
        Event::Send(this) => send(shape).row(this),
        Event::Loss(this) => loss(shape).row(this),
        Event::Data(this) => data(shape).row(this),
    }
}

/// What the changes put on the ports.
pub fn puts(shape: Shape, changes: &[(u64, Change)]) -> Vec<(u64, Put)> {
    let (command, settings) = (command(shape), settings());
    let put = |change| match change {
        Change::Event(this) => event(shape, &this).into(),
        Change::Command(this) => command.put(&this),
        Change::Settings(new) => settings.set(&new),
        Change::GrantReady(ready) => set("grant_ready", ready),
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
