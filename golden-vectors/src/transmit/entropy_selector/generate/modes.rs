// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows S14 to S16: CCCs of all modes at the same time, and one CCC in one mode after the other.

use super::shapes::shape;
use super::{
    classes, frozen, groups, kinds, mixed, oblivious, penalty, penalty_decrements, reps, reroute, ring_ages,
    saturation, single_path,
};
use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::entropy_selector::oracle::{ALL_FREE, Command, Kind, Mode, Op, Settings, Shape};
use crate::transmit::entropy_selector::script::{Script, built};
use crate::transmit::entropy_selector::suite::Suite;
use std::ops::Range;

/// Cycles of random events per case.
const CYCLES: u64 = 1500;
/// The number of CCCs in use.
const USED: u64 = 6;

/// Adds the groups of all modes: for three sizes, for memories of other latencies, and for stages with some of the
/// modes.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    let all = [shape(3, 16), shape(2, 256)].map(|shape| shape.modes(Mode::MASK));
    let others = [1, 3].map(|latency| shape(3, 16).modes(Mode::MASK).ram_latency(latency));
    for shape in all.into_iter().chain(others) {
        oblivious::add(suite, shape);
        reps::add(suite, shape);
        mixed::add(suite, shape);
        penalty::add(suite, shape);
        penalty_decrements::random(suite, shape, rng);
        lives(suite, shape);
        random(suite, shape, rng);
        // Rules that do not depend on the number of EVs are tested at one number.
        if shape.evs == 16 {
            single_path::add(suite, shape);
            frozen::add(suite, shape);
            penalty_decrements::add(suite, shape);
            reroute::add(suite, shape, rng);
            ring_ages::add(suite, shape, rng);
            classes::add(suite, shape, rng);
        }
    }
    for shape in all {
        groups::add(suite, shape);
    }
    kinds::add(suite, all[0]);
    saturation::modes(suite, all[0]);
    let between = shape(4, 32).modes(Mode::MASK);
    oblivious::add(suite, between);
    random(suite, between, rng);
    let [draws, path, recycled, counted] = [2 | 16, 8, 32, 64].map(|modes| shape(3, 16).modes(modes));
    oblivious::add(suite, draws);
    single_path::add(suite, path);
    mixed::add(suite, recycled);
    penalty_decrements::random(suite, counted, rng);
    for shape in [draws, path, recycled] {
        lives(suite, shape);
        random(suite, shape, rng);
    }
}

/// Adds the group `modes` of one size.
fn lives(suite: &mut Suite, shape: Shape) {
    let settings = Settings::new(300, 128).seed(0x2468_ACE1).reps(1, 2).path(1, 1);
    suite.group("modes", "modes in turns", shape, settings);
    opened(suite, shape);
    after_each_other(suite, shape);
    if shape.evs == 16 && shape.ram_latency == 2 {
        long_ago(suite, shape);
    }
}

/// *open* with every mode, included or not, on a closed and on an open CCC.
fn opened(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Mode", "Command"], &["S14", "S11", "U03"]);
    for code in 0..8 {
        for rod in [false, true] {
            let mut script = Script::new(shape);
            let open = Command { rod, ..Command::new(Op::Open, 0, 5).mode(code) };
            let at = script.operate(0, open) + shape.effect();
            script.marks(at, 0, [5, 6]);
            script.good(at + 2, 0, [9]);
            script.requests(at + 12, 0, 5);
            script.command(at + 12, Op::Read, 0, 0);
            script.operate(0, Command::new(Op::Open, 0, 3).mode((code + 1) % 8));
            script.operate(0, Command::new(Op::Read, 0, 3).mode(7 - code));
            script.operate(0, Command::new(Op::Close, 0, 3).mode(code));
            script.command(0, Op::Read, 0, 0);
            let id = format!("open-{code}{}", if rod { "-rod" } else { "" });
            suite.add(id, format!("mode {code}"), rows, script);
        }
    }
}

/// One CCC in one mode after the other, without pause. Neither its old table rows nor events in the pipeline may
/// reach the next life.
fn after_each_other(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Mode", "Reopened"], &["S10", "S14", "O1", "N4", "P1", "U03"]);
    let codes: Vec<_> = Mode::ALL.into_iter().filter(|mode| shape.mode(mode.code()).is_some()).collect();
    for (n, &first) in codes.iter().enumerate() {
        for (other, &second) in codes.iter().enumerate() {
            // At one size every pair of modes, at the others some.
            if (shape.evs > 16 || shape.ram_latency != 2) && other != (n + 1) % codes.len() {
                continue;
            }
            let (mut script, at) = Script::opened_as(shape, 5, first);
            let end = at + 3 * (2 * shape.operations()) + 10;
            script.reopen(at + 24, 0, 7, second);
            script.reopen(0, 0, 9, first);
            for cycle in at..end {
                let kind = if cycle % 11 == 3 {
                    Kind::Timeout
                } else {
                    [Kind::Good, Kind::Good, Kind::Ecn][cycle as usize % 3]
                };
                script.feedback(cycle, 0, 5 + cycle % 7, kind);
                if cycle % 4 != 0 {
                    script.request(cycle, 0);
                }
            }
            let id = format!("{first:?}-{second:?}").to_lowercase();
            suite.add(format!("lives-{id}"), "opened in the one mode, then in the other, then again", rows, script);
        }
    }
}

