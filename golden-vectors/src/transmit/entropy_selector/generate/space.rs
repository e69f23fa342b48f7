// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows S17 and S18: EV spaces of every size, and *resize* while requests and feedback come.

use super::shapes::shape;
use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Mode, Op, Settings, Shape};
use crate::transmit::entropy_selector::script::{Script, built};
use crate::transmit::entropy_selector::suite::Suite;
use std::collections::BTreeSet;

/// Adds the groups `space` and `space-load`: for the bitmap alone and for all modes, for every latency of memories,
/// and for the largest number of EVs, where several share a word of the memory.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in [shape(1, 16), shape(2, 1024)] {
        bitmap(suite, shape);
        random(suite, shape, rng);
    }
    random(suite, shape(4, 256), rng);
    for shape in [1, 2, 3].map(|latency| shape(3, 16).modes(Mode::MASK).ram_latency(latency)) {
        bitmap(suite, shape);
        modes(suite, shape);
        random(suite, shape, rng);
    }
    random(suite, shape(2, 256).modes(Mode::MASK), rng);
}

/// The exponent of the largest space, log2 of `evs`.
const fn most(shape: Shape) -> u64 {
    shape.evs.ilog2() as u64
}

fn bitmap(suite: &mut Suite, shape: Shape) {
    suite.group("space", "EV spaces", shape, (64, 256));
    resized(suite, shape);
    forgotten(suite, shape);
    ages(suite, shape);
    // Rules that do not depend on the latency are tested at one latency.
    if shape.ram_latency == 2 {
        codes(suite, shape);
        walks(suite, shape);
        saturated(suite, shape);
    }
}

/// Every code of a space, with *open* and with *resize*, and feedback around the end of the space.
fn codes(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Space", "Command", "OutOfRange"], &["S17", "S18", "S8", "S11", "U10"]);
    for code in 0..16 {
        let mut script = Script::new(shape);
        let at = script.open_sized(0, 1, Mode::Bitmap, code);
        let last = shape.space(code).unwrap_or(shape.evs) - 1;
        for (cycle, ev) in (at..).zip([last, last + 1, 2 * last + 1, shape.evs - 1, shape.evs, last + 0x4000]) {
            script.feedback(cycle, 0, ev, Kind::Ecn);
        }
        script.requests(at + 16, 0, 3);
        script.command(at + 8, Op::Read, 0, 0);
        script.command(0, Op::Open, 0, 0);
        script.resize(0, 0, (code + 5) % 16);
        let at = script.command(0, Op::Read, 0, 0);
        script.requests(at, 0, 3);
        script.command(0, Op::Close, 0, 0);
        script.resize(0, 0, code);
        // The largest CCC number that the port can carry.
        script.resize(0, shape.cccs.next_power_of_two().max(2) - 1, code);
        script.command(0, Op::Read, 0, 0);
        suite.add(format!("code-{code}"), format!("space {code}, then {}", (code + 5) % 16), rows, script);
    }
}

/// More than one round of each space, from EVs inside and outside it, with marks and without.
fn walks(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Space", "Round", "BackToBack"], &["S2", "S17", "U10"]);
    for code in 1..=most(shape) {
        let space = 1 << code;
        for start in BTreeSet::from([0, space - 1, space % shape.evs, shape.evs - 1]) {
            for marked in [false, true] {
                let mut script = Script::new(shape);
                script.settings(0, 1000, 256);
                let at = script.open_sized(0, start, Mode::Bitmap, code);
                if marked {
                    script.marks(at, 0, [space - 1, space / 2, 0].into_iter().take(1 << (code - 1).min(2)));
                }
                script.requests(at + 14, 0, (space + 3).min(70));
                let id = format!("walk-{code}-{start}{}", if marked { "-marked" } else { "" });
                suite.add(id, format!("from EV {start} in a space of {space}"), rows, script);
            }
        }
    }
}

/// All EVs of a space are marked, and all but one.
fn saturated(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Space", "Saturated", "Boundary"], &["S7", "S17", "U12"]);
    for code in 1..=most(shape).min(6) {
        let space: u64 = 1 << code;
        for left in [0, 1] {
            let mut script = Script::new(shape);
            script.settings(0, 1000, 256);
            let at = script.open_sized(0, 1, Mode::Bitmap, code);
            let at = script.marks(at, 0, (0..space - left).map(|ev| (ev + 1) % space));
            script.requests(at + 9, 0, 4);
            script.command(at, Op::Read, 0, 0);
            // A larger space has EVs without a mark.
            let at = script.resize(0, 0, 0);
            script.requests(at - 2, 0, 6);
            suite.add(format!("full-{code}-{left}"), format!("all but {left} of {space} EVs marked"), rows, script);
        }
    }
}

