// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random arrivals, queries, commands and settings.

use super::shapes::{SHAPES, TEN};
use crate::collect::aim;
use crate::elab::feedback::oracle::{Arrival, Settings, Shape};
use crate::elab::feedback::ports;
use crate::elab::feedback::script::{Script, other_port, port};
use crate::elab::feedback::suite::Suite;
use crate::rng::SplitMix64;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in SHAPES {
        of_shape(suite, shape, rng);
    }
}

/// Adds the group `load` of one size. These cases find faults that no case for a single row provokes.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    suite.group("load", "random events", shape, TEN);
    let rows = ["W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W11"];
    for n in 0..6 {
        let used = [1, 2, 1, 4, 1, 3][n].min(shape.pairs);
        let vps = [2, 4, 8, 4, 1, 8][n].min(shape.vps);
        let script = script(shape, (used, vps), [90, 100, 60, 95, 100, 40][n], rng);
        let comment = format!("on {used} pairs and {vps} VPs");
        suite.add(format!("{n}"), comment, aim(&["FullLoad", "Forget", "Settings"], &rows), script);
    }
}

/// Random events on `used` pairs with `vps` VPs each. `busy` of 100 cycles have an arrival and a query.
fn script(shape: Shape, (used, vps): (u64, u64), busy: u64, rng: &mut SplitMix64) -> Script {
    let (mut script, at) = Script::new(shape);
    let step = shape.vps / vps;
    let any_pair = |rng: &mut SplitMix64| {
        if rng.below(30) == 0 { rng.below(ports::numbers(shape)) } else { rng.below(used) }
    };
    script.set(0, Settings::new(rng.below(5)));
    // The same burst number is used for several packets.
    let mut burst = 1;
    for at in at..at + 240 {
        if rng.below(8) == 0 {
            burst = if rng.below(3) == 0 { 0 } else { 1 + rng.below(3) };
        }
        if rng.below(100) < busy {
            let (pair, vp) = (any_pair(rng), rng.below(vps) * step + step / 2);
            let sport = if rng.below(25) == 0 { other_port(shape, pair, vp) } else { port(shape, pair, vp) };
            script.arrival(at, Arrival { pair, sport, ecn: rng.below(9) == 0, burst });
        }
        if rng.below(100) < busy {
            script.query(at, any_pair(rng));
        }
        if rng.below(60) == 0 {
            // Some are only on the port.
            let burst = [0, 1, 2, 3, 4, 10, 0x100][rng.below(7) as usize];
            script.set(at, Settings { valid: rng.below(4) > 0, ..Settings::new(burst) });
        }
        if rng.below(30) == 0 {
            script.forget(at, any_pair(rng));
        }
    }
    script
}
