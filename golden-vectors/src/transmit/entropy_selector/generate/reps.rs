// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows P1 to P6 without a freeze: EVs with GOOD feedback are used again.

use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Mode, Settings, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

const SETTINGS: Settings = Settings::new(1000, 128).seed(0x0B3D_4E21);

/// Adds the group `reps` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("reps", "EVs that were GOOD are used once more", shape, SETTINGS);
    sight(suite, shape);
    if shape.evs == 16 {
        pops(suite, shape);
        streams(suite, shape);
    }
    // Rules that do not depend on the latency are tested at one latency.
    if shape.ram_latency == 2 {
        order(suite, shape);
        draws(suite, shape);
        others(suite, shape);
    }
}

fn opened(shape: Shape, start: u64) -> (Script, u64) {
    Script::opened_as(shape, start, Mode::Reps)
}

/// A row of `count` EVs, the only ones with feedback.
fn any_evs(shape: Shape, count: u64) -> impl Iterator<Item = u64> {
    (0..count).map(move |n| (3 * n + 1) % shape.evs)
}

/// From one EV in the ring to more than fit into it.
fn order(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Ring", "Boundary"], &["P1", "P2", "P3", "P5", "U13"]);
    for count in 1..=11 {
        let (mut script, at) = opened(shape, 5);
        let at = script.good(at, 0, any_evs(shape, count)) + 10;
        let at = script.requests(at, 0, 5);
        let at = script.good(at, 0, any_evs(shape, count).map(|ev| ev + 1)) + 10;
        script.requests(at, 0, 12);
        suite.add(format!("written-{count}"), "some written, some taken, some written", rows, script);
    }
}

/// GOOD feedback, and requests shortly after it.
fn sight(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Ring", "Boundary"], &["S5", "P3", "P5", "U13"]);
    for distance in 0..=14 {
        let (mut script, at) = opened(shape, 5);
        script.good(at + 5, 0, [12]);
        script.good(at + 7, 0, [14]);
        script.requests(at + 5 + distance, 0, 4);
        suite.add(format!("seen-{distance}"), "two GOOD, then requests", rows, script);
    }
}

/// GOOD feedback while requests take EVs, at every distance, with room in the ring and without.
fn pops(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Ring", "Boundary"], &["P2", "P3", "P5"]);
    for (name, count) in [("room", 3), ("full", 8), ("over", 9)] {
        for distance in -4..=11_i64 {
            let (mut script, at) = opened(shape, 5);
            script.good(at, 0, any_evs(shape, count));
            let told = at + 30;
            script.good(told, 0, [14]);
            script.requests(told.saturating_add_signed(distance), 0, 2);
            script.requests(told + 24, 0, 10);
            let comment = format!("two are taken {distance} cycles from when another is written");
            suite.add(format!("{name}{distance:+}"), comment, rows, script);
        }
    }
    for distance in 1..=10 {
        let (mut script, at) = opened(shape, 5);
        script.good(at, 0, any_evs(shape, 4));
        let (first, kind) = (at + 20, [Kind::Good, Kind::Ecn][distance as usize % 2]);
        (0..5).for_each(|n| script.feedback(first + n * distance, 0, 8 + n, kind));
        (0..8).for_each(|n| script.request(first + 1 + n * (1 + distance / 2), 0));
        script.requests(first + 8 * distance + 30, 0, 6);
        suite.add(format!("mixed-{distance}"), "written and taken at different distances", rows, script);
    }
}

