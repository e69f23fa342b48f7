// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows N1 to N4: the same EV until it is suspect and a change is allowed.

use crate::collect::aim;
use crate::entropy_selector::oracle::{Command, Kind, Mode, Op, Settings, Shape};
use crate::entropy_selector::script::Script;
use crate::entropy_selector::suite::Suite;

/// The largest time that a setting can have.
const NEVER: u64 = (1 << 19) - 1;
const SETTINGS: Settings = Settings::new(1000, 16);

/// Adds the group `single-path` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("single-path", "one EV until it is suspect", shape, SETTINGS);
    suspects(suite, shape);
    due(suite, shape);
    due_again(suite, shape);
    idle(suite, shape);
    settings(suite, shape);
    streams(suite, shape);
    others(suite, shape);
}

/// The cycle of the first request that reads this time, in units of 64 cycles.
const fn first_of(shape: Shape, time: u64) -> u64 {
    64 * time - shape.limit()
}

fn opened(shape: Shape, start: u64) -> (Script, u64) {
    Script::opened_as(shape, start, Mode::SinglePath)
}

/// Which feedback makes the EV suspect, while a change is always allowed.
fn suspects(suite: &mut Suite, shape: Shape) {
    let kinds = aim(&["Kind"], &["N1", "N2", "N3", "U04", "U05"]);
    for (code, kind) in Kind::ALL.into_iter().enumerate() {
        for (place, ev) in [("same", 5), ("next", 6), ("before", 4)] {
            let (mut script, at) = opened(shape, 5);
            script.request(at, 0);
            script.feedback(at + 1, 0, ev, kind);
            script.requests(at + 20, 0, 3);
            script.command(at + 20, Op::Read, 0, 0);
            suite.add(format!("{place}-{code}"), format!("{kind:?} on EV {ev}, the path is 5"), kinds, script);
        }
    }
    let edge = aim(&["Boundary"], &["S5", "N2", "U05"]);
    for distance in 0..=12 {
        for (name, evs) in [("on", [9, 5]), ("off", [5, 9])] {
            let (mut script, at) = opened(shape, 5);
            script.request(at, 0);
            script.mark(at + 1, 0, evs[0]);
            script.mark(at + 20, 0, evs[1]);
            script.request(at + 20 + distance, 0);
            script.feedback(at + 21, 0, evs[0], Kind::Good);
            suite.add(format!("{name}-{distance}"), "the last one that is seen counts", edge, script);
        }
    }
}

/// A change is allowed: requests around that time.
fn due(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Timer", "Boundary"], &["N3", "N4", "U06"]);
    for reroute in [0, 1, 2, 4] {
        for offset in [-64, -1, 0, 1] {
            let (mut script, at) = opened(shape, shape.evs - 1);
            script.set(0, SETTINGS.path(NEVER, reroute));
            let first = first_of(shape, 4);
            script.request(first + 20, 0);
            let last = script.marks(at.max(first + 21), 0, [shape.evs - 1]);
            let asked = first_of(shape, 4 + reroute).saturating_add_signed(offset).max(last + 8);
            script.request(asked, 0);
            // The next change is allowed `reroute` after this one.
            script.mark(asked + 1, 0, 0);
            let again = (first_of(shape, 4 + 2 * reroute)).saturating_add_signed(offset).max(asked + 12);
            script.request(again, 0);
            script.request(again + 1, 0);
            let comment = format!("{offset} cycles from the time in which a change is due");
            suite.add(format!("due-{reroute}{offset:+}"), comment, edge, script);
        }
    }
}

/// Consecutive changes: each delays the next one.
fn due_again(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Timer", "Boundary"], &["N3", "N4", "U06"]);
    for (reroute, offset) in [(1, -1), (1, 0), (3, -64), (3, -1), (3, 0)] {
        let (mut script, _) = opened(shape, shape.evs - 1);
        script.set(0, SETTINGS.path(NEVER, reroute));
        let first = first_of(shape, 3);
        script.request(first, 0);
        script.mark(first + 1, 0, shape.evs - 1);
        let mut asked = first_of(shape, 3 + reroute);
        for ev in 0..3 {
            script.request(asked, 0);
            script.mark(asked + 1, 0, ev);
            let due = first_of(shape, (asked + shape.limit()) / 64 + reroute);
            // If the request comes too early, the next one does not.
            script.request(due.saturating_add_signed(offset), 0);
            asked = due + 64;
            script.mark(asked - 20, 0, ev + u64::from(offset == 0));
        }
        let comment = format!("{offset} cycles from the time in which the second change is due");
        suite.add(format!("due-again-{reroute}{offset:+}"), comment, edge, script);
    }
}

