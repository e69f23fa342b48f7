// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows O1 and O2: in every round each EV is granted once, in an order that changes.

use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Mode, Op, Settings, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

const SETTINGS: Settings = Settings::new(1000, 128).seed(0x1B5C_83A7);

/// Adds the group `oblivious` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("oblivious", "EVs in rounds, in an order of the seed or of their numbers", shape, SETTINGS);
    let built: Vec<_> =
        [Mode::Oblivious, Mode::RoundRobin].into_iter().filter(|m| shape.mode(m.code()).is_some()).collect();
    for &mode in &built {
        rounds(suite, shape, mode);
        distances(suite, shape, mode);
    }
    if let Some(&other) = built.last() {
        turns(suite, shape, other);
    }
    seeds(suite, shape);
    others(suite, shape);
}

fn name(mode: Mode) -> String {
    format!("{mode:?}").to_lowercase()
}

fn rounds(suite: &mut Suite, shape: Shape, mode: Mode) {
    let evs = shape.evs;
    let rows = aim(&["Round", "BackToBack"], &["S14", "O1", "O2", "U03", "U08"]);
    let rounds = if evs <= 32 { 3 } else { 1 };
    for start in [0, 1, evs / 2 + 1, evs - 1] {
        let (mut script, at) = Script::opened_as(shape, start, mode);
        let end = script.requests(at, 0, rounds * evs + 5);
        script.command(end, Op::Read, 0, 0);
        suite.add(format!("{}-{start}", name(mode)), "back to back for some rounds", rows, script);
    }
}

/// The end of a round, with requests a given number of cycles apart.
fn distances(suite: &mut Suite, shape: Shape, mode: Mode) {
    for distance in 1..=10 {
        let (mut script, at) = Script::opened_as(shape, shape.evs - 3, mode);
        (0..6).for_each(|n| script.request(at + n * distance, 0));
        let rows = aim(&["Round"], &["O2", "U08"]);
        suite.add(format!("{}-apart-{distance}", name(mode)), "the end of a round", rows, script);
    }
}

/// Two CCCs at the end of their rounds, also one of them in another mode.
fn turns(suite: &mut Suite, shape: Shape, other: Mode) {
    let rows = aim(&["Interleaved", "Round"], &["O1", "O2", "U08"]);
    for distance in 1..=9 {
        let mut script = Script::new(shape);
        script.open_as(0, shape.evs - 2, Mode::Oblivious);
        let at = script.open_as(1, shape.evs - 3, other);
        (0..10).for_each(|n| script.request(at + n * distance, n % 2));
        suite.add(format!("turns-{distance}"), "two CCCs in turns", rows, script);
        let mut script = Script::new(shape);
        script.open_as(0, shape.evs - 4, other);
        let at = script.open_as(1, shape.evs - 2, Mode::Oblivious);
        (0..5).for_each(|n| {
            script.requests(at + n * (distance + 2), 0, 2);
            script.requests(at + n * (distance + 2) + 2, 1, distance);
        });
        suite.add(format!("pairs-{distance}"), "two on one CCC, some on the other", rows, script);
    }
    let mut script = Script::new(shape);
    let at = (0..shape.cccs).map(|ccc| script.open_as(ccc, shape.evs - 2, Mode::Oblivious)).last().unwrap_or(0);
    (0..16).for_each(|n| script.request(at + n, n % shape.cccs));
    suite.add("all-cccs", "each CCC has its own word", rows, script);
}

/// A seed that changes behind the *open* changes nothing.
fn seeds(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Round", "Settings"], &["O1", "S23"]);
    let (mut script, at) = Script::opened_as(shape, shape.evs - 6, Mode::Oblivious);
    (0..20).for_each(|n| script.set(at + n, SETTINGS.seed(0x1111_0123 * (n % 16))));
    script.requests(at, 0, 20);
    suite.add("seed-restless", "a new seed in every cycle when it is open", edge, script);
}

fn others(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Kind"], &["O1", "S16"]);
    let (mut script, at) = Script::opened_as(shape, 3, Mode::Oblivious);
    (0..24).for_each(|n| script.feedback(at + n, 0, (3 + n / 2) % shape.evs, Kind::of(n % 8)));
    script.requests(at + 4, 0, 26);
    script.command(at + 24, Op::Read, 0, 0);
    suite.add("feedback", "is ignored", rows, script);
    let mut script = Script::new(shape);
    let at = script.operate(0, Command::open(0, 3, Mode::Oblivious).rod()) + shape.effect();
    script.marks(at, 0, 3..9);
    script.requests(at + 9, 0, 4);
    suite.add("rod", "is nothing special", aim(&["Rod"], &["S15", "O1", "U28"]), script);
    let (mut script, at) = Script::opened_as(shape, 3, Mode::Oblivious);
    script.requests(at, 0, 16);
    script.set(at + 20, SETTINGS.seed(0x7777));
    let at = script.reopen(at + 20, 0, shape.evs - 2, Mode::Oblivious);
    script.requests(at - 1, 0, 7);
    let at = script.reopen(at + 8, 0, shape.evs - 1, Mode::Oblivious);
    script.requests(at + 4, 0, 4);
    suite.add(
        "reopened",
        "a round begins anew, with the seed of now",
        aim(&["Reopened"], &["O1", "S10", "S14"]),
        script,
    );
}
