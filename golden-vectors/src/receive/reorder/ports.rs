// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs stand on them.

use super::frame_ports;
use super::oracle::{
    Answer, Arrival, Command, Counters, Delivery, Event, Limits, Outcome, Outputs, Report, Response, Settings, Shape,
};
use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, index_width, map_of, named, set};
use crate::collect::runs::{dense, levels, valid};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

const fn connection_width(shape: Shape) -> u32 {
    index_width(shape.connections)
}

/// Width of a number of packets up to the window.
const fn count_width(shape: Shape) -> u32 {
    shape.window.ilog2() + 1
}

/// The ready of the stream on which packets leave.
const fn delivery_ready(shape: Shape) -> &'static str {
    if shape.pool.is_some() { "m_axis_tready" } else { "delivery_ready" }
}

/// What is known of a packet that comes, in both ways to hold packets.
pub fn beside(shape: Shape) -> Fields<Arrival> {
    fields!("arrival": Arrival {
        connection: connection_width(shape),
        found: 1,
        psn: shape.psn_bits,
        path: 8,
        flags: 8,
        length: 16,
    })
}

/// The stream of packets that come, without frames.
pub fn arrival(shape: Shape) -> Fields<Arrival> {
    beside(shape).and(fields!(Arrival { handle: shape.handle_bits }))
}

/// The stream of commands.
pub fn command(shape: Shape) -> Fields<Command> {
    fields!("command": Command {
        op: 2,
        connection: connection_width(shape),
        path: 8,
        psn: shape.psn_bits,
        own_tolerance: 1,
        span: shape.window.ilog2(),
        time: 20,
    })
}

fn settings(shape: Shape) -> Fields<Option<Settings>> {
    fields!("settings": Settings { span: shape.window.ilog2(), time: 20 }).optional()
}

fn answer(shape: Shape) -> Fields<Answer> {
    let n = shape.psn_bits;
    let repeated =
        fields!("answer": Arrival { connection: connection_width(shape), psn: n, path: 8, flags: 8, length: 16 });
    repeated.of(|answer: &Answer| &answer.arrival).and(fields!(Answer {
        outcome: 3 => |answer| answer.outcome as u64,
        expected: n,
        highest: n,
        held: count_width(shape),
        late: 1,
        suspected: 1,
        sack_base: n,
        sack: 64,
    }))
}

/// What is known of a packet that leaves, in both ways to hold packets.
pub fn delivery(shape: Shape) -> Fields<Delivery> {
    fields!("delivery": Delivery { connection: connection_width(shape), psn: shape.psn_bits })
}

fn delivery_with_handle(shape: Shape) -> Fields<Delivery> {
    delivery(shape).and(fields!(Delivery { handle: shape.handle_bits }))
}

fn event(shape: Shape) -> Fields<Report> {
    let n = shape.psn_bits;
    fields!("event": Report { connection: connection_width(shape), first: n, last: n, by_span: 1, by_time: 1 })
}

fn response(shape: Shape) -> Fields<Response> {
    let repeated = fields!("response": Command { op: 2, connection: connection_width(shape), path: 8 });
    let state = fields!(Response {
        done: 1,
        open: 1,
        draining: 1,
        expected: shape.psn_bits,
        highest: shape.psn_bits,
        held: count_width(shape),
        reordered: 32,
        depth: count_width(shape),
        duration: 20,
        path_packets: 32,
        path_time: 20,
    });
    repeated.of(|response: &Response| &response.command).and(state)
}

fn shown(shape: Shape) -> Fields<Outputs> {
    let common = fields!(1, Outputs: busy, command_ready);
    common.and(if shape.pool.is_some() { frame_ports::levels(shape) } else { fields!(1, Outputs: arrival_ready) })
}

/// The counters of outcomes (R21).
fn counters(shape: Shape) -> Fields<Counters> {
    let outcomes = [
        ("duplicates", Outcome::Duplicate),
        ("below_window", Outcome::Below),
        ("above_window", Outcome::Above),
        ("no_buffer", Outcome::NoBuffer),
        ("unknown_connections", Outcome::Unknown),
    ];
    let common = outcomes.into_iter().fold(fields!(32, Counters: unknown_paths), |fields, (name, outcome)| {
        fields.with(name, 32, move |counters| counters.outcomes[outcome as usize]) //
    });
    if shape.pool.is_some() { common.and(frame_ports::causes()) } else { common }
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let (arrivals, deliveries, limits) = match shape.pool {
        None => (arrival(shape).columns(), delivery_with_handle(shape).columns(), BTreeMap::new()),
        Some(_) => {
            let (offered, delivered) = (frame_ports::offered(shape), frame_ports::delivered(shape));
            (offered.columns(), delivered.columns(), frame_ports::limits(shape).widths())
        }
    };
    let consumers = named([(delivery_ready(shape), 1), ("event_ready", 1)]);
    let others = [shown(shape).widths(), settings(shape).widths(), counters(shape).widths(), limits, consumers];
    (
        map_of([arrivals, command(shape).columns()]),
        map_of([answer(shape).columns(), deliveries, event(shape).columns(), response(shape).columns()]),
        map_of(others.into_iter().flatten()),
    )
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(shape: Shape, first: Option<Settings>) -> BTreeMap<String, u64> {
    let consumers = named([(delivery_ready(shape), 1), ("event_ready", 1)]);
    let limits = shape.pool.map(|_| frame_ports::limits(shape).values(&Limits::default()));
    map_of(settings(shape).values(&first).into_iter().chain(consumers).chain(limits.into_iter().flatten()))
}

/// What the events put on the ports.
pub fn puts(shape: Shape, events: &[(u64, Event)]) -> Vec<(u64, Put)> {
    let (arrival, offered, command) = (arrival(shape), frame_ports::offered(shape), command(shape));
    let (settings, limits) = (settings(shape), frame_ports::limits(shape));
    let put = |event| match event {
        Event::Arrival(this) => arrival.put(&this),
        Event::Beat(this, beside) => offered.put(&(this, beside)),
        Event::Command(this) => command.put(&this),
        Event::Settings(new) => settings.set(&new),
        Event::Limits(new) => limits.set(&new),
        Event::DeliveryReady(ready) => set(delivery_ready(shape), ready),
        Event::EventReady(ready) => set("event_ready", ready),
    };
    events.iter().map(|&(cycle, event)| (cycle, put(event))).collect()
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, outputs: &[Outputs], cycles: u64) -> TimedExpect {
    let (all, end) = (dense(outputs), &outputs[cycles as usize]);
    let deliveries = match shape.pool {
        None => delivery_with_handle(shape).rows(valid(&all, cycles, |out| out.delivery)),
        Some(_) => {
            frame_ports::delivered(shape).rows(valid(&all, cycles, |out| Some((out.pool?.beat?, out.delivery?)))) //
        }
    };
    TimedExpect {
        outputs: named([
            answer(shape).rows(valid(&all, cycles, |out| out.answer)),
            deliveries,
            event(shape).rows(valid(&all, cycles, |out| out.event)),
            response(shape).rows(valid(&all, cycles, |out| out.response)),
        ]),
        levels: levels(&all, cycles, &shown(shape)),
        counters: counters(shape).values(&end.counters),
    }
}
