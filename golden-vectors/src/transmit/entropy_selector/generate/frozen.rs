// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows P2 to P5: a frozen ring gives its EVs again and again.

use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Kind, Mode, Settings, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

const SETTINGS: Settings = Settings::new(1000, 128).seed(0x0B3D_4E21);

/// Adds the group `frozen` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("frozen", "a TIMEOUT freezes the ring for a time", shape, SETTINGS.reps(0, 1000));
    thaw(suite, shape);
    thaw_changes(suite, shape);
    in_flight(suite, shape);
    // Rules that do not depend on the latency are tested at one latency.
    if shape.ram_latency == 2 {
        stale(suite, shape);
        rounds(suite, shape);
    }
}

/// The first cycle in which a feedback reads this time, in units of 64 cycles.
const fn first_of(shape: Shape, time: u64) -> u64 {
    64 * time - shape.freeze()
}

fn opened(shape: Shape) -> (Script, u64) {
    Script::opened_as(shape, 5, Mode::Reps)
}

/// A row of `count` EVs.
fn any_evs(shape: Shape, count: u64) -> impl Iterator<Item = u64> {
    (0..count).map(move |n| (3 * n + 1) % shape.evs)
}

/// A frozen ring with each number of EVs, and one into which EVs are written while it is frozen.
fn stale(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Frozen", "Ring"], &["P2", "P5", "U13"]);
    for count in 0..=10 {
        let (mut script, at) = opened(shape);
        let at = script.good(at, 0, any_evs(shape, count));
        script.feedback(at, 0, 3, Kind::Timeout);
        script.requests(at + 10, 0, 2 * count + 4);
        suite.add(format!("written-{count}"), "all are used, then again and again", rows, script);
    }
    for asked in 0..=9 {
        let (mut script, at) = opened(shape);
        let at = script.good(at, 0, any_evs(shape, 3));
        script.feedback(at, 0, 3, Kind::Timeout);
        let at = script.requests(at + 10, 0, 3 + asked);
        let at = script.good(at + asked % 3, 0, [15, 14]);
        script.feedback(at, 0, 15, Kind::Timeout);
        script.requests(at + 2, 0, 20);
        suite.add(format!("written-behind-{asked}"), "two more are written while it is frozen", rows, script);
    }
    for distance in 0..=12 {
        let (mut script, at) = opened(shape);
        script.good(at, 0, any_evs(shape, 2));
        script.requests(at + 12, 0, 2);
        script.feedback(at + 20, 0, 3, Kind::Timeout);
        script.requests(at + 20 + distance, 0, 3);
        suite.add(format!("seen-{distance}"), "requests soon behind the TIMEOUT", rows, script);
    }
}

/// The cycle in which a freeze ends.
fn thaw(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Frozen", "Timer", "Boundary"], &["P2", "P4", "P5"]);
    for freeze in [0, 1, 2] {
        for offset in [-1, 0, 1] {
            for kind in [Kind::Good, Kind::Nack, Kind::Timeout] {
                let (mut script, _) = opened(shape);
                script.set(0, SETTINGS.reps(2, freeze));
                let frozen = first_of(shape, 3) + 20;
                script.good(frozen - 10, 0, any_evs(shape, 3));
                script.feedback(frozen, 0, 3, Kind::Timeout);
                script.requests(frozen + 10, 0, 6);
                let end = first_of(shape, 3 + freeze).saturating_add_signed(offset).max(frozen + 17);
                script.feedback(end, 0, 9, kind);
                script.requests(end + 6, 0, 5);
                script.good(end + 3, 0, [12]);
                // If the last TIMEOUT had frozen the ring again, the freeze would end here.
                let later = end + (64 * freeze).max(6);
                script.feedback(later, 0, 2, Kind::Ecn);
                script.requests(later + 12, 0, 4);
                let comment = format!("{kind:?} {offset} cycles from the end of a freeze");
                let id = format!("end-{freeze}{offset:+}-{}", format!("{kind:?}").to_lowercase());
                suite.add(id, comment, edge, script);
            }
        }
    }
    if shape.ram_latency == 2 {
        for offset in [-1, 0] {
            let (mut script, at) = opened(shape);
            script.set(0, SETTINGS.reps(0, 300));
            script.good(at, 0, any_evs(shape, 3));
            script.feedback(at + 3, 0, 3, Kind::Timeout);
            script.requests(at + 20, 0, 5);
            let end = first_of(shape, 300).saturating_add_signed(offset);
            script.feedback(end, 0, 9, Kind::Ecn);
            script.requests(end + 12, 0, 3);
            suite.add(format!("end-300{offset:+}"), "a time of more bits", edge, script);
        }
    }
    let (mut script, at) = opened(shape);
    script.set(0, SETTINGS.reps(0, 0xF_FFFF));
    script.good(at, 0, any_evs(shape, 3));
    script.feedback(at + 3, 0, 3, Kind::Timeout);
    script.feedback(at + 300, 0, 9, Kind::Ecn);
    script.requests(at + 312, 0, 7);
    suite.add("longest", "a freeze that does not end here", edge, script);
    for distance in [1, 2, 3, 30, 60] {
        let (mut script, _) = opened(shape);
        script.set(0, SETTINGS.reps(0, 2));
        let frozen = first_of(shape, 3) + 3;
        script.good(frozen - 10, 0, any_evs(shape, 2));
        script.feedback(frozen, 0, 3, Kind::Timeout);
        script.feedback(frozen + distance, 0, 3, Kind::Timeout);
        script.feedback(first_of(shape, 5) - 1, 0, 3, Kind::Timeout);
        script.requests(frozen + 70, 0, 5);
        script.feedback(first_of(shape, 5), 0, 3, Kind::Ecn);
        script.requests(first_of(shape, 5) + 12, 0, 3);
        suite.add(format!("again-{distance}"), "a TIMEOUT does not put the end off", edge, script);
    }
}

