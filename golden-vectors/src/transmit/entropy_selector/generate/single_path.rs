// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows N1 to N4: the same EV until it is suspect and a move is allowed.

use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Mode, Op, Settings, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

/// The largest time that a setting can have, in RTT.
pub const NEVER: u64 = 255;
/// Cycles of an RTT.
pub const RTT: u64 = 64;
/// A move is possible from the second RTT on, whether the CCC is idle or a change is due.
pub const SETTINGS: Settings = Settings::new(RTT, 256);

/// Adds the group `single-path` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("single-path", "one EV until it is suspect", shape, SETTINGS);
    suspects(suite, shape);
    // Rules that do not depend on the latency are tested at one latency.
    if shape.ram_latency == 2 {
        due(suite, shape);
        due_again(suite, shape);
        idle(suite, shape);
    }
    settings(suite, shape);
    streams(suite, shape);
    others(suite, shape);
}

pub fn opened(shape: Shape, start: u64) -> (Script, u64) {
    Script::opened_as(shape, start, Mode::SinglePath)
}

/// Which feedback makes the EV suspect, while a move is possible.
fn suspects(suite: &mut Suite, shape: Shape) {
    let kinds = aim(&["Kind"], &["N1", "N2", "N3", "U04", "U05"]);
    for kind in (0..8).map(Kind::of) {
        for (place, ev) in [("same", 5), ("next", 6), ("before", 4)] {
            let (mut script, at) = opened(shape, 5);
            script.request(at, 0);
            script.feedback(at + 1, 0, ev, kind);
            script.requests(at + 2 * RTT, 0, 3);
            script.command(at + 2 * RTT, Op::Read, 0, 0);
            suite.add(format!("{place}-{}", kind.code()), format!("{kind:?} on EV {ev}, the path is 5"), kinds, script);
        }
    }
    let edge = aim(&["Boundary"], &["S5", "N2", "U05"]);
    for distance in 0..=12 {
        for (name, evs) in [("on", [9, 5]), ("off", [5, 9])] {
            let (mut script, at) = opened(shape, 5);
            script.request(at, 0);
            script.mark(at + 1, 0, evs[0]);
            let at = at + 2 * RTT;
            script.mark(at, 0, evs[1]);
            script.request(at + distance, 0);
            script.feedback(at + 1, 0, evs[0], Kind::Good);
            suite.add(format!("{name}-{distance}"), "the last one that is seen counts", edge, script);
        }
    }
}

/// A change is due: requests around that epoch.
fn due(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Timer", "Boundary"], &["N3", "N4", "U06"]);
    for reroute in [0, 1, 2, 4, 10] {
        for offset in [-1, 0, 1] {
            let (mut script, _) = opened(shape, shape.evs - 1);
            script.set(0, SETTINGS.path(NEVER, reroute));
            script.request(RTT * 2 + 20, 0);
            script.marks(RTT * 2 + 21, 0, [shape.evs - 1]);
            let asked = RTT * (2 + reroute.max(1) + 1);
            script.request(asked.saturating_add_signed(offset), 0);
            script.request(asked + 2, 0);
            // The next one is due so many RTT after this one.
            script.mark(asked + 3, 0, 0);
            let again = RTT * (asked / RTT + reroute.max(1) + u64::from(offset >= 0));
            script.request(again.saturating_add_signed(offset), 0);
            script.request(again + 2, 0);
            let comment = format!("{offset} cycles from the RTT in which a change is due");
            suite.add(format!("due-{reroute}{offset:+}"), comment, edge, script);
        }
    }
}

/// U06: a stream of requests and marks on whatever EV is in use. It moves once per `reroute` RTT, and no more.
fn due_again(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Timer"], &["N3", "N4", "U06"]);
    for (reroute, class) in [(0, 0), (1, 0), (1, 1), (10, 0)] {
        let mut script = Script::new(shape);
        script.set(0, SETTINGS.path(NEVER, reroute));
        let open = Command::open(0, shape.evs - 2, Mode::SinglePath).class(class);
        let at = script.operate(0, open) + shape.effect();
        let cycles = (3 * (reroute.max(1) + 1) + 2) * (RTT << class);
        for cycle in (at..at + cycles).filter(|cycle| cycle % 16 == 0) {
            script.request(cycle, 0);
            (1..5).for_each(|n| script.mark(cycle + n, 0, shape.evs - 3 + n));
        }
        let id = format!("rate-{reroute}-class-{class}");
        suite.add(id, format!("all EVs are marked all the time, {reroute} RTT"), rows, script);
    }
}

