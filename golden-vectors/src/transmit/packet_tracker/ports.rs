// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how events and outputs stand on them.

use super::oracle::{
    Ack,
    Change,
    Command,
    Counters,
    Event,
    Failure,
    Outcome,
    Outputs,
    Response,
    Send,
    Sent,
    Settings,
    Shape, //
};
use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, index_width, map_of, named, set};
use crate::collect::runs::{at, level, levels, valid};
use crate::schema::timed::{Span, Streams, TimedExpect};
use std::collections::BTreeMap;

/// Values of `now` that a case states at most.
const TIMES: usize = 100;

const fn pdc(shape: Shape) -> u32 {
    index_width(shape.pdcs)
}

const fn ccc(shape: Shape) -> u32 {
    index_width(shape.cccs)
}

/// Width of a number of packets up to the window.
const fn count_width(shape: Shape) -> u32 {
    shape.window.ilog2() + 1
}

/// A signed value of 16 bits as it is on a port.
const fn signed(value: i16) -> u64 {
    value as u16 as u64
}

/// The stream of ACKs.
pub fn ack(shape: Shape) -> Fields<Ack> {
    fields!("ack": Ack {
        pdc: pdc(shape),
        kind: 2,
        psn: shape.psn_bits,
        triggered: 1,
        trigger_offset: 16 => |a| signed(a.trigger_offset),
        sack_offset: 16 => |a| signed(a.sack_offset),
        sack: 64,
        counted: 1,
        rcvd_bytes: 24,
        mpr: 8,
        marked: 1,
        retx: 1,
        ev: 16,
        arrived: 20,
        service: 16,
        pend: 7,
        restore: 1,
        reason: 8,
        credit: 24,
    })
}

/// The stream of packets that are sent.
pub fn send(shape: Shape) -> Fields<Send> {
    fields!("send": Send { pdc: pdc(shape), op: 2, size: 14, ev: 16, asks: 1, last: 1 })
}

/// The stream of commands.
pub fn command(shape: Shape) -> Fields<Command> {
    fields!("command": Command {
        op: 3,
        pdc: pdc(shape),
        psn: shape.psn_bits,
        ccc: ccc(shape),
        window: count_width(shape),
        mpr: 8,
        ev: 16,
        all: 1,
        force: 1,
        stays_failed: 1,
        code: 8,
        own_timer: 1,
        rto: 26,
        retries: 5,
        backoff_limit: 5,
        tail_probe: 16,
    })
}

fn settings(shape: Shape) -> Fields<Option<Settings>> {
    let span = shape.window.ilog2();
    fields!("settings": Settings {
        tick: 16,
        rto: 26,
        retries: 5,
        span: span,
        backoff: 26,
        backoff_limit: 5,
        tail_probe: 16,
    })
    .optional()
}

fn event(shape: Shape) -> Fields<Event> {
    fields!("event": Event {
        kind: 3,
        pdc: pdc(shape),
        room: count_width(shape),
        ccc: ccc(shape),
        quanta: 16,
        packets: 16,
        rtx_packets: 16,
        rtx_bytes: 28,
        marked: 1,
        retx: 1,
        feedback: 1,
        ev: 16,
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
        packet: 1,
        retransmission: 1,
        last: 1,
    })
}

fn outcome(shape: Shape) -> Fields<Outcome> {
    fields!("outcome": Outcome {
        pdc: pdc(shape),
        ccc: ccc(shape),
        kind: 3,
        psn: shape.psn_bits,
        ev: 16,
        size: 14,
        rtx_count: 2,
        trigger: 1,
        marked: 1,
        timed: 1,
        age: 20,
        at_base: 1,
    })
}

fn failure(shape: Shape) -> Fields<Failure> {
    fields!("failure": Failure { pdc: pdc(shape), reason: 2, code: 8 })
}