/// Some lives without events between two lives in the same mode. Table rows of the first must not count in the last.
fn long_ago(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Mode", "Reopened"], &["S10", "S14", "O1", "N4", "P1"]);
    for mode in Mode::ALL.into_iter().filter(|mode| shape.mode(mode.code()).is_some()) {
        for between in [1, 2, 3, 7, 15] {
            let (mut script, at) = Script::opened_as(shape, 5, mode);
            script.requests(at, 0, 2);
            let end = script.good(at + 2, 0, [9, 10, 11, 12]);
            let end = script.marks(end, 0, [5, 6, 7, 8]);
            script.requests(end + 9, 0, 4);
            let mut free = end + 14;
            for life in 0..between {
                free = script.reopen(free, 0, 3, built(shape, life));
            }
            let at = script.reopen(free, 0, 5, mode);
            script.requests(at, 0, 2);
            script.mark(at + 1, 0, 13);
            script.good(at + 3, 0, [14]);
            script.requests(at + 14, 0, 4);
            script.command(at + 14, Op::Read, 0, 0);
            let id = format!("{between}-lives-{}", format!("{mode:?}").to_lowercase());
            suite.add(id, "opened and closed some times without events", rows, script);
        }
    }
}

/// Adds the group `modes-load` of one size: random events on CCCs of all modes.
pub fn random(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    let settings = Settings::new(90, 128).seed(rng.below(1 << 32)).reps(2, 1).path(1, 1);
    suite.group("modes-load", "random events on CCCs of all modes", shape, settings);
    let used = shape.cccs.min(USED);
    let modes = u64::from(shape.modes.count_ones());
    // With few CCCs, each gets another mode in every case.
    for first in (0..modes).step_by(used as usize) {
        let mut script = Script::new(shape);
        let at = (0..used).map(|ccc| script.open_as(ccc, rng.below(shape.evs), built(shape, first + ccc))).last();
        events(&mut script, shape, settings, at.unwrap_or(0)..at.unwrap_or(0) + 600, rng);
        let rows = aim(&["Mode", "FullLoad", "Interleaved"], &["S1", "S5", "S14", "O2", "N3", "P5", "X1", "X2"]);
        suite.add(format!("from-{first}"), "each CCC in another mode", rows, script);
    }
    let mut script = Script::new(shape);
    let at = (0..used).map(|ccc| script.operate(0, any_open(shape, ccc, ccc, rng)) + shape.effect()).last();
    let at = at.unwrap_or(0);
    events(&mut script, shape, settings, at..at + CYCLES, rng);
    for _ in 0..CYCLES / 30 {
        let op = [Op::Read, Op::Open, Op::Open, Op::Close, Op::Reroute, Op::Resize][rng.below(6) as usize];
        let (ccc, mode) = (rng.below(used.next_power_of_two().max(2)), rng.below(7));
        script.operate(at + rng.below(20), Command { op, ..any_open(shape, ccc, mode, rng) });
    }
    script.unready = vec![Command::open(0, 7, Mode::Reps).rod(), Command::new(Op::Close, 0, 0)];
    script.unready_reroutes = vec![0, 1];
    let rows = aim(&["Mode", "FullLoad", "Reopened", "Command", "Settings"], &["S3", "S8", "S10", "S11", "S14", "S15"]);
    suite.add("lives", "CCCs are opened and closed in all modes", rows, script);
}

/// An *open* with random operands, most of them possible.
fn any_open(shape: Shape, ccc: u64, mode: u64, rng: &mut SplitMix64) -> Command {
    let mode = if rng.below(6) == 0 { rng.below(8) } else { built(shape, mode).code() };
    let open = Command::new(Op::Open, ccc, rng.below(shape.evs)).mode(mode);
    let open = open.class([0, 0, 0, 1, 2][rng.below(5) as usize]).stride([0, 0, 0, 1, 3][rng.below(5) as usize]);
    Command { rod: rng.below(8) == 0, fixed: rng.below(3) > 0, space: [0, 0, 3, 2][rng.below(4) as usize], ..open }
}

/// Random requests, feedback and *reroute*. At times each comes in every cycle, at times one of them is rare. Settings
/// change.
fn events(script: &mut Script, shape: Shape, first: Settings, cycles: Range<u64>, rng: &mut SplitMix64) {
    let used = shape.cccs.min(USED);
    let ports = used.next_power_of_two().max(2);
    for cycle in cycles.clone() {
        // How many of eight cycles have a request, and how many a feedback.
        let (asked, told) = [(8, 8), (8, 8), (2, 8), (8, 8), (8, 2), (4, 4)][(cycle - cycles.start) as usize / 70 % 6];
        let ccc = |rng: &mut SplitMix64| if rng.below(16) == 0 { rng.below(ports) } else { rng.below(used) };
        if rng.below(8) < asked {
            let free = if rng.below(8) == 0 { rng.below(1 << shape.ports) } else { ALL_FREE };
            script.request_on(cycle, ccc(rng), free);
        }
        if rng.below(8) < told {
            let ev = match rng.below(12) {
                0 => rng.below(0x10000),
                1..=6 => rng.below(8),
                _ => rng.below(shape.evs),
            };
            let kind = [Kind::Good, Kind::Good, Kind::Good, Kind::Ecn, Kind::Nack][rng.below(5) as usize];
            let kind = if rng.below(12) == 0 { Kind::of(3 + rng.below(3)) } else { kind };
            script.feedback(cycle, ccc(rng), ev, kind);
        }
        if rng.below(16) == 0 {
            script.reroute(cycle, ccc(rng));
        }
        if rng.below(48) == 0 {
            // The seed holds still, as a CCC may be opened (S23).
            let settings = Settings { rtt: 64 + rng.below(100), saturation: rng.below(300), ..first };
            script.set(cycle, settings.reps(rng.below(5), rng.below(4)).path(rng.below(3), rng.below(3)));
        }
    }
}
