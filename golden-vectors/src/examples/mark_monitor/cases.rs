// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cases: for each row of the contract, and random traffic.

use super::oracle::{Settings, Shape};
use super::suite::{Script, Suite};
use crate::collect::aim;
use crate::rng::SplitMix64;

/// The sizes that are tested: each latency, and the smallest.
pub const SHAPES: [Shape; 4] = [
    Shape { paths: 8, alarms: 4, ram_latency: 1 },
    Shape { paths: 8, alarms: 4, ram_latency: 2 },
    Shape { paths: 8, alarms: 4, ram_latency: 3 },
    Shape { paths: 2, alarms: 2, ram_latency: 2 },
];

/// The meaning of the flags of the cases. These texts are part of the vector file.
pub const NOTES: [(&str, &str, &str); 6] = [
    (
        "BackToBack",
        "hazard",
        "Marks on the same path in consecutive cycles: each must see the count that the one before left.",
    ),
    ("Interleaved", "hazard", "Marks on two paths at every distance at which both can be in the pipeline."),
    ("Limit", "boundary", "Counts one below the limit, at it, and above a limit that has been lowered."),
    (
        "Stall",
        "handshake",
        "The receiver of alarms is not ready: alarms wait, and those without room are counted as lost.",
    ),
    ("Sweep", "reset", "Marks while the table is swept after reset. None of them is counted."),
    ("FullLoad", "throughput", "Random marks in nearly every cycle."),
];

/// With the receiver ready.
const fn limit(limit: u64) -> Settings {
    Settings { limit, ready: true }
}

/// Adds all cases.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in SHAPES {
        suite.group("marks", "one rule of the contract after the other", shape, limit(3));
        counting(suite, shape);
        stalls(suite, shape);
        sweep(suite, shape);
        load(suite, shape, rng);
    }
}

/// C1, C2: every mark is counted, at every distance to the previous one on its path.
fn counting(suite: &mut Suite, shape: Shape) {
    let mut script = Script::default();
    script.marks(shape.paths, [1; 10]);
    suite.add("same", "ten marks on one path", aim(&["BackToBack", "Limit"], &["C1", "C2"]), script);
    for distance in 2..=8 {
        let mut script = Script::default();
        for n in 0..9 {
            script.marks(shape.paths + n * distance, [1]);
            script.marks(shape.paths + n * distance + 1, [0]);
        }
        let comment = format!("marks on one path {distance} cycles apart, and on another one after each");
        suite.add(format!("apart-{distance}"), comment, aim(&["Interleaved"], &["C1", "C2"]), script);
    }
    for (name, first, second) in [("zero", 0, 0), ("one", 1, 1), ("lowered", 9, 2), ("raised", 2, 9)] {
        let mut script = Script::default();
        script.set(0, limit(first));
        let after = script.marks(shape.paths, [1; 4]);
        script.set(after + 8, limit(second));
        script.marks(after + 8, [1; 12]);
        let comment = format!("a limit of {first}, then of {second}");
        suite.add(format!("limit-{name}"), comment, aim(&["Limit"], &["C2"]), script);
    }
}

/// C3, C4: alarms wait for the receiver, in order, and are lost only if the FIFO is full.
fn stalls(suite: &mut Suite, shape: Shape) {
    for (name, alarms) in [("waits", 1), ("fills", shape.alarms), ("overflows", shape.alarms + shape.ram_latency + 5)] {
        let mut script = Script::default();
        script.set(0, Settings { limit: 1, ready: false });
        let after = script.marks(shape.paths, (0..alarms).map(|n| n % shape.paths));
        script.set(after + 12, limit(1));
        script.set(after + 14, Settings { limit: 1, ready: false });
        script.set(after + 17, limit(1));
        let comment = format!("{alarms} alarms, while the receiver is not ready");
        suite.add(name, comment, aim(&["Stall"], &["C3", "C4"]), script);
    }
}

/// C5.
fn sweep(suite: &mut Suite, shape: Shape) {
    let mut script = Script { held: vec![0, 1], ..Script::default() };
    script.set(0, limit(1));
    script.marks(shape.paths, [1]);
    suite.add("sweep", "marks on the inputs during the sweep", aim(&["Sweep"], &["C5"]), script);
}

/// Random traffic.
pub fn load(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    for n in 0..4 {
        let (used, busy) = ([1, 2, 8, 3][n].min(shape.paths), [100, 95, 100, 60][n]);
        let mut script = Script::default();
        for at in shape.paths..shape.paths + 300 {
            if rng.below(100) < busy {
                script.marks(at, [rng.below(used)]);
            }
            if rng.below(20) == 0 {
                script.set(at, Settings { limit: rng.below(5), ready: rng.below(3) > 0 });
            }
        }
        let comment = format!("random marks on {used} paths");
        suite.add(format!("load-{n}"), comment, aim(&["FullLoad"], &["C1", "C2", "C3", "C4"]), script);
    }
}
