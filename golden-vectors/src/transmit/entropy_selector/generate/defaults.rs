// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row S24: the settings after reset, which are in force as long as there are no others.

use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Mode, Op, Settings, SettingsPorts, Shape};
use crate::transmit::entropy_selector::script::{Script, built};
use crate::transmit::entropy_selector::suite::Suite;

/// The longest case.
const LONGEST: u64 = 200_000;

/// Adds the group `defaults` of one size. The ports have other values than those in force, without `settings_valid`.
pub fn add(suite: &mut Suite, shape: Shape) {
    let other = Settings { rtt: 64, saturation: 0, seed: 0xFFFF_FFFF, ..Settings::new(64, 0) };
    let withheld = SettingsPorts { valid: false, pipeline: 0, values: other.reps(3, 1).path(0, 1) };
    suite.group("defaults", "settings as they are after reset", shape, withheld);
    begins(suite, shape);
    if shape.mode(Mode::Bitmap.code()).is_some() {
        saturation(suite, shape);
        rtt(suite, shape);
    }
    if let Some(mode) = shape.mode(Mode::Reps.code()) {
        explore(suite, shape, mode);
    }
    if let Some(mode) = shape.mode(Mode::SinglePath.code()) {
        moves(suite, shape, mode);
    }
}

/// An RTT after reset, in cycles.
fn length(shape: Shape) -> u64 {
    shape.settings.rtt.max(64)
}

/// `seed`.
fn begins(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["RandomStart", "Settings"], &["S23", "S24", "U08"]);
    let mut script = Script::new(shape);
    let cccs = shape.cccs.min(4);
    let open = |ccc| Command::open(ccc, 5, built(shape, ccc)).random();
    let at = (0..cccs).map(|ccc| script.operate(0, open(ccc)) + shape.effect()).last().unwrap_or(0);
    (0..16).for_each(|n| script.request(at + n, n % cccs));
    suite.add("begins", "random starts and numbers on the wire", rows, script);
}

/// As many marks as `saturation` allows, and one more.
fn saturation(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Saturated", "Settings"], &["S7", "S24", "U12"]);
    let most = (shape.settings.saturation * shape.evs / 256).min(shape.evs - 1);
    for marks in [most, most + 1] {
        let (mut script, at) = Script::opened_as(shape, 0, Mode::Bitmap);
        let at = script.marks(at, 0, 0..marks);
        script.requests(at + 12, 0, 2);
        suite.add(format!("saturation-{marks}"), format!("{marks} of {} marked", shape.evs), rows, script);
    }
}

/// A mark from the middle of an RTT to the end of the next one.
fn rtt(suite: &mut Suite, shape: Shape) {
    if 4 * length(shape) > LONGEST {
        return;
    }
    let rows = aim(&["Epoch", "Settings"], &["S6", "S9", "S24", "U11"]);
    let (mut script, at) = Script::opened_as(shape, 5, Mode::Bitmap);
    let epoch = at / length(shape) + 1;
    script.mark(epoch * length(shape), 0, 6);
    let last = (epoch + 2) * length(shape) - 1;
    script.request(last - 1, 0);
    script.request(last, 0);
    (0..shape.evs - 2).for_each(|n| script.request(last + 1 + n, 0));
    suite.add("rtt", "a mark for two RTT", rows, script);
}

/// `explore`, and no more EVs.
fn explore(suite: &mut Suite, shape: Shape, mode: Mode) {
    let rows = aim(&["Ring", "Settings"], &["P4", "S24", "U13"]);
    let (mut script, at) = Script::opened_as(shape, 5, mode);
    let end = script.requests(at, 0, shape.settings.explore);
    script.good(end, 0, [9, 10]);
    script.requests(end + 12, 0, 3);
    script.feedback(end + 20, 0, 3, Kind::Timeout);
    script.requests(end + 40, 0, 4);
    suite.add("explore", "from the first EV to the first of the ring", rows, script);
    freeze(suite, shape, mode);
}

/// A ring is frozen, and a feedback before and at the end of that.
fn freeze(suite: &mut Suite, shape: Shape, mode: Mode) {
    let length = 64 * shape.settings.freeze.max(1);
    if length > LONGEST {
        return;
    }
    let rows = aim(&["Frozen", "Settings"], &["P2", "S24", "U13"]);
    let (mut script, at) = Script::opened_as(shape, 5, mode);
    let end = script.requests(at, 0, shape.settings.explore);
    script.good(end, 0, [9, 10]);
    let frozen = (end / 64 + 2) * 64 - shape.freeze();
    script.feedback(frozen, 0, 3, Kind::Timeout);
    script.feedback(frozen + length - 1, 0, 3, Kind::Ecn);
    script.feedback(frozen + length, 0, 3, Kind::Ecn);
    script.requests(frozen + length - 3, 0, 16);
    suite.add("freeze", "a feedback before and at the end of a freeze", rows, script);
}

/// `idle` and `reroute`: a request right before the end of each time, or at it.
fn moves(suite: &mut Suite, shape: Shape, mode: Mode) {
    let rows = aim(&["Timer", "Reroute", "Settings"], &["N4", "N5", "S24", "U06"]);
    let Settings { idle, reroute, .. } = shape.settings;
    let rtt = length(shape);
    for (name, time) in [("idle", idle + 1), ("reroute", reroute.max(1) + 1)] {
        if (time + 4) * rtt > LONGEST {
            continue;
        }
        for before in [1, 0] {
            let (mut script, at) = Script::opened_as(shape, 5, mode);
            let first = (at / rtt + 1) * rtt;
            script.request(first, 0);
            script.reroute(first + 20, 0);
            if name == "reroute" {
                // A request in every RTT, so that it is not idle unless `idle` is 0.
                (1..time).for_each(|n| script.request(first + n * rtt, 0));
            }
            script.request(first + time * rtt - before, 0);
            script.command(first + time * rtt + 20, Op::Read, 0, 0);
            suite.add(format!("{name}-{before}"), format!("a path may move after {time} RTT"), rows, script);
        }
    }
}