/// `settings_freeze` changes around the cycle in which it is read.
fn thaw_changes(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Frozen", "Settings", "Boundary"], &["P2"]);
    for distance in 2..=9 {
        for (name, to) in [("shorter", 0), ("longer", 1000)] {
            let (mut script, at) = opened(shape);
            script.set(0, SETTINGS.reps(0, 1000 - to));
            script.good(at, 0, any_evs(shape, 2));
            script.feedback(at + 2, 0, 3, Kind::Timeout);
            script.requests(at + 12, 0, 3);
            script.feedback(at + 20, 0, 9, Kind::Ecn);
            script.set(at + 20 + distance, SETTINGS.reps(0, to));
            script.requests(at + 34, 0, 3);
            suite.add(format!("{name}-{distance}"), format!("{distance} cycles behind a feedback"), edge, script);
        }
    }
}

/// Requests that take EVs while others of them have emptied the ring but are not yet seen.
fn in_flight(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Frozen", "Ring", "BackToBack"], &["P2", "P3", "P5"]);
    for written in [1, 2, 5, 8] {
        for good in [0, 1, 4] {
            let (mut script, at) = opened(shape);
            script.set(0, SETTINGS.reps(0, 0));
            let end = script.good(at, 0, any_evs(shape, written));
            script.feedback(end, 0, 3, Kind::Timeout);
            // This ends the freeze. EVs taken before the end is seen must not be missing from those written later.
            script.feedback(end + 10, 0, 7, Kind::Nack);
            script.good(end + 11, 0, (0..good).map(|n| 9 + n));
            script.requests(end + 7, 0, 24);
            let comment = format!("{written} written before, {good} behind the end of a freeze");
            suite.add(format!("under-way-{written}-{good}"), comment, rows, script);
        }
    }
    let (mut script, at) = opened(shape);
    script.set(0, SETTINGS.reps(1, 0));
    (0..80)
        .for_each(|n| script.feedback(at + n, 0, n % shape.evs, if n % 5 == 4 { Kind::Timeout } else { Kind::Good }));
    script.requests(at, 0, 90);
    suite.add("restless", "frozen and not in every few cycles", rows, script);
    let (mut script, at) = opened(shape);
    script.set(0, SETTINGS.reps(3, 1));
    (0..300).for_each(|n| {
        let kind = if n % 23 == 0 { Kind::Timeout } else { Kind::ALL[n as usize / 2 % 3] };
        script.feedback(at + n, 0, 7 * n % shape.evs, kind);
    });
    (0..300).filter(|n| n % 7 < 4).for_each(|n| script.request(at + n, 0));
    suite.add("stream", "frozen again soon behind each end", rows, script);
}

/// The rounds of the ring are counted modulo 4, so four ends of a freeze look like none.
fn rounds(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Frozen", "Boundary"], &["P1", "P2", "P4"]);
    for count in 1..=9 {
        for asked in [false, true] {
            let (mut script, at) = opened(shape);
            script.set(0, SETTINGS.reps(2, 0));
            script.requests(at, 0, 3);
            let mut at = at + 3;
            for n in 0..count {
                script.feedback(at, 0, 3, Kind::Timeout);
                script.feedback(at + 1, 0, 4 + n, Kind::Good);
                at += 2;
                if asked {
                    script.request(at + 8, 0);
                    at += 9;
                }
            }
            script.requests(at + 8, 0, 5);
            let comment =
                format!("{count} ends of a freeze, requests {}", if asked { "between them" } else { "behind them" });
            suite.add(format!("rounds-{count}{}", if asked { "-asked" } else { "" }), comment, rows, script);
        }
    }
    // The round has the same number again, so the pointer stays. It is now behind the EVs that are in the ring.
    for (used, written) in [(3, 1), (3, 2), (5, 2), (5, 4), (8, 3)] {
        let (mut script, at) = opened(shape);
        script.set(0, SETTINGS.reps(2, 0));
        script.requests(at, 0, 2);
        let at = script.good(at + 2, 0, any_evs(shape, 8));
        script.feedback(at, 0, 3, Kind::Timeout);
        let mut at = script.requests(at + 10, 0, 8 + used);
        for _ in 0..3 {
            script.feedback(at, 0, 3, Kind::Timeout);
            at += 1;
        }
        script.feedback(at, 0, 3, Kind::Ecn);
        let at = script.good(at + 1, 0, (0..written).map(|n| 9 + n));
        script.feedback(at, 0, 3, Kind::Timeout);
        script.requests(at + 10, 0, 2 * written + 6);
        let comment = format!("{used} used again, four ends of a freeze, {written} written");
        suite.add(format!("pointer-{used}-{written}"), comment, rows, script);
    }
}