/// GOOD feedback and requests in every cycle.
fn streams(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Ring", "FullLoad", "BackToBack"], &["P2", "P3", "P5", "U13"]);
    for gap in 1..=4 {
        let (mut script, at) = opened(shape, 0);
        for n in (0..60).filter(|n| n % gap == 0) {
            script.good(at + n, 0, [7 * n]);
        }
        script.requests(at + 3, 0, 70);
        suite.add(format!("stream-{gap}"), format!("a GOOD every {gap} cycles"), rows, script);
        let (mut script, at) = opened(shape, 0);
        script.good(at, 0, any_evs(shape, 50));
        (0..40).for_each(|n| script.request(at + gap * n, 0));
        suite.add(format!("asked-{gap}"), format!("a request every {gap} cycles"), rows, script);
    }
    let turns = aim(&["Ring", "Interleaved"], &["P2", "P3", "P5"]);
    for distance in 1..=9 {
        let mut script = Script::new(shape);
        script.open_as(0, 3, Mode::Reps);
        let at = script.open_as(1, 9, Mode::Reps);
        for n in 0..48 {
            script.feedback(
                at + n,
                n / distance % 2,
                5 * n % shape.evs,
                [Kind::Good, Kind::Good, Kind::Nack][n as usize % 3],
            );
            script.request(at + 6 + n, n % 2);
        }
        suite.add(format!("turns-{distance}"), "two CCCs in turns", turns, script);
    }
}

/// Row P4 right after *open*, and row P6.
fn draws(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Ring", "Round"], &["P4", "P5", "P6", "U13"]);
    for explore in [0, 1, 2, 5, 255, 256, 0x8001] {
        let (mut script, at) = opened(shape, shape.evs - 3);
        script.set(0, SETTINGS.reps(explore, 0));
        script.good(at, 0, any_evs(shape, 4));
        script.requests(at + 4, 0, if explore == 255 { 262 } else { 20 });
        suite.add(format!("explore-{explore}"), "before the ring is used", rows, script);
    }
    let edge = aim(&["Settings", "Boundary"], &["P4", "P6"]);
    for distance in 0..=6 {
        let (mut script, at) = opened(shape, 5);
        script.good(at, 0, any_evs(shape, 4));
        script.requests(at + 20, 0, 8);
        script.set(at + 20 + distance, SETTINGS.seed(0x5555).reps(2, 0));
        suite.add(
            format!("explore-change-{distance}"),
            "another length and seed behind the first request",
            edge,
            script,
        );
    }
    let (mut script, at) = opened(shape, 5);
    script.good(at, 0, any_evs(shape, 3));
    script.requests(at + 20, 0, 2);
    script.set(at + 30, SETTINGS.seed(0x4321));
    script.requests(at + 40, 0, 4);
    suite.add("seed-first", "the seed is that of the first request, which draws nothing", edge, script);
    for distance in 1..=8 {
        let (mut script, at) = opened(shape, shape.evs - 4);
        (0..10).for_each(|n| script.request(at + n * distance, 0));
        script.good(at + 2 * distance, 0, [7, 8]);
        suite.add(format!("drawn-{distance}"), "EVs from the ring between those of a round", rows, script);
    }
}

fn others(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    let at = script.operate(0, Command::open(0, 5, Mode::Reps).rod()) + shape.effect();
    script.good(at, 0, any_evs(shape, 6));
    script.feedback(at + 6, 0, 3, Kind::Timeout);
    script.requests(at + 16, 0, 6);
    suite.add("rod", "nothing is written", aim(&["Rod"], &["S15", "P2", "U28"]), script);
    let (mut script, at) = opened(shape, 5);
    script.good(at, 0, any_evs(shape, 3));
    script.feedback(at + 3, 0, shape.evs + 1, Kind::Good);
    script.requests(at + 12, 0, 1);
    (0..4).for_each(|n| script.feedback(at + 14 + n, 0, shape.evs + n, Kind::ALL[n as usize]));
    script.requests(at + 30, 0, 4);
    suite.add("range", "feedback out of range is none", aim(&["Ring", "OutOfRange"], &["S8", "P2"]), script);
    for gap in [0, 1, 3, 8, 30] {
        let (mut script, at) = opened(shape, 5);
        script.set(0, SETTINGS.reps(0, 3));
        script.good(at, 0, any_evs(shape, 6));
        script.feedback(at + 6, 0, 2, Kind::Timeout);
        script.requests(at + 20, 0, 8);
        let at = script.reopen(at + 30, 0, 9, Mode::Reps);
        script.good(at - 3, 0, [2, 4, 6, 8, 10]);
        script.requests(at + gap, 0, 9);
        let rows = aim(&["Reopened", "Ring"], &["S10", "P1", "P2", "P3"]);
        suite.add(format!("reopened-{gap}"), "what was written before is void", rows, script);
    }
}
