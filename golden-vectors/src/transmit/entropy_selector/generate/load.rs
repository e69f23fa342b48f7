// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random events with a request and a feedback in every cycle.

use super::shapes::SHAPES;
use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::entropy_selector::oracle::{ALL_FREE, Command, Kind, Op, Shape};
use crate::transmit::entropy_selector::script::{Script, built};
use crate::transmit::entropy_selector::suite::Suite;

/// The number of CCCs in use. It is enough for every distance in the pipeline.
const USED: u64 = 8;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in SHAPES {
        of_shape(suite, shape, rng);
    }
}

/// Adds the group `load` of one size. These cases find faults that no case for a single row provokes.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    suite.group("load", "random requests and feedback, one of each in every cycle", shape, (64, 128));
    let used = shape.cccs.min(USED);
    let mut counts = vec![1, 2.min(used), 3.min(used), used];
    counts.dedup();
    for cccs in counts {
        walking(suite, shape, cccs, rng);
    }
    half(suite, shape, rng);
    mixed(suite, shape, used, rng);
}

/// Marks on EVs that would be granted soon.
fn walking(suite: &mut Suite, shape: Shape, cccs: u64, rng: &mut SplitMix64) {
    let start = rng.below(shape.evs);
    let (mut script, at) = Script::all_opened(shape, cccs, start);
    script.settings(0, 64 + rng.below(60), 64 + rng.below(128));
    for step in 0..180 {
        script.request(at + step, rng.below(cccs));
        let ahead = start + step / cccs + rng.below(14);
        let kind = Kind::of(rng.below(6));
        script.feedback(at + step, rng.below(cccs), ahead % shape.evs, kind);
    }
    let rows = aim(&["FullLoad", "BackToBack"], &["S1", "S2", "S5", "S6", "S7"]);
    suite.add(format!("ahead-{cccs}"), format!("on {cccs} CCCs, marks just ahead of the walk"), rows, script);
}

/// About half of the EVs are marked, and `saturation` is just that fraction.
fn half(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    let evs = shape.evs.min(128);
    let (mut script, at) = Script::opened(shape, 0);
    script.settings(0, 64 + evs, 128 * evs / shape.evs);
    for step in 0..200 {
        if step > 30 {
            script.request(at + step, 0);
        }
        if step < evs || rng.below(3) == 0 {
            script.mark(at + step, 0, rng.below(evs));
        }
    }
    let rows = aim(&["FullLoad", "Saturated"], &["S2", "S6", "S7", "U12"]);
    suite.add("half", "marks rise to half of the EVs and fall", rows, script);
}

/// All events at once, with valid and invalid numbers.
fn mixed(suite: &mut Suite, shape: Shape, used: u64, rng: &mut SplitMix64) {
    let most = used.next_power_of_two().max(2);
    let (mut script, at) = Script::all_opened(shape, used, 3);
    let mut settings = (80, 85);
    script.settings(0, settings.0, settings.1);
    for step in 0..200 {
        let free = if rng.below(8) == 0 { rng.below(1 << shape.ports) } else { ALL_FREE };
        script.request_on(at + step, rng.below(most), free);
        let ev = match rng.below(8) {
            0 => shape.evs + rng.below(0x10000 - shape.evs),
            _ => (3 + step / used + rng.below(16)) % shape.evs,
        };
        script.feedback(at + step, rng.below(most), ev, Kind::of(rng.below(6)));
        if rng.below(24) == 0 {
            settings = (rng.below(160), rng.below(300));
            script.settings(at + step, settings.0, settings.1);
        }
        if step % 30 == 0 {
            let op = Op::of(rng.below(6));
            let (ccc, start) = (rng.below(most), rng.below(shape.evs));
            script.operate(at + step, Command { op, ..Command::open(ccc, start, built(shape, ccc + step / 30)) });
        }
    }
    script.unready = vec![Command::new(Op::Close, 0, 0), Command::new(Op::Open, 0, 7)];
    let rows = aim(&["FullLoad", "OutOfRange", "Command", "Settings"], &["S3", "S8", "S9", "S10", "S11"]);
    suite.add("mixed", "operations, settings and what must be refused besides", rows, script);
}