/// Requests in every cycle while the space changes, which shows the EV at which the order continues.
fn resized(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Space", "Command", "BackToBack"], &["S10", "S17", "S18", "U10"]);
    let most = most(shape);
    for (from, to) in [(0, 1), (0, most - 1), (most - 1, 1), (1, 0), (2, most - 1), (most - 1, most), (1, 1)] {
        for start in [shape.evs / 2 - 3, shape.evs - 4] {
            for gap in [1, 2, 3, 5] {
                let mut script = Script::new(shape);
                script.settings(0, 1000, 256);
                let at = script.open_sized(0, start, Mode::Bitmap, from);
                script.marks(at, 0, [1, 2, 3, shape.evs - 1]);
                let change = script.resize(at, 0, to);
                (0..14).for_each(|n| script.request(change - 6 * gap + n * gap, 0));
                script.command(0, Op::Read, 0, 0);
                let id = format!("resize-{from}-{to}-{start}-{gap}");
                suite.add(id, format!("from space {from} to {to}, a request every {gap} cycles"), rows, script);
            }
        }
    }
    // *resize* as often as it is accepted.
    let mut script = Script::new(shape);
    script.settings(0, 64, 128);
    let at = script.open_sized(0, 5, Mode::Bitmap, 0);
    let codes = [1, 0, 2, 2, 3, most + 1, 1, most, 4, 15, 2, most - 1, 1];
    let end = codes.into_iter().fold(at, |_, code| script.resize(0, 0, code));
    for cycle in at..end {
        script.request(cycle, 0);
        script.mark(cycle, 0, if cycle % 3 == 0 { cycle % 4 } else { cycle });
    }
    script.unready = [1, 2, 0].map(|code| Command::resize(0, code)).into();
    suite.add("resize-often", "one resize behind the other", rows, script);
}

/// Which marks a smaller space discards, to the cycle. A larger space, and one of the same size, discard none.
fn forgotten(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Space", "Boundary"], &["S5", "S18", "U11"]);
    for (name, from, to) in [("smaller", 0, 2), ("same", 2, 2), ("larger", 2, 0)] {
        for distance in [-30, -20, -12, -3, -2, -1, 0, 1] {
            let mut script = Script::new(shape);
            script.settings(0, 1000, 256);
            let at = script.open_sized(0, 0, Mode::Bitmap, from) + 30;
            let change = script.resize(at, 0, to);
            script.mark(at - 20, 0, 1);
            script.mark(change.saturating_add_signed(distance), 0, 2);
            script.requests(change - 2, 0, 3);
            script.requests(change + 12, 0, 4);
            script.command(0, Op::Read, 0, 0);
            let comment = format!("a mark {distance} cycles from when the space is {name}");
            suite.add(format!("{name}{distance:+}"), comment, rows, script);
        }
    }
}

/// Table rows with marks of every age when the space becomes smaller, while the marks are renewed.
fn ages(suite: &mut Suite, shape: Shape) {
    if shape.evs > 16 || shape.modes != 1 {
        return;
    }
    let rows = aim(&["Space", "Epoch", "Reopened"], &["S6", "S18", "U11"]);
    for epochs in 0..6 {
        for distance in [-24, -18, -15, -13, -12, -11, -10, -9, -8, -6, -4, -1, 0] {
            let mut script = Script::new(shape);
            let at = script.open_sized(0, 0, Mode::Bitmap, 0);
            // In each round the row can be of another generation.
            let at = (0..4).fold(at, |at, round| {
                script.mark(at, 0, 3);
                let change = script.resize(at + 64 * epochs + 5 * round, 0, 2 - round % 2);
                script.mark(change.saturating_add_signed(distance).max(at + 1), 0, round % 2);
                script.requests(change + 9, 0, 2);
                script.resize(0, 0, 0) + 20
            });
            script.requests(at, 0, 3);
            script.command(0, Op::Read, 0, 0);
            let comment = format!("marks of {epochs} epochs before, and {distance} cycles from the change");
            suite.add(format!("age-{epochs}{distance:+}"), comment, rows, script);
        }
    }
}

