// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a small scheduler: QP 0 and its sub-paths are there by cycle 400, operations of a test come later.

use golden_vectors::transmit::path_scheduler::oracle::{
    Answer, Command, Event, Feedback, Grant, Granularity, Kind, Op, Packet, Request, Response, Settings, Shape, answer,
};

/// Two QPs of eight sub-paths: the sweep ends with cycle 15, an operation can be accepted every 15 cycles.
pub const SHAPE: Shape = Shape::new(2, 8);
/// Flowlets end after 64 cycles; no weight rises, no sub-path fails.
pub const SETTINGS: Settings = Settings::new(1, 0, 0);
/// QP 0 begins with that.
pub const PSN: u64 = 1000;
/// The entropy of sub-path 0; that of another one is this XOR its number.
pub const ENTROPY: u64 = 0x12340;

pub fn op(cycle: u64, op: Op, path: u64, weight: u64) -> (u64, Event) {
    (cycle, Event::Command(Command::new(op, 0, path).weight(weight).entropy(ENTROPY ^ path)))
}

/// QP 0 is opened with sub-paths of these weights, 0 for one that is absent, all with limit 15.
pub fn running(granularity: Granularity, weights: &[u64]) -> Vec<(u64, Event)> {
    let mut events = vec![(20, Event::Command(Command::open(0, PSN, ENTROPY, granularity)))];
    for (path, &weight) in (0..).zip(weights) {
        if weight != 0 {
            events.extend([op(40 + 40 * path, Op::Add, path, 15), op(60 + 40 * path, Op::Start, path, weight)]);
        }
    }
    events
}

/// Its answer to more events, in any order.
pub fn run_with(settings: Settings, granularity: Granularity, weights: &[u64], events: &[(u64, Event)]) -> Answer {
    let mut all = running(granularity, weights);
    all.extend_from_slice(events);
    all.sort_by_key(|&(cycle, _)| cycle);
    answer(SHAPE, settings, &all)
}

/// The same with the settings of most tests.
pub fn run(granularity: Granularity, weights: &[u64], events: &[(u64, Event)]) -> Answer {
    run_with(SETTINGS, granularity, weights, events)
}

pub fn request(cycle: u64, kind: Packet) -> (u64, Event) {
    (cycle, Event::Request(Request { qp: 0, kind, path: 0 }))
}

pub fn probe(cycle: u64, path: u64) -> (u64, Event) {
    (cycle, Event::Request(Request { qp: 0, kind: Packet::Probe, path }))
}

pub fn data(cycle: u64) -> (u64, Event) {
    request(cycle, Packet::Data)
}

/// Data in cycles in a row.
pub fn stream(cycle: u64, count: u64) -> Vec<(u64, Event)> {
    (cycle..cycle + count).map(data).collect()
}

pub fn feedback(cycle: u64, path: u64, kind: Kind) -> (u64, Event) {
    (cycle, Event::Feedback(Feedback::new(0, path, kind)))
}

/// The answer to a probe.
pub fn probe_answer(cycle: u64, path: u64, bandwidth: u64) -> (u64, Event) {
    (cycle, Event::Feedback(Feedback::answer(0, path, bandwidth)))
}

/// Feedback in cycles in a row.
pub fn told(cycle: u64, path: u64, kinds: &[Kind]) -> Vec<(u64, Event)> {
    (cycle..).zip(kinds).map(|(cycle, &kind)| feedback(cycle, path, kind)).collect()
}

pub fn column<T>(answer: &Answer, of: impl Fn(&Grant) -> T) -> Vec<T> {
    answer.grants.iter().map(of).collect()
}

/// The response to the operation accepted in a cycle.
pub fn response(answer: &Answer, accepted: u64) -> Response {
    *answer.responses.iter().find(|response| response.cycle == accepted + 6).unwrap()
}
