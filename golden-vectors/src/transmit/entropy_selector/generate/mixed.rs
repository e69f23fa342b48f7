// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row X1: EVs with GOOD feedback first, otherwise the order of the bitmap.

use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Mode, Op, Settings, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

/// Adds the group `mixed` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    let settings = Settings::new(100, 128).reps(3, 1000);
    suite.group("mixed", "EVs that were GOOD, else the bitmap", shape, settings);
    bitmap(suite, shape);
    ring(suite, shape);
    reads(suite, shape);
    others(suite, shape);
}

fn opened(shape: Shape, start: u64) -> (Script, u64) {
    Script::opened_as(shape, start, Mode::Mixed)
}

/// The place in the bitmap does not change while the ring has EVs.
fn bitmap(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Ring"], &["X1", "S2", "S7"]);
    for count in 0..=9 {
        let (mut script, at) = opened(shape, shape.evs - 3);
        script.good(at, 0, (0..count).map(|n| 2 * n + 1));
        script.marks(at + count, 0, [shape.evs - 2, 0]);
        script.requests(at + 16, 0, 14);
        suite.add(format!("hits-{count}"), "from the ring first, then around the last EV", rows, script);
    }
    for distance in 1..=10 {
        let (mut script, at) = opened(shape, 3);
        let kinds = [Kind::Good, Kind::Ecn, Kind::Good, Kind::Nack, Kind::Timeout];
        (0..15).for_each(|n| script.feedback(at + n * distance, 0, (3 + n) % shape.evs, kinds[n as usize % 5]));
        (0..24).for_each(|n| script.request(at + 4 + n * (1 + distance / 2), 0));
        suite.add(format!("between-{distance}"), "marks and GOOD in turns", rows, script);
    }
    let saturated = aim(&["Ring", "Saturated"], &["X1", "S7", "U12"]);
    for saturation in [0, 512 / shape.evs, 256] {
        let (mut script, at) = opened(shape, 1);
        script.set(0, Settings::new(1000, saturation));
        let at = script.marks(at, 0, [1, 2, 4]);
        let at = script.good(at, 0, [4, 9]);
        script.requests(at + 6, 0, 6);
        suite.add(format!("saturation-{saturation}"), "only what the bitmap gives is saturated", saturated, script);
    }
    let ages = aim(&["Ring", "Epoch"], &["X1", "S6", "U11"]);
    for asked in [298, 299, 300, 301] {
        let (mut script, at) = opened(shape, 5);
        script.marks(at + 70, 0, [5, 6]);
        script.good(at + 60, 0, [9]);
        script.requests(asked, 0, 4);
        suite.add(format!("ages-{asked}"), "marks run out, the ring does not", ages, script);
    }
}

/// The ring as in REPS, without exploration and without freezing.
fn ring(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Ring", "Boundary"], &["S5", "X1"]);
    for distance in 0..=13 {
        let (mut script, at) = opened(shape, 5);
        script.good(at + 5, 0, [12]);
        script.mark(at + 6, 0, 5);
        script.good(at + 7, 0, [14]);
        script.requests(at + 5 + distance, 0, 4);
        suite.add(format!("seen-{distance}"), "two GOOD and a mark, then requests", rows, script);
    }
    for distance in -3..=10_i64 {
        let (mut script, at) = opened(shape, 5);
        script.good(at, 0, (0..8).map(|n| 2 * n));
        let told = at + 30;
        script.good(told, 0, [9]);
        script.mark(told + 1, 0, 5);
        script.requests(told.saturating_add_signed(distance), 0, 2);
        script.requests(told + 24, 0, 10);
        suite.add(format!("full{distance:+}"), "two are taken about when a ninth is written", rows, script);
    }
    let frozen = aim(&["Ring", "Frozen"], &["X1"]);
    for freeze in [0, 1000] {
        let (mut script, at) = opened(shape, 5);
        script.set(0, Settings::new(1000, 128).reps(2, freeze));
        script.good(at, 0, [9, 10]);
        script.feedback(at + 2, 0, 3, Kind::Timeout);
        script.feedback(at + 3, 0, 2, Kind::Ecn);
        script.requests(at + 14, 0, 6);
        script.good(at + 15, 0, [12]);
        script.requests(at + 30, 0, 3);
        suite.add(format!("no-freeze-{freeze}"), "a TIMEOUT marks and freezes nothing", frozen, script);
    }
}

/// The answers of *read*.
fn reads(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Command", "Boundary"], &["S11", "S14", "X1"]);
    for distance in [-2, -1, 0, 1, 2] {
        for good in [0, 1, 2] {
            let (mut script, at) = opened(shape, 0);
            script.requests(at, 0, 3);
            script.mark(at, 0, 9);
            let read = script.command(at + 30, Op::Read, 0, 0);
            script.good(read - 4, 0, (0..good).map(|n| 12 + n));
            let asked = (read + shape.read_grants()).saturating_add_signed(distance);
            script.requests(asked, 0, 2);
            script.mark((read + shape.read_feedback()).saturating_add_signed(distance), 0, 10);
            let comment = "events about the last ones that it knows, from the ring and not";
            suite.add(format!("read-{good}{distance:+}"), comment, edge, script);
        }
    }
}

fn others(suite: &mut Suite, shape: Shape) {
    let load = aim(&["Ring", "FullLoad", "BackToBack"], &["X1", "S2", "S7"]);
    for gap in 1..=4 {
        let (mut script, at) = opened(shape, 0);
        for n in 0..80 {
            let kind = if n % gap == 0 { Kind::Good } else { Kind::Ecn };
            script.feedback(at + n, 0, (n + n / 3) % shape.evs, kind);
        }
        script.requests(at + 2, 0, 90);
        suite.add(format!("stream-{gap}"), format!("every {gap}th is GOOD"), load, script);
    }
    let mut script = Script::new(shape);
    let at = script.operate(0, Command::open(0, 5, Mode::Mixed).rod()) + shape.effect();
    script.good(at, 0, [9, 10]);
    script.marks(at + 2, 0, [5, 6]);
    script.requests(at + 14, 0, 4);
    script.command(at + 14, Op::Read, 0, 0);
    suite.add("rod", "neither ring nor marks", aim(&["Rod"], &["S15", "X1", "U28"]), script);
    let (mut script, at) = opened(shape, 5);
    script.good(at, 0, [9, 10, 11]);
    script.marks(at + 3, 0, [5, 6]);
    script.request(at + 12, 0);
    let at = script.reopen(at + 14, 0, 5, Mode::Mixed);
    script.requests(at - 2, 0, 8);
    script.good(at, 0, [1]);
    suite.add("reopened", "neither ring nor marks come back", aim(&["Reopened", "Ring"], &["S10", "X1"]), script);
}
