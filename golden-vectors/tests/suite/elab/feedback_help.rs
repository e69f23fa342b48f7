// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a small feedback.

use golden_vectors::elab::feedback::oracle::{Answer, Arrival, Event, Report, Settings, Shape, answer};

/// Two pairs of eight VPs: the sweep ends with cycle 47.
pub const SHAPE: Shape = Shape::new(2, 8, 200);
/// VP n has this port and n more.
pub const PORT: u64 = 0x1230;

/// The answer to events, in any order; a burst is of three packets.
pub fn run(events: &[(u64, Event)]) -> Answer {
    let mut all = events.to_vec();
    all.sort_by_key(|&(cycle, _)| cycle);
    answer(SHAPE, Settings::new(3), &all)
}

/// What the reports say.
pub fn reports<T>(events: &[(u64, Event)], of: impl Fn(&Report) -> T) -> Vec<T> {
    run(events).reports.iter().map(of).collect()
}

pub fn arrival(cycle: u64, vp: u64, ecn: bool, burst: u64) -> (u64, Event) {
    (cycle, Event::Arrival(Arrival { pair: 0, sport: PORT + vp, ecn, burst }))
}

pub fn packet(cycle: u64, vp: u64) -> (u64, Event) {
    arrival(cycle, vp, false, 0)
}

/// Packets of bursts on VP 1 in cycles in a row.
pub fn bursts(cycle: u64, numbers: &[u64]) -> Vec<(u64, Event)> {
    (cycle..).zip(numbers).map(|(cycle, &number)| arrival(cycle, 1, false, number)).collect()
}

/// Queries in cycles in a row.
pub fn queries(cycle: u64, count: u64) -> Vec<(u64, Event)> {
    (cycle..cycle + count).map(|cycle| (cycle, Event::Query(0))).collect()
}

pub fn forget(cycle: u64) -> (u64, Event) {
    (cycle, Event::Command(0))
}