/// A CCC becomes idle: requests around that epoch.
fn idle(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Timer", "Boundary"], &["N3", "N4", "U06"]);
    for idle in [0, 1, 3] {
        for offset in [-1, 0, 1] {
            let (mut script, _) = opened(shape, 5);
            script.set(0, SETTINGS.path(idle, NEVER));
            script.request(2 * RTT + 1, 0);
            script.mark(2 * RTT + 2, 0, 5);
            // Each request delays it.
            script.request(3 * RTT - 1, 0);
            script.request(3 * RTT + 40, 0);
            let asked = ((4 + idle) * RTT).saturating_add_signed(offset);
            script.request(asked, 0);
            script.mark(asked + 1, 0, 6);
            script.request(asked + 12, 0);
            let comment = format!("{offset} cycles from the RTT in which it is idle");
            suite.add(format!("idle-{idle}{offset:+}"), comment, edge, script);
        }
    }
    for (name, idle, reroute) in [("both", 1, 1), ("idle", 1, NEVER), ("due", NEVER, 1), ("neither", NEVER, NEVER)] {
        let (mut script, _) = opened(shape, 5);
        script.set(0, SETTINGS.path(idle, reroute));
        script.request(3 * RTT, 0);
        script.mark(3 * RTT + 1, 0, 5);
        [20, 64, 90, 127, 128, 256].into_iter().for_each(|gap| script.request(3 * RTT + gap, 0));
        suite.add(format!("allowed-{name}"), "requests with gaps", aim(&["Timer"], &["N3", "N4", "U06"]), script);
    }
}

/// Settings change around the cycle in which they are read.
fn settings(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Settings", "Timer", "Boundary"], &["N4", "S24"]);
    for distance in 0..=5 {
        for (name, from, to) in [("off", (0, 0), (NEVER, NEVER)), ("on", (NEVER, NEVER), (NEVER, 0))] {
            let (mut script, at) = opened(shape, 5);
            script.set(0, SETTINGS.path(from.0, from.1));
            script.set(at + 10 + distance, SETTINGS.path(to.0, to.1));
            script.request(at + 10, 0);
            script.mark(at + 11, 0, 5);
            script.request(at + 10 + 2 * RTT, 0);
            suite.add(format!("{name}-{distance}-behind"), "new times behind the first request", edge, script);
        }
    }
}

/// Requests in every cycle while the path moves.
fn streams(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["BackToBack"], &["N2", "N3", "N4", "U05"]);
    for distance in 0..8 {
        let (mut script, _) = opened(shape, shape.evs - 1);
        script.request(RTT, 0);
        script.mark(RTT + 1, 0, shape.evs - 1);
        // It is idle with the first of these; the next ones see that it has moved.
        script.requests(3 * RTT - 2 + distance, 0, 6);
        script.mark(3 * RTT + distance, 0, 0);
        script.requests(5 * RTT - distance, 0, 12);
        suite.add(format!("chase-{distance}"), "around the last EV", rows, script);
    }
    let turns = aim(&["Interleaved", "FullLoad"], &["N2", "N3", "N4", "U05"]);
    for distance in 1..=8 {
        let mut script = Script::new(shape);
        script.open_as(0, shape.evs - 1, Mode::SinglePath);
        let at = script.open_as(1, 3, Mode::SinglePath);
        (0..40).for_each(|n| {
            // In every other RTT, so that both are idle before.
            let at = at / RTT * RTT + RTT + n / 20 * 3 * RTT + n % 20;
            script.request(at, n / distance % 2);
            script.mark(at + 2, n % 2, if n % 2 == 0 { shape.evs - 1 + n / 20 } else { 3 + n / 20 });
        });
        script.requests(at / RTT * RTT + 8 * RTT, 0, 3);
        suite.add(format!("turns-{distance}"), "two CCCs in turns", turns, script);
    }
}

fn others(suite: &mut Suite, shape: Shape) {
    let first = aim(&["Boundary"], &["N3", "N4"]);
    for distance in [8, 9, 10, 20] {
        let (mut script, at) = opened(shape, 5);
        script.mark(at, 0, 5);
        script.requests(at + distance, 0, 3);
        script.request(at + distance + 2 * RTT, 0);
        suite.add(format!("first-{distance}"), "suspect before the first request", first, script);
    }
    let mut script = Script::new(shape);
    let at = script.operate(0, Command::open(0, 5, Mode::SinglePath).rod()) + shape.effect();
    script.request(at, 0);
    script.marks(at + 1, 0, [5, 5, 5]);
    script.feedback(at + 4, 0, shape.evs, Kind::Nack);
    script.requests(at + 3 * RTT, 0, 3);
    suite.add("rod", "there is no suspect", aim(&["Rod"], &["S15", "N2", "U28"]), script);
    for wait in [0, 200] {
        let (mut script, at) = opened(shape, 5);
        script.request(at, 0);
        script.mark(at + 1, 0, 5);
        script.requests(at + 20, 0, 2);
        script.marks(at + 22, 0, [6, 7, 8, 5]);
        let at = script.reopen(at + 27 + wait, 0, 5, Mode::SinglePath);
        script.requests(at, 0, 2);
        script.requests(at + 3 * RTT, 0, 2);
        let rows = aim(&["Reopened"], &["S10", "N2", "N3", "N4"]);
        suite.add(format!("reopened-{wait}"), "the suspect of the life before is forgotten", rows, script);
    }
}
