// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows P7 and X2: EVs of the ring are used within two RTT or dropped, and not if they have been marked since.

use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Mode, Settings, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

const RTT: u64 = 64;

/// Adds the groups `ring-age` and `ring-age-load` of one size, for each mode with a ring that it has.
pub fn add(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    let modes = [Mode::Reps, Mode::Mixed].map(|mode| shape.mode(mode.code()));
    suite.group("ring-age", "EVs of a ring become too old", shape, Settings::new(RTT, 256).reps(0, 9));
    for mode in modes.into_iter().flatten() {
        edges(suite, shape, mode);
        dropped(suite, shape, mode);
        // Rules that do not depend on the latency are tested at one latency.
        if shape.ram_latency == 2 {
            parts(suite, shape, mode);
            idle(suite, shape, mode);
        }
    }
    if modes[0].is_some() {
        frozen(suite, shape);
    }
    if modes[1].is_some() {
        marked(suite, shape);
    }
    suite.group("ring-age-load", "EVs of a ring become too old", shape, Settings::new(RTT, 100).reps(1, 2));
    for mode in modes.into_iter().flatten() {
        random(suite, shape, mode, rng);
    }
}

fn opened(shape: Shape, mode: Mode, class: u64) -> Script {
    let mut script = Script::new(shape);
    script.operate(0, Command::open(0, 5, mode).class(class));
    script
}

/// GOOD in the first or last cycle of an epoch, and requests around the ends of the next ones.
fn edges(suite: &mut Suite, shape: Shape, mode: Mode) {
    let rows = aim(&["Ring", "Epoch", "Boundary"], &["P3", "P5", "P7", "X1", "U13"]);
    for class in if shape.ram_latency == 2 { 0..3 } else { 0..1 } {
        let rtt = RTT << class;
        for (name, told) in [("first", 2 * rtt), ("last", 3 * rtt - 1)] {
            for epoch in [3, 4, 5] {
                for offset in [-1, 0] {
                    let mut script = opened(shape, mode, class);
                    script.good(told, 0, [9, 11, 12]);
                    let asked = (epoch * rtt).saturating_add_signed(offset).max(told + 10);
                    script.requests(asked, 0, 4);
                    let comment = format!("GOOD in the {name} cycle of epoch 2 of {rtt} cycles");
                    let id = format!("{}-{class}-{name}-{epoch}{offset:+}", mode.name());
                    suite.add(id, comment, rows, script);
                }
            }
        }
    }
}

/// Some EVs of one epoch, some of the next: the older ones are passed over, and do not come back.
fn parts(suite: &mut Suite, shape: Shape, mode: Mode) {
    let rows = aim(&["Ring", "Epoch"], &["P2", "P3", "P5", "P7", "X1", "U13"]);
    for (old, new) in [(1, 1), (3, 2), (7, 1), (8, 1), (2, 8), (9, 9), (5, 0)] {
        for asked in [2, 3, 4] {
            let mut script = opened(shape, mode, 0);
            script.good(2 * RTT, 0, (0..old).map(|n| n + 1));
            script.good(3 * RTT, 0, (0..new).map(|n| 15 - n));
            // One is taken while all are fresh.
            script.request(3 * RTT + 20, 0);
            script.requests(asked * RTT + 25, 0, 5);
            script.good(asked * RTT + 26, 0, [7, 9]);
            script.requests(asked * RTT + 40, 0, 8);
            let id = format!("{}-parts-{old}-{new}-{asked}", mode.name());
            suite.add(id, format!("{old} in one epoch, {new} in the next"), rows, script);
        }
    }
    for gap in [1, 2, 3] {
        let mut script = opened(shape, mode, 0);
        script.good(2 * RTT, 0, [1, 2, 3]);
        script.good((2 + gap) * RTT, 0, [9]);
        script.good((2 + gap) * RTT + 3, 0, [11]);
        script.requests((2 + gap) * RTT + 14, 0, 4);
        script.requests((3 + gap) * RTT + 14, 0, 4);
        suite.add(format!("{}-gap-{gap}", mode.name()), format!("GOOD {gap} epochs later"), rows, script);
    }
}

/// Requests that pass over old EVs while GOOD is under way, at every distance, with room in the ring and without.
fn dropped(suite: &mut Suite, shape: Shape, mode: Mode) {
    let rows = aim(&["Ring", "BackToBack", "Boundary"], &["P2", "P3", "P5", "P7", "U13"]);
    let counts = [(6, 2), (3, 2), (8, 1)];
    for (old, new) in counts.into_iter().take(if shape.ram_latency == 2 { 3 } else { 1 }) {
        for distance in -9..=2_i64 {
            let mut script = opened(shape, mode, 0);
            script.good(2 * RTT, 0, (0..old).map(|n| n + 1));
            script.good(3 * RTT, 0, (0..new).map(|n| 15 - n));
            let told = 4 * RTT + 20;
            script.good(told, 0, [9, 8]);
            script.requests(told.saturating_add_signed(distance), 0, 3);
            script.requests(told + 16, 0, 6);
            let id = format!("{}-dropped-{old}-{new}{distance:+}", mode.name());
            suite.add(id, format!("{old} are too old, {distance} cycles from two more"), rows, script);
        }
    }
}

