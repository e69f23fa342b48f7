// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counters of flits, and the extended counters (L12 to L14, LR2, LR3).

use super::shapes::{self, DEFAULT, middle};
use crate::collect::aim;
use crate::routing::lia_router::oracle::{Settings, Size};
use crate::routing::lia_router::script::Script;
use crate::routing::lia_router::suite::Suite;

pub fn add(suite: &mut Suite) {
    for size in shapes::all() {
        suite.group("counts", "counters of flits", size, None);
        every_group(suite, size);
        wrap(suite, size);
        saturated(suite, size);
    }
    for size in shapes::CYCLES {
        suite.group("hazards", "events of one group that follow each other closely", size, None);
        back_to_back(suite, size);
        negative(suite, size);
        weights(suite, size);
    }
}

/// Each group has other numbers; flits for the own group and for none are not counted.
fn every_group(suite: &mut Suite, size: Size) {
    let mut script = Script::with(size, DEFAULT, middle(size));
    let groups = size.shape.groups();
    for offset in 0..groups {
        script.enter(offset, 3 + 5 * offset % 100);
        script.leave(offset, 1 + 3 * offset % 100);
    }
    if groups % 2 == 1 {
        script.enter_beside(groups, 99);
        script.leave_beside(groups, 98);
        script.step();
    }
    script.measured();
    for offset in [1, 2, groups / 2, groups - 1, 0] {
        script.read(offset);
    }
    script.request_all();
    let rows = aim(&["Unknown"], &["L12", "L14", "LR2", "LR3", "LR10"]);
    suite.add("every-group", "each group has its own counters", rows, script);
}

/// The counters of one group go round, with some flits in the queue.
fn wrap(suite: &mut Suite, size: Size) {
    let last = size.shape.groups() - 1;
    let mut script = Script::with(size, Settings { interval: 1, ..DEFAULT }, middle(size));
    script.enter(last, 37);
    // 16 bits go round in longer runs.
    for round in 0..7 {
        script.pass(last, 100 + 13 * round);
        script.sweeps(1);
        script.read(last);
    }
    let rows = aim(&["Wrap", "Interval"], &["L12", "LR2", "LR3"]);
    suite.add("wrap", "counters around 0", rows, script);
}

/// GC is at its largest, by what is queued, by what was injected, by both.
fn saturated(suite: &mut Suite, size: Size) {
    let half = 1 << (size.shape.counter_bits - 1);
    for (id, queued, injected, weight) in [
        ("largest", 0, half * 2 - 1, 0),
        ("beyond", half - 1, 0, 255),
        ("both", half / 2, half, 33),
        ("just-not", 40, half * 2 - 41, 16),
        ("just", 40, half * 2 - 40, 16),
    ] {
        let settings = Settings { weight, interval: 900, limits: [half * 2 - 2, half * 2 - 1], ..DEFAULT };
        let mut script = Script::with(size, settings, middle(size));
        script.pass(1, injected);
        script.enter(1, queued);
        // One interval ends, with all that has passed.
        script.idle(size.counted());
        script.set(|s| Settings { interval: 1, ..s });
        script.sweeps(1);
        script.set(|s| Settings { interval: 900, ..s });
        script.sweeps(3);
        script.read(1);
        script.request(1, 0);
        let rows = aim(&["Saturated", "Level"], &["L12", "L19", "LR3", "LR4"]);
        suite.add(format!("saturated-{id}"), "the extended counter near its largest number", rows, script);
    }
}

/// Flits of one group in consecutive cycles, with another one between them after each number of cycles, and both ways in
/// the same cycle.
fn back_to_back(suite: &mut Suite, size: Size) {
    let mut script = Script::with(size, Settings { limits: [200, 255], ..DEFAULT }, middle(size));
    let (one, two) = (script.group(1), script.group(2));
    for gap in 0..2 * size.counted() {
        script.enter_beside(one, 1);
        script.step();
        script.enter_beside(one, 2);
        script.leave_beside(one, 1);
        script.step();
        for other in 0..gap {
            script.enter_beside(two, other % 3);
            script.leave_beside(if other % 2 == 0 { one } else { two }, u64::from(other % 2 == 1));
            script.step();
        }
        script.enter_beside(one, 1);
        script.leave_beside(one, 2);
        script.step();
    }
    script.read(1);
    script.read(2);
    script.measured();
    script.read(1);
    script.read(2);
    let rows = aim(&["BackToBack"], &["L12", "LR2"]);
    suite.add("back-to-back", "events of one group that follow each other closely", rows, script);
}

/// What leaves is reported before it has entered: there is less than none for a while.
fn negative(suite: &mut Suite, size: Size) {
    let mut script = Script::with(size, DEFAULT, middle(size));
    for flits in [1, 2, 100, 127, 128] {
        script.leave(3, flits);
        script.idle(size.counted());
        script.read(3);
        script.enter(3, flits);
        script.idle(size.counted());
        script.read(3);
    }
    let rows = aim(&["Negative"], &["L12", "LR3"]);
    suite.add("negative", "flits that leave before they have entered", rows, script);
}

/// Each weight with some flits in a queue.
fn weights(suite: &mut Suite, size: Size) {
    let mut script = Script::with(size, DEFAULT, middle(size));
    script.enter(2, 13);
    for weight in [0, 1, 2, 4, 5, 8, 15, 16, 17, 31, 64, 128, 170, 255] {
        script.set(|s| Settings { weight, ..s });
        script.sweeps(1);
        script.read(2);
    }
    let rows = aim(&["Weight"], &["L12", "L13", "LR3", "LR9"]);
    suite.add("weights", "each weight", rows, script);
}
