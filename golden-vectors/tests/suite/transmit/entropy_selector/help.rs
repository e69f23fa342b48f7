// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of one CCC in a mode.

use golden_vectors::transmit::entropy_selector::oracle::{
    ALL_FREE, Answer, Command, Ev, Event, Kind, Mode, Settings, Shape, answer,
};

/// All modes, 16 EVs.
pub const SHAPE: Shape = Shape::new(3, 16).modes(Mode::MASK);
/// What the bitmap needs; all other settings are 0.
pub const SETTINGS: Settings = Settings::new(1000, 256);

/// CCC 0 is open in a mode from cycle 30 on, from EV `start`.
pub fn run(mode: Mode, start: u64, settings: Settings, events: &[(u64, Event)]) -> Answer {
    run_on(SHAPE, Command::open(0, start, mode), settings, events)
}

/// The same in another shape and as somebody opens it.
pub fn run_on(shape: Shape, open: Command, settings: Settings, events: &[(u64, Event)]) -> Answer {
    let mut all = vec![(10, Event::Command(open))];
    all.extend_from_slice(events);
    all.sort_by_key(|&(cycle, _)| cycle);
    answer(shape, settings, &all)
}

pub fn evs(answer: &Answer) -> Vec<u64> {
    answer.grants.iter().map(|grant| grant.index).collect()
}

pub fn request(cycle: u64) -> (u64, Event) {
    (cycle, Event::Request(0, ALL_FREE))
}

/// Requests in cycles in a row.
pub fn requests(cycle: u64, count: u64) -> Vec<(u64, Event)> {
    (cycle..cycle + count).map(request).collect()
}

/// What stands on the ports of the settings from a cycle on; it is in force from the next one on.
pub fn set(cycle: u64, settings: Settings) -> (u64, Event) {
    (cycle, Event::Settings(settings.into()))
}

pub fn feedback(cycle: u64, ev: u64, kind: Kind) -> (u64, Event) {
    (cycle, Event::Feedback(0, Ev::Own(ev), kind))
}

/// GOOD feedback in cycles in a row.
pub fn good(cycle: u64, evs: impl IntoIterator<Item = u64>) -> Vec<(u64, Event)> {
    (cycle..).zip(evs).map(|(cycle, ev)| feedback(cycle, ev, Kind::Good)).collect()
}
