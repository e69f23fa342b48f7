// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row S20: only EVs of free ports are granted.

use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Mode, Op, Settings, Shape};
use crate::transmit::entropy_selector::script::{Script, built};
use crate::transmit::entropy_selector::suite::Suite;

/// Adds the group `free-ports` of one size.
pub fn add(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    let settings = Settings::new(100, 128).seed(0x369C_5A11).reps(1, 1);
    suite.group("free-ports", "requests while some ports are not free", shape, settings);
    for n in 0..u64::from(shape.modes.count_ones()) {
        let mode = built(shape, n);
        masks(suite, shape, mode);
        state(suite, shape, mode);
        random(suite, shape, mode, rng);
    }
    refused(suite, shape);
}

/// Each port alone, all but each, none, and all.
fn masks(suite: &mut Suite, shape: Shape, mode: Mode) {
    let rows = aim(&["FreePorts", "Egress"], &["S19", "S20", "U26"]);
    let all = (1 << shape.ports) - 1;
    let mut masks: Vec<u64> = (0..shape.ports).map(|port| 1 << port).collect();
    masks.extend([0, all - 1]);
    masks.sort_unstable();
    masks.dedup();
    for mask in masks {
        let (mut script, at) = Script::opened_as(shape, 3, mode);
        script.good(at, 0, [1, 6]);
        script.mark(at + 2, 0, 4);
        (0..20).for_each(|n| script.request_on(at + 12 + n, 0, mask));
        script.command(at + 20, Op::Read, 0, 0);
        suite.add(format!("{}-mask-{mask:b}", mode.name()), "the same ports are free all the time", rows, script);
    }
}

/// A blocked request changes the state as a grant does: the EV is passed over, taken from the ring, or moves.
fn state(suite: &mut Suite, shape: Shape, mode: Mode) {
    let rows = aim(&["FreePorts", "BackToBack"], &["S20", "N1", "K3", "P5", "X2", "O2", "U26"]);
    for gap in [1, 2, 9] {
        let (mut script, at) = Script::opened_as(shape, shape.evs - 2, mode);
        script.good(at, 0, [9, 10, 11]);
        script.marks(at + 3, 0, [shape.evs - 2, shape.evs - 1]);
        (0..14).for_each(|n| script.request_on(at + 14 + n * gap, 0, if n % 3 == 0 { 0 } else { u64::MAX }));
        // A single path moves with a blocked request too.
        script.reroute(at + 40 + 14 * gap, 0);
        script.request_on(at + 340 + 14 * gap, 0, 0);
        script.requests(at + 341 + 14 * gap, 0, 2);
        script.command(at + 345 + 14 * gap, Op::Read, 0, 0);
        suite.add(format!("{}-none-{gap}", mode.name()), "no port is free now and then", rows, script);
    }
}

/// Random masks, and marks on EVs that come soon.
fn random(suite: &mut Suite, shape: Shape, mode: Mode, rng: &mut SplitMix64) {
    let rows = aim(&["FreePorts", "FullLoad"], &["S2", "S7", "S20", "U26"]);
    let (mut script, at) = Script::opened_as(shape, 0, mode);
    for cycle in at..at + 180 {
        // Of each port whether it is free changes slowly.
        let mask = [0xFF, 0xFE, 0xF6, 0x01, 0x00, 0x5A][(cycle - at) as usize / 30];
        script.request_on(cycle, 0, if rng.below(4) == 0 { rng.below(256) } else { mask });
        if rng.below(4) == 0 {
            script.feedback(cycle, 0, rng.below(shape.evs), Kind::of(rng.below(5)));
        }
    }
    suite.add(format!("{}-random", mode.name()), "ports become free and not", rows, script);
}

/// Requests that are refused are not blocked, whatever is free.
fn refused(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["FreePorts", "ClosedCcc"], &["S3", "S20", "U26"]);
    let most = shape.cccs.next_power_of_two().max(2);
    let mut script = Script::new(shape);
    (0..shape.cccs + 8).for_each(|cycle| script.request_on(cycle, cycle % most, cycle));
    let at = script.operate(0, Command::open(0, 3, Mode::Bitmap)) + shape.effect();
    (0..18).for_each(|n| script.request_on(at - 4 + n, n % most, n));
    script.command(at, Op::Close, 0, 0);
    (0..12).for_each(|n| script.request_on(at + shape.effect() - 4 + n, 0, n / 2 % 2));
    suite.add("refused", "closed CCCs and ones that do not exist", rows, script);
}
