// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and answers stand on them.

use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, busy, index_width, map_of, named};
use crate::schema::timed::{Span, Streams, TimedExpect};
use crate::transmit::entropy_selector::oracle::{
    Answer, Command, Event, Grant, Kind, Response, Settings, SettingsPorts, Shape, wire_numbers,
};
use std::collections::BTreeMap;

/// The width of the number of a CCC.
const fn ccc(shape: Shape) -> u32 {
    index_width(shape.cccs)
}

/// A request: the CCC, and a bit for each free port.
fn request(shape: Shape) -> Fields<(u64, u64)> {
    let ports = 1 << shape.ports;
    let request = Fields::new("request").with("ccc", ccc(shape), |&(ccc, _): &(u64, u64)| ccc);
    request.with("free_ports", shape.ports as u32, move |(_, free)| free % ports)
}

/// A feedback: the CCC, the EV on the wire, and the kind.
fn feedback(shape: Shape) -> Fields<(u64, u64, Kind)> {
    fields!("feedback": (u64, u64, Kind) {
        ccc: ccc(shape) => |feedback| feedback.0,
        ev: 16 => |feedback| feedback.1,
        kind: 3 => |feedback| feedback.2.code(),
    })
}

/// The stream of CCCs that are asked to move.
pub fn reroute(shape: Shape) -> Fields<u64> {
    Fields::new("reroute").with("ccc", ccc(shape), |&ccc| ccc)
}

/// The stream of commands.
pub fn command(shape: Shape) -> Fields<Command> {
    fields!("command": Command {
        op: 3 => |command| command.op.code(),
        ccc: ccc(shape),
        start: shape.evs.ilog2(),
        fixed: 1,
        stride: 4,
        mode: 3,
        rod: 1,
        space: 4,
        rtt_class: 3 => |command| command.class,
    })
}

/// The settings.
fn settings() -> Fields<SettingsPorts> {
    let values = fields!(Settings { rtt: 24, saturation: 9, seed: 32, explore: 16, freeze: 20, idle: 8, reroute: 8 });
    fields!("settings": SettingsPorts { valid: 1 }).and(values.of(|ports: &SettingsPorts| &ports.values))
}

/// The number of the pipeline, which is no setting.
fn pipeline() -> Fields<SettingsPorts> {
    fields!(SettingsPorts { pipeline: 4 })
}

fn grant(shape: Shape) -> Fields<Grant> {
    fields!("grant": Grant {
        ccc: ccc(shape),
        open: 1,
        blocked: 1,
        ev: 16,
        saturated: 1,
        port: index_width(shape.ports),
    })
}

fn response(shape: Shape) -> Fields<Response> {
    let bits = shape.evs.ilog2();
    fields!("response": Response {
        op: 3 => |response| response.op.code(),
        ccc: ccc(shape),
        done: 1,
        open: 1,
        last: bits,
        marked: bits + 1,
        mode: 3,
        space: 4,
        rtt_class: 3 => |response| response.class,
    })
}

/// The counters, all of them of events that are refused.
pub fn counters() -> Fields<Answer> {
    fields!(32, Answer: refused_requests, blocked_requests, feedback_closed, feedback_range)
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let inputs = [request(shape).columns(), feedback(shape).columns(), reroute(shape).columns()];
    let levels = named([("busy", 1), ("command_ready", 1), ("reroute_ready", 1)]);
    let others = [levels, settings().widths(), pipeline().widths(), counters().widths()];
    (
        map_of(inputs.into_iter().chain([command(shape).columns()])),
        map_of([grant(shape).columns(), response(shape).columns()]),
        map_of(others.into_iter().flatten()),
    )
}

/// The value of each settings port, and of `pipeline`.
pub fn standing(ports: SettingsPorts) -> BTreeMap<String, u64> {
    map_of(settings().values(&ports).into_iter().chain(pipeline().values(&ports)))
}

/// What the events put on the ports.
pub fn puts(shape: Shape, first: SettingsPorts, events: &[(u64, Event)]) -> Vec<(u64, Put)> {
    let (request, feedback, reroute, command) = (request(shape), feedback(shape), reroute(shape), command(shape));
    let mut numbers = wire_numbers(shape, first, events).into_iter();
    let mut put = |event| match event {
        Event::Request(ccc, free) => request.put(&(ccc, free)),
        Event::Feedback(ccc, _, kind) => feedback.put(&(ccc, numbers.next().unwrap_or_default(), kind)),
        Event::Reroute(ccc) => reroute.put(&ccc),
        Event::Command(this) => command.put(&this),
        Event::Settings(new) => Put::Settings(standing(new)),
    };
    events.iter().map(|&(cycle, event)| (cycle, put(event))).collect()
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, events: &[(u64, Event)], answer: &Answer, cycles: u64) -> TimedExpect {
    TimedExpect {
        outputs: named([
            grant(shape).rows(answer.grants.iter().map(|grant| (grant.cycle, grant))),
            response(shape).rows(answer.responses.iter().map(|response| (response.cycle, response))),
        ]),
        levels: named([
            ("busy", busy(shape.cccs, cycles)),
            ("command_ready", command_ready(shape, events, cycles)),
            ("reroute_ready", reroute_ready(shape, events, cycles)),
        ]),
        counters: counters().values(answer),
    }
}

/// The cycles in which commands are accepted.
fn commands(events: &[(u64, Event)]) -> impl DoubleEndedIterator<Item = u64> {
    events.iter().filter(|(_, event)| matches!(event, Event::Command(..))).map(|&(cycle, _)| cycle)
}

/// Rows S10 and S12: `command_ready` is 0 in the sweep, then 1 until the first command, and again some cycles after
/// the last one. In between the commands themselves test it.
fn command_ready(shape: Shape, events: &[(u64, Event)], cycles: u64) -> Vec<Span> {
    let mut spans = vec![[0, shape.cccs - 1, 0]];
    match (commands(events).next(), commands(events).next_back()) {
        (Some(first), Some(last)) => spans.extend([[shape.cccs, first, 1], [last + shape.operations(), cycles - 1, 1]]),
        _ => spans.push([shape.cccs, cycles - 1, 1]),
    }
    spans
}

/// Rows S12 and N5: `reroute_ready` is 0 in the sweep and in one cycle behind each command. If there is no event, only
/// the beginning is of interest.
fn reroute_ready(shape: Shape, events: &[(u64, Event)], cycles: u64) -> Vec<Span> {
    let mut spans = vec![[0, shape.cccs - 1, 0]];
    if !events.iter().any(|(_, event)| matches!(event, Event::Reroute(_))) {
        return spans;
    }
    let mut free = shape.cccs;
    for unready in commands(events).map(|accepted| accepted + shape.reroute_unready()) {
        spans.extend([[free, unready - 1, 1], [unready, unready, 0]]);
        free = unready + 1;
    }
    spans.push([free, cycles - 1, 1]);
    spans
}