/// A CCC becomes idle: requests around that time.
fn idle(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Timer", "Boundary"], &["N3", "N4", "U06"]);
    for idle in [0, 1, 2, 3] {
        for offset in [-64, -1, 0, 1] {
            let (mut script, _) = opened(shape, 5);
            script.set(0, SETTINGS.path(idle, NEVER));
            let first = first_of(shape, 4);
            script.request(first + 1, 0);
            script.mark(first + 2, 0, 5);
            // Each request delays it.
            let later = first_of(shape, 5) + 40;
            script.request(later, 0);
            let asked = first_of(shape, 5 + idle).saturating_add_signed(offset).max(later + 1);
            script.request(asked, 0);
            script.mark(asked + 1, 0, 6);
            script.request(asked + 12, 0);
            let comment = format!("{offset} cycles from the time in which it is idle");
            suite.add(format!("idle-{idle}{offset:+}"), comment, edge, script);
        }
    }
    if shape.evs == 16 && shape.ram_latency == 2 {
        for offset in [-1, 0] {
            let (mut script, at) = opened(shape, 5);
            script.set(0, SETTINGS.path(300, NEVER));
            script.request(at, 0);
            script.mark(at + 1, 0, 5);
            script.request(first_of(shape, 300).saturating_add_signed(offset), 0);
            script.request(first_of(shape, 301), 0);
            suite.add(format!("idle-300{offset:+}"), "a time of more bits", edge, script);
        }
    }
    for (name, idle, reroute) in [("both", 1, 1), ("idle", 1, NEVER), ("due", NEVER, 1), ("neither", NEVER, NEVER)] {
        let (mut script, _) = opened(shape, 5);
        script.set(0, SETTINGS.path(idle, reroute));
        let at = first_of(shape, 3);
        script.request(at, 0);
        script.mark(at + 1, 0, 5);
        [20, 64, 90, 91, 128, 192].into_iter().for_each(|gap| script.request(at + gap, 0));
        suite.add(format!("allowed-{name}"), "requests with gaps", aim(&["Timer"], &["N3", "N4", "U06"]), script);
    }
}

/// Settings change around the cycle in which they are read.
fn settings(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Settings", "Timer", "Boundary"], &["N4"]);
    for distance in 0..=5 {
        for (name, from, to) in [("off", (0, 0), (NEVER, NEVER)), ("on", (NEVER, NEVER), (NEVER, 0))] {
            let (mut script, at) = opened(shape, 5);
            script.set(0, SETTINGS.path(from.0, from.1));
            script.set(at + 10 + distance, SETTINGS.path(to.0, to.1));
            script.request(at + 10, 0);
            script.mark(at + 11, 0, 5);
            script.request(at + 30, 0);
            suite.add(format!("{name}-{distance}-behind"), "new times behind the first request", edge, script);
        }
    }
}

/// Requests in every cycle while the path changes.
fn streams(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["BackToBack"], &["N2", "N3", "N4", "U05"]);
    for reroute in [0, 1] {
        let (mut script, at) = opened(shape, shape.evs - 2);
        script.set(0, SETTINGS.path(NEVER, reroute));
        script.marks(at, 0, (0..90).map(|n| shape.evs - 2 + n / 11));
        script.requests(at, 0, 100);
        suite.add(format!("chase-{reroute}"), "feedback runs ahead of the path, around the last EV", rows, script);
    }
    let turns = aim(&["Interleaved", "FullLoad"], &["N2", "N3", "N4", "U05"]);
    for distance in 1..=8 {
        let mut script = Script::new(shape);
        script.open_as(0, shape.evs - 1, Mode::SinglePath);
        let at = script.open_as(1, 3, Mode::SinglePath);
        (0..40).for_each(|n| {
            script.request(at + n, n / distance % 2);
            script.mark(at + n, n % 2, if n % 2 == 0 { shape.evs - 1 + n / 20 } else { 3 + n / 10 });
        });
        suite.add(format!("turns-{distance}"), "two CCCs in turns", turns, script);
    }
}

fn others(suite: &mut Suite, shape: Shape) {
    let first = aim(&["Boundary"], &["N3", "N4"]);
    for distance in [8, 9, 10, 20] {
        let (mut script, at) = opened(shape, 5);
        script.mark(at, 0, 5);
        script.requests(at + distance, 0, 3);
        suite.add(format!("first-{distance}"), "suspect before the first request", first, script);
    }
    let mut script = Script::new(shape);
    let at = script.operate(0, Command::open(0, 5, Mode::SinglePath).rod()) + shape.effect();
    script.request(at, 0);
    script.marks(at + 1, 0, [5, 5, 5]);
    script.feedback(at + 4, 0, shape.evs, Kind::Nack);
    script.requests(at + 20, 0, 3);
    suite.add("rod", "there is no suspect", aim(&["Rod"], &["S15", "N2", "U28"]), script);
    for wait in [0, 200] {
        let (mut script, at) = opened(shape, 5);
        script.request(at, 0);
        script.mark(at + 1, 0, 5);
        script.requests(at + 20, 0, 2);
        script.marks(at + 22, 0, [6, 7, 8, 5]);
        let at = script.reopen(at + 27 + wait, 0, 5, Mode::SinglePath);
        script.requests(at, 0, 2);
        script.requests(at + 30, 0, 2);
        let rows = aim(&["Reopened"], &["S10", "N2", "N3", "N4"]);
        suite.add(format!("reopened-{wait}"), "the suspect of the life before is forgotten", rows, script);
    }
}