/// The same in every mode: EVs that are not in the smaller space must not be granted.
fn modes(suite: &mut Suite, shape: Shape) {
    let settings = Settings::new(1000, 256).seed(0x1357_9BDF).reps(1, 3).path(0, 0);
    suite.group("space-modes", "EV spaces in every mode", shape, settings);
    let rows = aim(&["Space", "Mode", "BackToBack"], &["S17", "S18", "O2", "N3", "P5", "X1", "U10"]);
    let most = most(shape);
    for mode in Mode::ALL {
        let name = format!("{mode:?}").to_lowercase();
        for (from, to) in [(0, 1), (0, 3), (most - 1, 2), (1, 0), (2, most - 1), (3, 3)] {
            for &gap in if shape.ram_latency == 2 { &[1, 3][..] } else { &[1] } {
                let mut script = Script::new(shape);
                let at = script.open_sized(0, shape.evs - 5, mode, from);
                let space = shape.space(from).unwrap_or(shape.evs);
                script.good(at, 0, (1..=6).map(|n| (space - n.min(space)) % space));
                let change = script.resize(at + 10, 0, to);
                (0..30).for_each(|n| script.request(change - 10 * gap + n * gap, 0));
                // The path becomes suspect, whatever its EV. Some EVs with GOOD feedback are in the new space, others
                // are not.
                script.marks(change - 12, 0, [space - 1, space - 5 % space, space - 4 % space, 0, 1, 3]);
                script.good(change - 3, 0, [space - 1, 1, space - 2, 5, 2, 0]);
                script.marks(change + 12, 0, 0..8);
                script.command(0, Op::Read, 0, 0);
                let id = format!("{name}-{from}-{to}-{gap}");
                suite.add(id, format!("from space {from} to {to}, a request every {gap} cycles"), rows, script);
            }
        }
        // The ring is frozen with EVs of the larger space.
        let mut script = Script::new(shape);
        let at = script.open_sized(0, 3, mode, 0);
        script.good(at, 0, (1..=5).map(|n| shape.evs - n));
        script.feedback(at + 5, 0, shape.evs - 1, Kind::Timeout);
        let change = script.resize(at + 6, 0, 2);
        script.requests(change - 4, 0, 20);
        suite.add(format!("{name}-frozen"), "the space becomes smaller behind a TIMEOUT", rows, script);
    }
}

/// Random events on CCCs whose space changes now and then.
fn random(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    let settings = Settings::new(70, 128).seed(rng.below(1 << 32)).reps(2, 1).path(1, 1);
    suite.group("space-load", "random events on CCCs whose EV spaces change", shape, settings);
    for cccs in [1, shape.cccs] {
        let mut script = Script::new(shape);
        let code = |rng: &mut SplitMix64| [0, 1, 2, 3, rng.below(16)][rng.below(5) as usize];
        let opened =
            (0..cccs).map(|ccc| script.open_sized(ccc, rng.below(shape.evs), built(shape, ccc + 2), code(rng)));
        let at = opened.last().unwrap_or(0);
        for step in 0..700 {
            let (asked, told) = [(8, 8), (2, 8), (8, 2), (4, 1)][step as usize / 90 % 4];
            if rng.below(8) < asked {
                script.request(at + step, rng.below(cccs));
            }
            if rng.below(8) < told {
                let ev = [rng.below(4), rng.below(8), rng.below(shape.evs)][rng.below(3) as usize];
                script.feedback(at + step, rng.below(cccs), ev, Kind::of(rng.below(6)));
            }
            if rng.below(90) == 0 {
                script.set(at + step, Settings { rtt: 64 + rng.below(40), saturation: rng.below(300), ..settings });
            }
        }
        for _ in 0..28 {
            let ccc = rng.below(cccs);
            let op = [Op::Resize, Op::Resize, Op::Resize, Op::Read, Op::Open, Op::Close][rng.below(6) as usize];
            let mode = built(shape, rng.below(7)).code();
            let command = Command { rod: rng.below(12) == 0, ..Command::new(op, ccc, rng.below(shape.evs)) };
            script.operate(at + rng.below(20), command.mode(mode).space(code(rng)));
        }
        let rows = aim(&["Space", "FullLoad", "Command"], &["S2", "S5", "S7", "S8", "S10", "S11", "S17", "S18"]);
        suite.add(format!("load-{cccs}"), format!("{cccs} CCCs"), rows, script);
        if shape.cccs == 1 {
            break;
        }
    }
}