/// A CCC without feedback for many epochs.
fn idle(suite: &mut Suite, shape: Shape, mode: Mode) {
    let rows = aim(&["Ring", "Idle", "Epoch"], &["P7", "U13"]);
    for epochs in [2, 3, 4, 5, 8, 9, 16, 17, 64, 65] {
        let mut script = opened(shape, mode, 0);
        script.good(2 * RTT, 0, [1, 2, 3, 4]);
        script.requests((2 + epochs) * RTT + 3, 0, 3);
        script.good((2 + epochs) * RTT + 3, 0, [9]);
        script.requests((2 + epochs) * RTT + 20, 0, 3);
        suite.add(format!("{}-idle-{epochs}", mode.name()), format!("{epochs} epochs without feedback"), rows, script);
    }
}

/// A frozen ring uses old EVs; behind the freeze the ages go on.
fn frozen(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Ring", "Frozen", "Epoch"], &["P2", "P5", "P7", "U13"]);
    for (told, asked) in [(2, 2), (2, 3), (2, 4), (2, 6), (9, 10), (11, 11), (11, 13)] {
        let mut script = opened(shape, Mode::Reps, 0);
        script.good(2 * RTT - 8, 0, [1, 2, 3]);
        script.feedback(2 * RTT - 4, 0, 3, Kind::Timeout);
        script.good(told * RTT + 20, 0, [9, 11]);
        script.requests(asked * RTT + 40, 0, 9);
        script.feedback(13 * RTT + 50, 0, 3, Kind::Ecn);
        script.good(14 * RTT, 0, [14]);
        script.requests(14 * RTT + 20, 0, 3);
        suite.add(format!("frozen-{told}-{asked}"), "GOOD and requests in a freeze of 9", rows, script);
    }
}

/// U11: `mixed` does not use an EV of the ring that was marked since, or before.
fn marked(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Ring", "MarkedSince"], &["X1", "X2", "S6", "U11", "U13"]);
    for mark in [-80, -20, 1, 3, 20] {
        for asked in [0, 1, 2] {
            let mut script = opened(shape, Mode::Mixed, 0);
            let told = 3 * RTT + 30;
            script.good(told, 0, [9]);
            script.mark((told).saturating_add_signed(mark), 0, 9);
            script.good(told + 40, 0, [11]);
            script.requests(told.max(told.saturating_add_signed(mark)) + 9 + asked * RTT, 0, 4);
            let comment = format!("marked {mark} cycles from GOOD, asked {asked} RTT later");
            suite.add(format!("marked{mark:+}-{asked}"), comment, rows, script);
        }
    }
    for distance in 0..=10 {
        let mut script = opened(shape, Mode::Mixed, 0);
        let told = 3 * RTT;
        script.good(told, 0, [9, 10, 11]);
        script.mark(told + 12, 0, 9);
        script.mark(told + 13, 0, 10);
        script.requests(told + 12 + distance, 0, 5);
        suite.add(format!("marked-seen-{distance}"), "two of three are marked when they are taken", rows, script);
    }
    let saturated = aim(&["Ring", "MarkedSince", "Saturated"], &["X2", "S7", "U12", "U36"]);
    for saturation in [0, 128, 256] {
        let mut script = opened(shape, Mode::Mixed, 0);
        script.settings(0, RTT, saturation);
        script.good(3 * RTT, 0, [9, 10, 11]);
        script.marks(3 * RTT + 3, 0, [9, 10]);
        script.requests(3 * RTT + 20, 0, 5);
        suite.add(format!("marked-saturated-{saturation}"), "marks do not count if it is saturated", saturated, script);
    }
}

/// Random GOOD, marks and requests over many epochs.
fn random(suite: &mut Suite, shape: Shape, mode: Mode, rng: &mut SplitMix64) {
    for good in [2, 9] {
        let mut script = Script::new(shape);
        let at = script.operate(0, Command::open(0, 5, mode)) + shape.effect();
        for cycle in at..at + 700 {
            // The ring fills up, then empties, and at times nothing comes back.
            let phase = (cycle - at) / 50 % 4;
            if rng.below(4) >= phase {
                let kind = if rng.below(good) > 0 { Kind::Good } else { Kind::of(rng.below(5)) };
                script.feedback(cycle, 0, rng.below(shape.evs), kind);
            }
            if rng.below(4) < phase || rng.below(8) == 0 {
                script.request(cycle, 0);
            }
        }
        let rows = aim(&["Ring", "Epoch", "FullLoad"], &["P2", "P3", "P5", "P7", "X1", "X2", "U13"]);
        suite.add(format!("{}-{good}", mode.name()), "feedback and requests in bursts", rows, script);
    }
}
