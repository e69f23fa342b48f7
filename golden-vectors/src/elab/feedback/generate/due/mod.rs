// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows W12 to W14: reports of their own.

mod answers;
mod forgetting;
mod load;
mod output;
mod settings;
mod times;

use super::shapes::{FOUR, LATENCIES, SHAPES, SMALL, TEN, THIRTY};
use crate::elab::feedback::oracle::{Settings, Shape};
use crate::elab::feedback::script::Script;
use crate::elab::feedback::suite::Suite;
use crate::rng::SplitMix64;

pub use load::of_shape;

/// One pair, so that a visit sees what the one before it has left, with memories of each latency; numbers of pairs that
/// are a power of two and none; more pairs than the pipeline has steps.
const SIZES: [Shape; 9] = [
    SMALL,
    SMALL.ram_latency(2),
    SMALL.ram_latency(3),
    LATENCIES[0],
    LATENCIES[1],
    LATENCIES[2],
    FOUR.ram_latency(1),
    FOUR,
    THIRTY,
];

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in SIZES {
        times::add(suite, shape);
        answers::add(suite, shape);
        output::add(suite, shape);
        forgetting::add(suite, shape);
        settings::add(suite, shape);
    }
    for shape in SHAPES {
        of_shape(suite, shape, rng);
    }
}

/// A report is due after this time.
const fn after(time: u64) -> Settings {
    TEN.report_time(time)
}

/// A pair that waits.
struct Waiting {
    script: Script,
    /// The visit that first sees that it waits.
    seen: u64,
    /// The visit in which it is due.
    due: u64,
}

/// Packets on VPs of pair 0, one a cycle, of which a visit sees the last one as soon as it can. The others are seen in
/// that visit, too, if they are not more than pairs. A report is due after four visits of every pair.
fn waiting(shape: Shape, vps: &[u64]) -> Waiting {
    let (mut script, at) = Script::new(shape);
    let time = 4 * shape.pairs;
    script.set(0, after(time));
    let count = vps.len() as u64;
    let seen = script.sees_arrival(at + 2 * shape.pairs + count, 0);
    for (n, &vp) in (1..).zip(vps) {
        script.arrive(seen - shape.arrival_to_visit() + n - count, 0, vp);
    }
    // The visit that sees the first packet begins the time.
    let seen = script.sees_arrival(seen - shape.arrival_to_visit() + 1 - count, 0);
    Waiting { script, seen, due: seen + time }
}

/// A cycle that is a small number of cycles from another one.
const fn near(cycle: u64, distance: i64) -> u64 {
    cycle.saturating_add_signed(distance)
}
