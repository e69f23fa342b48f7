// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs stand on them. The two protocols have their own.

use super::oracle::{Ack, Arrival, Command, Counters, Event, Outputs, Report, Response, Settings, Shape};
use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, index_width, map_of, named, set};
use crate::collect::runs::{at, levels, valid};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

const fn connection_width(shape: Shape) -> u32 {
    index_width(shape.connections)
}

/// Width of a number of packets up to the window.
const fn count_width(shape: Shape) -> u32 {
    shape.window.ilog2() + 1
}

fn arrival(shape: Shape) -> Fields<Arrival> {
    let n = shape.psn_bits();
    let common = fields!("arrival": Arrival {
        connection: connection_width(shape),
        outcome: 3 => |a| a.outcome as u64,
        psn: n,
        expected: n,
    });
    common.and(if shape.is_uet() {
        fields!(Arrival {
            held: count_width(shape),
            sack_base: n,
            sack: 64,
            length: 16,
            ack_request: 1,
            syn: 1,
            retx: 1,
            ecn: 1,
            trimmed: 1,
            no_room: 1,
            last_hop: 1,
            ev: 16,
            opaque: 16,
            handle: shape.handle_bits,
        })
    } else {
        fields!(Arrival {
            highest: n,
            held: count_width(shape),
            suspected: 1,
            late: 1,
            path: 8,
            flowlet: 16,
            ack_request: 1,
            last: 1,
            ecn: 1,
            unserved: 1,
            trimmed: 1,
            no_room: 1,
            stamped: 1,
            stamp: 16,
        })
    })
}

/// The stream of gaps.
pub fn report(shape: Shape) -> Fields<Report> {
    let n = shape.psn_bits();
    let fields = fields!("event": Report { connection: connection_width(shape), first: n, last: n });
    if shape.is_uet() { fields } else { fields.and(fields!("event": Report { repeated: 1 })) }
}

/// The stream of commands.
pub fn command(shape: Shape) -> Fields<Command> {
    let command = fields!("command": Command { op: 2, connection: connection_width(shape), psn: shape.psn_bits() });
    if shape.is_uet() { command } else { command.and(fields!(Command { multipath: 1, own_rnr_code: 1, rnr_code: 5 })) }
}

fn settings(shape: Shape) -> Fields<Option<Settings>> {
    let common = fields!("settings": Settings { tick: 16, time: 20, on_ecn: 1 });
    let own = if shape.is_uet() {
        fields!(Settings {
            no_buffer_time: 20,
            trigger: 16,
            min: 12,
            per_packet: 1,
            on_retx: 1,
            cc: 1,
            mpr: 8,
            added: 8,
            restore: 1,
        })
    } else {
        fields!(Settings { count: 8, count_multipath: 8, rnr: 5, credits: 5, offset: 16 })
    };
    common.and(own).optional()
}

fn ack(shape: Shape) -> Fields<Ack> {
    let n = shape.psn_bits();
    let common = fields!("ack": Ack { kind: 2, reply: 1, connection: connection_width(shape) });
    common.and(if shape.is_uet() {
        fields!(Ack {
            code: 8,
            psn: n,
            flags: 7,
            psn_offset: 16,
            ev: 16,
            handle: shape.handle_bits,
            mpr: 8,
            sack_offset: 16,
            sack: 64,
            service_time: 16,
            restore: 1,
            pend: 7,
            rcvd_bytes: 24,
            ooo_count: 16,
        })
    } else {
        fields!(Ack { multipath: 1, psn: n, ecn: 1, syndrome: 8, msn: 24, path: 8, flags: 8, flowlet: 16, tag: 16 })
    })
}

fn response(shape: Shape) -> Fields<Response> {
    let common = fields!("response": Response {
        op: 2 => |r| r.command.op,
        connection: connection_width(shape) => |r| r.command.connection,
        done: 1,
        open: 1,
        draining: 1,
        expected: shape.psn_bits(),
    });
    common.and(if shape.is_uet() { fields!(Response { bytes: 32 }) } else { fields!(Response { msn: 24 }) })
}

fn shown() -> Fields<Outputs> {
    fields!(1, Outputs: busy, event_ready, command_ready)
}

/// The counters; only RoCE has `refused_arrivals`.
fn counters(shape: Shape) -> Fields<Counters> {
    let common = fields!(
        32,
        Counters: acks, naks, probe_answers, merged_causes, expired, dropped_replies, busy_arrivals, void_events
    );
    if shape.is_uet() { common } else { common.and(fields!(32, Counters: refused_arrivals)) }
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let pressure = shape.is_uet().then_some(("pressure".to_owned(), 7));
    let others = [shown().widths(), settings(shape).widths(), counters(shape).widths(), named([("ack_ready", 1)])];
    (
        map_of([arrival(shape).columns(), report(shape).columns(), command(shape).columns()]),
        map_of([ack(shape).columns(), response(shape).columns()]),
        map_of(others.into_iter().flatten().chain(pressure)),
    )
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(shape: Shape, first: Option<Settings>) -> BTreeMap<String, u64> {
    let pressure = shape.is_uet().then_some(("pressure".to_owned(), 0));
    map_of(settings(shape).values(&first).into_iter().chain(named([("ack_ready", 1)])).chain(pressure))
}

/// What the events put on the ports.
pub fn puts(shape: Shape, events: &[(u64, Event)]) -> Vec<(u64, Put)> {
    let (arrival, report, command, settings) = (arrival(shape), report(shape), command(shape), settings(shape));
    let put = |event| match event {
        Event::Arrival(this) => arrival.put(&this),
        Event::Report(this) => report.put(&this),
        Event::Command(this) => command.put(&this),
        Event::Settings(new) => settings.set(&new),
        Event::Pressure(pressure) => set("pressure", pressure),
        Event::AckReady(ready) => set("ack_ready", ready),
    };
    events.iter().map(|&(cycle, event)| (cycle, put(event))).collect()
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, outputs: &[(u64, Outputs)], cycles: u64) -> TimedExpect {
    let end = at(outputs, cycles).map(|out| out.counters).unwrap_or_default();
    TimedExpect {
        outputs: named([
            ack(shape).rows(valid(outputs, cycles, |out| out.ack)),
            response(shape).rows(valid(outputs, cycles, |out| out.response)),
        ]),
        levels: levels(outputs, cycles, &shown()),
        counters: counters(shape).values(&end),
    }
}
