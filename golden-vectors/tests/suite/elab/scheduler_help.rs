// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a small scheduler: pair 0 and its VPs are there by cycle 400, events of a test come later.

use golden_vectors::elab::scheduler::oracle::{
    Answer,
    Command,
    Event,
    Grant,
    Op,
    Report,
    Response,
    Settings,
    Shape,
    answer, //
};

/// Two pairs of eight VPs: the sweep ends with cycle 47, an operation can be accepted every 16 cycles.
pub const SHAPE: Shape = Shape::new(2, 8, 8);
/// The newest rate counts 128 of 256 parts, nothing is gathered for longer than it must be, no VP ever calls.
pub const SETTINGS: Settings = Settings::new(128, 0, 0xF_FFFF, 0);
/// VP n has this port and n more.
pub const PORT: u64 = 0x1230;

pub fn op(cycle: u64, op: Op, vp: u64) -> (u64, Event) {
    (cycle, Event::Command(Command::new(op, 0, PORT + vp)))
}

pub fn add(cycle: u64, vp: u64, bandwidth: u64) -> (u64, Event) {
    (cycle, Event::Command(Command::add(0, PORT + vp, bandwidth)))
}

/// The answer to events, in any order, of a pair with VPs of these bandwidths, 0 for one that is absent.
pub fn run_with(settings: Settings, bandwidths: &[u64], events: &[(u64, Event)]) -> Answer {
    let added = (0..).zip(bandwidths).filter(|&(_, &bandwidth)| bandwidth != 0);
    let mut all: Vec<_> = added.map(|(vp, &bandwidth)| add(60 + 20 * vp, vp, bandwidth)).collect();
    all.extend_from_slice(events);
    all.sort_by_key(|&(cycle, _)| cycle);
    answer(SHAPE, settings, &all)
}

/// The same with the settings of most tests.
pub fn run(bandwidths: &[u64], events: &[(u64, Event)]) -> Answer {
    run_with(SETTINGS, bandwidths, events)
}

/// Requests in cycles in a row.
pub fn stream(cycle: u64, count: u64) -> Vec<(u64, Event)> {
    (cycle..cycle + count).map(|cycle| (cycle, Event::Request(0))).collect()
}

pub fn report(cycle: u64, report: Report) -> (u64, Event) {
    (cycle, Event::Report(Report { vp: PORT + report.vp, ..report }))
}

pub fn count(cycle: u64, vp: u64, count: u64) -> (u64, Event) {
    report(cycle, Report { vp, count, ..Report::default() })
}

pub fn ecn(cycle: u64, vp: u64, count: u64) -> (u64, Event) {
    report(cycle, Report { vp, count, ecn: true, ..Report::default() })
}

pub fn column<T>(answer: &Answer, of: impl Fn(&Grant) -> T) -> Vec<T> {
    answer.grants.iter().map(of).collect()
}

/// The response to the operation accepted in a cycle.
pub fn response(answer: &Answer, accepted: u64) -> Response {
    *answer.responses.iter().find(|response| response.cycle == accepted + 16).unwrap()
}