fn sent(shape: Shape) -> Fields<Sent> {
    fields!("sent": Sent {
        pdc: pdc(shape),
        op: 2,
        ok: 1,
        psn: shape.psn_bits,
        size: 14,
        rtx_count: 2,
        marked: count_width(shape),
        backs_off: 1,
        room: count_width(shape),
    })
}

fn response(shape: Shape) -> Fields<Response> {
    fields!("response": Response {
        op: 3,
        pdc: pdc(shape),
        done: 1,
        open: 1,
        failed: 1,
        ccc: ccc(shape),
        base: shape.psn_bits,
        next: shape.psn_bits,
        in_flight: count_width(shape),
        marked: count_width(shape),
        retries: 4,
        window: count_width(shape),
    })
}

fn shown() -> Fields<Outputs> {
    fields!(1, Outputs: busy, quiet, ack_waiting, ack_ready, send_ready, command_ready)
}

fn counters() -> Fields<Counters> {
    fields!(
        32,
        Counters: closed_events, outside_acks, old_totals, void_nacks, bad_times, late_acks, refused_sends,
        empty_sends, timeouts, inferred_losses, declared_losses, backoffs
    )
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let outputs = [event(shape).columns(), outcome(shape).columns(), failure(shape).columns(), sent(shape).columns()];
    let consumers = named([("event_ready", 1), ("outcome_ready", 1), ("failure_ready", 1), ("paused", 1), ("now", 20)]);
    let others = [shown().widths(), settings(shape).widths(), counters().widths(), consumers];
    (
        map_of([ack(shape).columns(), send(shape).columns(), command(shape).columns()]),
        map_of(outputs.into_iter().chain([response(shape).columns()])),
        map_of(others.into_iter().flatten()),
    )
}

/// The values at the beginning of a case of the ports that are no streams.
pub fn standing(shape: Shape, first: Option<Settings>) -> BTreeMap<String, u64> {
    let ready = named([("event_ready", 1), ("outcome_ready", 1), ("failure_ready", 1), ("paused", 0)]);
    map_of(settings(shape).values(&first).into_iter().chain(ready))
}

/// What the changes put on the ports.
pub fn puts(shape: Shape, changes: &[(u64, Change)]) -> Vec<(u64, Put)> {
    let (ack, send, command, settings) = (ack(shape), send(shape), command(shape), settings(shape));
    let put = |change| match change {
        Change::Ack(this) => ack.put(&this),
        Change::Send(this) => send.put(&this),
        Change::Command(this) => command.put(&this),
        Change::Settings(new) => settings.set(&new),
        Change::EventReady(level) => set("event_ready", level),
        Change::OutcomeReady(level) => set("outcome_ready", level),
        Change::FailureReady(level) => set("failure_ready", level),
        Change::Paused(level) => set("paused", level),
    };
    changes.iter().map(|&(cycle, change)| (cycle, put(change))).collect()
}

/// The time in all cycles, or, if it changes often, in some of them.
fn times(outputs: &[(u64, Outputs)], cycles: u64) -> Vec<Span> {
    let all = level(outputs, cycles, |out| out.now);
    let step = all.len().div_ceil(TIMES);
    all.into_iter().step_by(step).collect()
}

/// The expected outputs of the first `cycles` cycles.
pub fn expect(shape: Shape, outputs: &[(u64, Outputs)], cycles: u64) -> TimedExpect {
    let end = at(outputs, cycles).map(|out| out.counters).unwrap_or_default();
    let now = named([("now", times(outputs, cycles))]);
    TimedExpect {
        outputs: named([
            event(shape).rows(valid(outputs, cycles, |out| out.event)),
            outcome(shape).rows(valid(outputs, cycles, |out| out.outcome)),
            failure(shape).rows(valid(outputs, cycles, |out| out.failure)),
            sent(shape).rows(valid(outputs, cycles, |out| out.sent)),
            response(shape).rows(valid(outputs, cycles, |out| out.response)),
        ]),
        levels: map_of(levels(outputs, cycles, &shown()).into_iter().chain(now)),
        counters: counters().values(&end),
    }
}
